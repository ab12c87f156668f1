// Copies and fills of boxes, between arrays and linear memory: what they are, which of them may be, and
// what they cost.
//
//   CopyWork copy{{.memory = {to, 512, 100, 4}}, {.array = a}, {25, 4, 1}, Direction::unsaid};
//   check(session, copy)     Status::ok, or invalid_value: it reaches out of what is allocated
//   perform(session, copy, stream)   done, noted in the record, and added to the clock that events read
#pragma once
#include "device/array.h"
#include "device/rows.h"
#include "device/session.h"

namespace headroom::device {

// Slices of `height` rows of `width` bytes, each row `pitch` bytes after the one before.
struct Pitched {
  void* pointer = nullptr;
  uint64_t pitch = 0, width = 0, height = 0;
};

// Where a copy begins: elements of an array, bytes and rows of linear memory.
struct Position {
  uint64_t x = 0, y = 0, z = 0;
};

// An array by its handle, or linear memory where that is null.
struct Side {
  const void* array = nullptr;
  Pitched memory;
  Position at;
};

// What a program says of it, which has to be true; numbered as the runtime API does.
enum class Direction { host_to_host, host_to_device, device_to_host, device_to_device, unsaid };

struct CopyWork {
  Side to, from;
  Extent extent;  // its width in elements where one side is an array, else in bytes
  Direction direction = Direction::unsaid;

  bool empty() const { return !extent.width || !extent.height || !extent.depth; }
};

struct FillWork {
  Pitched to;
  unsigned value = 0, element = 1;  // bytes: 1, 2 or 4
  Extent extent;                    // width in bytes

  bool empty() const { return !extent.width || !extent.height || !extent.depth; }
};

Status check(const Session&, const CopyWork&);
Status check(const Session&, const FillWork&);
// Checked again: much may have happened since.
Status perform(Session&, const CopyWork&, const Stream&);
Status perform(Session&, const FillWork&, const Stream&);

}  // namespace headroom::device
