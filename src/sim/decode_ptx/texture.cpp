#include <algorithm>
#include <array>

#include "sim/decode_ptx/decoder.h"
#include "sim/texture_operations.h"

namespace headroom::sim {
namespace {

constexpr std::array<std::string_view, 6> geometries = {".1d",  ".2d",  ".3d",
                                                        ".a1d", ".a2d", ".cube"};
constexpr std::array<std::string_view, 5> questions = {".width", ".height", ".depth", ".array_size",
                                                       ".normalized_coords"};
constexpr std::array<std::string_view, 5> surface_reductions = {".add", ".min", ".max", ".and",
                                                                ".or"};
constexpr int coordinate_count[] = {1, 2, 3, 2, 3, 3};  // the layer first

template <size_t N>
int which(const ptx::Instruction& instruction, const std::array<std::string_view, N>& names) {
  for (size_t i = 0; i < N; ++i)
    if (instruction.has(names[i])) return int(i);
  return -1;
}

std::vector<ptx::Operand> items_of(const ptx::Operand& operand) {
  return operand.kind == ptx::Operand::Kind::list ? operand.items
                                                  : std::vector<ptx::Operand>{operand};
}

}  // namespace

// The handle in a register; objects have no names in PTX any more.
uint32_t FunctionDecoder::texture_handle(const Operand& address) {
  if (address.kind != Kind::address || address.reg < 0)
    unsupported(*current, "texture and surface references are not executed",
                "use objects: cudaCreateTextureObject, cudaCreateSurfaceObject");
  Operand handle;
  handle.kind = Kind::reg;
  handle.reg = address.reg;
  return input(handle, 8);
}

void FunctionDecoder::texture_operation(const Instruction& instruction, TextureAction action,
                                        const std::vector<uint32_t>& channels,
                                        const Operand& address, uint64_t extra, int64_t offset,
                                        int bytes) {
  program.facts.more_inputs = true;
  const int geometry = which(instruction, geometries);
  if (geometry < 0 && action != TextureAction::ask)
    unsupported(instruction, "layers of cubes and multisample textures are not executed yet",
                "one, two and three dimensions are, layers of one and two, and cubes");
  std::vector<uint32_t> operands = channels;
  operands.resize(4, channels.front());
  operands.push_back(texture_handle(address));
  if (action != TextureAction::ask) {
    const std::vector<Operand> where =
        address.items.size() == 1 ? items_of(address.items[0]) : address.items;
    if (where.size() < size_t(coordinate_count[geometry]))
      unsupported(instruction, "coordinates are missing, or come in two lists",
                  "name the object and one list: [object, {x, y}]");
    for (int c = 0; c < coordinate_count[geometry]; ++c)
      operands.push_back(input(where.at(size_t(c)), 4));
    extra |= uint64_t(geometry);
  }
  const Handler handler = texture_handler(action);
  add(Row{handler, handler}, operands, offset, extra);
  program.operations.back().bytes = uint8_t(bytes);
}

// tex[.level|.grad].geom.v4.dtype.ctype d, [object, coordinates]; A level or slopes choose among
// the levels of a mipmap: there is one here.
void FunctionDecoder::decode_texture(const Instruction& instruction) {
  const Operand& to = instruction.operands.at(0);
  const bool gathers = instruction.opcode == "tld4";
  const std::vector<Operand> items = items_of(to);
  const std::array<ptx::Type, 2> types = {instruction.type(0), instruction.type(1)};
  if (to.pair || items.size() != 4 || types[0] == ptx::Type::f16x2)
    unsupported(instruction, "textures are read as four channels of 32 bits here");
  const size_t plain = 2 + instruction.has(".level") + 2 * instruction.has(".grad");
  if (instruction.operands.size() != plain)
    unsupported(instruction, "offsets and depth comparisons of textures are not executed yet");
  const bool whole = types[1] == ptx::Type::s32;
  if (whole && !instruction.has(".1d"))
    unsupported(instruction, "whole coordinates in more than one dimension",
                "CUDA C++ gives them for tex1Dfetch alone");
  const Operand& address = instruction.operands.at(1);
  std::vector<uint32_t> channels;
  for (const Operand& item : items) channels.push_back(output(item, 4));
  constexpr std::array<std::string_view, 4> components = {".r", ".g", ".b", ".a"};
  const TextureAction action = gathers ? TextureAction::gather
                               : whole ? TextureAction::element
                                       : TextureAction::read;
  texture_operation(instruction, action, channels, address,
                    types[0] == ptx::Type::f32 ? wants_float : 0,
                    gathers ? which(instruction, components) : 0, 4);
  finish_outputs();
}

// suld.b.geom[.vec].type.clamp d, [object, coordinates];  sust.{b,p}: the same with c at the end,
// as sured.{b,p}.op, of one value
void FunctionDecoder::decode_surface(const Instruction& instruction) {
  const bool reduces = instruction.opcode == "sured", samples = instruction.has(".p");
  const bool store = instruction.opcode == "sust" || reduces;
  const Operand& address = instruction.operands.at(store ? 0 : 1);
  const std::vector<Operand> items = items_of(instruction.operands.at(store ? 1 : 0));
  if (items.size() != size_t(vector_length(instruction)))
    unsupported(instruction, "a vector of another length");
  const int bytes = size_of(instruction.type());
  int held = bytes;
  for (const Operand& item : items)
    if (item.kind == Kind::reg) held = std::max(held, register_bytes(item.reg));
  std::vector<uint32_t> values;
  for (const Operand& item : items)
    values.push_back(store ? input(item, held) : output(item, held));
  constexpr std::array<std::string_view, 3> modes = {".trap", ".clamp", ".zero"};
  uint64_t extra = uint64_t(which(instruction, modes)) << 8 | uint64_t(items.size()) << 16 |
                   uint64_t(held) << 24 | (samples ? of_samples : 0);
  int64_t reduction = 0;
  if (reduces) {
    reduction = which(instruction, surface_reductions);
    const bool logical = reduction >= 3, of_bits = name_of(instruction.type())[0] == 'b';
    if (reduction < 0 || (!samples && logical != of_bits) ||
        (reduction == 0 && instruction.type() == ptx::Type::s64))
      unsupported(instruction, "a surface has no such reduction",
                  "add, min and max of integers, and, or of .b32");
    if (name_of(instruction.type())[0] == 's') extra |= signed_type;
  }
  const TextureAction action = reduces            ? TextureAction::reduce
                               : store && samples ? TextureAction::store_sample
                               : store            ? TextureAction::store
                                                  : TextureAction::load;
  texture_operation(instruction, action, values, address, extra, reduction,
                    bytes * int(items.size()));
  finish_outputs();
}

void FunctionDecoder::decode_texture_query(const Instruction& instruction) {
  const int question = which(instruction, questions);
  if (question < 0)
    unsupported(instruction, "this question about a texture is not answered yet",
                "width, height, depth, array_size and normalized_coords are");
  const bool leveled = instruction.has(".level");
  const uint32_t level = leveled ? input(instruction.operands.at(2), 4) : no_operand;
  const uint32_t answer = output(instruction.operands.at(0), 4);
  texture_operation(instruction, TextureAction::ask, {answer}, instruction.operands.at(1),
                    (instruction.opcode == "suq" ? of_surface : 0) | (leveled ? of_level : 0),
                    question, 4);
  program.operations.back().operand[5] = level;
  finish_outputs();
}

}  // namespace headroom::sim
