// rung    by_region
// idea    intervals take the order of the regions that they go to: the L2 keeps a sector until all of it is written
// expect  global_store_sectors / 0.82 against whole_lines: the records; that DRAM has less to do no counter here shows
// next    none yet: gathers of four elements, whose pieces are read in random order
//
// A sector that is written in part has to be read before it can go back to memory, and in random order each of its
// pieces costs that anew: an H200 writes 17 G random pieces of 16 bytes a second, and reads 44 G. So the intervals are put in
// order first, by 256 regions of where they go: every block counts what its chunk has for each region, the counts are
// summed up, and every block places its chunk, tile by tile, through shared memory; begins are now the sums of lengths
// in the new order. What all blocks write at a time then lies in a region or two, and stays in the L2 until it is
// whole: fewer resident blocks, for short intervals, are faster than many. Expansions and gathers write in order anyway.
#include <algorithm>

#include "studies/common/shared_memory.h"
#include "studies/interval_move/regions.h"

namespace {

using namespace interval_move;

using Tuning = headroom::LaunchBox<headroom::Row<80, 128, 16, 6>>;
constexpr int regions = 256, most_chunks = 1024;
constexpr int counting_NT = 1024, summing_NT = 512;
constexpr int ordering_NT = 512, ordering_VT = 8, ordering_OCC = 2,
              tile = ordering_NT * ordering_VT;

size_t workspace(int elements, int intervals) {
  constexpr size_t numbers = sizeof(Record) / sizeof(int), of_sums = sizeof(Sums) / sizeof(int);
  return numbers * size_t(intervals) + of_sums * regions * (most_chunks + 1) +
         edges_of(elements, intervals);
}

// Of whole tiles, as many as blocks are resident.
int intervals_of_chunk(int intervals) {
  int device = 0, multiprocessors = 0;
  CHECK(cudaGetDevice(&device));
  CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  const int chunks = std::min(ordering_OCC * multiprocessors, most_chunks);
  return ((intervals - 1) / tile / chunks + 1) * tile;
}

void launch(const Request& r) {
  if (r.kind == Kind::expand || r.kind == Kind::gather || r.elements == 0) {
    return launch_tiles<Tuning, Start::at_line>(r, AsGiven{}, r.workspace);
  }
  Chunks chunk = {intervals_of_chunk(r.intervals), 0};
  while ((r.elements - 1) >> chunk.shift >= regions) ++chunk.shift;
  const int chunks = (r.intervals - 1) / chunk.intervals + 1;
  Record* const records = reinterpret_cast<Record*>(r.workspace);
  Sums* const sums = reinterpret_cast<Sums*>(records + r.intervals);
  Sums* const totals = sums + regions * chunks;
  count_regions<counting_NT, regions><<<chunks, counting_NT>>>(r, chunk, sums);
  sum_chunks<summing_NT><<<regions, summing_NT>>>(sums, chunks, totals);
  constexpr int shared = sizeof(Tile<tile>);
  const auto order = r.kind == Kind::scatter
                         ? order_by_region<ordering_NT, ordering_VT, ordering_OCC, regions, true>
                         : order_by_region<ordering_NT, ordering_VT, ordering_OCC, regions, false>;
  study::allow_shared(order, shared);
  order<<<chunks, ordering_NT, shared>>>(r, chunk, sums, totals, records);
  Request in_order = r;
  in_order.kind = Kind::move;
  launch_tiles<Tuning, Start::at_line>(in_order, InOrder{records},
                                       reinterpret_cast<int*>(totals + regions));
}

}  // namespace

const interval_move::Rung interval_move::by_region = {"by_region", launch, workspace};
