// Boxes of bytes in linear memory, as copies and fills of two and three dimensions mean them.
//
//   Rows rows{base, 512, 4};             four rows a slice, each 512 bytes after the one before
//   rows.extent({100, 4, 2})             bytes from base to the end of the last row: 7 * 512 + 100
//
// Sizes come from programs: what does not fit into 64 bits saturates, and no range check lets it pass.
#pragma once
#include <cstddef>
#include <cstdint>

namespace headroom::device {

// `depth` slices of `height` rows of `width` bytes; a plain run of bytes is one row.
struct Box {
  size_t width = 0, height = 1, depth = 1;
  bool empty() const { return !width || !height || !depth; }
  uint64_t bytes() const { return uint64_t(width) * height * depth; }
};

// Calls body(y, z) for each row of each slice.
template <class Body>
void each_row(const Box& box, Body&& body) {
  for (size_t z = 0; z < box.depth; ++z)
    for (size_t y = 0; y < box.height; ++y) body(y, z);
}

// Row y of slice z begins at base + (z * slice_rows + y) * pitch.
struct Rows {
  uintptr_t base = 0;
  size_t pitch = 0, slice_rows = 1;
  uintptr_t row(size_t y, size_t z) const;
  uint64_t extent(const Box&) const;
  // Rows and slices that lie in one another are a mistake, and may be more than ever end.
  bool are_apart(const Box&) const;
};

// The addresses are the host's own: device memory lies in its range.
void copy(const Rows& to, const Rows& from, const Box&);
// An element is 1, 2 or 4 bytes, the low ones of `value`.
void fill(const Rows& to, const Box&, unsigned value, unsigned element);

}  // namespace headroom::device
