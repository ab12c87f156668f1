// Matrices between memory and registers: ldmatrix, stmatrix, movmatrix, wmma.load and wmma.store.
//
//   ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r1, %r2}, [%r3];
//
// Lanes 0 … 7 have the addresses of the rows of the first matrix, 8 … 15 those of the second; a row
// is 16 bytes.
#include <cstring>

#include "sim/cluster.h"
#include "sim/lanes/matrix.h"
#include "sim/observer.h"
#include "sim/spaces.h"
#include "sim/warp.h"

namespace headroom::sim::HEADROOM_ISA {
namespace {

constexpr int rows_of_matrix = 8;
constexpr uint64_t row_bytes = 16;

const MatrixAccess& access_of(const Warp& warp, const Operation& operation) {
  return warp.block->machinery->program->matrix_accesses[size_t(operation.offset)];
}

uint64_t address_of(Warp& warp, const MatrixAccess& matrix, uint32_t operand, int lane) {
  const uint64_t offset = uint64_t(matrix.offset);
  return matrix.wide ? at<uint64_t>(warp, operand)[lane] + offset
                     : uint32_t(at<uint32_t>(warp, operand)[lane] + uint32_t(offset));
}

std::byte* resolve(Warp& warp, const MatrixAccess& matrix, int lane, uint64_t address,
                   uint64_t bytes, const char* use, uint32_t instruction) {
  switch (Place(matrix.place)) {
    case Place::shared: return resolve_shared(warp, lane, address, bytes, use, instruction);
    case Place::global: return resolve_global(warp, lane, address, bytes, use, instruction);
    default: return resolve_generic(warp, lane, address, bytes, use, instruction);
  }
}

// Rows that do not begin at a multiple of their size, as the messages of plain accesses have it.
void check_alignment(Warp& warp, const Operation& operation, Use use, const uint64_t* address,
                     int count) {
  LaneAddresses all;
  for (int lane = 0; lane < lanes; ++lane) all[lane] = address[lane % count] % window_size;
  for (int i = 0; i < count; ++i) {
    if (address[i] % row_bytes) check_access(warp, operation, Place::shared, use, all);
  }
}

// Element e of lane l: row l / 4, column 2 · (l % 4) + e; across, the other way round.
template <Use U>
void rows_of_16_bit(Warp& warp, const Operation& operation) {
  const MatrixAccess& matrix = access_of(warp, operation);
  const uint32_t* operands = operands_of(warp, operation);
  const int count = matrix.registers * rows_of_matrix;
  uint64_t address[lanes];
  std::byte* row[lanes];
  for (int i = 0; i < count; ++i)
    address[i] = address_of(warp, matrix, operands[matrix.registers], i);
  check_alignment(warp, operation, U, address, count);
  for (int i = 0; i < count; ++i) {
    row[i] = resolve(warp, matrix, i, address[i], row_bytes, U == Use::load ? "load" : "store",
                     operation.instruction);
  }
  const uint32_t with_address = count == lanes ? all_lanes : (1u << count) - 1;
  for (int i = 0; i < count; ++i) address[i] = block_offset(address[i]);
  observe(warp, operation, {Place::shared, U, with_address, row_bytes, true}, address);
  for (int r = 0; r < matrix.registers; ++r) {
    uint16_t values[rows_of_matrix][rows_of_matrix];
    if constexpr (U == Use::load) {
      for (int i = 0; i < rows_of_matrix; ++i)
        std::memcpy(values[i], row[r * rows_of_matrix + i], row_bytes);
    }
    uint32_t word[lanes];
    if constexpr (U == Use::store) std::memcpy(word, at<uint32_t>(warp, operands[r]), sizeof word);
    for (int lane = 0; lane < lanes; ++lane) {
      const int i = lane / 4, j = lane % 4 * 2;
      uint16_t& low = matrix.across ? values[j][i] : values[i][j];
      uint16_t& high = matrix.across ? values[j + 1][i] : values[i][j + 1];
      if constexpr (U == Use::load)
        word[lane] = low | uint32_t(high) << 16;
      else
        low = uint16_t(word[lane]), high = uint16_t(word[lane] >> 16);
    }
    if constexpr (U == Use::load) {
      keep<false>(warp, operands[r], word);
    } else {
      for (int i = 0; i < rows_of_matrix; ++i)
        std::memcpy(row[r * rows_of_matrix + i], values[i], row_bytes);
    }
  }
}

void transpose(Warp& warp, const Operation& operation) {
  uint16_t values[rows_of_matrix][rows_of_matrix];
  std::memcpy(values, at<uint32_t>(warp, operation.operand[1]), sizeof values);
  uint32_t word[lanes];
  for (int lane = 0; lane < lanes; ++lane) {
    const int i = lane / 4, j = lane % 4 * 2;
    word[lane] = values[j][i] | uint32_t(values[j + 1][i]) << 16;
  }
  keep<false>(warp, operation.operand[0], word);
}

// wmma: every element by its place in the matrix. Numbers below a byte come a register at a time,
// as do neighbours in memory. An access for each register is a model: no document says how wmma.load
// becomes loads.
template <Use U>
void fragment(Warp& warp, const Operation& operation) {
  const MatrixAccess& matrix = access_of(warp, operation);
  const uint32_t* operands = operands_of(warp, operation);
  const int first = __builtin_ctz(warp.mask), bits = bits_of(matrix.number);
  const uint32_t stride_at = operands[matrix.registers + 1];
  const uint64_t stride =
      stride_at == no_operand ? matrix.stride : at<uint32_t>(warp, stride_at)[first];
  const uint64_t base = address_of(warp, matrix, operands[matrix.registers], first);
  const int packed = elements_of_register(matrix.number);
  auto place = [&](const Cell& cell) {
    const uint64_t major = uint64_t(matrix.across ? cell.column : cell.row);
    const uint64_t minor = uint64_t(matrix.across ? cell.row : cell.column);
    return (major * stride + minor) * uint64_t(bits) / 8;
  };
  const Cell* cells = matrix.cells.data();
  const size_t count = matrix.cells.size();
  uint64_t end = 0;
  for (size_t i = 0; i < count; ++i) end = place(cells[i]) > end ? place(cells[i]) : end;
  const bool neighbours =
      packed > 1 && (bits < 8 || place(cells[lanes]) == place(cells[0]) + uint64_t(bits) / 8);
  const int pieces = neighbours ? 1 : packed, bytes = bits == 64                  ? 8
                                                      : neighbours || packed == 1 ? 4
                                                                                  : bits / 8;
  std::byte* origin = resolve(warp, matrix, first, base, end + uint64_t(bits < 8 ? 4 : bits / 8),
                              U == Use::load ? "load" : "store", operation.instruction);
  const bool shared = Place(matrix.place) == Place::shared ||
                      (Place(matrix.place) == Place::generic && base >> 32 == shared_window >> 32);
  const Place space = shared ? Place::shared : Place::global;
  const uint64_t seen = shared ? block_offset(base) : base;
  for (int r = 0; r < matrix.registers; ++r) {
    const Cell* cell = cells + r * packed * lanes;
    for (int piece = 0; piece < pieces; ++piece, cell += lanes) {
      uint64_t address[lanes];
      for (int lane = 0; lane < lanes; ++lane) {
        const uint64_t offset = place(cell[lane]);
        address[lane] = seen + offset;
        if (!warp.lane_mask[lane]) continue;
        std::byte* in_register =
            warp.base + operands[r] + (bits == 64 ? 8 : 4) * lane + piece * bytes;
        if constexpr (U == Use::load)
          std::memcpy(in_register, origin + offset, size_t(bytes));
        else
          std::memcpy(origin + offset, in_register, size_t(bytes));
      }
      observe(warp, operation, {space, U, all_lanes, uint8_t(bytes)}, address);
    }
  }
}

constexpr Row whole_warp(Handler handler, uint8_t outs = 0, uint8_t count = 0) {
  return Row{handler, handler, {4, 4}, outs, count};
}

}  // namespace

void matrix_memory_rows(RowTable& table) {
  table.add("movmatrix.sync.aligned.m8n8.trans.b16", whole_warp(&transpose, 1, 2));
  table.add("!ldmatrix", whole_warp(&rows_of_16_bit<Use::load>));
  table.add("!stmatrix", whole_warp(&rows_of_16_bit<Use::store>));
  table.add("!wmma.load", whole_warp(&fragment<Use::load>));
  table.add("!wmma.store", whole_warp(&fragment<Use::store>));
}

}  // namespace headroom::sim::HEADROOM_ISA
