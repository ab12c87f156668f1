// Functions of the driver, found by name: they answer as the runtime's own, on the same device.
#include <cuda.h>

#include <cstring>

#include "tests/programs/expect.cuh"

template <class Function>
static Function* entry(const char* symbol) {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult status;
  EXPECT_OK(cudaGetDriverEntryPointByVersion(symbol, &found, 12000, cudaEnableDefault, &status));
  EXPECT(found && status == cudaDriverEntryPointSuccess);
  return reinterpret_cast<Function*>(found);
}
#define ENTRY(name) entry<decltype(::name)>(#name)

static void errors() {
  const char *name = nullptr, *text = nullptr;
  auto* name_of = ENTRY(cuGetErrorName);
  EXPECT(name_of(CUDA_ERROR_INVALID_VALUE, &name) == CUDA_SUCCESS);
  EXPECT(name && !std::strcmp(name, "CUDA_ERROR_INVALID_VALUE"));
  EXPECT(name_of(CUresult(12345), &name) == CUDA_ERROR_INVALID_VALUE);
  EXPECT(ENTRY(cuGetErrorString)(CUDA_ERROR_OUT_OF_MEMORY, &text) == CUDA_SUCCESS);
  EXPECT(text && !std::strcmp(text, "out of memory"));
}

static void devices() {
  int count = 0, theirs = 0, ours = 0;
  CUdevice device = -1;
  char name[256] = "";
  cudaDeviceProp properties;
  EXPECT_OK(cudaGetDeviceProperties(&properties, 0));
  EXPECT(ENTRY(cuDeviceGetCount)(&count) == CUDA_SUCCESS && count >= 1);
  EXPECT(ENTRY(cuDeviceGet)(&device, 0) == CUDA_SUCCESS && device == 0);
  EXPECT(ENTRY(cuDeviceGet)(&device, 9999) == CUDA_ERROR_INVALID_DEVICE);
  EXPECT(ENTRY(cuDeviceGetName)(name, sizeof name, 0) == CUDA_SUCCESS);
  EXPECT(!std::strcmp(name, properties.name));
  for (int attribute : {1, 10, 16, 39, 75, 76, 81, 97}) {
    EXPECT(ENTRY(cuDeviceGetAttribute)(&ours, CUdevice_attribute(attribute), 0) == CUDA_SUCCESS);
    EXPECT_OK(cudaDeviceGetAttribute(&theirs, cudaDeviceAttr(attribute), 0));
    EXPECT(ours == theirs);
  }
}

static void contexts() {
  CUcontext now = nullptr, primary = nullptr;
  CUdevice device = -1;
  EXPECT(ENTRY(cuDevicePrimaryCtxRetain)(&primary, 0) == CUDA_SUCCESS);
  EXPECT(ENTRY(cuCtxGetCurrent)(&now) == CUDA_SUCCESS && now == primary);
  EXPECT(ENTRY(cuCtxSetCurrent)(now) == CUDA_SUCCESS);
  EXPECT(ENTRY(cuCtxGetDevice)(&device) == CUDA_SUCCESS && device == 0);
  EXPECT(ENTRY(cuCtxSynchronize)() == CUDA_SUCCESS);
  EXPECT(ENTRY(cuStreamQuery)(nullptr) == CUDA_SUCCESS);
  EXPECT(ENTRY(cuDevicePrimaryCtxRelease)(0) == CUDA_SUCCESS);
}

// What the driver refuses is no error of the runtime's.
static void waits() {
  cudaStream_t stream;
  cudaGraph_t graph;
  EXPECT_OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  EXPECT(ENTRY(cuStreamSynchronize)(stream) == CUDA_SUCCESS);
  EXPECT_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  EXPECT(ENTRY(cuStreamSynchronize)(stream) == CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  EXPECT(cudaPeekAtLastError() == cudaSuccess);
  EXPECT(cudaStreamEndCapture(stream, &graph) == cudaErrorStreamCaptureInvalidated);
  EXPECT(cudaGetLastError() == cudaErrorStreamCaptureInvalidated);
  EXPECT(ENTRY(cuStreamQuery)(stream) == CUDA_SUCCESS);
  EXPECT_OK(cudaStreamDestroy(stream));
}

int main() {
  EXPECT_OK(cudaFree(nullptr));
  errors();
  devices();
  contexts();
  waits();
  return failures;
}
