// ELF64 reading: see elf.h. Every offset comes from the file and is checked before it is followed.
#include "kernel/elf.h"

namespace headroom {
namespace {

struct Header {
  uint8_t magic[4], width, order, version, abi, abi_version, pad[7];
  uint16_t type, machine;
  uint32_t object_version;
  uint64_t entry, segments, sections;
  uint32_t flags;
  uint16_t header_size, segment_size, segment_count, section_size, section_count, names;
};
static_assert(sizeof(Header) == 64);

struct RawSection {
  uint32_t name, type;
  uint64_t flags, address, offset, size;
  uint32_t link, info;
  uint64_t align, entry_size;
};
static_assert(sizeof(RawSection) == 64);

struct RawSymbol {
  uint32_t name;
  uint8_t info, other;
  uint16_t section;
  uint64_t value, size;
};
static_assert(sizeof(RawSymbol) == 24);

constexpr uint32_t no_bits = 8;  // a section that takes no room in the file
enum Tag : uint64_t { needed = 1, soname = 14, rpath = 15, runpath = 29 };

std::vector<std::string> split_path(std::string_view path) {
  std::vector<std::string> folders;
  while (!path.empty()) {
    const size_t colon = path.find(':');
    if (colon != 0) folders.emplace_back(path.substr(0, colon));
    path = colon == path.npos ? "" : path.substr(colon + 1);
  }
  return folders;
}

}  // namespace

bool looks_like_elf(std::span<const std::byte> bytes) {
  return bytes.size() >= 4 && std::memcmp(bytes.data(),
                                          "\x7f"
                                          "ELF",
                                          4) == 0;
}

const ElfSection* Elf::section(std::string_view name) const {
  for (const ElfSection& section : sections)
    if (section.name == name) return &section;
  return nullptr;
}

std::vector<ElfSymbol> Elf::symbols(std::string_view table) const {
  const ElfSection* symbols = section(table);
  if (!symbols || symbols->link >= sections.size()) return {};
  const Bytes& names = sections[symbols->link].content;
  std::vector<ElfSymbol> result;
  for (uint64_t at = 0; symbols->content.holds(at, sizeof(RawSymbol)); at += sizeof(RawSymbol)) {
    const auto raw = symbols->content.read<RawSymbol>(at);
    result.push_back({names.string_at(raw.name), raw.section, raw.value, raw.size, raw.other,
                      raw.info >> 4 == 0});
  }
  return result;
}

Elf read_elf(const Bytes& bytes) {
  const auto header = bytes.read<Header>(0);
  if (!looks_like_elf(bytes.span())) bytes.fail(0, "not an ELF file");
  if (header.width != 2 || header.order != 1)
    bytes.fail(4, "not a 64-bit little-endian ELF file",
               "CUDA programs are 64-bit: build for x86-64");
  Elf elf{header.type, header.machine, header.flags, header.abi_version, {}};
  if (header.sections == 0) return elf;  // stripped of its section headers
  if (header.section_size != sizeof(RawSection)) bytes.fail(58, "odd ELF section header size");

  auto raw_section = [&](uint64_t index) {
    return bytes.read<RawSection>(header.sections + index * sizeof(RawSection));
  };
  // Files with 65280 sections or more keep the counts in section 0.
  uint64_t count = header.section_count, names_index = header.names;
  if (count == 0) count = raw_section(0).size;
  if (names_index == 0xffff) names_index = raw_section(0).link;
  if (header.sections > bytes.size() ||
      count > (bytes.size() - header.sections) / sizeof(RawSection))
    bytes.fail(header.sections, "truncated: the ELF section table ends outside the file",
               "the file is cut off or damaged: build or copy it again");
  if (names_index >= count) bytes.fail(62, "the ELF section name table is missing");
  const RawSection raw_names = raw_section(names_index);
  const Bytes names = bytes.slice(raw_names.offset, raw_names.size);
  for (uint64_t i = 0; i < count; ++i) {
    const RawSection raw = raw_section(i);
    const bool in_file = raw.type != no_bits && raw.type != 0;
    elf.sections.push_back({names.string_at(raw.name), raw.type, raw.link, raw.info, raw.size,
                            raw.address,
                            in_file ? bytes.slice(raw.offset, raw.size) : bytes.slice(0, 0)});
  }
  return elf;
}

ElfDynamic dynamic_of(const Elf& elf) {
  const ElfSection* dynamic = elf.section(".dynamic");
  if (!dynamic || dynamic->link >= elf.sections.size()) return {};
  const Bytes& names = elf.sections[dynamic->link].content;
  ElfDynamic result;
  std::string old_path;
  for (uint64_t at = 0; dynamic->content.holds(at, 16); at += 16) {
    const auto tag = dynamic->content.read<uint64_t>(at);
    const std::string_view text = names.string_at(dynamic->content.read<uint64_t>(at + 8));
    if (tag == 0) break;
    if (tag == needed) result.needed.emplace_back(text);
    if (tag == soname) result.soname = text;
    if (tag == runpath) result.run_path = split_path(text);
    if (tag == rpath) old_path = text;
  }
  if (result.run_path.empty()) result.run_path = split_path(old_path);
  return result;
}

}  // namespace headroom
