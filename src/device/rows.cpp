#include "device/rows.h"

#include <cstring>

#include "base/saturate.h"

namespace headroom::device {
namespace {

uint64_t offset(const Rows& rows, size_t y, size_t z) {
  return saturated_multiply(saturated_add(saturated_multiply(z, rows.slice_rows), y), rows.pitch);
}

void fill_row(std::byte* bytes, size_t width, unsigned value, unsigned element) {
  if (element == 1)
    std::memset(bytes, int(value), width);
  else
    for (size_t at = 0; at + element <= width; at += element)
      std::memcpy(bytes + at, &value, element);
}

}  // namespace

uintptr_t Rows::row(size_t y, size_t z) const { return saturated_add(base, offset(*this, y, z)); }

uint64_t Rows::extent(const Box& box) const {
  return saturated_add(offset(*this, box.height - 1, box.depth - 1), box.width);
}

bool Rows::are_apart(const Box& box) const {
  if (box.depth > 1 && box.height > slice_rows) return false;
  return (box.height == 1 && box.depth == 1) || box.width <= pitch;
}

void copy(const Rows& to, const Rows& from, const Box& box) {
  each_row(box, [&](size_t y, size_t z) {
    std::memmove(reinterpret_cast<void*>(to.row(y, z)),
                 reinterpret_cast<const void*>(from.row(y, z)), box.width);
  });
}

void fill(const Rows& to, const Box& box, unsigned value, unsigned element) {
  each_row(box, [&](size_t y, size_t z) {
    fill_row(reinterpret_cast<std::byte*>(to.row(y, z)), box.width, value, element);
  });
}

}  // namespace headroom::device
