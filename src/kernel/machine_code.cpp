#include "kernel/machine_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "kernel/cubin_notes.h"
#include "kernel/cubin_symbols.h"
#include "kernel/line_table.h"
#include "sass/decode.h"

namespace headroom {
namespace {

constexpr std::string_view code = ".text.", constants = ".nv.constant";
constexpr uint8_t indirect_branch_targets = 0x34, parameter_bank = 0x0a;

std::vector<sass::Instruction> decode_all(const Bytes& content, int architecture) {
  std::vector<sass::Instruction> all;
  all.reserve(content.size() / sass::instruction_bytes);
  for (uint64_t at = 0; at + sass::instruction_bytes <= content.size();
       at += sass::instruction_bytes) {
    const sass::Encoding word{content.read<uint64_t>(at), content.read<uint64_t>(at + 8)};
    auto instruction = sass::decode(word, at, architecture);
    all.push_back(instruction ? std::move(*instruction) : sass::undecoded(word));
  }
  return all;
}

// The notes on a section of code, of which another one may have the same name.
const ElfSection* notes_on(const Elf& elf, const ElfSection& section) {
  const auto number = uint32_t(&section - elf.sections.data());
  for (const ElfSection& each : elf.sections)
    if (each.info == number && each.name.starts_with(".nv.info.")) return &each;
  return nullptr;
}

// Where the jumps of a function through a register lead: {u32 jump, u32, u32 count, u32 targets…} of
// its own notes.
sass::IndirectTargets indirect_targets(const ElfSection* notes) {
  sass::IndirectTargets targets;
  each_note(notes, [&](const Note& note) {
    if (note.attribute != indirect_branch_targets) return;
    for (uint64_t word = 0; word + 12 <= note.body.size();) {
      std::vector<uint64_t>& known = targets[note.body.read<uint32_t>(word)];
      const uint32_t count = note.body.read<uint32_t>(word + 8);
      word += 12;
      for (uint32_t i = 0; i < count && word + 4 <= note.body.size(); ++i, word += 4)
        known.push_back(note.body.read<uint32_t>(word));
    }
  });
  return targets;
}

// Calls body(symbol) for those that lie in a section.
template <class Body>
void each_symbol(const Elf& elf, const CubinSymbols& symbols, const ElfSection& section,
                 Body&& body) {
  for (const CubinSymbol& symbol : symbols.all()) {
    if (symbol.section < elf.sections.size() && &elf.sections[symbol.section] == &section)
      body(symbol);
  }
}

// A kernel's parameters in bank 0, {u32 symbol, u16 begin, u16 bytes} of its notes: many of them begin elsewhere than
// few.
void take_parameters(const Elf& elf, sass::Bank& bank) {
  each_note(elf, ".nv.info." + bank.kernel, [&](const Note& note) {
    if (note.attribute == parameter_bank && note.body.size() >= 8)
      bank.symbols.push_back(
          {"parameters", note.body.read<uint16_t>(4), note.body.read<uint16_t>(6)});
  });
}

// ".nv.constant0.NAME" of a kernel, ".nv.constant3" of all
std::optional<sass::Bank> bank_of(const Elf& elf, const CubinSymbols& symbols,
                                  const ElfSection& section) {
  std::string_view rest = section.name;
  if (!rest.starts_with(constants)) return std::nullopt;
  rest.remove_prefix(constants.size());
  sass::Bank bank;
  const size_t digits = std::min(rest.find('.'), rest.size());
  const auto read = std::from_chars(rest.data(), rest.data() + digits, bank.number);
  if (read.ec != std::errc{} || read.ptr != rest.data() + digits) return std::nullopt;
  if (digits < rest.size()) bank.kernel = rest.substr(digits + 1);
  bank.content.assign(section.content.span().begin(), section.content.span().end());
  bank.relocations = symbols.relocations(&section);
  each_symbol(elf, symbols, section, [&](const CubinSymbol& symbol) {
    if (symbol.size > 0) bank.symbols.push_back({symbol.own_name, symbol.value, symbol.size});
  });
  if (bank.number == 0 && !bank.kernel.empty()) take_parameters(elf, bank);
  return bank;
}

// Damaged headers may all name the same bytes.
void check_sizes(const Elf& elf, const Bytes& cubin) {
  uint64_t sum = 0;
  for (const ElfSection& section : elf.sections) sum += section.content.size();
  if (sum > cubin.size()) cubin.fail(40, "sections that overlap");
}

// The symbols that lie in a section: the function's own, a kernel's with a mark, and those inside.
void take_symbols(const Elf& elf, const CubinSymbols& symbols, const ElfSection& section,
                  sass::Function& function) {
  constexpr uint8_t entry = 0x10;
  const std::string name = function.name;
  each_symbol(elf, symbols, section, [&](const CubinSymbol& symbol) {
    if (symbol.name == name) {
      function.name = symbol.own_name;
      function.kernel = symbol.other & entry;
    } else if (symbol.size > 0) {
      function.symbols.push_back({symbol.own_name, symbol.value, symbol.size});
    }
  });
}

}  // namespace

sass::Module read_machine_code(const Bytes& cubin) {
  const Elf elf = read_elf(cubin);
  if (elf.machine != elf_machine_cuda) cubin.fail(18, "not a cubin: another machine's ELF file");
  sass::Module module;
  module.architecture = architecture_of(elf);
  if (module.architecture < sass::first_architecture ||
      module.architecture > sass::last_architecture)
    throw Error{std::string(cubin.where()),
                fmt::format("machine code of sm_{} is not read", module.architecture),
                fmt::format("sm_{} to sm_{} are: name a machine of these, or compile for one",
                            sass::first_architecture, sass::last_architecture)};
  check_sizes(elf, cubin);
  module.linked = elf.type == elf_type_executable;
  LineTable lines = read_line_table(elf);
  module.files = std::move(lines.files);
  const CubinSymbols symbols(elf);
  for (const ElfSection& section : elf.sections) {
    if (auto bank = bank_of(elf, symbols, section)) module.banks.push_back(std::move(*bank));
    if (!section.name.starts_with(code)) continue;
    sass::Function function;
    function.name = section.name.substr(code.size());
    function.instructions = decode_all(section.content, module.architecture);
    function.relocations = symbols.relocations(&section);
    take_symbols(elf, symbols, section, function);
    std::vector<uint64_t> entries;
    for (const sass::Symbol& symbol : function.symbols) entries.push_back(symbol.offset);
    function.blocks =
        find_blocks(function.instructions, indirect_targets(notes_on(elf, section)), entries);
    if (const auto found = lines.of_function.find(function.name); found != lines.of_function.end())
      function.lines = std::move(found->second);
    module.functions.push_back(std::move(function));
  }
  return module;
}

bool runs_machine_code(int cc) {
  return cc >= sass::first_architecture && cc <= sass::last_architecture;
}

}  // namespace headroom
