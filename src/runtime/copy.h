// Copies and fills of plain bytes and of boxes of rows; which pointers may take which part; what
// they cost.
#pragma once
#include "runtime/session.h"

namespace headroom::runtime {

// A box of `depth` slices of `height` rows of `width` bytes; a plain run of bytes is one row.
struct Box {
  size_t width = 0, height = 1, depth = 1;
  bool empty() const { return !width || !height || !depth; }
};
// Where its rows lie: row y of slice z begins at base + (z * slice_rows + y) * pitch.
struct Rows {
  uintptr_t base = 0;
  size_t pitch = 0, slice_rows = 1;
  uintptr_t row(size_t y, size_t z) const { return base + (z * slice_rows + y) * pitch; }
  size_t extent(const Box& box) const {
    return row(box.height - 1, box.depth - 1) - base + box.width;
  }
};

cudaError_t copy(Session&, const Rows& to, const Rows& from, const Box&, cudaMemcpyKind);
cudaError_t copy(Session&, void* to, const void* from, size_t bytes, cudaMemcpyKind);
cudaError_t fill(Session&, const Rows& to, int value, const Box&);

}  // namespace headroom::runtime
