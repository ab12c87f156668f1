// Copies of a box of a tensor: which rows of elements it consists of, and where each lies in shared
// memory. A row is the innermost dimension: contiguous in global memory, packed in shared memory,
// except that a swizzle gives each row its whole span and permutes 16-byte chunks.
//
//   map: f32, size {100, 64}, box {32, 8}, at {80, 60}
//        rows 60 … 63   20 elements and 12 fills
//        rows 64 … 67   fills
#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "sim/bulk_copy.h"
#include "sim/cluster.h"
#include "sim/engine.h"
#include "sim/machinery.h"
#include "sim/mbarrier_operations.h"
#include "sim/observer.h"
#include "sim/spaces.h"
#include "sim/tensor_map.h"

namespace headroom::sim {
namespace {

using Corner = std::array<int64_t, 5>;

TensorMap map_of(const Warp& warp, const Operation& operation, int lane, uint64_t address, int rank,
                 bool im2col) {
  TensorMap map;
  std::memcpy(&map, resolve_generic(warp, lane, address, sizeof map, "load", operation.instruction),
              sizeof map);
  std::string wrong;
  if (map.signed_by != TensorMap::signature)
    wrong =
        "no tensor map lies at this address: cuTensorMapEncodeTiled makes one (what "
        "tensormap.replace "
        "makes is known in PTX alone), and a kernel "
        "takes it as a `const __grid_constant__ CUtensorMap` parameter or from global memory";
  else if (map.rank != rank)
    wrong = fmt::format("the tensor map has {} dimensions, the instruction {}", map.rank, rank);
  else if (bool(map.im2col) != im2col)
    wrong = map.im2col ? "the tensor map is of im2col, the instruction of a tile"
                       : "the tensor map is of tiles, the instruction of im2col";
  else if (const std::string problem = map.problem(); !problem.empty())
    wrong = "the tensor map was changed to what none can be: it has " + problem;
  if (!wrong.empty())
    throw Fault{"illegal_tensor_map", wrong, 715, address, operation.instruction, lane};
  return map;
}

// Calls f(row, coordinates) for every row of the box; coordinate 0 is where the row begins.
template <class F>
void each_row_of_tile(const TensorMap& map, Corner at, F&& f) {
  std::array<int64_t, 5> count{1, 1, 1, 1, 1}, index{};
  uint64_t rows = 1;
  for (int d = 1; d < map.rank; ++d) {
    count[size_t(d)] =
        (map.box[size_t(d)] + map.element_stride[size_t(d)] - 1) / map.element_stride[size_t(d)];
    rows *= uint64_t(count[size_t(d)]);
  }
  for (uint64_t row = 0; row < rows; ++row) {
    Corner here = at;
    for (size_t d = 1; d < map.rank; ++d) here[d] += index[d] * map.element_stride[d];
    f(row, here);
    for (size_t d = 1; d < map.rank; ++d) {
      if (++index[d] < count[d]) break;
      index[d] = 0;
    }
  }
}

// im2col: the pixels of a column, going through the box of pixels in order of w, h, d, then the
// images; `offset` is added to where each one is read. The box ends `upper` from the tensor's end.
template <class F>
void each_pixel(const TensorMap& map, Corner at, const std::array<int64_t, 3>& offset, F&& f) {
  const size_t spatial = map.rank - 2u;
  for (uint32_t pixel = 0; pixel < map.pixels; ++pixel) {
    Corner here = at;
    for (size_t d = 0; d < spatial; ++d) here[d + 1] += offset[d];
    f(pixel, here);
    size_t d = 0;
    for (; d < spatial; ++d) {
      at[d + 1] += map.element_stride[d + 1];
      if (at[d + 1] < int64_t(map.size(int(d) + 1)) + map.upper[d]) break;
      at[d + 1] = map.lower[d];
    }
    if (d == spatial) ++at[spatial + 1];
  }
}

struct Box {
  TensorMap map;
  Corner at{};
  std::array<int64_t, 3> offset{};
  uint64_t row_bytes = 0, pitch = 0, rows = 1;

  Box(const Warp& warp, const Operation& operation, int lane) {
    int rank = 0;
    while (rank < 5 && has_operand(warp, operation, BulkOperand(bulk_coordinate + rank))) ++rank;
    const bool im2col = operation.site == bulk_im2col;
    map = map_of(warp, operation, lane, bulk_operand(warp, operation, bulk_global, lane, true),
                 rank, im2col);
    for (int d = 0; d < rank; ++d)
      at[size_t(d)] =
          int32_t(bulk_operand(warp, operation, BulkOperand(bulk_coordinate + d), lane, false));
    for (int d = 0; d < 3; ++d) {
      const BulkOperand which = BulkOperand(bulk_offset + d);
      if (has_operand(warp, operation, which))
        offset[size_t(d)] = int64_t(bulk_operand(warp, operation, which, lane, false) & 0xffff);
    }
    row_bytes = map.box[0] * map.element();
    pitch = map.swizzle ? 16ull << map.swizzle : row_bytes;
    if (im2col) {
      rows = map.pixels;
    } else {
      for (size_t d = 1; d < map.rank; ++d)
        rows *= (map.box[d] + map.element_stride[d] - 1u) / map.element_stride[d];
    }
  }
  uint64_t bytes() const { return rows * row_bytes; }  // what a barrier counts
  uint64_t extent() const { return rows * pitch; }     // of shared memory

  template <class F>
  void each_row(F&& f) const {
    if (map.im2col)
      each_pixel(map, at, offset, f);
    else
      each_row_of_tile(map, at, f);
  }
  // The part of a row that lies in the tensor: elements [first, last) and the address of the first.
  struct Part {
    int64_t first = 0, last = 0;
    uint64_t address = 0;
  };
  Part inside(const Corner& row) const {
    uint64_t address = map.address;
    for (size_t d = 1; d < map.rank; ++d) {
      if (row[d] < 0 || uint64_t(row[d]) >= map.size(int(d))) return {};
      address += uint64_t(row[d]) * map.stride[d - 1];
    }
    const int64_t first = std::max<int64_t>(0, -row[0]);
    const int64_t last = std::min<int64_t>(map.box[0], int64_t(map.size(0)) - row[0]);
    if (first >= last) return {};
    return {first, last, address + uint64_t(row[0] + first) * map.element()};
  }
  // A swizzle moves the chunks of a row about in its span: an observer is told of the span.
  Copied row_in_shared(const Warp& warp, const Operation& operation, int lane, Use use,
                       uint64_t shared, uint64_t row) const {
    return {warp,
            operation,
            lane,
            Place::shared,
            use,
            block_offset(shared) + row * pitch,
            map.swizzle ? pitch : row_bytes,
            owner_of_shared(*warp.block, shared)};
  }
};

// 16 bytes at a time between a row and its swizzled place; `shared` is the box's address.
template <class Move>
void each_chunk(const Box& box, uint64_t shared, uint64_t row, Move&& move) {
  for (uint64_t at = 0; at < box.row_bytes; at += 16) {
    const uint64_t plain = shared + row * box.pitch + at;
    move(swizzled(plain, box.map.swizzle) - shared, at, std::min<uint64_t>(16, box.row_bytes - at));
  }
}

constexpr uint64_t longest_row = 256 * 8;

// What elements outside the tensor are read as.
void fill(const TensorMap& map, std::byte* row, uint64_t bytes) {
  std::memset(row, 0, bytes);
  if (!map.fill) return;
  const uint64_t size = map.element();
  for (uint64_t at = 0; at < bytes; at += size) {
    std::memset(row + at, 0xff, size);
    row[at + size - 1] = std::byte{0x7f};
  }
}

}  // namespace

void tensor_load(Warp& warp, const Operation& operation) {
  for (uint32_t left = warp.mask; left; left &= left - 1) {
    const int lane = std::countr_zero(left);
    const Box box(warp, operation, lane);
    const uint64_t shared = bulk_operand(warp, operation, bulk_shared, lane, true);
    require_aligned(shared, 128, "the address in shared memory", operation, lane);
    const std::vector<uint64_t> to = destinations(warp, operation, lane, shared);
    std::vector<std::byte*> places;
    for (const uint64_t address : to)
      places.push_back(
          resolve_shared(warp, lane, address, box.extent(), "store", operation.instruction));
    const uint64_t size = box.map.element();
    alignas(64) std::byte row[longest_row];
    box.each_row([&](uint64_t index, const Corner& at) {
      const Box::Part part = box.inside(at);
      const uint64_t bytes = uint64_t(part.last - part.first) * size;
      if (bytes < box.row_bytes) fill(box.map, row, box.row_bytes);
      if (bytes) {
        std::memcpy(row + uint64_t(part.first) * size,
                    resolve_global(warp, lane, part.address, bytes, "load", operation.instruction),
                    bytes);
        observe(Copied{warp, operation, lane, Place::global, Use::load, part.address, bytes});
      }
      each_chunk(box, shared, index, [&](uint64_t place, uint64_t from, uint64_t count) {
        for (std::byte* base : places) std::memcpy(base + place, row + from, count);
      });
      for (const uint64_t address : to)
        observe(box.row_in_shared(warp, operation, lane, Use::store, address, index));
    });
    const uint64_t barrier = bulk_operand(warp, operation, bulk_barrier, lane, true);
    for (const uint64_t told : destinations(warp, operation, lane, barrier))
      complete_transactions(warp, operation, lane, told, int64_t(box.bytes()));
  }
}

void tensor_store(Warp& warp, const Operation& operation) {
  for (uint32_t left = warp.mask; left; left &= left - 1) {
    const int lane = std::countr_zero(left);
    const Box box(warp, operation, lane);
    const uint64_t shared = bulk_operand(warp, operation, bulk_shared, lane, true);
    require_aligned(shared, 128, "the address in shared memory", operation, lane);
    const std::byte* base =
        resolve_shared(warp, lane, shared, box.extent(), "load", operation.instruction);
    const uint64_t size = box.map.element();
    Operation reduction = operation;
    if (operation.offset != no_reduction) {
      const std::string_view name = reductions[operation.offset];
      const std::string_view type =
          box.map.type_name(name == "and" || name == "or" || name == "xor");
      const bool keeps_subnormals = name == "add" && box.map.type == TensorMap::f32;
      reduction.move =
          engine().atomic(name, keeps_subnormals ? "f32 with subnormals" : type, false);
      reduction.bytes = uint8_t(size);
      if (!reduction.move)
        throw Fault{
            "illegal_tensor_map",
            fmt::format("the tensor map's elements are {}, which .{} does not reduce", type, name),
            715,
            std::nullopt,
            operation.instruction,
            lane};
    }
    alignas(64) std::byte row[longest_row];
    box.each_row([&](uint64_t index, const Corner& at) {
      const Box::Part part = box.inside(at);
      const uint64_t bytes = uint64_t(part.last - part.first) * size;
      if (bytes == 0) return;
      each_chunk(box, shared, index, [&](uint64_t place, uint64_t to, uint64_t count) {
        std::memcpy(row + to, base + place, count);
      });
      std::byte* to =
          resolve_global(warp, lane, part.address, bytes, "store", operation.instruction);
      const std::byte* from = row + uint64_t(part.first) * size;
      if (operation.offset == no_reduction)
        std::memcpy(to, from, bytes);
      else
        reduce_into(warp, reduction, to, from, bytes);
      observe(box.row_in_shared(warp, operation, lane, Use::load, shared, index));
      observe(Copied{warp, operation, lane, Place::global, use_of(operation), part.address, bytes});
    });
  }
}

}  // namespace headroom::sim
