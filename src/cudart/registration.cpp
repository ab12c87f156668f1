// What nvcc's generated code calls before main and around <<<>>>: registration, and the
// configuration that travels from the launch syntax to the kernel's stub. Seen in
// crt/host_runtime.h of the toolkit.
#include <iterator>
#include <type_traits>

#include "cudart/api.h"
#include "cudart/launch.h"
#include "device/modules.h"
#include "device/session.h"

#pragma GCC visibility push(default)
using namespace headroom::cudart;

namespace {

struct Configuration {
  dim3 grid, block;
  size_t shared = 0;
  cudaStream_t stream = nullptr;
};
// Arguments may launch kernels themselves: a stack. Of a fixed size, as nothing may be destroyed with
// the thread: exit handlers and destructors of static objects launch kernels too.
struct Configurations {
  Configuration each[32];
  size_t count = 0;
};
static_assert(std::is_trivially_destructible_v<Configurations>);
constinit thread_local Configurations configurations;

Binary* binary_of(void** handle) { return reinterpret_cast<Binary*>(handle); }

}  // namespace

extern "C" {

void** __cudaRegisterFatBinary(void* wrapper) {
  return reinterpret_cast<void**>(registry().add_binary(wrapper));
}

void __cudaRegisterFatBinaryEnd(void**) {}

void __cudaUnregisterFatBinary(void** handle) { registry().remove_binary(binary_of(handle)); }

void __cudaRegisterFunction(void** handle, const char* host, char*, const char* name, int, uint3*,
                            uint3*, dim3*, dim3*, int*) {
  registry().add_kernel(binary_of(handle), host, name);
}

void __cudaRegisterVar(void** handle, char* host, char*, const char* name, int, size_t size, int,
                       int) {
  registry().add_variable(binary_of(handle), host, name, size);
}

void __cudaRegisterManagedVar(void** handle, void** host_pointer, char*, const char* name, int,
                              size_t size, int, int) {
  Variable* variable = registry().add_variable(binary_of(handle), host_pointer, name, size);
  variable->host_pointer = host_pointer;
  binary_of(handle)->managed.push_back(variable);
}

// Called before the host first touches a managed variable: loading sets the program's pointer to
// it.
char __cudaInitModule(void** handle) {
  cudaError_t error = call([&](Session& session) {
    load(session, *binary_of(handle));
    return cudaSuccess;
  });
  return error == cudaSuccess;
}

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, void* stream) {
  auto& [each, count] = configurations;
  if (count == std::size(each)) return 1;  // not 0: no launch
  each[count++] = {grid, block, shared, static_cast<cudaStream_t>(stream)};
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared, void* stream) {
  auto& [each, count] = configurations;
  if (!count) return fail(cudaErrorMissingConfiguration);
  const Configuration& top = each[--count];
  *grid = top.grid;
  *block = top.block;
  *shared = top.shared;
  *static_cast<cudaStream_t*>(stream) = top.stream;
  return cudaSuccess;
}

cudaError_t __cudaGetKernel(cudaKernel_t* handle, const void* host) {
  Kernel* kernel = registry().kernel(host);
  if (!kernel) return fail(cudaErrorInvalidDeviceFunction);
  *handle = reinterpret_cast<cudaKernel_t>(kernel);
  return cudaSuccess;
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                               size_t shared, cudaStream_t stream) {
  return launch(request_of(kernel, grid, block, arguments, shared, stream));
}

cudaError_t cudaGetKernel(cudaKernel_t* handle, const void* host) {
  return handle ? __cudaGetKernel(handle, host) : fail(cudaErrorInvalidValue);
}

cudaError_t cudaGetFuncBySymbol(cudaFunction_t* function, const void* host) {
  return __cudaGetKernel(reinterpret_cast<cudaKernel_t*>(function), host);
}
}
#pragma GCC visibility pop
