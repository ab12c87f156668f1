// The engine of one instruction set: its rows and its execution bodies.
#include <bit>

#include "sim/lanes/isa.h"

namespace headroom::sim::HEADROOM_ISA {
namespace {
void stop(Warp&, const Operation&) {}

uint64_t count_ones(const uint64_t* bits, const uint64_t* others, uint64_t words) {
  uint64_t sum = 0;
  for (uint64_t word = 0; word < words; ++word)
    sum += uint64_t(std::popcount(bits[word] | (others ? others[word] : 0)));
  return sum;
}

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
  machine_rows(table);
  machine_pair_rows(table);
  machine_float_rows(table);
  matrix_rows(table);
}
}  // namespace

extern const Engine the_engine;
const Engine the_engine{HEADROOM_ISA_NAME, &add_rows,    &choose_load, &choose_store,
                        &choose_atomic,    &count_ones,  &stop,        &count_body,
                        &detailed_body,    &silent_body, &check_body,  &bounds_body};

}  // namespace headroom::sim::HEADROOM_ISA
