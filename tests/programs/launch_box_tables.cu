// The tables of docs/launch_box.md as text: nothing is launched.
#include <cstdint>
#include <headroom/launch_box.cuh>

using namespace headroom;

using IntervalMove = LaunchBox<Row<20, 128, 7>>;

template <typename Key>
using Mergesort = LaunchBox<Row<20, 128, sizeof(Key) == 4 ? 23 : 11>,  //
                            Row<35, 256, sizeof(Key) == 4 ? 11 : 5>>;

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

static const char* name_of(short) { return "short"; }
static const char* name_of(float) { return "float"; }
static const char* name_of(double) { return "double"; }

int main() {
  std::printf("IntervalMove\n\n%s\n", rows_text<IntervalMove>().c_str());
  std::printf("Mergesort of 32-bit keys\n\n%s\n", rows_text<Mergesort<int32_t>>().c_str());
  std::printf("Mergesort of 64-bit keys\n\n%s\n", rows_text<Mergesort<int64_t>>().c_str());
  const Column p1{"P1", [](auto row) { return row.P1; }};
  const Column type{"Type", [](auto row) { return name_of(typename decltype(row)::Type{}); }};
  std::printf("Bar\n\n%s", rows_text<Bar>(p1, type).c_str());
}
