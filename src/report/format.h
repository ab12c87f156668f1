// Numbers and names as a report prints them: units of the field, never more digits than a reader
// needs.
//
//   grouped(1081344)            "1 081 344"        compact(1081344)   "1.08 M"
//   microseconds(6.99e-6)       "6.99"             bytes(3.36e7)      "32.0 MiB"
//   percent(0.75)               "75 %"             ratio(4)            "4.0"
//   launch_shape({256}, {128})  "256 × 128"        launch_shape({8,8}, {32,32})  "(8,8,1)×(32,32,1)"
//   short_name("void ns::axpy<int>(int, float*)")  "ns::axpy<int>"      bare_name(…)  "axpy<int>"
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/quantity.h"
#include "record/launch.h"

namespace headroom::text {

std::string compact(double);                                // three digits and k, M, G, T
std::string microseconds(double seconds);                   // three digits; "0" is zero, not small
std::string marked(std::string text, bool estimated);       // "~34.0": an estimate
std::string bytes(double);                                  // B, KiB, MiB, GiB
std::string gigabytes_per_second(double bytes_per_second);  // 10^9
std::string percent(double fraction);                       // whole per cent, one decimal below 10
std::string ratio(double);                                  // one decimal
std::string state_word(State);  // "", "stopped", "not run": what stands in place of a floor
std::string launch_shape(const Dim3& grid, const Dim3& block);
std::string short_name(std::string_view kernel);    // without return type and parameters
std::string bare_name(std::string_view kernel);     // and without namespaces
std::string name_in_text(std::string_view kernel);  // … and as long as a sentence bears

// The same for all kernels of a report: names that differ stay different.
std::map<std::string, std::string> names_in_text(const std::vector<std::string>& kernels);

// Columns on a terminal: UTF-8 characters, not bytes.
size_t display_width(std::string_view);
// At most `width` columns, the middle replaced by "…": both ends of a template name tell it apart.
std::string shorten(std::string_view, size_t width);
// Each name of at most `width` columns, and names that differ stay different: where both ends of two
// are alike, one more piece from where they part stands between.
//
//   shorten_apart({"sort<float, …long…, 4, …long…>", "sort<float, …long…, 8, …long…>"}, 30)
//     ->  {"sort<floa…, 4, …ong>", …}
std::vector<std::string> shorten_apart(const std::vector<std::string>& names, size_t width);
// Lines of at most `columns`, broken at spaces and between a number and its unit only where both do
// not fit a line; continued lines indented. A word that is wider than a line loses its middle.
std::string wrap(std::string_view, size_t columns, size_t indent);

}  // namespace headroom::text
