#include "model/quantity.h"

#include <fmt/format.h>

#include <cmath>

namespace headroom {

std::string three_digits(double value) {
  if (value == 0) return "0";
  double size = std::abs(value);
  if (size < 0.001 || size >= 1e7) return fmt::format("{:.2e}", value);
  int decimals = size >= 99.95 ? 0 : size >= 9.995 ? 1 : size >= 0.9995 ? 2 : 3;
  return value == std::floor(value) ? fmt::format("{:.0f}", value)
                                    : fmt::format("{:.{}f}", value, decimals);
}

std::string prefixed(double value, std::string_view unit) {
  constexpr std::string_view prefixes[] = {"", "k", "M", "G", "T", "P"};
  size_t i = 0;
  while (std::abs(value) >= (i ? 999.5 : 10'000) && i + 1 < std::size(prefixes)) value /= 1000, ++i;
  std::string tail = std::string(prefixes[i]) + std::string(unit);
  return three_digits(value) + (tail.empty() ? "" : " " + tail);
}

std::string microseconds(double seconds) { return three_digits(seconds * 1e6) + " µs"; }

std::string mebibytes(double bytes) {
  constexpr double kibi = 1024, mebi = 1024 * 1024;
  if (bytes < kibi) return three_digits(bytes) + " B";
  return bytes < mebi ? three_digits(bytes / kibi) + " KiB" : three_digits(bytes / mebi) + " MiB";
}

namespace text {

std::string grouped(uint64_t value) {
  std::string digits = std::to_string(value);
  if (value < 10'000) return digits;
  for (size_t i = digits.size(); i > 3;) digits.insert(i -= 3, " ");
  return digits;
}

std::string counted(uint64_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", grouped(count), count == 1 ? one : many);
}

}  // namespace text

}  // namespace headroom
