// A row of a table of tunings: what a kernel uses on one architecture and on later ones without a
// row of their own. C++20, no CUDA needed.
//
//   Row<80, 128, 7, 4>          sm_80: 128 threads a block, 7 values a thread, 4 blocks an SM
//
//   struct sm_35 : Row<35, 128, 7> {                     parameters and types of one's own
//     static constexpr int P1 = 35;
//     using Type = double;
//   };
//
//   template <typename Key>                              by the size of an element
//   struct sm_20 : Row<20, 128, sizeof(Key) == 4 ? 23 : 11> {};
//
// Names and meaning are those of the "Performance" chapter of *Modern GPU* (S. Baxter, 2013).
#pragma once
#include <concepts>

namespace headroom {

// Architecture 80 is sm_80. NT: threads a block. VT: values a thread. OCC: the least number of
// blocks that must fit on an SM, for __launch_bounds__; 0 leaves it to the compiler.
template <int Architecture, int Threads, int Values = 1, int Blocks = 0>
struct Row {
  static constexpr int architecture = Architecture;
  static constexpr int NT = Threads, VT = Values, OCC = Blocks;
};

// What a row must have: a Row, something derived from one, or a type of the same members.
template <typename R>
concept TuningRow = requires {
  { R::architecture } -> std::convertible_to<int>;
  { R::NT } -> std::convertible_to<int>;
  { R::VT } -> std::convertible_to<int>;
  { R::OCC } -> std::convertible_to<int>;
  requires R::architecture >
  0 && R::NT > 0 && R::NT <= 1024 && R::VT > 0 && R::OCC >= 0;
};

}  // namespace headroom
