// Arrays: elements in device memory whose layout is nobody's business; here rows without gaps.
//
//   Array* made;
//   create_array(session, {{32, 32}, sim::Channel::floating}, {640, 480, 0}, 0, made)
//   made->element()   8 bytes: two channels of 32 bits
#pragma once
#include <array>

#include "device/session.h"
#include "sim/texture.h"

namespace headroom::device {

// The channels of an element: their bits, 0 where there are no more, and what they hold.
struct Format {
  std::array<int, 4> bits{};
  sim::Channel channel{};

  uint64_t element() const { return uint64_t(bits[0] + bits[1] + bits[2] + bits[3]) / 8; }  // bytes
  // One, two or four channels of the same width, of 8, 16 or 32 bits.
  bool suits_an_array() const;
};

struct Extent {
  uint64_t width = 0, height = 0, depth = 0;
};

struct Array {
  // Flags, as both faces number them. Sparse ones, and ones whose memory comes later, are not
  // supported.
  static constexpr unsigned layered = 1, for_surfaces = 2, cube = 4, for_gather = 8, sparse = 0x40,
                            deferred = 0x80;

  Format format;
  Extent extent;  // elements, as asked for: 0 where there is no such dimension
  unsigned flags = 0;
  uint64_t base = 0;
  int device = 0;
  Context context = {};  // made in it

  uint64_t element() const { return format.element(); }
  uint64_t rows() const { return extent.height ? extent.height : 1; }
  uint64_t slices() const { return extent.depth ? extent.depth : 1; }
  uint64_t row_bytes() const { return extent.width * element(); }
};

// On the thread's device; its address is its handle. The format suits an array. Throws Failure for
// what is not supported.
Status create_array(Session&, const Format&, const Extent&, unsigned flags, const Array*& out);
Status destroy_array(Session&, const void* handle);           // null: nothing
const Array* find_array(const Session&, const void* handle);  // null: none has this handle

}  // namespace headroom::device
