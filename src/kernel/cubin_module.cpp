// Notes of a kernel, in .nv.info.NAME, as NVIDIA's own compiler writes them (read off cubins of ptxas
// 13.0; nothing of it is documented):
//
//   0x17               {u32, u16 number, u16 offset, u32 bytes << 18 | …}   a parameter
//   0x45               {u32, u16 number, u16 offset, u32 bytes}             a large one
//   0x0a               {u32 symbol, u16 begin, u16 bytes}       where the parameters lie in their bank
//   0x05, 0x10, 0x3d   {u32 x, u32 y, u32 z}   .maxntid, .reqntid, .reqnctapercluster
//   0x3e               {}                      .explicitcluster
#include "kernel/cubin_module.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "kernel/cubin_notes.h"
#include "kernel/cubin_symbols.h"

namespace headroom {
namespace {

enum Attribute : uint8_t {
  note_parameter = 0x17,
  note_large_parameter = 0x45,
  note_parameters = 0x0a,
  note_max_threads = 0x05,
  note_required_threads = 0x10,
  note_cluster = 0x3d,
  note_explicit_cluster = 0x3e
};
constexpr uint8_t kernel_mark = 0x10;  // of st_other
// R_CUDA_64, R_CUDA_G64, and R_CUDA_FUNC_DESC_64: a kernel's address in data
constexpr uint32_t relocated_address = 2, generic_address = 4, kernel_address = 35;

struct Place {
  uint32_t offset, bytes;
};

// Offsets are what alignment makes of them, of the parameter's place in its bank: the least one that gives it.
// Both are places in the bank.
ptx::Variable parameter_at(Place place, uint64_t end, size_t number) {
  ptx::Variable made;
  made.name = fmt::format("param_{}", number);
  made.space = ptx::Space::param;
  made.type = ptx::Type::b8;
  made.bytes = place.bytes;
  made.align = 1;
  while (made.align < 256 &&
         (end + uint64_t(made.align) - 1) / uint64_t(made.align) * uint64_t(made.align) !=
             place.offset)
    made.align *= 2;
  return made;
}

void take_bounds(const Note& note, int (&bounds)[3]) {
  for (int d = 0; d < 3; ++d) bounds[d] = int(note.body.read<uint32_t>(4 * uint64_t(d)));
}

void take_notes(const Elf& elf, ptx::Function& kernel) {
  std::vector<Place> places;
  uint32_t begin = 0;
  each_note(elf, ".nv.info." + kernel.name, [&](const Note& note) {
    if (note.attribute == note_explicit_cluster) kernel.explicit_cluster = true;
    if (note.attribute == note_parameters && note.body.size() >= 8)
      begin = note.body.read<uint16_t>(4);
    if (note.body.size() < 12) return;
    switch (note.attribute) {
      case note_max_threads: return take_bounds(note, kernel.max_threads);
      case note_required_threads: return take_bounds(note, kernel.required_threads);
      case note_cluster: return take_bounds(note, kernel.cluster);
      case note_parameter:
        return places.push_back({note.body.read<uint16_t>(6), note.body.read<uint32_t>(8) >> 18});
      case note_large_parameter:
        return places.push_back({note.body.read<uint16_t>(6), note.body.read<uint32_t>(8)});
      default: return;
    }
  });
  std::ranges::sort(places, {}, &Place::offset);
  uint64_t end = begin;
  for (Place& place : places) {
    place.offset += begin;
    if (place.offset < end)
      throw Error{"kernel '" + kernel.name + "'", "its notes have parameters that overlap",
                  "the cubin is damaged: build it again"};
    kernel.parameters.push_back(parameter_at(place, end, kernel.parameters.size()));
    end = place.offset + place.bytes;
  }
}

std::optional<ptx::Space> space_of(std::string_view section) {
  if (section == ".nv.global" || section == ".nv.global.init") return ptx::Space::global;
  if (section == ".nv.constant3") return ptx::Space::constant;
  return std::nullopt;
}

ptx::Variable variable_of(const CubinSymbol& symbol, ptx::Space space, const ElfSection& section,
                          const std::vector<sass::Relocation>& relocations) {
  ptx::Variable made;
  made.name = symbol.own_name;
  made.space = space;
  made.type = ptx::Type::b8;
  made.bytes = symbol.size;
  made.visible = true;
  if (section.content.holds(symbol.value, symbol.size)) {
    const auto held = section.content.span().subspan(symbol.value, symbol.size);
    std::ranges::transform(held, std::back_inserter(made.init),
                           [](std::byte byte) { return uint8_t(byte); });
  }
  for (const sass::Relocation& each : relocations) {
    const uint64_t offset = each.offset - symbol.value;
    if (each.offset < symbol.value || offset >= symbol.size) continue;
    const bool is_known = each.type == relocated_address || each.type == generic_address ||
                          each.type == kernel_address;
    if (!is_known || offset + 8 > symbol.size)
      section.content.fail(
          each.offset,
          fmt::format("the address of '{}', by a relocation of type {},", each.symbol, each.type),
          "such are not read yet: build with PTX");
    made.relocations.push_back({.offset = offset,
                                .symbol = each.symbol,
                                .addend = each.addend.value_or(0),
                                .generic = each.type == generic_address});
  }
  return made;
}

}  // namespace

ptx::Module cubin_module(const Bytes& cubin) {
  const Elf elf = read_elf(cubin);
  if (elf.machine != elf_machine_cuda) cubin.fail(18, "not a cubin: another machine's ELF file");
  ptx::Module module;
  module.name = cubin.where();
  module.target = fmt::format("sm_{}", architecture_of(elf));
  uint64_t held = 0;
  const CubinSymbols symbols(elf);
  std::map<std::string_view, std::vector<sass::Relocation>> relocations;  // by section
  for (const ElfSection& section : elf.sections)
    if (space_of(section.name)) relocations[section.name] = symbols.relocations(&section);
  for (const CubinSymbol& symbol : symbols.all()) {
    if (symbol.section == 0 || symbol.section >= elf.sections.size()) continue;
    const ElfSection& section = elf.sections[symbol.section];
    const auto space = space_of(section.name);
    if (space && section.content.holds(symbol.value, symbol.size)) held += symbol.size;
    if (held > cubin.size()) cubin.fail(40, "variables that overlap");
    if (space && symbol.size > 0)
      module.variables.push_back(
          variable_of(symbol, *space, section, relocations.at(section.name)));
    const bool is_kernel =
        symbol.other & kernel_mark && section.name == ".text." + std::string(symbol.name);
    if (!is_kernel) continue;
    ptx::Function kernel;
    kernel.name = symbol.name;
    kernel.entry = kernel.visible = kernel.defined = true;
    take_notes(elf, kernel);
    module.functions.push_back(std::move(kernel));
  }
  return module;
}

}  // namespace headroom
