#include "kernel/static_text.h"

#include <algorithm>
#include <charconv>

#include "kernel/toolkit.h"

namespace headroom {
namespace {

constexpr std::string_view archive_magic = "!<arch>\n";
constexpr uint64_t member_header = 60;  // name, dates, owner, mode, size in decimal at 48, "`\n"

// The first member that is an ELF file: the runtime's archive has no other.
Bytes member_of(const Bytes& archive) {
  if (!archive.text().starts_with(archive_magic)) archive.fail(0, "not an archive");
  for (uint64_t at = archive_magic.size(); archive.holds(at, member_header);) {
    const std::string_view digits = archive.text().substr(at + 48, 10);
    uint64_t size = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), size);
    const Bytes member = archive.slice(at + member_header, size);
    if (looks_like_elf(member.span())) return member;
    at += member_header + size + size % 2;
  }
  archive.fail(0, "no object in the archive");
}

struct Run {
  uint64_t begin = 0, end = 0;
  uint64_t size() const { return end - begin; }
};

// What lies between the bytes that relocations change: 8 bytes at each, the most that one changes, and the 3
// before it, as a linker relaxes a load of an address into the address.
std::vector<Run> fixed_runs(const Elf& object, uint64_t size) {
  std::vector<uint64_t> places;
  if (const ElfSection* relocations = object.section(".rela.text"))
    for (uint64_t at = 0; relocations->content.holds(at, 24); at += 24)
      places.push_back(relocations->content.read<uint64_t>(at));
  std::ranges::sort(places);
  std::vector<Run> runs;
  uint64_t begin = 0;
  for (const uint64_t place : places) {
    const uint64_t end = std::min(place - std::min<uint64_t>(place, 3), size);
    if (end > begin) runs.push_back({begin, end});
    begin = std::max(begin, place + 8);
  }
  if (begin < size) runs.push_back({begin, size});
  return runs;
}

bool is_copy(std::string_view there, std::string_view text, const std::vector<Run>& runs) {
  return there.size() >= text.size() && std::ranges::all_of(runs, [&](const Run& run) {
           return there.substr(run.begin, run.size()) == text.substr(run.begin, run.size());
         });
}

}  // namespace

std::vector<std::string> static_runtime_archives(const std::string& file) {
  return find_toolkit_libraries("libcudart_static.a", file);
}

std::vector<StaticFunction> functions_by_text(const Elf& stripped, const Bytes& archive) {
  const ElfSection* there = stripped.section(".text");
  const Elf object = read_elf(member_of(archive));
  const ElfSection* text = object.section(".text");
  if (!there || !text) return {};
  const std::vector<Run> runs = fixed_runs(object, text->size);
  if (runs.empty()) return {};
  const Run longest = *std::ranges::max_element(runs, {}, &Run::size);
  const std::string_view wanted = text->content.text(), all = there->content.text();
  const size_t at = all.find(wanted.substr(longest.begin, longest.size()));
  if (at == all.npos || at < longest.begin) return {};
  const uint64_t start = at - longest.begin;
  if (!is_copy(all.substr(start), wanted, runs)) return {};
  std::vector<StaticFunction> functions;
  for (const ElfSymbol& symbol : object.symbols(".symtab"))
    if (symbol.section < object.sections.size() && &object.sections[symbol.section] == text &&
        is_runtime_name(symbol.name))
      functions.push_back({std::string(symbol.name), there->address + start + symbol.value});
  return functions;
}

}  // namespace headroom
