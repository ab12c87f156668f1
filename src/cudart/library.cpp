// The calls about code loaded at run time (device/library.h).
//
//   cudaLibraryLoadData(&library, ptx_text, …); cudaLibraryGetKernel(&kernel, library, "scale");
//   cudaLaunchKernel(kernel, grid, block, arguments, 0, stream);
#include "device/library.h"

#include "base/read_file.h"
#include "cudart/function.h"

namespace headroom::cudart {
namespace {

Binary* library_of(cudaLibrary_t handle) { return reinterpret_cast<Binary*>(handle); }

cudaLibrary_t handle_of(Binary& library) { return reinterpret_cast<cudaLibrary_t>(&library); }

cudaError_t with_library(cudaLibrary_t handle,
                         const std::function<cudaError_t(Session&, Binary&)>& body,
                         const char* function = __builtin_FUNCTION()) {
  return call(
      [&](Session& session) {
        Binary* binary = library_of(handle);
        return registry().is_library(binary) ? body(session, *binary)
                                             : cudaErrorInvalidResourceHandle;
      },
      function);
}

cudaError_t tell_variable(cudaLibrary_t handle, const char* name, bool managed, void** address,
                          size_t* bytes) {
  return with_library(handle, [&](Session& session, Binary& binary) {
    if (!name || (!address && !bytes)) return cudaErrorInvalidValue;
    Placed found;
    const Status status = find_variable(session, binary, name, managed, found);
    if (failed(status)) return code_of(status);
    if (address) *address = reinterpret_cast<void*>(found.address);
    if (bytes) *bytes = found.bytes;
    return cudaSuccess;
  });
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
    *out = handle_of(load_library(session, image_at(code)));
    return cudaSuccess;
  });
}

cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t* out, const char* path, cudaJitOption*, void**,
                                    unsigned, cudaLibraryOption*, void**, unsigned) {
  return call([&](Session& session) {
    if (!out || !path) return cudaErrorInvalidValue;
    const auto text = headroom::read_file(path, headroom::no_file_limit);
    if (!text) return cudaErrorFileNotFound;
    auto bytes = std::as_bytes(std::span(*text));
    *out = handle_of(load_library(session, {bytes.begin(), bytes.end()}));
    return cudaSuccess;
  });
}

cudaError_t cudaLibraryUnload(cudaLibrary_t handle) {
  return with_library(handle, [&](Session& session, Binary& binary) {
    unload_library(session, binary);
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
  return tell_variable(handle, name, false, address, bytes);
}

cudaError_t cudaLibraryGetManaged(void** address, size_t* bytes, cudaLibrary_t handle,
                                  const char* name) {
  return tell_variable(handle, name, true, address, bytes);
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
