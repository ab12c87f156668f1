// Occupancy: what fits, what stops the next block, the arithmetic by hand, and what the
// least change of each limiter would give.
//
//   1 block per SM, 32 of 48 warps: 67 %
//
//   resource       blocks           arithmetic                      with
//   threads             1  limits   1536 / 1024 = 1                 threads ≤ 768: 2 blocks, 100 %
//   shared memory      11           102400 / ceil(8192 + 1024, 128) = 11
#pragma once
#include <string>
#include <vector>

#include "machine/machine.h"
#include "model/hiding.h"
#include "model/occupancy.h"
#include "report/document.h"

namespace headroom {

// "50 % registers": as it stands in a table of kernels.
std::string occupancy_cell(const Occupancy&);
// The result alone, as a part of a report.
Document occupancy_blocks(const Occupancy&);
// With the machine and the block it is about.
Document occupancy_document(const Machine&, const BlockShape&, const Occupancy&);

// The same kernel in blocks of several sizes; `shape.threads` is not read.
//
//   threads  blocks  warps  occupancy  limited by
//       256       8     64      100 %  threads, warps
struct SweptBlock {
  int threads;
  Occupancy occupancy;
};
Document occupancy_sweep(const Machine&, const BlockShape&, const std::vector<SweptBlock>&);

// Occupancy that a loop of loads and operations needs (model/hiding.h).
//
//   operations  idle DRAM:             busy DRAM:
//       a load       warps  occupancy       warps  occupancy             bound by
//           64        59.1       92 %        72.2      113 %  #######++  arithmetic
Document needed_occupancy(const Machine&, const std::vector<NeededWarps>&);

}  // namespace headroom
