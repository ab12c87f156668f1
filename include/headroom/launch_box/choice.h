// The row that code of one architecture uses, as values: what host code launches with.
//
//   Choice{.architecture = 90, .row = 80, .NT = 128, .VT = 7, .OCC = 4}
//     .NV()              896: values a block
//     .blocks(1'000'000) 1117
//     .inherited()       true: sm_90 has no row and uses that of sm_80
//   text(choice)         "NT=128 VT=7 OCC=4 (sm_90 uses the row of sm_80)"
#pragma once
#include <cstdint>
#include <stdexcept>
#include <string>

namespace headroom {

struct Choice {
  int architecture;  // for which the code was compiled: 90 is sm_90
  int row;           // for which the row was written, at most `architecture`
  int NT, VT, OCC;

  constexpr int NV() const { return NT * VT; }
  constexpr bool inherited() const { return row != architecture; }

  // Blocks of NV values that hold n. Throws std::invalid_argument where n < 0, or no grid is so
  // large.
  constexpr unsigned blocks(int64_t n) const {
    if (n < 0) throw std::invalid_argument("launch box: less than no values");
    const int64_t count = n / NV() + (n % NV() != 0);
    if (count > INT32_MAX) throw std::invalid_argument("launch box: more blocks than a grid has");
    return unsigned(count);
  }

  friend bool operator==(const Choice&, const Choice&) = default;
};

inline std::string architecture_name(int architecture) {
  return "sm_" + std::to_string(architecture);
}

inline std::string text(const Choice& choice) {
  std::string words = "NT=" + std::to_string(choice.NT) + " VT=" + std::to_string(choice.VT) +
                      " OCC=" + std::to_string(choice.OCC);
  if (choice.inherited()) {
    words += " (" + architecture_name(choice.architecture) + " uses the row of " +
             architecture_name(choice.row) + ")";
  }
  return words;
}

}  // namespace headroom
