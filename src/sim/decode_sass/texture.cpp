// Textures and surfaces, by the handle of an object in a uniform register: the lower half of what a
// program has.
//
//   TEX.LL R10, R8, R24, R16, UR4, 0x0, 2D   R8, R9, R10, R11 = the texel at {R24, R25}, level R16
//   SULD.D.BA.2D.64 R6, [R4], UR6, 0x0       R6, R7 = 8 bytes at byte R4, row R5
//
// Of the channels those that a mask names are written, the first two to one register and the next,
// the others to another. There is one level here, so how a level is found does not count.
#include <algorithm>

#include "sim/decode_sass/decoder.h"
#include "sim/decode_sass/spelling.h"
#include "sim/texture_operations.h"

namespace headroom::sim {
namespace {

struct Shape {
  std::string_view texture, surface;  // as machine code names it
  Geometry geometry;
  uint32_t coordinates;
};
constexpr Shape shapes[] = {
    {"1D", ".1D", Geometry::d1, 1},
    {"2D", ".2D", Geometry::d2, 2},
    {"3D", ".3D", Geometry::d3, 3},
    {"ARRAY_1D", ".1D_ARRAY", Geometry::a1d, 2},
    {"ARRAY_2D", ".2D_ARRAY", Geometry::a2d, 3},
    {"CUBE", "", Geometry::cube, 3},
};

bool is_layered(const Shape& shape) {
  return shape.geometry == Geometry::a1d || shape.geometry == Geometry::a2d;
}

bool is_named(const sass::Instruction& instruction, std::string_view word) {
  return std::ranges::any_of(instruction.operands, [&](const sass::Operand& operand) {
    return operand.kind == sass::OperandKind::word &&
           (operand.text == word || std::ranges::count(operand.suffixes, word) > 0);
  });
}

const Shape* shape_of_texture(const sass::Instruction& instruction) {
  for (const Shape& shape : shapes)
    if (is_named(instruction, shape.texture)) return &shape;
  return nullptr;
}

const Shape* shape_of_surface(const sass::Instruction& instruction) {
  for (const Shape& shape : shapes)
    if (!shape.surface.empty() && instruction.has(shape.surface)) return &shape;
  return nullptr;
}

ClampMode clamp_of(const sass::Instruction& instruction) {
  return instruction.has(".TRAP")  ? ClampMode::trap
         : instruction.has(".IGN") ? ClampMode::zero
                                   : ClampMode::clamp;
}

// Of the channels, from the last operand: all where it is left out.
uint32_t mask_of(const sass::Instruction& instruction) {
  const sass::Operand& last = instruction.operands.back();
  return last.kind == sass::OperandKind::immediate ? uint32_t(last.value) : 15;
}

int bytes_of_surface(const sass::Instruction& instruction) {
  if (instruction.has(".U8") || instruction.has(".S8")) return 1;
  if (instruction.has(".U16") || instruction.has(".S16")) return 2;
  const bool is_wide = instruction.has(".64") || instruction.has(".U64") || instruction.has(".S64");
  return instruction.has(".128") ? 16 : is_wide ? 8 : 4;
}

uint32_t first_of(const sass::Operand& where) {  // [R4]
  return where.kind == sass::OperandKind::memory ? where.base : where.index;
}

}  // namespace

std::span<const MachineDecoder::Entry> MachineDecoder::texture_table() {
  using M = MachineDecoder;
  static constexpr Entry entries[] = {{"TEX", &M::decode_texture},  {"TLD", &M::decode_texture},
                                      {"TLD4", &M::decode_texture}, {"TXD", &M::decode_texture},
                                      {"TXQ", &M::decode_question}, {"SULD", &M::decode_surface},
                                      {"SUST", &M::decode_surface}, {"SURED", &M::decode_surface}};
  return entries;
}

uint32_t MachineDecoder::texture_object(const Instruction& instruction) {
  for (const Operand& operand : instruction.operands)
    if (operand.kind == Kind::uniform) return wide(row_of(operand), constant(0, 4));
  unsupported("textures and surfaces without an object");
}

void MachineDecoder::texture_operation(TextureAction action, std::vector<uint32_t> channels,
                                       uint32_t object, const std::vector<uint32_t>& coordinates,
                                       uint64_t extra, int64_t offset, int bytes) {
  program.facts.more_inputs = true;
  channels.resize(4, channels.front());
  channels.push_back(object);
  channels.insert(channels.end(), coordinates.begin(), coordinates.end());
  const Handler handler = texture_handler(action);
  add(Row{handler, handler}, channels, offset, extra);
  program.operations.back().bytes = uint8_t(bytes);
}

// p, high, low, coordinates, level or slopes, object, 0, shape[, mask]
void MachineDecoder::decode_texture(const Instruction& instruction) {
  const auto& o = instruction.operands;
  const Shape* shape = shape_of_texture(instruction);
  const bool gathers = instruction.opcode == "TLD4", whole = instruction.opcode == "TLD",
             slopes = instruction.opcode == "TXD";
  for (const char* modifier : {".SCR", ".F16", ".F16.RN", ".LB", ".LC", ".LB.LC", ".LC.FDV",
                               ".AOFFI", ".PTP", ".DC", ".NDV", ".MS", ".CL"})
    if (instruction.has(modifier)) unsupported();
  const bool leveled = instruction.has(".LZ") || instruction.has(".LL");
  if (!shape || !is_true(o.at(0)) || (!leveled && !gathers && !slopes)) unsupported();
  if (whole && (shape->geometry != Geometry::d1 || !instruction.has(".LZ"))) unsupported();
  if (gathers && shape->geometry != Geometry::d2) unsupported();
  if (slopes && shape->geometry != Geometry::d1 && shape->geometry != Geometry::d2) unsupported();
  std::vector<uint32_t> channels, coordinates;
  const uint32_t mask = mask_of(instruction);
  uint32_t written = 0;
  for (uint32_t c = 0; c < 4; ++c) {
    const bool wanted = mask >> c & 1;
    channels.push_back(wanted ? out_at(o.at(written < 2 ? 2 : 1), written % 2) : temporary(4));
    written += wanted;
  }
  for (uint32_t c = 0; c < shape->coordinates; ++c) coordinates.push_back(word_at(o.at(3), c));
  int64_t channel = 0;
  for (const auto& [name, number] : {std::pair{".G", 1}, {".B", 2}, {".A", 3}})
    if (gathers && instruction.has(name)) channel = number;
  const TextureAction action = gathers ? TextureAction::gather
                               : whole ? TextureAction::element
                                       : TextureAction::read;
  texture_operation(action, channels, texture_object(instruction), coordinates,
                    wants_float | uint64_t(shape->geometry), channel, 4);
}

// high, low, level, what, object, 0, mask
void MachineDecoder::decode_question(const Instruction& instruction) {
  const auto& o = instruction.operands;
  const uint32_t mask = mask_of(instruction), object = texture_object(instruction);
  const bool size = is_named(instruction, "TEX_HEADER_DIMENSION");
  if (!size || mask == 0 || mask > 7) unsupported();
  const uint32_t level = word_at(o.at(2), 0);
  std::vector<uint32_t> answers;
  for (int question = 0; question < 3; ++question) {  // width, height, depth
    if ((mask >> question & 1) == 0) continue;
    answers.push_back(temporary(4));
    texture_operation(TextureAction::ask, {answers.back()}, object, {level}, of_level | of_any,
                      question, 4);
  }
  for (uint32_t n = 0; n < answers.size(); ++n)
    add("!mov4", {out_at(o.at(n < 2 ? 1 : 0), n % 2), answers[n]});
}

// SULD p, d, [coordinates], object, 0;  SUST and SURED [coordinates], values, object, 0
void MachineDecoder::decode_surface(const Instruction& instruction) {
  const auto& o = instruction.operands;
  const Shape* shape = shape_of_surface(instruction);
  const bool loads = instruction.opcode == "SULD", reduces = instruction.opcode == "SURED",
             by_format = instruction.has(".P"), samples = !instruction.has(".BA");
  if (!shape || instruction.has(".S8") || instruction.has(".S16")) unsupported();
  if (loads && (samples || !is_true(o.at(0)))) unsupported();
  if (!loads && !reduces && !by_format && samples) unsupported();
  const uint32_t at = first_of(o.at(loads ? 2 : 0));
  std::vector<uint32_t> coordinates;  // the layer first
  for (uint32_t c = 0; c < shape->coordinates; ++c) coordinates.push_back(reg(at + c));
  if (is_layered(*shape))
    std::rotate(coordinates.begin(), coordinates.end() - 1, coordinates.end());
  const Operand& values = o.at(1);
  const uint64_t extra =
      uint64_t(shape->geometry) | uint64_t(clamp_of(instruction)) << 8 | (samples ? of_samples : 0);
  if (reduces) return surface_reduction(instruction, values, coordinates, extra);
  const int bytes = by_format ? 4 * (instruction.has(".R")    ? 1
                                     : instruction.has(".RG") ? 2
                                                              : 4)
                              : bytes_of_surface(instruction);
  const uint32_t count = uint32_t(std::max(1, bytes / 4));
  std::vector<uint32_t> data;
  for (uint32_t n = 0; n < count; ++n)
    data.push_back(loads ? out_at(values, n) : word_at(values, n));
  texture_operation(by_format ? TextureAction::store_sample
                    : loads   ? TextureAction::load
                              : TextureAction::store,
                    data, texture_object(instruction), coordinates,
                    extra | uint64_t(count) << 16 | uint64_t(4) << 24, 0, bytes);
}

void MachineDecoder::surface_reduction(const Instruction& instruction, const Operand& values,
                                       const std::vector<uint32_t>& coordinates, uint64_t extra) {
  constexpr std::string_view names[] = {".ADD", ".MIN", ".MAX", ".AND", ".OR"};
  const auto found =
      std::ranges::find_if(names, [&](std::string_view name) { return instruction.has(name); });
  for (const char* modifier : {".F32.FTZ.RN", ".F32", ".F16x2", ".F16x2.RN", ".SD64"})
    if (instruction.has(modifier)) unsupported();
  if (found == std::end(names)) unsupported();
  const int bytes = bytes_of_surface(instruction);
  if (instruction.has(".S32") || instruction.has(".S64")) extra |= signed_type;
  texture_operation(TextureAction::reduce, {bytes == 8 ? pair(values) : word(values)},
                    texture_object(instruction), coordinates, extra, found - std::begin(names),
                    bytes);
}

}  // namespace headroom::sim
