// Numbers with their units as equations show them: three digits, decimal prefixes, so that a reader
// can divide one by the other and get the result printed.
//
//   microseconds(6.97e-6)      "6.97 µs"
//   prefixed(33554432, "B")    "33.6 MB"
//   prefixed(1081344, "")      "1.08 M"
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace headroom {

std::string three_digits(double value);
std::string prefixed(double value, std::string_view unit);
std::string microseconds(double seconds);
std::string mebibytes(double bytes);  // sizes of caches: "60 MiB", "512 KiB"

namespace text {

std::string grouped(uint64_t);  // groups of three from 10 000 on: "1 081 344"
// "1 launch", "3 launches"
std::string counted(uint64_t count, std::string_view one, std::string_view many);

}  // namespace text

}  // namespace headroom
