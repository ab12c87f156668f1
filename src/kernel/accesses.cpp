// Opcodes as nvdisasm 13 shows them for sm_75 to sm_120: an instruction is 16 bytes, its opcode the
// lowest 9 bits, the width of an access bits 73 to 75.
#include "kernel/accesses.h"

#include <algorithm>
#include <charconv>
#include <set>

#include "kernel/cubin_notes.h"

namespace headroom {
namespace {

using Sites = AccessSites::Sites;

void add(Sites& sites, int bytes) {
  ++sites.count;
  sites.bytes += bytes;
}

// ".v4" -> 4; 1 where there is none.
int vector_length(const ptx::Instruction& instruction) {
  for (const std::string& modifier : instruction.modifiers) {
    int length = 0;
    if (modifier.starts_with(".v") &&
        std::from_chars(modifier.data() + 2, modifier.data() + modifier.size(), length).ec ==
            std::errc{})
      return length;
  }
  return 1;
}

Sites* sites_of(AccessSites& all, const ptx::Instruction& instruction) {
  const bool load = instruction.opcode == "ld" || instruction.opcode == "ldu";
  if (!load && instruction.opcode != "st") return nullptr;
  for (const char* other : {".param", ".const", ".local"})
    if (instruction.has(other)) return nullptr;
  const bool shared = std::ranges::any_of(instruction.modifiers, [](const std::string& modifier) {
    return modifier.starts_with(".shared");
  });
  if (shared) return load ? &all.shared_loads : &all.shared_stores;
  return load ? &all.global_loads : &all.global_stores;
}

void add_function(AccessSites& all, const ptx::Module& module, const std::string& name,
                  std::set<std::string>& seen) {
  const ptx::Function* function = module.function(name);
  if (!function || !seen.insert(name).second) return;
  for (const ptx::Instruction& instruction : function->body) {
    if (Sites* sites = sites_of(all, instruction))
      add(*sites, ptx::size_of(instruction.type()) * vector_length(instruction));
    if (instruction.opcode != "call") continue;
    for (const ptx::Operand& operand : instruction.operands)
      if (operand.kind == ptx::Operand::Kind::symbol) add_function(all, module, operand.name, seen);
  }
}

struct Opcode {
  unsigned number;
  Sites AccessSites::*sites;
};
constexpr Opcode opcodes[] = {
    {0x180, &AccessSites::global_loads},   // LD
    {0x181, &AccessSites::global_loads},   // LDG
    {0x184, &AccessSites::shared_loads},   // LDS
    {0x185, &AccessSites::global_stores},  // ST
    {0x186, &AccessSites::global_stores},  // STG
    {0x188, &AccessSites::shared_stores},  // STS
};
constexpr int widths[] = {1, 1, 2, 2, 4, 8, 16, 32};  // bytes: U8, S8, U16, S16, 32, 64, 128, 256
constexpr int instruction_bytes = 16, first_architecture = 70;

bool kept(const Sites& ptx, const Sites& machine_code) {
  return machine_code.count >= ptx.count &&
         int64_t(machine_code.bytes) * ptx.count <= int64_t(ptx.bytes) * machine_code.count;
}

}  // namespace

AccessSites accesses_of(const ptx::Module& module, const std::string& kernel) {
  AccessSites all;
  std::set<std::string> seen;
  add_function(all, module, kernel, seen);
  return all;
}

AccessSites accesses_of(const Bytes& machine_code) {
  AccessSites all;
  for (uint64_t at = 0; at + instruction_bytes <= machine_code.size(); at += instruction_bytes) {
    const unsigned opcode = machine_code.read<uint64_t>(at) & 0x1ff;
    const unsigned width = machine_code.read<uint64_t>(at + 8) >> 9 & 7;
    for (const Opcode& known : opcodes)
      if (known.number == opcode) add(all.*known.sites, widths[width]);
  }
  return all;
}

bool kept(const AccessSites& ptx, const AccessSites& machine_code) {
  return kept(ptx.shared_loads, machine_code.shared_loads) &&
         kept(ptx.shared_stores, machine_code.shared_stores) &&
         kept(ptx.global_loads, machine_code.global_loads) &&
         kept(ptx.global_stores, machine_code.global_stores);
}

std::optional<bool> accesses_kept(const ptx::Module& module, const Bytes& cubin,
                                  const std::string& kernel) {
  const Elf elf = read_elf(cubin);
  const int architecture = architecture_of(elf);
  const ElfSection* code = elf.section(".text." + kernel);
  if (elf.machine != elf_machine_cuda || architecture < first_architecture || !code) return {};
  return kept(accesses_of(module, kernel), accesses_of(code->content));
}

}  // namespace headroom
