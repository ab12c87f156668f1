// Stable sorting by merging: keys, or keys with a value each, of any type and order.
//
//   four_way.sort(request);      // asynchronous, on the default stream; the input stays as it is
//
// Source of the form: S. Baxter, "Modern GPU", 2013: layers from thread to grid, merge path, NT x VT.
#pragma once
#include <cstddef>
#include <cstdint>

namespace merge_sort {

// What is sorted, and by which order; kinds.h says both.
enum class Kind { int32, int64, float32, low_byte };

constexpr int most = 1 << 30;  // elements

struct Request {
  Kind kind;
  bool pairs;  // each key has a value, of the same size
  int n;
  const void *keys_from, *values_from;
  void *keys, *values;            // sorted
  void *room_keys, *room_values;  // as large, for what lies between two passes
  int4* splits;                   // as many as splits_for(n)
};

// Of passes whose tiles hold a thousand elements or more, one for each tile, and some for short ones.
constexpr size_t splits_for(int n) { return size_t(n) / 512 + 1024; }

struct Rung {
  const char* name;
  void (*sort)(const Request&);
};

extern const Rung rank_merge, block_sort, merge_path, partitioned, four_way, split_by_warp,
    whole_records, even_passes, overlapped;

// The ladder, from the ground up.
constexpr const Rung* rungs[] = {&rank_merge,    &block_sort,  &merge_path,
                                 &partitioned,   &four_way,    &split_by_warp,
                                 &whole_records, &even_passes, &overlapped};

}  // namespace merge_sort
