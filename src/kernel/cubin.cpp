// Resources that the compiler noted in machine code (cubin_notes.h): {u32 symbol, u32 value} of
// 11 FRAME_SIZE, 12 MIN_STACK_SIZE, 2f REGCOUNT.
//
//   c90.cubin -->
//     {"_Z5spillPf": Resources{registers 32, static_shared 0, stack 1040, from "cubin sm_90"}}
//
// Not documented by NVIDIA; checked against what `ptxas -v` prints for the same kernels
// (tests/unit/kernel_ptxas.cpp).
#include <algorithm>

#include "kernel/cubin_notes.h"
#include "kernel/kernel.h"

namespace headroom {
namespace {

constexpr uint8_t max_threads = 0x05, required_threads = 0x10;  // of a kernel's own .nv.info.NAME
constexpr uint8_t frame_size = 0x11, min_stack_size = 0x12, register_count = 0x2f;
// From sm_90 on .nv.shared.NAME of a program includes the KiB that the system takes of every block:
// ptxas says so by a section, nvlink does not.
constexpr int reserved_shared = 1024, first_with_reserved = 90;
constexpr uint64_t most_threads = 1 << 16;  // more than any machine has: damaged notes name more
constexpr int unknown_stack = -1;           // recursion, or a call through a pointer

struct Notes {
  std::map<std::string, int> registers, frame, stack;
};

Notes read_notes(const Elf& elf) {
  Notes notes;
  const std::vector<ElfSymbol> symbols = elf.symbols(".symtab");
  each_note(elf, ".nv.info", [&](const Note& note) {
    if (note.body.size() < 8) return;
    const auto symbol = note.body.read<uint32_t>(0);
    const int value = static_cast<int>(note.body.read<uint32_t>(4));
    const std::string name{symbol < symbols.size() ? symbols[symbol].name : ""};
    if (note.attribute == register_count) notes.registers[name] = value;
    if (note.attribute == frame_size) notes.frame[name] = value;
    if (note.attribute == min_stack_size) notes.stack[name] = value;
  });
  return notes;
}

// {u32 x, u32 y, u32 z} of a kernel's own notes.
std::optional<int> threads_bound(const Elf& elf, const std::string& kernel) {
  std::optional<int> bound;
  each_note(elf, ".nv.info." + kernel, [&](const Note& note) {
    if (bound || note.body.size() < 12 ||
        (note.attribute != max_threads && note.attribute != required_threads))
      return;
    uint64_t threads = 1;
    for (const int dimension : {0, 4, 8})
      threads *= std::max<uint32_t>(1, note.body.read<uint32_t>(uint64_t(dimension))) & 0xffff;
    bound = int(std::min<uint64_t>(threads, most_threads));
  });
  return bound;
}

std::optional<int> find(const std::map<std::string, int>& values, const std::string& name) {
  const auto found = values.find(name);
  return found == values.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace

std::map<std::string, Resources> cubin_resources(std::span<const std::byte> content,
                                                 const std::string& where) {
  const Bytes bytes{content, where};
  const Elf elf = read_elf(bytes);
  if (elf.machine != elf_machine_cuda) bytes.fail(18, "not a cubin: another machine's ELF file");
  const int architecture = architecture_of(elf);
  const bool reserved = elf.section(".nv.shared.reserved.0") != nullptr ||
                        (elf.type == elf_type_executable && architecture >= first_with_reserved);
  const Notes notes = read_notes(elf);

  std::map<std::string, Resources> kernels;
  for (const auto& [name, stack] :
       notes.stack) {  // kernels have this note, device functions have not
    const ElfSection* code = elf.section(".text." + name);
    if (!code) continue;
    const ElfSection* shared = elf.section(".nv.shared." + name);
    const ElfSection* constant = elf.section(".nv.constant0." + name);
    Resources resources;
    resources.registers = find(notes.registers, name);
    // Toolkits before 13 also keep the number in the code section's header.
    if (!resources.registers && code->info >> 24) resources.registers = code->info >> 24;
    resources.static_shared = shared ? static_cast<int>(shared->size) : 0;
    if (reserved) resources.static_shared = std::max(0, *resources.static_shared - reserved_shared);
    resources.stack = stack;
    if (stack == unknown_stack) {
      resources.stack = find(notes.frame, name);
      resources.caveats.push_back(
          {"the stack is deeper than stated",
           "functions it calls have frames of their own, and recursion hides how many",
           "set it with cudaDeviceSetLimit(cudaLimitStackSize, …)"});
    }
    if (constant) resources.constant = static_cast<int>(constant->size);
    resources.max_threads = threads_bound(elf, name);
    resources.from = fmt::format("cubin sm_{}", architecture);
    kernels.emplace(name, std::move(resources));
  }
  return kernels;
}

}  // namespace headroom
