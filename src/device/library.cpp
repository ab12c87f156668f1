#include "device/library.h"

#include <algorithm>
#include <cstring>

#include "device/machine_code.h"
#include "device/magic.h"
#include "device/modules.h"
#include "sim/decode_sass/symbols.h"
#include "sim/system_calls.h"
#include "sim/undefined.h"

namespace headroom::device {
namespace {

template <class T>
T word_of(const std::byte* at, size_t offset) {
  T value;
  std::memcpy(&value, at + offset, sizeof value);
  return value;
}

[[noreturn]] void refuse_image(const char* problem) {
  throw Failure{
      Status::invalid_image,
      Error{"image", problem, "give PTX, machine code or a fat binary as a compiler wrote it"}};
}

// More than any image has; beyond it a length is damage.
constexpr uint64_t largest_image = uint64_t(1) << 32;

// Where a table of `count` parts ends; 0 where there are none.
uint64_t end_of(uint64_t offset, uint64_t count, uint64_t size, uint64_t right_size) {
  if (!count) return 0;
  if (size != right_size || offset > largest_image) refuse_image("its ELF header is damaged");
  return offset + count * size;
}

size_t elf_bytes(const std::byte* code) {
  constexpr uint16_t wide_and_little = 0x0102;
  if (word_of<uint16_t>(code, 4) != wide_and_little) refuse_image("is no 64-bit ELF file");
  const uint64_t sections = end_of(word_of<uint64_t>(code, 40), word_of<uint16_t>(code, 60),
                                   word_of<uint16_t>(code, 58), 64);
  const uint64_t segments = end_of(word_of<uint64_t>(code, 32), word_of<uint16_t>(code, 56),
                                   word_of<uint16_t>(code, 54), 56);
  return std::max(sections, segments);
}

size_t fat_bytes(const std::byte* code) {
  const uint64_t header = word_of<uint16_t>(code, 6), body = word_of<uint64_t>(code, 8);
  if (word_of<uint16_t>(code, 4) != 1 || header != 16 || body > largest_image)
    refuse_image("its fat binary's header is damaged");
  return header + body;
}

// An image says itself how long it is: a fat binary and machine code in their headers, text by the
// zero at its end.
size_t image_bytes(const std::byte* code) {
  const size_t text = strnlen(reinterpret_cast<const char*>(code), sizeof(uint32_t));
  const auto magic = text < sizeof(uint32_t) ? 0 : word_of<uint32_t>(code, 0);
  if (magic == fat_magic) return fat_bytes(code);
  if (magic == elf_magic) return elf_bytes(code);
  return std::strlen(reinterpret_cast<const char*>(code));
}

// The first function that code of the module calls by its name and that neither it nor the system defines; empty: none.
std::string undefined_call(const ptx::Module& module) {
  for (const ptx::Function& function : module.functions)
    for (const ptx::Instruction& instruction : function.body) {
      if (instruction.opcode != "call" || instruction.operands.size() < 2) continue;
      const ptx::Operand& callee = instruction.operands[1];
      if (callee.kind != ptx::Operand::Kind::symbol || sim::system_named(callee.name)) continue;
      const ptx::Function* target = module.function(callee.name);
      if (!target || !target->defined) return callee.name;
    }
  return "";
}

}  // namespace

std::vector<std::byte> image_at(const void* given) {
  auto* code = static_cast<const std::byte*>(given);
  const bool is_short = strnlen(static_cast<const char*>(given), sizeof(uint32_t)) < 4;
  if (!is_short && word_of<uint32_t>(code, 0) == wrapper_magic)
    code = word_of<const std::byte*>(code, 8);
  if (!code) refuse_image("its wrapper leads to no fat binary");
  return {code, code + image_bytes(code)};
}

Binary& load_library(Session& session, std::vector<std::byte> image) {
  Binary* binary = registry().add_library(std::move(image));
  try {
    for (const ptx::Function& function : load(session, *binary).module->functions)
      if (function.entry && function.defined)
        registry().add_kernel(binary, nullptr, function.name.c_str());
  } catch (...) {
    registry().remove_binary(binary);
    throw;
  }
  return *binary;
}

void require_defined(Session& session, Binary& binary) {
  const LoadedBinary& loaded = load(session, binary);
  if (loaded.machine_code_alone || nearest_code(binary, session.machine.cc(), loaded.image)) return;
  const std::string name = undefined_call(*loaded.module);
  if (name.empty()) return;
  const sim::Undefined why = sim::undefined_function(name);
  throw Failure{Status::invalid_ptx, Error{name_of(binary), why.what, why.hint}};
}

void require_defined(Session& session, Kernel& kernel) {
  Binary& binary = *kernel.binary;
  if (!load(session, binary).machine_code_alone) return;
  const std::shared_ptr<const sass::Module> code = machine_code(session, binary).module;
  if (!code) return;
  const auto& placed = load_on_device(session, binary, current_device());
  for (const sass::Function& function : code->functions) {
    if (function.name != kernel.name) continue;
    for (const sass::Relocation& relocation : function.relocations) {
      if (sim::symbol_address(placed, *code, relocation.symbol, 0)) continue;
      const sim::Undefined why = sim::undefined_function(relocation.symbol);
      throw Failure{Status::not_found,
                    Error{name_of(binary) + ": kernel '" + kernel.name + "'", why.what, why.hint}};
    }
  }
}

void unload_library(Session& session, Binary& binary) {
  for (int device = 0; device < session.options.devices; ++device)
    unload_from(session, binary, device);
  registry().remove_binary(&binary);
}

Status find_variable(Session& session, Binary& binary, const char* name, bool managed,
                     Placed& out) {
  for (const ptx::Variable& variable : load(session, binary).module->variables) {
    if (variable.name != name || variable.managed != managed ||
        (variable.space != ptx::Space::global && variable.space != ptx::Space::constant))
      continue;
    const auto& addresses = load_on_device(session, binary, current_device()).addresses;
    out = {addresses.at(variable.name), variable.bytes};
    return Status::ok;
  }
  return Status::not_found;
}

}  // namespace headroom::device
