// The files of this folder, to each other.
#pragma once
#include "sim/engine.h"

namespace headroom::sim::HEADROOM_ISA {

Handler choose_load(int memory_bytes, bool is_signed, int register_bytes, int count);  // move.cpp
Handler choose_store(int memory_bytes, int register_bytes, int count);
Handler choose_atomic(std::string_view operation, std::string_view type,
                      bool wants_result);  // atomic.cpp

void integer_rows(RowTable&);
void bit_rows(RowTable&);
void float_rows(RowTable&);
void half_rows(RowTable&);
void convert_rows(RowTable&);
void narrow_rows(RowTable&);
void video_rows(RowTable&);
void compare_rows(RowTable&);
void warp_rows(RowTable&);
void inner_rows(RowTable&);  // operations decode makes by itself
void machine_pair_rows(RowTable&);
void machine_rows(RowTable&);  // operations of machine code
void machine_float_rows(RowTable&);
void matrix_rows(RowTable&);
void matrix_memory_rows(RowTable&);
void matrix_warpgroup_rows(RowTable&);

extern const Body count_body, detailed_body, silent_body, check_body, bounds_body;

}  // namespace headroom::sim::HEADROOM_ISA
