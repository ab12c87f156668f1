// Whose streams, events, modules and memory are: what one context made in another one of the same device, and what is left when
// its context is destroyed.
#include <string_view>

#include "tests/programs/driver.cuh"

namespace {

struct Things {
  CUcontext context = nullptr;
  CUstream stream = nullptr;
  CUevent first = nullptr, last = nullptr;
  CUmodule module = nullptr;
  CUfunction grow = nullptr;
  CUlibrary library = nullptr;
  CUkernel kernel = nullptr;
  CUdeviceptr memory = 0;

  Things() {  // in a context that stays current
    EXPECT_OK(cuCtxCreate(&context, nullptr, 0, 0));
    EXPECT_OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    EXPECT_OK(cuEventCreate(&first, 0));
    EXPECT_OK(cuEventCreate(&last, 0));
    EXPECT_OK(cuEventRecord(first, stream));
    EXPECT_OK(cuEventRecord(last, stream));
    EXPECT_OK(cuModuleLoadData(&module, text));
    EXPECT_OK(cuModuleGetFunction(&grow, module, "grow"));
    EXPECT_OK(cuLibraryLoadData(&library, text, nullptr, nullptr, 0, nullptr, nullptr, 0));
    EXPECT_OK(cuLibraryGetKernel(&kernel, library, "grow"));
    EXPECT_OK(cuMemAlloc(&memory, 64));
    EXPECT_OK(cuMemsetD32(memory, 1, 16));
  }
};

CUresult launch(CUfunction function, CUstream stream, CUdeviceptr memory) {
  unsigned n = 16;
  void* parameters[] = {&memory, &n};
  return cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, stream, parameters, nullptr);
}

// A function of a module and the stream are of one context; a kernel of a library runs where its stream is.
void launches(const Things& there, const Things& here) {
  EXPECT_OK(launch(here.grow, here.stream, here.memory));
  EXPECT_CODE(CUDA_ERROR_INVALID_HANDLE, launch(here.grow, there.stream, here.memory));
  EXPECT_CODE(CUDA_ERROR_INVALID_HANDLE, launch(there.grow, here.stream, here.memory));
  EXPECT_CODE(CUDA_ERROR_INVALID_HANDLE, launch(there.grow, nullptr, here.memory));
  EXPECT_OK(launch(reinterpret_cast<CUfunction>(here.kernel), there.stream, here.memory));
  EXPECT_OK(cuStreamSynchronize(here.stream));
  EXPECT_OK(cuStreamSynchronize(there.stream));
  unsigned back = 0;
  EXPECT_OK(cuMemcpyDtoH(&back, here.memory, sizeof back));
  EXPECT(back == 1 + 2 * 5);
}

void events(const Things& there, const Things& here) {
  float time = 0;
  EXPECT_CODE(CUDA_ERROR_INVALID_HANDLE, cuEventRecord(there.first, here.stream));
  EXPECT_CODE(CUDA_ERROR_INVALID_HANDLE, cuEventRecord(here.first, there.stream));
  EXPECT_CODE(CUDA_ERROR_INVALID_HANDLE, cuEventRecord(there.first, nullptr));
  EXPECT_CODE(CUDA_ERROR_INVALID_HANDLE, cuEventElapsedTime(&time, there.first, here.last));
  EXPECT_OK(cuEventElapsedTime(&time, here.first, here.last));
  EXPECT_OK(cuStreamWaitEvent(here.stream, there.first, 0));
  EXPECT_OK(cuEventSynchronize(there.last));
  EXPECT_OK(cuEventQuery(there.last));
}

void whose(const Things& there, const Things& here) {
  CUcontext owner = nullptr;
  EXPECT_OK(cuStreamGetCtx(there.stream, &owner));
  EXPECT(owner == there.context);
  EXPECT_OK(cuStreamGetCtx(nullptr, &owner));
  EXPECT(owner == here.context);
}

// A copy runs in any context's stream, and memory is the device's.
void copies(const Things& there, const Things& here) {
  unsigned value = 3, back = 0;
  EXPECT_OK(cuMemcpyHtoDAsync(here.memory, &value, sizeof value, there.stream));
  EXPECT_OK(cuStreamSynchronize(there.stream));
  EXPECT_OK(cuMemcpyDtoD(there.memory, here.memory, sizeof value));
  EXPECT_OK(cuMemcpyDtoH(&back, there.memory, sizeof back));
  EXPECT(back == 3);
}

void library_without_a_context() {
  CUcontext before = nullptr;
  CUlibrary library = nullptr;
  CUkernel kernel = nullptr;
  EXPECT_OK(cuCtxPopCurrent(&before));
  EXPECT_OK(cuLibraryLoadData(&library, text, nullptr, nullptr, 0, nullptr, nullptr, 0));
  EXPECT_OK(cuLibraryGetKernel(&kernel, library, "grow"));
  size_t offset = 0;
  EXPECT_CODE(CUDA_ERROR_INVALID_CONTEXT, cuKernelGetParamInfo(kernel, 0, &offset, nullptr));
  EXPECT_OK(cuLibraryUnload(library));
  EXPECT_OK(cuCtxPushCurrent(before));
}

// What has a context of its own needs none on the thread; an H100 says the same.
void without_a_context() {
  const Things here;
  CUcontext before = nullptr;
  while (cuCtxGetCurrent(&before) == CUDA_SUCCESS && before) cuCtxPopCurrent(&before);
  unsigned number = 0;
  EXPECT_OK(cuStreamQuery(here.stream));
  EXPECT_OK(cuStreamSynchronize(here.stream));
  EXPECT_OK(cuEventRecord(here.first, here.stream));
  EXPECT_OK(cuStreamWaitEvent(here.stream, here.first, 0));
  EXPECT_OK(cuEventSynchronize(here.first));
  EXPECT_OK(cuEventQuery(here.first));
  EXPECT_OK(cuMemsetD8Async(here.memory, 0, 16, here.stream));
  EXPECT_OK(cuMemcpyHtoDAsync(here.memory, &number, sizeof number, here.stream));
  EXPECT_CODE(CUDA_ERROR_INVALID_CONTEXT, cuStreamQuery(nullptr));
  EXPECT_OK(cuMemFree(here.memory));
  EXPECT_OK(cuEventDestroy(here.first));
  EXPECT_OK(cuStreamDestroy(here.stream));
  EXPECT_OK(cuCtxDestroy(here.context));
}

// Room and handles come back. What a GPU's driver does with the handles is not defined: it may end the process.
void destroyed(bool emulated) {
  size_t before = 0, after = 0, total = 0;
  EXPECT_OK(cuMemGetInfo(&before, &total));
  const Things gone;
  CUdeviceptr large = 0;
  EXPECT_OK(cuMemAlloc(&large, 512 << 20));
  EXPECT_OK(cuCtxDestroy(gone.context));
  EXPECT_OK(cuMemGetInfo(&after, &total));
  EXPECT(after + (64 << 20) > before);
  if (!emulated) return;
  EXPECT_CODE(CUDA_ERROR_INVALID_HANDLE, cuStreamSynchronize(gone.stream));
  EXPECT_CODE(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuEventQuery(gone.last));
  EXPECT_CODE(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuStreamWaitEvent(nullptr, gone.last, 0));
  EXPECT_CODE(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuEventDestroy(gone.last));
  EXPECT_CODE(CUDA_ERROR_INVALID_HANDLE, launch(gone.grow, nullptr, gone.memory));
  EXPECT_CODE(CUDA_ERROR_INVALID_VALUE, cuMemFree(gone.memory));
}

}  // namespace

int main(int count, char** words) {
  EXPECT_OK(cuInit(0));
  const Things there, here;
  launches(there, here);
  events(there, here);
  whose(there, here);
  copies(there, here);
  destroyed(count > 1 && std::string_view(words[1]) == "--emulated");
  EXPECT_OK(cuCtxDestroy(here.context));
  EXPECT_OK(cuCtxDestroy(there.context));
  without_a_context();
  const Things alone;
  library_without_a_context();
  std::printf("%d failures\n", failures);
  return failures != 0;
}
