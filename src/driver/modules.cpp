// Modules and libraries, which are one thing here (device/library.h), and so are their functions and kernels: a
// handle of either does for both.
//
//   cuModuleLoadData(&module, ptx_text); cuModuleGetFunction(&function, module, "scale");
#include "base/read_file.h"
#include "device/library.h"
#include "driver/driver.h"
#include "driver/jit_options.h"

namespace headroom::driver {
namespace {

Binary* binary_of(const void* handle) { return static_cast<Binary*>(const_cast<void*>(handle)); }

// A module is compiled when it is loaded, a library when it is first asked for a kernel.
void require_all(Session& session, Binary& binary) {
  try {
    require_defined(session, binary);
  } catch (const Failure&) {
    unload_library(session, binary);
    throw;
  }
  binary.context = current_context();
}

// A module is its context's; a library is nobody's, and is loaded where there is no context yet.
template <class Handle>
CUresult load(Handle* out, const JitOptions& log,
              const std::function<std::vector<std::byte>()>& image) {
  constexpr bool is_module = std::is_same_v<Handle, CUmodule>;
  const auto body = [&](Session& session) {
    if (!out) return Status::invalid_value;
    try {
      Binary& binary = load_library(session, image());
      if (is_module) require_all(session, binary);
      *out = reinterpret_cast<Handle>(&binary);
      log.write("");
    } catch (const Failure& failure) {
      log.write(failure.error.what());
      throw;
    }
    return Status::ok;
  };
  return is_module ? in_context(body) : answer(Need::device, body);
}

template <class Handle>
CUresult load_data(Handle* out, const void* code, const JitOptions& log = {}) {
  if (!code) return CUDA_ERROR_INVALID_VALUE;
  return load(out, log, [&] { return image_at(code); });
}

template <class Handle>
CUresult load_file(Handle* out, const char* path, const JitOptions& log = {}) {
  if (!path) return CUDA_ERROR_INVALID_VALUE;
  const auto text = read_file(path, no_file_limit);
  if (!text) return CUDA_ERROR_FILE_NOT_FOUND;
  return load(out, log, [&] {
    const auto bytes = std::as_bytes(std::span(*text));
    return std::vector<std::byte>(bytes.begin(), bytes.end());
  });
}

CUresult with_binary(const void* handle, const std::function<Status(Session&, Binary&)>& body) {
  return answer(Need::device, [&](Session& session) {
    return registry().is_library(binary_of(handle)) ? body(session, *binary_of(handle))
                                                    : Status::invalid_handle;
  });
}

CUresult unload(const void* handle) {
  return with_binary(handle, [](Session& session, Binary& binary) {
    unload_library(session, binary);
    return Status::ok;
  });
}

template <class Handle>
CUresult find_kernel(Handle* out, const void* handle, const char* name) {
  return with_binary(handle, [&](Session& session, Binary& binary) {
    if (!out || !name) return Status::invalid_value;
    if (std::is_same_v<Handle, CUkernel>) require_defined(session, binary);
    for (const auto& kernel : binary.kernels)
      if (kernel->name == name) {
        if (std::is_same_v<Handle, CUfunction>) require_defined(session, *kernel);
        *out = reinterpret_cast<Handle>(kernel.get());
        return Status::ok;
      }
    return Status::not_found;
  });
}

CUresult tell_variable(const void* handle, const char* name, bool managed, CUdeviceptr* address,
                       size_t* bytes) {
  return with_binary(handle, [&](Session& session, Binary& binary) {
    if (!name || (!address && !bytes)) return Status::invalid_value;
    Placed found;
    const Status status = find_variable(session, binary, name, managed, found);
    if (failed(status)) return status == Status::invalid_symbol ? Status::not_found : status;
    if (address) *address = found.address;
    if (bytes) *bytes = found.bytes;
    return Status::ok;
  });
}

CUresult count_kernels(unsigned* count, const void* handle) {
  return with_binary(handle, [&](Session&, Binary& binary) {
    if (!count) return Status::invalid_value;
    *count = unsigned(binary.kernels.size());
    return Status::ok;
  });
}

template <class Handle>
CUresult list_kernels(Handle* out, unsigned count, const void* handle) {
  return with_binary(handle, [&](Session&, Binary& binary) {
    if (!out || !count) return Status::invalid_value;
    for (size_t i = 0; i < count && i < binary.kernels.size(); ++i)
      out[i] = reinterpret_cast<Handle>(binary.kernels[i].get());
    return Status::ok;
  });
}

// The library of a kernel, whichever handle it is asked by.
template <class Handle>
CUresult binary_with(Handle* out, const void* handle) {
  return answer(Need::facts, [&](Session&) {
    const Kernel* kernel = registry().kernel(handle);
    if (!kernel) return Status::invalid_handle;
    if (!out) return Status::invalid_value;
    *out = reinterpret_cast<Handle>(kernel->binary);
    return Status::ok;
  });
}

template <class To, class From>
CUresult same(To* out, From handle) {
  if (!out) return CUDA_ERROR_INVALID_VALUE;
  *out = reinterpret_cast<To>(handle);
  return CUDA_SUCCESS;
}

}  // namespace
}  // namespace headroom::driver

using namespace headroom::driver;
extern "C" {

CUresult cuModuleLoadData(CUmodule* out, const void* code) { return load_data(out, code); }
CUresult cuModuleLoadDataEx(CUmodule* out, const void* code, unsigned count, CUjit_option* options,
                            void** values) {
  return load_data(out, code, {count, options, values});
}
CUresult cuModuleLoadFatBinary(CUmodule* out, const void* code) { return load_data(out, code); }
CUresult cuModuleLoad(CUmodule* out, const char* path) { return load_file(out, path); }
CUresult cuModuleUnload(CUmodule module) { return unload(module); }
CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode* out) {
  if (!out) return CUDA_ERROR_INVALID_VALUE;
  *out = CU_MODULE_LAZY_LOADING;
  return CUDA_SUCCESS;
}
CUresult cuModuleGetFunction(CUfunction* out, CUmodule module, const char* name) {
  return find_kernel(out, module, name);
}
CUresult cuModuleGetFunctionCount(unsigned* count, CUmodule module) {
  return count_kernels(count, module);
}
CUresult cuModuleEnumerateFunctions(CUfunction* out, unsigned count, CUmodule module) {
  return list_kernels(out, count, module);
}
CUresult cuModuleGetGlobal(CUdeviceptr* address, size_t* bytes, CUmodule module, const char* name) {
  return tell_variable(module, name, false, address, bytes);
}

CUresult cuLibraryLoadData(CUlibrary* out, const void* code, CUjit_option* options, void** values,
                           unsigned count, CUlibraryOption*, void**, unsigned) {
  return load_data(out, code, {count, options, values});
}
CUresult cuLibraryLoadFromFile(CUlibrary* out, const char* path, CUjit_option* options,
                               void** values, unsigned count, CUlibraryOption*, void**, unsigned) {
  return load_file(out, path, {count, options, values});
}
CUresult cuLibraryUnload(CUlibrary library) { return unload(library); }
CUresult cuLibraryGetKernel(CUkernel* out, CUlibrary library, const char* name) {
  return find_kernel(out, library, name);
}
CUresult cuLibraryGetKernelCount(unsigned* count, CUlibrary library) {
  return count_kernels(count, library);
}
CUresult cuLibraryEnumerateKernels(CUkernel* out, unsigned count, CUlibrary library) {
  return list_kernels(out, count, library);
}
CUresult cuLibraryGetModule(CUmodule* out, CUlibrary library) {
  return registry().is_library(binary_of(library)) ? same(out, library) : CUDA_ERROR_INVALID_HANDLE;
}
CUresult cuLibraryGetGlobal(CUdeviceptr* address, size_t* bytes, CUlibrary library,
                            const char* name) {
  return tell_variable(library, name, false, address, bytes);
}
CUresult cuLibraryGetManaged(CUdeviceptr* address, size_t* bytes, CUlibrary library,
                             const char* name) {
  return tell_variable(library, name, true, address, bytes);
}
CUresult cuKernelGetFunction(CUfunction* out, CUkernel kernel) {
  return answer(Need::device, [&](Session& session) {
    Kernel* found = registry().kernel(kernel);
    if (!found) return Status::invalid_handle;
    if (!out) return Status::invalid_value;
    require_defined(session, *found);
    *out = reinterpret_cast<CUfunction>(found);
    return Status::ok;
  });
}
CUresult cuKernelGetLibrary(CUlibrary* out, CUkernel kernel) { return binary_with(out, kernel); }
CUresult cuFuncGetModule(CUmodule* out, CUfunction function) { return binary_with(out, function); }
}
