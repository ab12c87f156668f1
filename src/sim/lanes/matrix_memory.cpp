// Matrices between memory and registers: ldmatrix, stmatrix, movmatrix, wmma.load and wmma.store.
//
//   ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r1, %r2}, [%r3];   lanes 0 … 7 have the addresses of
//   the rows of the first matrix, 8 … 15 those of the second; a row is 16 bytes
#include <cstring>

#include "sim/lanes/matrix.h"
#include "sim/observe.h"
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
  for (int lane = 0; lane < lanes; ++lane) all[lane] = address[lane % count];
  for (int i = 0; i < count; ++i) {
    if (address[i] % row_bytes) refuse_access(warp, operation, Place::shared, use, all);
  }
}

template <class Observer, Use U>
void count_rows(Warp& warp, const uint64_t* address, int matrices) {
  if constexpr (std::is_same_v<Observer, Count>) {
    Counters& c = static_cast<Count*>(warp.observer)->counters;
    uint64_t wavefronts = 0;
    for (int i = 0; i < matrices; ++i) wavefronts += row_wavefronts(address + i * rows_of_matrix);
    const uint64_t conflicts = wavefronts - uint64_t(matrices);
    if constexpr (U == Use::load) {
      c.shared_load_instructions += 1;
      c.shared_load_wavefronts += wavefronts;
      c.shared_load_conflicts += conflicts;
    } else {
      c.shared_store_instructions += 1;
      c.shared_store_wavefronts += wavefronts;
      c.shared_store_conflicts += conflicts;
    }
  }
}

// Element e of lane l: row l / 4, column 2 · (l % 4) + e; across, the other way round.
template <class Observer, Use U>
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
  count_rows<Observer, U>(warp, address, matrix.registers);
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

// What one register's access looks like to a profiler: a model, as no document says how wmma.load
// becomes loads.
template <class Observer, Use U>
void count_register(Warp& warp, bool shared, const uint64_t* address, uint8_t bytes) {
  if constexpr (std::is_same_v<Observer, Count>) {
    Count& count = *static_cast<Count*>(warp.observer);
    Counters& c = count.counters;
    AccessPattern pattern;
    pattern.mask = all_lanes;
    pattern.phase = uint32_t(address[0] & 31);
    pattern.bytes = bytes;
    for (int i = 0; i < lanes; ++i) pattern.delta[i] = address[i] - address[0];
    if (shared) {
      analyse_shared(pattern);
      (U == Use::load ? c.shared_load_instructions : c.shared_store_instructions) += 1;
      (U == Use::load ? c.shared_load_wavefronts : c.shared_store_wavefronts) += pattern.wavefronts;
      (U == Use::load ? c.shared_load_conflicts : c.shared_store_conflicts) += pattern.conflicts;
      return;
    }
    analyse_global(pattern);
    (U == Use::load ? c.global_load_requests : c.global_store_requests) += 1;
    (U == Use::load ? c.global_load_sectors : c.global_store_sectors) += pattern.sectors;
    (U == Use::load ? c.global_load_bytes : c.global_store_bytes) += uint64_t(bytes) * lanes;
    const uint64_t first = (address[0] - count.memory_base) >> 5;
    Footprint& footprint = U == Use::load ? count.loaded : count.stored;
    for (int i = 0; i < pattern.sectors; ++i) footprint.add(first + uint64_t(pattern.sector[i]), 1);
  }
}

// wmma: every element by its place in the matrix. Numbers below a byte come a register at a time,
// as do neighbours in memory.
template <class Observer, Use U>
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
  for (int r = 0; r < matrix.registers; ++r) {
    const Cell* cell = cells + r * packed * lanes;
    for (int piece = 0; piece < pieces; ++piece, cell += lanes) {
      uint64_t address[lanes];
      for (int lane = 0; lane < lanes; ++lane) {
        const uint64_t offset = place(cell[lane]);
        address[lane] = base + offset;
        if (!warp.lane_mask[lane]) continue;
        std::byte* in_register =
            warp.base + operands[r] + (bits == 64 ? 8 : 4) * lane + piece * bytes;
        if constexpr (U == Use::load)
          std::memcpy(in_register, origin + offset, size_t(bytes));
        else
          std::memcpy(origin + offset, in_register, size_t(bytes));
      }
      count_register<Observer, U>(warp, shared, address, uint8_t(bytes));
    }
  }
}

constexpr Row whole_warp(Handler handler, uint8_t outs = 0, uint8_t count = 0) {
  return Row{handler, handler, {4, 4}, outs, count};
}

}  // namespace

void matrix_memory_rows(RowTable& table) {
  table.add("movmatrix.sync.aligned.m8n8.trans.b16", whole_warp(&transpose, 1, 2));
  // Observed and silent: decode takes the one for each.
  table.add("!ldmatrix.observed", whole_warp(&rows_of_16_bit<Count, Use::load>));
  table.add("!ldmatrix.silent", whole_warp(&rows_of_16_bit<Silent, Use::load>));
  table.add("!stmatrix.observed", whole_warp(&rows_of_16_bit<Count, Use::store>));
  table.add("!stmatrix.silent", whole_warp(&rows_of_16_bit<Silent, Use::store>));
  table.add("!wmma.load.observed", whole_warp(&fragment<Count, Use::load>));
  table.add("!wmma.load.silent", whole_warp(&fragment<Silent, Use::load>));
  table.add("!wmma.store.observed", whole_warp(&fragment<Count, Use::store>));
  table.add("!wmma.store.silent", whole_warp(&fragment<Silent, Use::store>));
}

}  // namespace headroom::sim::HEADROOM_ISA
