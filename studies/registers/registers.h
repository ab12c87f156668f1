// How many bytes a clock registers, shared memory and L1 give the lanes of an SM, by warps on the
// SM and by independent chains a thread.
//
// Two kinds of step, each the next of its chain; the chains of a thread are independent:
//
//   multiply   a = a * b + c     b from a register, or from shared memory or L1: what an operand costs
//   walk       place = memory[place]     4, 8 or 16 bytes a lane, the next load waits for this one;
//                                        further words are multiplied and added up
//
// Rows of 32 nodes, one a lane, so that a warp's load is 32 neighbours: no bank conflicts in shared
// memory, whole lines in L1.
//
//   row 0   | lane 0 | lane 1 | … | lane 31 |     a walk visits the rows in a random order, all
//   row 1   | lane 0 | …                          lanes of a warp together
//
// Source: V. Volkov, "Better Performance at Lower Occupancy", 2010, part III (registers are faster
// than shared memory), known by its title.
#pragma once
#include <headroom/launch_box/table.h>

#include <cstdint>
#include <vector>

namespace registers {

// Clocks of the SM at which a warp began and ended its steps.
struct Span {
  long long start, stop;
};

// One chain of a thread: where it stands, and what it has computed.
struct Chain {
  int place;
  float value;
};

struct Work {
  Chain* chains;          // chains x threads, replaced by what they end with
  const void* table;      // of the variant: what shared memory is filled with, or L1 reads
  const float* operands;  // b and c
  Span* spans;            // one a warp
  int blocks, threads, steps;
};

constexpr int lanes = 32;
constexpr int walk_rows = 31;      // a prime: no number of steps leads back to where a walk began
constexpr int steps_divide = 256;  // steps are a multiple, so that iterations of loops are whole
using Table = std::vector<uint32_t>;

// A chain on the host: its number in its thread, the thread's lane, where it starts, the operands.
struct Start {
  int chain, lane;
  Chain at;
  float b, c;
};

struct Variant {
  const char* step;
  const char* place;      // what is measured: registers, shared, L1
  int chains;             // independent ones of a thread
  int bytes, multiplies;  // of a step of all chains of a thread: from that place; multiply-adds
  const void* kernel;     // for the runtime's occupancy calls
  Table (*table)(uint64_t seed);
  void (*launch)(const Work&);
  Chain (*on_host)(const Table&, Start, int steps);
};

// A rung is one way, with 1, 2, 4 and 8 chains a thread.
constexpr int chain_counts[] = {1, 2, 4, 8};
struct Rung {
  Variant variants[4];
};

// Blocks of up to 1024 threads. Where an SM has room for 2048 two of them are 64 warps, and leave
// 32 registers to a thread: enough for up to 16 values that it keeps at a time.
template <int values>
using Box = headroom::LaunchBox<
    headroom::Row<75, 1024, values, 1>,  //
    headroom::Row<80, 1024, values, values <= 16 ? 2 : 1>, headroom::Row<86, 1024, values, 1>,
    headroom::Row<90, 1024, values, values <= 16 ? 2 : 1>, headroom::Row<120, 1024, values, 1>>;

extern const Rung register_operands, shared_operand, shared_reused, l1_operand, shared_4, shared_8,
    shared_16, l1_4, l1_16;

}  // namespace registers
