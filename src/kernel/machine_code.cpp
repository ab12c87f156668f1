#include "kernel/machine_code.h"

#include <fmt/format.h>

#include "kernel/elf.h"
#include "kernel/line_table.h"
#include "sass/decode.h"

namespace headroom {
namespace {

constexpr std::string_view code = ".text.", constants = ".nv.constant";
constexpr uint8_t sized_note = 4, indirect_branch_targets = 0x34;

std::vector<sass::Instruction> decode_all(const Bytes& content, int architecture) {
  std::vector<sass::Instruction> all;
  all.reserve(content.size() / sass::instruction_bytes);
  for (uint64_t at = 0; at + sass::instruction_bytes <= content.size();
       at += sass::instruction_bytes) {
    const sass::Encoding word{content.read<uint64_t>(at), content.read<uint64_t>(at + 8)};
    auto instruction = sass::decode(word, at, architecture);
    if (!instruction) {
      instruction.emplace();
      instruction->encoding = word;
    }
    all.push_back(std::move(*instruction));
  }
  return all;
}

// Where the indirect jumps of a kernel lead: {u32 instruction, u32, u32 count, u32 targets…} of its
// own notes.
std::vector<uint64_t> indirect_targets(const Elf& elf, const std::string& name) {
  const ElfSection* info = elf.section(".nv.info." + name);
  std::vector<uint64_t> targets;
  for (uint64_t at = 0; info && at + 4 <= info->content.size();) {
    const auto format = info->content.read<uint8_t>(at),
               attribute = info->content.read<uint8_t>(at + 1);
    const uint64_t bytes = format == sized_note ? info->content.read<uint16_t>(at + 2) : 0;
    if (format == sized_note && attribute == indirect_branch_targets) {
      for (uint64_t word = at + 4; word + 12 <= at + 4 + bytes;) {
        const uint32_t count = info->content.read<uint32_t>(word + 8);
        word += 12;
        for (uint32_t i = 0; i < count && word + 4 <= at + 4 + bytes; ++i, word += 4)
          targets.push_back(info->content.read<uint32_t>(word));
      }
    }
    at += 4 + bytes;
  }
  return targets;
}

std::vector<sass::Symbol> symbols_of(const Elf& elf, const ElfSection& section,
                                     const std::string& name) {
  std::vector<sass::Symbol> all;
  for (const ElfSymbol& symbol : elf.symbols(".symtab"))
    if (symbol.section < elf.sections.size() && &elf.sections[symbol.section] == &section &&
        symbol.size > 0 && symbol.name != name)
      all.push_back({std::string(symbol.name), symbol.value, symbol.size});
  return all;
}

// ".nv.constant0.NAME" of a kernel, ".nv.constant3" of all
std::optional<sass::Bank> bank_of(const ElfSection& section) {
  std::string_view rest = section.name;
  if (!rest.starts_with(constants)) return std::nullopt;
  rest.remove_prefix(constants.size());
  sass::Bank bank;
  while (!rest.empty() && rest.front() >= '0' && rest.front() <= '9') {
    bank.number = bank.number * 10 + (rest.front() - '0');
    rest.remove_prefix(1);
  }
  if (!rest.empty()) bank.kernel = rest.substr(1);
  bank.content.assign(section.content.span().begin(), section.content.span().end());
  return bank;
}

}  // namespace

sass::Module read_machine_code(const Bytes& cubin) {
  const Elf elf = read_elf(cubin);
  if (elf.machine != elf_machine_cuda) cubin.fail(18, "not a cubin: another machine's ELF file");
  sass::Module module;
  module.architecture = int((elf.abi_version >= 8 ? elf.flags >> 8 : elf.flags) & 0xff);
  if (module.architecture < sass::first_architecture ||
      module.architecture > sass::last_architecture)
    throw Error{std::string(cubin.where()),
                fmt::format("machine code of sm_{} is not read", module.architecture),
                fmt::format("compile for sm_{} to sm_{}", sass::first_architecture,
                            sass::last_architecture)};
  LineTable lines = read_line_table(elf);
  module.files = std::move(lines.files);
  for (const ElfSection& section : elf.sections) {
    if (auto bank = bank_of(section)) module.banks.push_back(std::move(*bank));
    if (!section.name.starts_with(code)) continue;
    sass::Function function;
    function.name = section.name.substr(code.size());
    function.kernel = elf.section(".nv.info." + function.name) != nullptr;
    function.instructions = decode_all(section.content, module.architecture);
    function.blocks = find_blocks(function.instructions, indirect_targets(elf, function.name));
    function.relocations = relocations_of(elf, std::string(section.name));
    function.symbols = symbols_of(elf, section, function.name);
    if (const auto found = lines.of_function.find(function.name); found != lines.of_function.end())
      function.lines = std::move(found->second);
    module.functions.push_back(std::move(function));
  }
  return module;
}

}  // namespace headroom
