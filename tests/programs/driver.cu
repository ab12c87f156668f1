// The driver API as a program of its own uses it: linked with libcuda.so.1, no call of the runtime. Checks are of
// what a GPU's driver answers.
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "tests/programs/driver.cuh"

namespace {

void contexts(CUdevice device) {
  CUcontext now = nullptr, primary = nullptr, own = nullptr, popped = nullptr;
  CUdeviceptr memory = 0;
  CUdevice which = -1;
  EXPECT_OK(cuCtxGetCurrent(&now));
  EXPECT(now == nullptr);
  EXPECT_CODE(CUDA_ERROR_INVALID_CONTEXT, cuMemAlloc(&memory, 64));
  EXPECT_CODE(CUDA_ERROR_INVALID_CONTEXT, cuCtxGetDevice(&which));
  EXPECT_CODE(CUDA_ERROR_INVALID_CONTEXT, cuCtxPopCurrent(&popped));
  EXPECT_CODE(CUDA_ERROR_INVALID_VALUE, cuCtxPushCurrent(nullptr));
  EXPECT_CODE(CUDA_ERROR_INVALID_VALUE, cuCtxDestroy(nullptr));
  EXPECT_CODE(CUDA_ERROR_INVALID_VALUE, cuCtxCreate(&own, nullptr, 0xffff, device));
  EXPECT_CODE(CUDA_ERROR_INVALID_CONTEXT, cuDevicePrimaryCtxRelease(device));
  EXPECT_OK(cuDevicePrimaryCtxRetain(&primary, device));
  EXPECT_OK(cuCtxSetCurrent(primary));
  EXPECT_OK(cuCtxGetDevice(&which));
  EXPECT(which == device);
  EXPECT_OK(cuCtxCreate(&own, nullptr, 0, device));  // pushes it
  EXPECT_OK(cuCtxGetCurrent(&now));
  EXPECT(now == own && own != primary);
  EXPECT_OK(cuCtxPopCurrent(&popped));
  EXPECT(popped == own);
  EXPECT_OK(cuCtxGetCurrent(&now));
  EXPECT(now == primary);
  EXPECT_OK(cuCtxPushCurrent(own));
  std::thread([&] {  // another thread has a stack of its own
    CUcontext there = own;
    EXPECT_OK(cuCtxGetCurrent(&there));
    EXPECT(there == nullptr);
    EXPECT_OK(cuCtxSetCurrent(own));
    EXPECT_OK(cuCtxGetCurrent(&there));
    EXPECT(there == own);
  })
      .join();
  EXPECT_OK(cuCtxDestroy(own));
  EXPECT_OK(cuCtxGetCurrent(&now));
  EXPECT(now == primary);
}

// A GPU's driver may crash, as it did.
void destroyed(CUdevice device) {
  CUcontext own = nullptr;
  CUdeviceptr memory = 0;
  EXPECT_OK(cuCtxCreate(&own, nullptr, 0, device));
  EXPECT_OK(cuCtxDestroy(own));
  EXPECT_OK(cuCtxPushCurrent(own));
  EXPECT_CODE(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuMemAlloc(&memory, 64));
  EXPECT_CODE(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuCtxDestroy(own));
  EXPECT_OK(cuCtxPopCurrent(&own));
}

// Extra parameters without their size: neither.
void no_size() {
  const Module module;
  int nothing = 0;
  void* half[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &nothing, CU_LAUNCH_PARAM_END};
  EXPECT_CODE(CUDA_ERROR_INVALID_VALUE, launch(module.grow, 32, nullptr, half));
}

void memory() {
  CUdeviceptr p = 0, begin = 0;
  size_t bytes = 0, left = 0, all = 0;
  std::vector<unsigned> host(256);
  EXPECT_CODE(CUDA_ERROR_INVALID_VALUE, cuMemAlloc(&p, 0));
  EXPECT_OK(cuMemAlloc(&p, 1000));
  EXPECT_OK(cuMemGetAddressRange(&begin, &bytes, p + 100));
  EXPECT(begin == p && bytes == 1000);
  EXPECT_OK(cuMemGetInfo(&left, &all));
  EXPECT(left < all);
  EXPECT_OK(cuMemsetD32(p, 0x01020304, 250));
  EXPECT_OK(cuMemsetD16(p + 4, 0xabcd, 2));
  EXPECT_OK(cuMemsetD8(p + 8, 0x11, 3));
  EXPECT_CODE(CUDA_ERROR_INVALID_VALUE, cuMemsetD32(p + 2, 0, 1));  // misaligned
  EXPECT_OK(cuMemcpyDtoH(host.data(), p, 1000));
  EXPECT(host[0] == 0x01020304 && host[1] == 0xabcdabcd && host[2] == 0x01111111 &&
         host[249] == host[0]);
  CUdeviceptr q = 0;
  size_t pitch = 0;
  EXPECT_OK(cuMemAllocPitch(&q, &pitch, 100, 10, 4));
  EXPECT(pitch >= 100 && pitch % 4 == 0);
  CUDA_MEMCPY2D box{};
  box.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  box.srcDevice = p;
  box.srcPitch = 100;
  box.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  box.dstDevice = q;
  box.dstPitch = pitch;
  box.WidthInBytes = 100;
  box.Height = 10;
  EXPECT_OK(cuMemcpy2D(&box));
  EXPECT_OK(cuMemcpyDtoH(host.data(), q + 9 * pitch, 100));
  EXPECT(host[24] == 0x01020304);
  unsigned type = 0;
  int ordinal = -1;
  EXPECT_OK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, p));
  EXPECT_OK(cuPointerGetAttribute(&ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, p));
  EXPECT(type == CU_MEMORYTYPE_DEVICE && ordinal == 0);
  EXPECT_CODE(CUDA_ERROR_INVALID_VALUE,
              cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CUdeviceptr(&type)));
  CUcontext whose = nullptr, now = nullptr;
  EXPECT_OK(cuCtxGetCurrent(&now));
  EXPECT_OK(cuPointerGetAttribute(&whose, CU_POINTER_ATTRIBUTE_CONTEXT, p));
  EXPECT(whose == now);
  EXPECT_CODE(CUDA_ERROR_INVALID_VALUE, cuPointerGetAttribute(&type, CUpointer_attribute(999), p));
  box.dstXInBytes = pitch - 50;  // the rows are longer than what is left of the pitch
  EXPECT_CODE(CUDA_ERROR_INVALID_VALUE, cuMemcpy2D(&box));
  box.dstXInBytes = 0;
  box.dstMemoryType = CUmemorytype(77);
  EXPECT_CODE(CUDA_ERROR_INVALID_VALUE, cuMemcpy2D(&box));
  box.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  box.dstDevice = CUdeviceptr(host.data());  // the host's, whatever the program calls it
  EXPECT_CODE(CUDA_ERROR_INVALID_VALUE, cuMemcpy2D(&box));
  EXPECT_OK(cuMemFree(q));
  EXPECT_OK(cuMemFree(p));
  EXPECT_CODE(CUDA_ERROR_INVALID_VALUE, cuMemFree(p));
}

void launches() {
  const Module module;
  CUdeviceptr p = 0, factor = 0;
  size_t bytes = 0;
  unsigned n = 16, host[32] = {};
  EXPECT_OK(cuMemAlloc(&p, sizeof host));
  EXPECT_OK(cuMemsetD8(p, 0, sizeof host));
  void* parameters[] = {&p, &n};
  EXPECT_OK(launch(module.grow, 32, parameters, nullptr));
  struct {
    CUdeviceptr p;
    unsigned n;
  } buffer{p, 8};
  size_t size = sizeof p + sizeof n;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &buffer, CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                   CU_LAUNCH_PARAM_END};
  EXPECT_OK(launch(module.grow, 32, nullptr, extra));
  EXPECT_CODE(CUDA_ERROR_INVALID_VALUE, launch(module.grow, 32, parameters, extra));
  size = 1000;  // more than the parameters take
  EXPECT_CODE(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, launch(module.grow, 32, nullptr, extra));
  EXPECT_OK(cuModuleGetGlobal(&factor, &bytes, module.module, "factor"));
  EXPECT(bytes == 4);
  EXPECT_OK(cuMemsetD32(factor, 100, 1));
  CUlaunchConfig config{1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, 0};
  EXPECT_OK(cuLaunchKernelEx(&config, module.grow, parameters, nullptr));
  EXPECT_OK(cuMemcpyDtoH(host, p, sizeof host));
  EXPECT(host[0] == 110 && host[8] == 105 && host[15] == 105 && host[16] == 0);
  EXPECT_CODE(CUDA_ERROR_INVALID_VALUE, launch(module.grow, 2048, parameters, nullptr));
  EXPECT_OK(cuMemFree(p));
}

// The program's function may ask the driver.
size_t asks_itself(int threads) {
  int count = 0;
  EXPECT_OK(cuDeviceGetCount(&count));
  return size_t(threads) * 4;
}

void functions() {
  const Module module;
  CUfunction none = nullptr;
  CUlibrary library = nullptr;
  CUkernel kernel = nullptr;
  CUfunction same = nullptr;
  CUdeviceptr address = 0;
  int value = -1;
  EXPECT_CODE(CUDA_ERROR_NOT_FOUND, cuModuleGetFunction(&none, module.module, "shrink"));
  EXPECT_CODE(CUDA_ERROR_NOT_FOUND, cuModuleGetGlobal(&address, nullptr, module.module, "shrink"));
  EXPECT_OK(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_NUM_REGS, module.grow));
  EXPECT(value > 0 && value < 64);
  EXPECT_OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&value, module.grow, 256, 0));
  EXPECT(value >= 1);
  int grid = 0, block = 0;
  EXPECT_OK(cuOccupancyMaxPotentialBlockSize(&grid, &block, module.grow, asks_itself, 0, 0));
  EXPECT(block >= 32 && grid >= 1);
  EXPECT_CODE(CUDA_ERROR_INVALID_HANDLE, cuKernelGetFunction(&none, nullptr));
  EXPECT_OK(
      cuFuncSetAttribute(module.grow, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 65536));
  EXPECT_OK(
      cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, module.grow));
  EXPECT(value == 65536);
  EXPECT_OK(cuLibraryLoadData(&library, text, nullptr, nullptr, 0, nullptr, nullptr, 0));
  EXPECT_OK(cuLibraryGetKernel(&kernel, library, "grow"));
  EXPECT_OK(cuKernelGetFunction(&same, kernel));
  CUdeviceptr p = 0;
  unsigned n = 1, host = 0;
  EXPECT_OK(cuMemAlloc(&p, 4));
  EXPECT_OK(cuMemsetD32(p, 1, 1));
  void* parameters[] = {&p, &n};
  EXPECT_OK(launch(reinterpret_cast<CUfunction>(kernel), 1, parameters, nullptr));  // since CUDA 12
  EXPECT_OK(launch(same, 1, parameters, nullptr));
  EXPECT_OK(cuMemcpyDtoH(&host, p, 4));
  EXPECT(host == 11);
  EXPECT_OK(cuMemFree(p));
  EXPECT_OK(cuLibraryUnload(library));
}

void images() {
  CUmodule module = nullptr;
  char log[256] = "";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
  EXPECT(cuModuleLoadDataEx(&module,
                            ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k( {",
                            2, options, values) == CUDA_ERROR_INVALID_PTX);
  EXPECT(std::strlen(log) > 10);
  alignas(8) static char damaged[4096];
  const unsigned wrapper = 0x466243b1, fat = 0xba55ed50;
  EXPECT_CODE(CUDA_ERROR_INVALID_IMAGE, cuModuleLoadData(&module, "\177ELF"));
  std::memset(damaged, 0xff, sizeof damaged - 1);
  std::memcpy(damaged, "\177ELF\2\1\1", 7);
  EXPECT_CODE(CUDA_ERROR_INVALID_IMAGE, cuModuleLoadData(&module, damaged));
  std::memset(damaged, 0x41, sizeof damaged - 1);
  std::memcpy(damaged, &fat, sizeof fat);
  EXPECT_CODE(CUDA_ERROR_INVALID_IMAGE, cuModuleLoadData(&module, damaged));
  std::memset(damaged, 0, sizeof damaged);
  std::memcpy(damaged, &wrapper, sizeof wrapper);
  damaged[4] = 1;
  EXPECT_CODE(CUDA_ERROR_INVALID_IMAGE, cuModuleLoadData(&module, damaged));
  EXPECT_CODE(CUDA_ERROR_FILE_NOT_FOUND, cuModuleLoad(&module, "no/such/file.ptx"));
  EXPECT_CODE(CUDA_ERROR_INVALID_VALUE, cuModuleLoadData(&module, nullptr));
}

// A module is compiled whole, a library when it is first asked for a kernel.
void undefined_function(const char* ptx) {
  CUmodule module = nullptr;
  CUlibrary library = nullptr;
  CUkernel kernel = nullptr;
  EXPECT_CODE(CUDA_ERROR_INVALID_PTX, cuModuleLoad(&module, ptx));
  EXPECT_OK(cuLibraryLoadFromFile(&library, ptx, nullptr, nullptr, 0, nullptr, nullptr, 0));
  EXPECT_CODE(CUDA_ERROR_INVALID_PTX, cuLibraryGetKernel(&kernel, library, "sound"));
  EXPECT_CODE(CUDA_ERROR_INVALID_PTX, cuLibraryGetKernel(&kernel, library, "k"));
  EXPECT_OK(cuLibraryUnload(library));
}
// Of machine code only the kernel that calls it is missing.
void undefined_in_code(const char* cubin) {
  CUmodule module = nullptr;
  CUlibrary library = nullptr;
  CUkernel kernel = nullptr;
  CUfunction function = nullptr;
  EXPECT_OK(cuModuleLoad(&module, cubin));
  EXPECT_OK(cuModuleGetFunction(&function, module, "sound"));
  EXPECT_OK(launch(function, 1, nullptr, nullptr));
  EXPECT_CODE(CUDA_ERROR_NOT_FOUND, cuModuleGetFunction(&function, module, "k"));
  EXPECT_OK(cuLibraryLoadFromFile(&library, cubin, nullptr, nullptr, 0, nullptr, nullptr, 0));
  EXPECT_OK(cuLibraryGetKernel(&kernel, library, "k"));
  EXPECT_CODE(CUDA_ERROR_NOT_FOUND, cuKernelGetFunction(&function, kernel));
  EXPECT_OK(cuLibraryGetKernel(&kernel, library, "sound"));
  EXPECT_OK(cuKernelGetFunction(&function, kernel));
  EXPECT_OK(cuLibraryUnload(library));
  EXPECT_OK(cuModuleUnload(module));
}

void streams() {
  const Module module;
  CUstream stream = nullptr;
  CUevent first = nullptr, last = nullptr;
  CUdeviceptr p = 0;
  unsigned n = 32, host[32] = {};
  float milliseconds = -1;
  EXPECT_OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  EXPECT_CODE(CUDA_ERROR_INVALID_VALUE, cuEventCreate(&first, CU_EVENT_INTERPROCESS));
  EXPECT_OK(cuEventCreate(&first, CU_EVENT_DEFAULT));
  EXPECT_OK(cuEventCreate(&last, CU_EVENT_DEFAULT));
  EXPECT_OK(cuMemAllocAsync(&p, 0, stream));  // as cuda.core does
  EXPECT_OK(cuMemAllocAsync(&p, sizeof host, stream));
  EXPECT_OK(cuMemsetD32Async(p, 1, 32, stream));
  EXPECT_OK(cuEventRecord(first, stream));
  void* parameters[] = {&p, &n};
  EXPECT_OK(launch(module.grow, 32, parameters, nullptr, stream));
  EXPECT_OK(cuEventRecord(last, stream));
  EXPECT_OK(cuMemcpyDtoHAsync(host, p, sizeof host, stream));
  EXPECT_OK(cuMemFreeAsync(p, stream));
  EXPECT_OK(cuStreamSynchronize(stream));
  EXPECT_OK(cuEventElapsedTime(&milliseconds, first, last));
  EXPECT(host[31] == 6 && milliseconds > 0);
  EXPECT_OK(cuStreamQuery(stream));
  EXPECT_OK(cuEventDestroy(first));
  EXPECT_OK(cuEventDestroy(last));
  EXPECT_OK(cuStreamDestroy(stream));
}

// Names as frameworks ask for them, by the release that they were built for.
void names() {
  void* function = nullptr;
  CUdriverProcAddressQueryResult found;
  EXPECT_OK(cuGetProcAddress("cuMemAlloc", &function, 12000, 0, &found));
  EXPECT(function == reinterpret_cast<void*>(&cuMemAlloc) && found == CU_GET_PROC_ADDRESS_SUCCESS);
  EXPECT_OK(cuGetProcAddress("cuMemAlloc", &function, 1000, 0, &found));
  EXPECT(!function && found == CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
  EXPECT_OK(cuGetProcAddress("cuNothing", &function, 13000, 0, &found));
  EXPECT(!function && found == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
  EXPECT_CODE(CUDA_ERROR_INVALID_VALUE,
              cuGetProcAddress("cuMemAlloc", &function, 12000, 0xff, &found));
  void* own = nullptr;
  EXPECT_OK(cuGetProcAddress("cuLaunchKernel", &function, 13000, 0, nullptr));
  EXPECT_OK(cuGetProcAddress("cuLaunchKernel", &own, 13000,
                             CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM, nullptr));
  EXPECT(own && own != function);
}

}  // namespace

// [--emulated [PTX [CUBIN]]]: of tests/programs/missing.ptx.
int main(int count, char** arguments) {
  std::setvbuf(stdout, nullptr, _IONBF, 0);  // a crash loses nothing
  CUdevice device = -1;
  EXPECT_OK(cuInit(0));
  EXPECT_CODE(CUDA_ERROR_INVALID_VALUE, cuInit(1));
  EXPECT_OK(cuDeviceGet(&device, 0));
  contexts(device);
  memory();
  launches();
  functions();
  images();
  streams();
  names();
  if (count > 2) undefined_function(arguments[2]);
  if (count > 3) undefined_in_code(arguments[3]);
  if (count > 1) {  // not on a GPU
    destroyed(device);
    no_size();
  }
  return failures != 0;
}
