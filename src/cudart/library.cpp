// Code loaded at run time: an image in memory or in a file becomes a library with kernels and
// variables, found by their names.
//
//   cudaLibraryLoadData(&library, ptx_text, …); cudaLibraryGetKernel(&kernel, library, "scale");
//   cudaLaunchKernel(kernel, grid, block, arguments, 0, stream);
#include <cstring>
#include <fstream>
#include <iterator>

#include "cudart/function.h"
#include "device/magic.h"
#include "device/modules.h"

namespace headroom::cudart {
namespace {

template <class T>
T read(const std::byte* at, size_t offset) {
  T value;
  std::memcpy(&value, at + offset, sizeof value);
  return value;
}

// An image says itself how long it is: a fat binary and machine code in their headers, text by the
// zero at its end.
size_t size_of(const std::byte* code) {
  const auto magic = read<uint32_t>(code, 0);
  if (magic == fat_magic) return read<uint16_t>(code, 6) + read<uint64_t>(code, 8);
  if (magic == elf_magic) {
    const auto sections = read<uint64_t>(code, 40);
    const size_t headers = size_t(read<uint16_t>(code, 58)) * read<uint16_t>(code, 60);
    const auto programs = read<uint64_t>(code, 32);
    const size_t segments = size_t(read<uint16_t>(code, 54)) * read<uint16_t>(code, 56);
    return std::max(sections + headers, programs + segments);
  }
  return std::strlen(reinterpret_cast<const char*>(code));
}

std::vector<std::byte> copy_of(const void* given) {
  auto* code = static_cast<const std::byte*>(given);
  if (read<uint32_t>(code, 0) == wrapper_magic) code = read<const std::byte*>(code, 8);
  return {code, code + size_of(code)};
}

Binary* library_of(cudaLibrary_t handle) { return reinterpret_cast<Binary*>(handle); }

cudaError_t load_image(Session& session, cudaLibrary_t* out, std::vector<std::byte> bytes) {
  Binary* binary = registry().add_library(std::move(bytes));
  try {
    for (const ptx::Function& function : load(session, *binary).module->functions)
      if (function.entry && function.defined)
        registry().add_kernel(binary, nullptr, function.name.c_str());
  } catch (...) {
    registry().remove_binary(binary);
    throw;
  }
  *out = reinterpret_cast<cudaLibrary_t>(binary);
  return cudaSuccess;
}

cudaError_t with_library(cudaLibrary_t handle,
                         const std::function<cudaError_t(Session&, Binary&)>& body) {
  return call([&](Session& session) {
    Binary* binary = library_of(handle);
    return registry().is_library(binary) ? body(session, *binary) : cudaErrorInvalidResourceHandle;
  });
}

cudaError_t find_variable(Session& session, Binary& binary, const char* name, bool managed,
                          void** address, size_t* bytes) {
  for (const ptx::Variable& variable : load(session, binary).module->variables) {
    if (variable.name != name || variable.managed != managed ||
        (variable.space != ptx::Space::global && variable.space != ptx::Space::constant))
      continue;
    const auto& addresses = load_on_device(session, binary, current_device()).addresses;
    if (address) *address = reinterpret_cast<void*>(addresses.at(variable.name));
    if (bytes) *bytes = variable.bytes;
    return cudaSuccess;
  }
  return cudaErrorSymbolNotFound;
}

}  // namespace
}  // namespace headroom::cudart

using namespace headroom::cudart;
extern "C" {

// Options of the compiler and of the library change nothing here: PTX is executed as it is.
cudaError_t cudaLibraryLoadData(cudaLibrary_t* out, const void* code, cudaJitOption*, void**,
                                unsigned, cudaLibraryOption*, void**, unsigned) {
  return call([&](Session& session) {
    if (!out || !code) return cudaErrorInvalidValue;
    return load_image(session, out, copy_of(code));
  });
}

cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t* out, const char* path, cudaJitOption*, void**,
                                    unsigned, cudaLibraryOption*, void**, unsigned) {
  return call([&](Session& session) {
    if (!out || !path) return cudaErrorInvalidValue;
    std::ifstream file(path, std::ios::binary);
    if (!file) return cudaErrorFileNotFound;
    std::string text{std::istreambuf_iterator<char>(file), {}};
    auto bytes = std::as_bytes(std::span(text));
    return load_image(session, out, {bytes.begin(), bytes.end()});
  });
}

cudaError_t cudaLibraryUnload(cudaLibrary_t handle) {
  return with_library(handle, [&](Session& session, Binary& binary) {
    for (int device = 0; device < session.options.devices; ++device)
      unload_from(session, binary, device);
    registry().remove_binary(&binary);
    return cudaSuccess;
  });
}

cudaError_t cudaLibraryGetKernel(cudaKernel_t* out, cudaLibrary_t handle, const char* name) {
  return with_library(handle, [&](Session&, Binary& binary) {
    if (!out || !name) return cudaErrorInvalidValue;
    for (const auto& kernel : binary.kernels)
      if (kernel->name == name) {
        *out = reinterpret_cast<cudaKernel_t>(kernel.get());
        return cudaSuccess;
      }
    return cudaErrorSymbolNotFound;
  });
}

cudaError_t cudaLibraryGetKernelCount(unsigned* count, cudaLibrary_t handle) {
  return with_library(handle, [&](Session&, Binary& binary) {
    if (!count) return cudaErrorInvalidValue;
    *count = unsigned(binary.kernels.size());
    return cudaSuccess;
  });
}

cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t* out, unsigned count, cudaLibrary_t handle) {
  return with_library(handle, [&](Session&, Binary& binary) {
    if (!out || !count) return cudaErrorInvalidValue;
    for (size_t i = 0; i < count && i < binary.kernels.size(); ++i)
      out[i] = reinterpret_cast<cudaKernel_t>(binary.kernels[i].get());
    return cudaSuccess;
  });
}

cudaError_t cudaLibraryGetGlobal(void** address, size_t* bytes, cudaLibrary_t handle,
                                 const char* name) {
  return with_library(handle, [&](Session& session, Binary& binary) {
    if (!name || (!address && !bytes)) return cudaErrorInvalidValue;
    return find_variable(session, binary, name, false, address, bytes);
  });
}

cudaError_t cudaLibraryGetManaged(void** address, size_t* bytes, cudaLibrary_t handle,
                                  const char* name) {
  return with_library(handle, [&](Session& session, Binary& binary) {
    if (!name || (!address && !bytes)) return cudaErrorInvalidValue;
    return find_variable(session, binary, name, true, address, bytes);
  });
}

cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, cudaFuncAttribute attribute,
                                            int value, int device) {
  return call([&](Session& session) {
    if (device < 0 || device >= session.options.devices) return cudaErrorInvalidDevice;
    Kernel* found = registry().kernel(kernel);
    return found ? set_attribute(session, *found, attribute, value)
                 : cudaErrorInvalidResourceHandle;
  });
}
}
