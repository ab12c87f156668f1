#include "device/library.h"

#include <algorithm>
#include <cstring>

#include "device/magic.h"
#include "device/modules.h"

namespace headroom::device {
namespace {

template <class T>
T word_of(const std::byte* at, size_t offset) {
  T value;
  std::memcpy(&value, at + offset, sizeof value);
  return value;
}

// An image says itself how long it is: a fat binary and machine code in their headers, text by the
// zero at its end.
size_t image_bytes(const std::byte* code) {
  const auto magic = word_of<uint32_t>(code, 0);
  if (magic == fat_magic) return word_of<uint16_t>(code, 6) + word_of<uint64_t>(code, 8);
  if (magic == elf_magic) {
    const auto sections = word_of<uint64_t>(code, 40);
    const size_t headers = size_t(word_of<uint16_t>(code, 58)) * word_of<uint16_t>(code, 60);
    const auto programs = word_of<uint64_t>(code, 32);
    const size_t segments = size_t(word_of<uint16_t>(code, 54)) * word_of<uint16_t>(code, 56);
    return std::max(sections + headers, programs + segments);
  }
  return std::strlen(reinterpret_cast<const char*>(code));
}

}  // namespace

std::vector<std::byte> image_at(const void* given) {
  auto* code = static_cast<const std::byte*>(given);
  if (word_of<uint32_t>(code, 0) == wrapper_magic) code = word_of<const std::byte*>(code, 8);
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
