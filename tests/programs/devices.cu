// Several devices: memory, streams and variables of each, copies among them. With one device there
// is nothing to see.
#include "tests/programs/expect.cuh"

__device__ int number;
__global__ void keep(int* out) { *out = number; }

static void variables_and_launches() {
  for (int device = 0; device < 2; ++device) {
    EXPECT_OK(cudaSetDevice(device));
    int value = 100 + device;
    EXPECT_OK(cudaMemcpyToSymbol(number, &value, 4));
  }
  for (int device = 0; device < 2; ++device) {
    EXPECT_OK(cudaSetDevice(device));
    int *out, back = 0;
    EXPECT_OK(cudaMalloc(&out, 4));
    cudaPointerAttributes what;
    EXPECT_OK(cudaPointerGetAttributes(&what, out));
    EXPECT(what.device == device);
    keep<<<1, 1>>>(out);
    EXPECT_OK(cudaMemcpy(&back, out, 4, cudaMemcpyDeviceToHost));
    EXPECT(back == 100 + device);
    EXPECT_OK(cudaSetDevice(0));
    EXPECT_OK(cudaFree(out));  // from whichever device
  }
}

static void peers() {
  int can = -1;
  EXPECT_OK(cudaSetDevice(0));
  EXPECT_OK(cudaDeviceCanAccessPeer(&can, 0, 0));
  EXPECT(can == 0);
  EXPECT_OK(cudaDeviceCanAccessPeer(&can, 0, 1));
  EXPECT_CODE(cudaErrorInvalidDevice, cudaDeviceCanAccessPeer(&can, 0, 99));
  EXPECT_CODE(cudaErrorPeerAccessNotEnabled, cudaDeviceDisablePeerAccess(1));
  EXPECT_OK(cudaDeviceEnablePeerAccess(1, 0));
  EXPECT_CODE(cudaErrorPeerAccessAlreadyEnabled, cudaDeviceEnablePeerAccess(1, 0));
  EXPECT_CODE(cudaErrorInvalidValue, cudaDeviceEnablePeerAccess(1, 7));
  EXPECT_CODE(cudaErrorPeerAccessUnsupported, cudaDeviceEnablePeerAccess(0, 0));
  EXPECT_OK(cudaDeviceDisablePeerAccess(1));
  int *here, *there, value = 77, back = 0;
  EXPECT_OK(cudaMalloc(&here, 4));
  EXPECT_OK(cudaSetDevice(1));
  EXPECT_OK(cudaMalloc(&there, 4));
  EXPECT_OK(cudaMemcpy(here, &value, 4, cudaMemcpyHostToDevice));
  EXPECT_OK(cudaMemcpyPeer(there, 1, here, 0, 4));
  EXPECT_OK(cudaMemcpy(&back, there, 4, cudaMemcpyDeviceToHost));
  EXPECT(back == 77);
  EXPECT_OK(cudaDeviceEnablePeerAccess(0, 0));
  EXPECT_OK(cudaMemset(here, 0, 4));
  EXPECT_OK(cudaMemcpy(here, there, 4, cudaMemcpyDefault));
  EXPECT_OK(cudaMemcpyPeerAsync(&there[0], 1, here, 0, 4, 0));
  EXPECT_CODE(cudaErrorInvalidDevice, cudaMemcpyPeer(there, 99, here, 0, 4));
  EXPECT_OK(cudaFree(here));
  EXPECT_OK(cudaFree(there));
}

static void streams_and_limits() {
  EXPECT_OK(cudaSetDevice(1));
  cudaStream_t stream;
  int device = -1, *out;
  EXPECT_OK(cudaStreamCreate(&stream));
  EXPECT_OK(cudaStreamGetDevice(stream, &device));
  EXPECT(device == 1);
  EXPECT_OK(cudaDeviceSetLimit(cudaLimitStackSize, 8192));
  EXPECT_OK(cudaSetDevice(0));
  EXPECT_OK(cudaMalloc(&out, 4));
  keep<<<1, 1, 0, stream>>>(
      out);  // goes to the stream's device, which may use the memory of this one
  EXPECT_OK(cudaStreamSynchronize(stream));
  int back = 0;
  EXPECT_OK(cudaMemcpy(&back, out, 4, cudaMemcpyDeviceToHost));
  EXPECT(back == 101);
  EXPECT_OK(cudaMemsetAsync(out, 0, 4, stream));
  cudaEvent_t event;
  EXPECT_OK(cudaEventCreate(&event));
  EXPECT_CODE(cudaErrorInvalidResourceHandle, cudaEventRecord(event, stream));
  EXPECT_OK(cudaEventRecord(event, 0));
  EXPECT_OK(cudaStreamWaitEvent(stream, event, 0));
  EXPECT_OK(cudaEventDestroy(event));
  EXPECT_OK(cudaStreamSynchronize(stream));
  size_t bytes = 0, free_here = 0, free_there = 0, total = 0;
  EXPECT_OK(cudaDeviceGetLimit(&bytes, cudaLimitStackSize));
  EXPECT(bytes == 1024);
  void* large;
  EXPECT_OK(cudaMalloc(&large, 256 << 20));
  EXPECT_OK(cudaMemGetInfo(&free_here, &total));
  EXPECT_OK(cudaSetDevice(1));
  EXPECT_OK(cudaMemGetInfo(&free_there, &total));
  EXPECT(free_there - free_here > 200 << 20);
  EXPECT_OK(cudaDeviceReset());
  EXPECT_OK(cudaSetDevice(0));
  EXPECT_OK(cudaMemset(large, 0, 256));  // another device's memory lives on
  EXPECT_OK(cudaFree(large));
  EXPECT_OK(cudaFree(out));
}

static void no_such_device(int none) {
  int can = 0, *here;
  EXPECT_CODE(cudaErrorInvalidDevice, cudaDeviceCanAccessPeer(&can, 0, none));
  EXPECT_CODE(cudaErrorInvalidDevice, cudaDeviceCanAccessPeer(&can, -1, 0));
  EXPECT_CODE(cudaErrorInvalidValue, cudaDeviceCanAccessPeer(nullptr, 0, 0));
  EXPECT_CODE(cudaErrorInvalidDevice, cudaDeviceEnablePeerAccess(none, 0));
  EXPECT_CODE(cudaErrorInvalidDevice, cudaDeviceEnablePeerAccess(none, 7));
  EXPECT_CODE(cudaErrorInvalidValue, cudaDeviceEnablePeerAccess(0, 7));
  EXPECT_CODE(cudaErrorPeerAccessUnsupported, cudaDeviceEnablePeerAccess(0, 0));  // of its own
  EXPECT_CODE(cudaErrorPeerAccessNotEnabled, cudaDeviceDisablePeerAccess(0));
  EXPECT_CODE(cudaErrorInvalidDevice, cudaDeviceDisablePeerAccess(none));
  EXPECT_CODE(cudaErrorInvalidDevice, cudaSetDevice(none));
  EXPECT_OK(cudaMalloc(&here, 4));
  EXPECT_CODE(cudaErrorInvalidDevice, cudaMemcpyPeer(here, 0, here, none, 4));
  EXPECT_OK(cudaMemcpyPeer(here, 0, here, 0, 4));
  EXPECT_OK(cudaFree(here));
}

int main() {
  int count = 0;
  EXPECT_OK(cudaGetDeviceCount(&count));
  no_such_device(count);
  if (count < 2) return failures != 0;
  variables_and_launches();
  peers();
  streams_and_limits();
  return failures != 0;
}
