// The copy study: what a rung is. All copy any number of bytes between allocations that do not overlap.
//
//   eight_float4.launch(request);          // asynchronous, on the default stream
//
// Source of the ladder up to eight_float4: V. Volkov, "Better Performance at Lower Occupancy", 2010,
// p30-38.
#pragma once
#include <cstddef>

namespace copy {

// What one launch has to do, and the room that a row of the table gives it.
struct Request {
  void* to;
  const void* from;
  size_t bytes;
  int threads;         // of a block
  int blocks;          // that can be resident, on all SMs together
  int dynamic_shared;  // bytes, of a block
};

// What a row may ask of a rung whose blocks stay.
struct Room {
  int threads;         // of a block
  int dynamic_shared;  // bytes that there are for it
  int chunk;           // bytes that a bulk copy moves; 0: as tuned
};
inline int no_shared(const Room&) { return 0; }
inline int sixteen(int) { return 16; }

struct Variant {
  const char* name;
  const char* option;  // of the command line, and the rung's file
  const void* kernel;  // for the runtime's occupancy and attribute calls
  void (*launch)(const Request&);
  // Bytes that the loads of a block have in flight at most.
  int (*in_flight)(int threads, int dynamic_shared);
  bool stays = false;  // its blocks are those that are resident; else they come and go
  int (*shared)(const Room&) = no_shared;  // bytes a block that stays needs; -1: more than there is
  int capability = 0;                      // the least compute capability: 90 is 9.0
  bool chunks = false;                     // Room::chunk is heard
  int (*least)(int threads) = sixteen;     // bytes; its kernel is not launched for fewer
};

extern const Variant one_float, two_floats, four_floats, eight_floats, eight_float2, eight_float4,
    sixteen_float4, persistent, pipelined, asynchronous, queued, bulk;

// The ladder, from the ground up.
constexpr const Variant* variants[] = {&one_float,    &two_floats,   &four_floats,    &eight_floats,
                                       &eight_float2, &eight_float4, &sixteen_float4, &persistent,
                                       &pipelined,    &asynchronous, &queued,         &bulk};

}  // namespace copy
