#include "base/printable.h"

#include <fmt/format.h>

namespace headroom {
namespace {

constexpr std::string_view of_reports[] = {"\033[0m", "\033[1m", "\033[2m", "\033[31m"};

std::string_view colour_at(std::string_view text) {
  for (const std::string_view each : of_reports)
    if (text.starts_with(each)) return each;
  return {};
}

// U+0080 to U+009F are control characters too, two bytes each in UTF-8.
bool is_second_control(std::string_view text) {
  return text.size() > 1 && text[0] == '\xc2' && static_cast<unsigned char>(text[1]) < 0xa0;
}

}  // namespace

std::string printable(std::string_view text, Colours colours) {
  std::string result;
  result.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = text.substr(i);
    const auto byte = static_cast<unsigned char>(text[i]);
    if (const auto colour = colour_at(rest); colours == Colours::kept && !colour.empty()) {
      result += colour;
      i += colour.size() - 1;
    } else if (is_second_control(rest)) {
      result += fmt::format("\\u{:04x}", static_cast<unsigned char>(rest[1]));
      ++i;
    } else if ((byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7f) {
      result += fmt::format("\\x{:02x}", byte);
    } else {
      result += text[i];
    }
  }
  return result;
}

}  // namespace headroom
