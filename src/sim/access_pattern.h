// Where the lanes' addresses of an access lie relative to the first one's. What a profiler counts
// of an access (sectors, wavefronts, conflicts) depends on this pattern and on its space alone, and
// an instruction mostly keeps its pattern: each site remembers its last one, and comparing is all
// that is left to do.
//
//   lane i reads 4 bytes at 0x…1000 + 4 i    delta {0, 4, 8, …}     4 sectors, 1 wavefront
//   lane i reads 4 bytes at 0x…1000 + 128 i  delta {0, 128, …}     32 sectors, 32 wavefronts
#pragma once
#include <cstdint>

#include "sim/engine.h"
#include "sim/program.h"

namespace headroom::sim {

struct AccessPattern {
  alignas(64) uint64_t delta[lanes];  // address minus the first active lane's; 0 for inactive lanes
  uint32_t delta32[lanes];            // the same, for addresses in 32-bit registers
  uint32_t index[lanes];              // window: each lane's first 4-byte word, from the lowest
  uint32_t words = 0;                 // window: how many there are
  int64_t low = 0, high = 0;          // the least and the greatest of them
  uint32_t mask = 0;
  uint32_t phase = ~0u;  // first address modulo 32, or less where it does not matter
  uint32_t phase_mask =
      31;  // 0: what is counted is the same wherever the first lane lies in its sector
  uint8_t bytes = 0;
  Place place = Place::global;  // that it was analysed for
  uint8_t layout = 0;           // HostAddresses::Layout
  bool consecutive = false;     // the sectors follow each other
  uint16_t sectors = 0, wavefronts = 0, conflicts = 0;
  int64_t sector[lanes];  // distinct sectors relative to the first lane's, in order if consecutive
  // The sector from which an observer noted these last, all of them: it need not do so again.
  mutable uint64_t marked = ~0ull;
};

// Fill in what follows from delta, mask, phase and bytes.
void analyse_global(AccessPattern&);
void analyse_shared(AccessPattern&);
void analyse_local(AccessPattern&);
// Of a load from global memory: L1 has shared memory's banks, but passes of 16 or 8 lanes with 8 or 16 bytes never merge.
int wavefronts_in_l1(const AccessPattern&);
// ldmatrix and stmatrix serve a matrix at a time: the rows of 16 bytes of eight lanes.
void analyse_matrix_rows(AccessPattern&);

}  // namespace headroom::sim
