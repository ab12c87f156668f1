// The tables of docs/launch_box.md as text: nothing is launched.
#include "tests/programs/launch_box_examples.h"

using namespace headroom;
using examples::Bar, examples::Mergesort;

using IntervalMove = LaunchBox<Row<20, 128, 7>>;

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
