#include "device/registry.h"

#include <algorithm>
#include <cstring>

#include "device/magic.h"

namespace headroom::device {
namespace {

// fatbinary_section.h of the toolkit: what nvcc's registration code passes.
struct Wrapper {
  uint32_t magic;
  int version;
  const std::byte* data;
  const void* filename_or_fatbins;
};
constexpr int relocatable = 2;  // version of a wrapper whose second pointer is a list of parts

struct FatHeader {
  uint32_t magic;
  uint16_t version, header_size;
  uint64_t size;
};

}  // namespace

Binary* Registry::add_binary(const void* pointer) {
  auto binary = std::make_unique<Binary>();
  const auto* wrapper = static_cast<const Wrapper*>(pointer);
  if (wrapper && wrapper->magic == wrapper_magic && wrapper->data) {
    const auto* part = static_cast<const void* const*>(wrapper->filename_or_fatbins);
    for (; wrapper->version == relocatable && part && *part; ++part) binary->parts.push_back(*part);
    FatHeader header;
    std::memcpy(&header, wrapper->data, sizeof header);
    // Bytes without the magic are passed on as they are: the reader of images says what is wrong
    // with them.
    uint64_t size = header.magic == fat_magic ? header.header_size + header.size : sizeof header;
    binary->bytes = {wrapper->data, size};
  }
  std::lock_guard guard(lock_);
  binary->number = int(binaries_.size());
  binaries_.push_back(std::move(binary));
  return binaries_.back().get();
}

Binary* Registry::add_library(std::vector<std::byte> image) {
  auto binary = std::make_unique<Binary>();
  binary->own = std::move(image);
  binary->bytes = binary->own;
  binary->library = true;
  std::lock_guard guard(lock_);
  binary->number = int(binaries_.size());
  binaries_.push_back(std::move(binary));
  return binaries_.back().get();
}

bool Registry::is_library(const Binary* binary) const {
  std::lock_guard guard(lock_);
  return std::any_of(binaries_.begin(), binaries_.end(),
                     [&](const auto& owned) { return owned.get() == binary && owned->library; });
}

void Registry::remove_binary(Binary* binary) {
  std::lock_guard guard(lock_);
  auto found = std::find_if(binaries_.begin(), binaries_.end(),
                            [&](const auto& owned) { return owned.get() == binary; });
  if (found == binaries_.end()) return;
  std::erase_if(kernels_, [&](const auto& entry) { return entry.second->binary == binary; });
  std::erase_if(variables_, [&](const auto& entry) { return entry.second->binary == binary; });
  binaries_.erase(found);
}

void Registry::add_kernel(Binary* binary, const void* host, const char* name) {
  auto kernel = std::make_unique<Kernel>();
  kernel->binary = binary;
  kernel->host = host;
  kernel->name = name;
  std::lock_guard guard(lock_);
  kernels_.emplace(kernel.get(), kernel.get());
  // The first registration of an inline kernel stands, as the linker's.
  if (host) kernels_.emplace(host, kernel.get());
  binary->kernels.push_back(std::move(kernel));
}

Variable* Registry::add_variable(Binary* binary, const void* host, const char* name,
                                 uint64_t bytes) {
  std::lock_guard guard(lock_);
  auto& slot = variables_[host];
  if (!slot) slot = std::make_unique<Variable>(Variable{binary, name, bytes});
  return slot.get();
}

Kernel* Registry::kernel(const void* function) const {
  std::lock_guard guard(lock_);
  auto found = kernels_.find(function);
  return found == kernels_.end() ? nullptr : found->second;
}

Variable* Registry::variable(const void* host) const {
  std::lock_guard guard(lock_);
  auto found = variables_.find(host);
  return found == variables_.end() ? nullptr : found->second.get();
}

void Registry::each_binary(const std::function<void(Binary&)>& visit) const {
  std::lock_guard guard(lock_);
  for (const auto& binary : binaries_) visit(*binary);
}

}  // namespace headroom::device
