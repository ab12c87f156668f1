// The engine of one instruction set: its rows and its execution bodies.
#include "sim/lanes/isa.h"

namespace headroom::sim::HEADROOM_ISA {
namespace {
void stop(Warp&, const Operation&) {}

void add_rows(RowTable& table) {
  integer_rows(table);
  bit_rows(table);
  float_rows(table);
  half_rows(table);
  convert_rows(table);
  narrow_rows(table);
  video_rows(table);
  compare_rows(table);
  warp_rows(table);
  inner_rows(table);
  matrix_rows(table);
}
}  // namespace

extern const Engine the_engine;
const Engine the_engine{HEADROOM_ISA_NAME, &add_rows, &choose_load, &choose_store,
                        &choose_atomic,    &stop,     &count_body,  &silent_body};

}  // namespace headroom::sim::HEADROOM_ISA
