// Launches a kernel with the row that its loaded code was compiled with.
//
//   Launched launched = launch<Tuning>(foo<Tuning>, n, stream, in, out, n);
//   std::puts(text(launched, "Foo").c_str());
//
//   Launch Foo<<<1117, 128>>> with NT=128 VT=7 OCC=4 (sm_80 uses the row of sm_20)
//
// Not the device decides, but the code: PTX of compute_80 that a driver compiles for an sm_90
// device has the numbers of sm_80 in it. The runtime says so for each kernel
// (cudaFuncAttributes::ptxVersion), so a program may hold code for several architectures, and its
// files may be compiled for different ones.
#pragma once
#include <cuda_runtime.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

#include "headroom/launch_box/table.h"

namespace headroom {

// A CUDA call failed, or a kernel cannot be launched with a table's row.
struct LaunchFailure : std::runtime_error {
  LaunchFailure(const std::string& what, cudaError_t code)
      : std::runtime_error("launch box: " + what), code(code) {}
  cudaError_t code;
};

inline void launch_box_call(cudaError_t code, const std::string& what) {
  if (code == cudaSuccess) return;
  throw LaunchFailure(what + ": " + cudaGetErrorString(code) + " (" + cudaGetErrorName(code) + ")",
                      code);
}

// The architectures that this file is compiled for: a type, so that files compiled for others do
// not share functions with it.
template <int... architectures>
struct CompiledFor {
  static bool has(int architecture) { return ((architectures == architecture * 10) || ...); }
  static std::string names() {
    std::string all;
    ((all += (all.empty() ? "" : ", ") + architecture_name(architectures / 10)), ...);
    return all;
  }
};
using ThisFile = CompiledFor<__CUDA_ARCH_LIST__>;

// What keeps a kernel from running with so many threads a block on the current device.
inline std::string why_no_more(int threads, const cudaFuncAttributes& kernel) {
  int device = 0, max_threads = 0, registers = 0;
  launch_box_call(cudaGetDevice(&device), "cannot learn which device is current");
  launch_box_call(cudaDeviceGetAttribute(&max_threads, cudaDevAttrMaxThreadsPerBlock, device),
                  "cannot learn how many threads a block may have");
  launch_box_call(cudaDeviceGetAttribute(&registers, cudaDevAttrMaxRegistersPerBlock, device),
                  "cannot learn how many registers a block may have");
  if (threads > max_threads) {
    return "this device allows blocks of " + std::to_string(max_threads) +
           ": give it a row of its own";
  }
  // As warps take them: eight registers at a time for each of their 32 threads.
  if ((threads + 31) / 32 * 32 * ((kernel.numRegs + 7) / 8 * 8) > registers) {
    return "it takes " + std::to_string(kernel.numRegs) + " registers a thread, and a block has " +
           std::to_string(registers) + ": give it launch bounds, or the device a row of its own";
  }
  return "are its launch bounds those of the same table?";
}

// The runtime knows one architecture of all code that is linked on the device (nvcc -rdc=true). For
// files that were compiled for different ones it names, as an H200 showed, that of another file: a
// row that is not the code's must not be launched. Throws LaunchFailure where that can be seen.
template <typename Tuning, typename Files>
void check_row(const Choice& found, const cudaFuncAttributes& kernel) {
  const int max_threads = kernel.maxThreadsPerBlock;
  if (!Files::has(found.architecture)) {
    throw LaunchFailure("the runtime says that the kernel was compiled for " +
                            architecture_name(found.architecture) +
                            ", and the file that launches it was compiled for " + Files::names() +
                            ": compile all files for the same architectures",
                        cudaErrorInvalidConfiguration);
  }
  if (found.NT <= max_threads) {
    int other = 0;
    Tuning::for_each([&](auto row) {
      if (row.NT == max_threads) other = row.architecture;
    });
    if (found.NT == max_threads || !other) return;
    throw LaunchFailure(
        "the runtime says that the kernel was compiled for " +
            architecture_name(found.architecture) + ", with " + std::to_string(found.NT) +
            " threads a block, but it runs with up to " + std::to_string(max_threads) +
            ", as the row of " + architecture_name(other) +
            " says: give it the launch bounds of its row, and compile all files for "
            "the same architectures",
        cudaErrorInvalidConfiguration);
  }
  throw LaunchFailure("the row of " + architecture_name(found.row) + " has " +
                          std::to_string(found.NT) + " threads a block, and the kernel runs with " +
                          std::to_string(max_threads) +
                          " at most: " + why_no_more(found.NT, kernel),
                      cudaErrorInvalidConfiguration);
}

// What the kernel's loaded code was compiled with, on the current device. Throws LaunchFailure
// where the table has no row for it, and where the kernel shows that it has another row's numbers.
template <typename Tuning, typename Files = ThisFile, typename... Parameters>
Choice configure(void (*kernel)(Parameters...)) {
  cudaFuncAttributes attributes{};
  launch_box_call(cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(kernel)),
                  "cannot learn for which architecture the kernel was compiled");
  const std::optional<Choice> found = Tuning::find(attributes.ptxVersion);
  if (!found) {
    throw LaunchFailure("the kernel was compiled for " + architecture_name(attributes.ptxVersion) +
                            ", and the table begins with " +
                            architecture_name(Tuning::first_architecture) +
                            ": add a row, or compile for a later architecture",
                        cudaErrorNoKernelImageForDevice);
  }
  check_row<Tuning, Files>(*found, attributes);
  return *found;
}

// Calls `use` with a value of the row type that the kernel's loaded code was compiled with, for
// launches that need parameters or types of one's own:
//
//   at_row<Tuning>(product<Tuning>, [&](auto row) {
//     product<Tuning><<<dim3(columns / row.columns, rows / row.rows), row.NT>>>(…);
//   });
template <typename Tuning, typename Files = ThisFile, typename... Parameters, typename Use>
auto at_row(void (*kernel)(Parameters...), Use&& use) {
  return Tuning::visit(configure<Tuning, Files>(kernel).architecture, std::forward<Use>(use));
}

// What was launched.
struct Launched {
  Choice choice;
  unsigned blocks;
};

inline std::string text(const Launched& launched, const std::string& name) {
  return "Launch " + name + "<<<" + std::to_string(launched.blocks) + ", " +
         std::to_string(launched.choice.NT) + ">>> with " + text(launched.choice);
}

// Launches a block of NT threads for every NV of n values; none where n is 0.
template <typename Tuning, typename Files = ThisFile, typename... Parameters, typename... Arguments>
Launched launch(void (*kernel)(Parameters...), int64_t n, cudaStream_t stream,
                Arguments&&... arguments) {
  const Choice choice = configure<Tuning, Files>(kernel);
  const unsigned blocks = choice.blocks(n);
  if (blocks > 0) {
    kernel<<<blocks, choice.NT, 0, stream>>>(std::forward<Arguments>(arguments)...);
    launch_box_call(cudaGetLastError(), "cannot launch with " + text(choice));
  }
  return {choice, blocks};
}

}  // namespace headroom
