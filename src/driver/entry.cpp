// Functions by name: cuGetProcAddress, and what cudaGetDriverEntryPoint hands out. A name has more functions
// than one where its parameters changed between releases; the version that the caller was built for says which.
//
//   cuGetProcAddress("cuMemAlloc", &function, 12000, 0, &found)       cuMemAlloc_v2
//   cuGetProcAddress("cuCtxCreate", &function, 12000, 0, &found)      cuCtxCreate_v2; with 13000 …_v4
#include "driver/entry.h"

#include <dlfcn.h>

#include <algorithm>

#include "base/error.h"
#include "device/driver_entry.h"
#include "device/say.h"
#include "driver/driver.h"

namespace headroom::driver {
namespace {

// The newest that the version has.
const Entry* find_entry(std::string_view name, int asked) {
  const Entry* best = nullptr;
  for (const Entry& each : entries())
    if (each.name == name && each.since <= asked && (!best || best->since < each.since))
      best = &each;
  return best;
}

bool is_known(std::string_view name) {
  for (const Entry& each : entries())
    if (each.name == name) return true;
  return false;
}

// NVIDIA's compilers ask too, and go on without an answer.
bool is_compiler(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return name.starts_with("libnvJitLink") || name.starts_with("libnvrtc");
}

// Of NVIDIA's: each brings a CUDA runtime of its own.
bool is_kernel_library(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  constexpr std::string_view known[] = {"libcublas",   "libcudnn",    "libcufft",    "libcurand",
                                        "libcusolver", "libcutensor", "libcusparse", "libnccl"};
  return std::ranges::any_of(known, [&](std::string_view one) { return name.starts_with(one); });
}

void refuse_table(const char* caller) {
  if (is_compiler(caller)) return;
  if (is_kernel_library(caller))
    return say(Error{caller,
                     "cannot run on the emulator: its own CUDA runtime asks the driver for "
                     "functions that no document describes; this call of it fails",
                     "do this part on the CPU or by a kernel of your own, as Triton's; or time the "
                     "program on a GPU: headroom run --gpu 0"});
  say(Error{
      caller,
      "asks the driver for functions that no document describes, and is told that there are none",
      "a CUDA runtime of another release, or a library as cuBLAS, CuPy or JAX, is in it: build it "
      "with "
      "CUDA 13 and symbols, or time it on a GPU: headroom run --gpu 0"});
}

}  // namespace
}  // namespace headroom::driver

void* headroom::device::driver_entry(std::string_view symbol, int version) {
  const driver::Entry* entry = driver::find_entry(symbol, version);
  return entry ? entry->function : nullptr;
}

using namespace headroom::driver;
extern "C" {

CUresult cuGetProcAddress(const char* symbol, void** function, int asked, cuuint64_t flags,
                          CUdriverProcAddressQueryResult* found) {
  constexpr cuuint64_t known =
      CU_GET_PROC_ADDRESS_LEGACY_STREAM | CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
  if (!symbol || !function || flags & ~known) return CUDA_ERROR_INVALID_VALUE;
  const bool per_thread = flags & CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
  const Entry* entry = find_entry(symbol, asked);
  *function = !entry                            ? nullptr
              : per_thread && entry->per_thread ? entry->per_thread
                                                : entry->function;
  if (found)
    *found = entry              ? CU_GET_PROC_ADDRESS_SUCCESS
             : is_known(symbol) ? CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT
                                : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  return CUDA_SUCCESS;  // `found` says whether, as measured on an H100
}

// Before CUDA 12 without the last parameter.
#undef cuGetProcAddress
CUresult cuGetProcAddress(const char* symbol, void** function, int asked, cuuint64_t flags) {
  const CUresult result = cuGetProcAddress_v2(symbol, function, asked, flags, nullptr);
  return result || *function ? result : CUDA_ERROR_NOT_FOUND;
}

// Tables of functions that no document describes: there are none here. What asks for them is a CUDA runtime that
// could not be replaced, or a library with one inside.
CUresult cuGetExportTable(const void** table, const CUuuid*) {
  Dl_info caller{};
  const bool is_found = dladdr(__builtin_return_address(0), &caller) && caller.dli_fname;
  refuse_table(is_found ? caller.dli_fname : "cuGetExportTable");
  if (table) *table = nullptr;
  return CUDA_ERROR_NOT_FOUND;
}
}
