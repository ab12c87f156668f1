// The container nvcc puts device code in, one entry per architecture and kind:
//
//   50ed55ba 0100 1000 <u64 bytes>        fat binary: magic, version, header size, size of entries
//     u16 kind  u16  u32 header bytes  u64 padded bytes     1 = PTX, 2 = a cubin (ELF)
//     +10 u32 packed bytes   +1c u32 architecture   +28 u64 flags   +38 u64 unpacked bytes
//
// Offsets in hexadecimal. NVIDIA does not document it; read from what nvcc 13.0 writes with each
// --compress-mode and checked against `fatbinary --help`. Several fat binaries may stand in a row,
// padded with zero bytes: one per translation unit.
#include <algorithm>

#include "kernel/cubin_notes.h"
#include "kernel/decompress.h"
#include "kernel/kernel.h"
#include "kernel/mapped_file.h"
#include "kernel/target.h"

namespace headroom {
namespace {

constexpr uint32_t fatbin_magic = 0xBA55ED50;
constexpr uint16_t kind_ptx = 1, kind_cubin = 2;
constexpr uint64_t smallest_entry = 0x40;
constexpr uint64_t packed_lz4 = 0x2000, packed_zstd = 0x8000;
constexpr uint64_t architecture_specific = 0x100000, family_specific = 0x200000;

bool is_fatbin(const Bytes& bytes, uint64_t at) {
  return bytes.holds(at, 4) && bytes.read<uint32_t>(at) == fatbin_magic;
}

void take_target(ImageEntry& entry) {
  const Target target = target_of(entry.text);
  entry.architecture = target.number;
  entry.suffix = target.suffix;
}

std::string payload(const Bytes& content, uint64_t flags, uint64_t packed, uint64_t unpacked) {
  const uint64_t length = packed ? packed : content.size();
  if (flags & packed_zstd) return decompress_zstd(content.slice(0, length), unpacked);
  if (flags & packed_lz4) return decompress_lz4(content.slice(0, length), unpacked);
  return std::string(content.text());
}

// " -maxrregcount=40 " where nvcc was given one: {u32 offset, u32 length} at the offset kept at
// +14.
std::string ptxas_options(const Bytes& header) {
  const uint64_t pair = header.read<uint32_t>(0x14);
  if (pair < smallest_entry || !header.holds(pair, 8)) return "";
  const uint64_t start = header.read<uint32_t>(pair), length = header.read<uint32_t>(pair + 4);
  return header.holds(start, length) ? std::string(header.slice(start, length).text()) : "";
}

// One entry at `at`; returns where the next begins. Kinds that are neither PTX nor machine code
// (link-time intermediate code, debug data) are passed over.
uint64_t read_entry(const Bytes& bytes, uint64_t at, int fatbin, Image& image) {
  const auto kind = bytes.read<uint16_t>(at);
  const uint64_t header = bytes.read<uint32_t>(at + 4), padded = bytes.read<uint64_t>(at + 8);
  if (header < smallest_entry) bytes.fail(at + 4, "damaged fat binary: odd entry header size");
  const Bytes head = bytes.slice(at, header), content = bytes.slice(at + header, padded);
  if (kind == kind_ptx || kind == kind_cubin) {
    ImageEntry entry{kind == kind_ptx ? ImageEntry::Kind::ptx : ImageEntry::Kind::cubin};
    const auto flags = head.read<uint64_t>(0x28);
    entry.text = payload(content, flags, head.read<uint32_t>(0x10), head.read<uint64_t>(0x38));
    entry.architecture = static_cast<int>(head.read<uint32_t>(0x1c));
    if (flags & architecture_specific) entry.suffix += 'a';
    if (flags & family_specific) entry.suffix += 'f';
    entry.fatbin = fatbin;
    if (kind == kind_ptx) {
      entry.text.erase(entry.text.find_last_not_of('\0') + 1);
      take_target(entry);
      entry.options = ptxas_options(head);
    }
    image.entries.push_back(std::move(entry));
  }
  return at + header + padded;
}

void read_fatbins(const Bytes& bytes, Image& image, int& fatbin) {
  for (uint64_t at = 0; at < bytes.size();) {
    if (bytes.span()[at] == std::byte{0}) {
      ++at;
      continue;
    }
    if (!is_fatbin(bytes, at)) bytes.fail(at, "not a fat binary (magic 0xBA55ED50 expected)");
    const uint64_t header = bytes.read<uint16_t>(at + 6), size = bytes.read<uint64_t>(at + 8);
    if (header < 16) bytes.fail(at + 6, "damaged fat binary: odd header size");
    const Bytes entries = bytes.slice(at + header, size);
    for (uint64_t entry = 0; entry < size;) entry = read_entry(entries, entry, fatbin, image);
    at += header + size;
    ++fatbin;
  }
}

void read_elf_image(const Bytes& bytes, Image& image) {
  const Elf elf = read_elf(bytes);
  if (elf.machine == elf_machine_cuda) {
    // Toolkits from 13 on (ABI version 8) moved the architecture one byte up in the flags.
    const int architecture = architecture_of(elf);
    image.entries.push_back({ImageEntry::Kind::cubin, architecture, std::string(bytes.text()), ""});
    return;
  }
  int fatbin = 0;
  bool found = false;
  // With -rdc=true .nv_fatbin has linked machine code; each translation unit's PTX is in
  // __nv_relfatbin.
  for (const char* name : {".nv_fatbin", "__nv_relfatbin"})
    for (const ElfSection& section : elf.sections)
      if (section.name == name) {
        read_fatbins(section.content, image, fatbin);
        found = true;
      }
  if (!found)
    throw Error{std::string(bytes.where()), "there is no CUDA code in it (no section .nv_fatbin)",
                "give a program, library or object built by nvcc, a .fatbin, .cubin or .ptx file"};
}

bool looks_like_ptx(std::string_view text) {
  const size_t version = text.find(".version");
  return version != text.npos && text.substr(0, version).find('\0') == text.npos;
}

}  // namespace

Image read_image(std::span<const std::byte> content, const std::string& where) {
  const Bytes bytes{content, where};
  Image image;
  int fatbins = 0;
  if (content.empty()) throw Error{where, "empty: no CUDA code in it", "was the build cut short?"};
  if (looks_like_elf(content)) {
    read_elf_image(bytes, image);
  } else if (is_fatbin(bytes, 0)) {
    read_fatbins(bytes, image, fatbins);
  } else if (looks_like_ptx(bytes.text())) {
    ImageEntry entry{ImageEntry::Kind::ptx, 0, std::string(bytes.text()), ""};
    entry.text.erase(entry.text.find_last_not_of('\0') + 1);
    take_target(entry);
    image.entries.push_back(std::move(entry));
  } else {
    bytes.fail(0, "neither a fat binary, an ELF file nor PTX text: first difference",
               "give a program, library or object built by nvcc, a .fatbin, .cubin or .ptx file");
  }
  return image;
}

Image read_image_file(const std::string& path) {
  const MappedFile file(path);
  return read_image(file.bytes(), path);
}

std::span<const std::byte> fatbin_at(const void* start) {
  const auto* bytes = static_cast<const std::byte*>(start);
  const Bytes header{{bytes, 16}, "fat binary in memory"};
  if (!is_fatbin(header, 0)) header.fail(0, "not a fat binary (magic 0xBA55ED50 expected)");
  return {bytes, header.read<uint16_t>(6) + header.read<uint64_t>(8)};
}

std::vector<Image> modules_of(const Image& image) {
  std::vector<Image> modules;
  for (const ImageEntry& entry : image.entries) {
    const auto same = [&](const Image& module) { return module.entries[0].fatbin == entry.fatbin; };
    auto module = std::find_if(modules.begin(), modules.end(), same);
    if (module == modules.end()) module = modules.insert(modules.end(), Image{});
    module->entries.push_back(entry);
  }
  return modules;
}

}  // namespace headroom
