// What a file has for the device, as it lies there.
#include "kernel/elf.h"
#include "kernel/kernel.h"

namespace headroom {
namespace {

// Padded with zeros to the next one.
void take_fatbins(const Bytes& section, std::vector<std::span<const std::byte>>& parts) {
  for (uint64_t at = 0; at < section.size();) {
    if (section.span()[at] == std::byte{0}) {
      ++at;
      continue;
    }
    const auto part = fatbin_at(section.span().data() + at);
    parts.push_back(section.slice(at, part.size()).span());
    at += part.size();
  }
}

}  // namespace

std::vector<std::span<const std::byte>> device_code(std::span<const std::byte> file,
                                                    const std::string& where) {
  const Bytes bytes{file, where};
  if (!looks_like_elf(file)) return {file};
  const Elf elf = read_elf(bytes);
  if (elf.machine == elf_machine_cuda) return {file};
  std::vector<std::span<const std::byte>> parts;
  for (const ElfSection& section : elf.sections)
    if (section.name == ".nv_fatbin") take_fatbins(section.content, parts);
  if (parts.empty())
    throw Error{where, "there is no CUDA code in it (no section .nv_fatbin)",
                "give a program, library or object built by nvcc, a .fatbin, .cubin or .ptx file"};
  return parts;
}

}  // namespace headroom
