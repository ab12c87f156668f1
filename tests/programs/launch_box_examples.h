// Tables of tunings after the examples of *Modern GPU*, "Performance": published rows, for
// architectures that later ones inherit from.
//
//   rows_text<examples::Bar>()      sm_20 … sm_29, sm_30 … sm_34, from sm_35
#pragma once
#include <cstdint>
#include <headroom/launch_box.cuh>

namespace examples {

using headroom::LaunchBox;
using headroom::Row;

// Parameters and types of one's own, by architecture.
struct bar_20 : Row<20, 128, 7> {
  static constexpr int P1 = 20;
  using Type = short;
};
struct bar_30 : Row<30, 256, 5> {
  static constexpr int P1 = 30;
  using Type = float;
};
struct bar_35 : Row<35, 256, 9> {
  static constexpr int P1 = 35;
  using Type = double;
};
using Bar = LaunchBox<bar_20, bar_30, bar_35>;

// By the size of an element: mergesort's best tunings on a GTX 480 and on a Titan.
template <typename Key>
using Mergesort = LaunchBox<Row<20, 128, sizeof(Key) == 4 ? 23 : 11>,  //
                            Row<35, 256, sizeof(Key) == 4 ? 11 : 5>>;

}  // namespace examples
