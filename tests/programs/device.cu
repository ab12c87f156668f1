// What the imitated machine says of itself is what an H200 says.
#include "tests/programs/expect.cuh"

static int attribute(cudaDeviceAttr which) {
  int value = -1;
  EXPECT_OK(cudaDeviceGetAttribute(&value, which, 0));
  return value;
}

int main() {
  int count = 0, device = -1;
  EXPECT_OK(cudaGetDeviceCount(&count));
  EXPECT(count == 1);
  EXPECT_OK(cudaGetDevice(&device));
  EXPECT(device == 0);
  EXPECT_CODE(cudaErrorInvalidDevice, cudaSetDevice(99));
  EXPECT_CODE(cudaErrorInvalidDevice, cudaSetDevice(-1));
  EXPECT_OK(cudaSetDevice(0));

  cudaDeviceProp p;
  EXPECT_CODE(cudaErrorInvalidDevice, cudaGetDeviceProperties(&p, 99));
  EXPECT_OK(cudaGetDeviceProperties(&p, 0));
  EXPECT(p.major == 9 && p.minor == 0 && p.multiProcessorCount == 132 && p.warpSize == 32);
  EXPECT(p.maxThreadsPerBlock == 1024 && p.maxThreadsPerMultiProcessor == 2048);
  EXPECT(p.maxBlocksPerMultiProcessor == 32 && p.maxThreadsDim[2] == 64 &&
         p.maxGridSize[1] == 65535);
  EXPECT(p.regsPerBlock == 65536 && p.regsPerMultiprocessor == 65536);
  EXPECT(p.sharedMemPerBlock == 49152 && p.sharedMemPerBlockOptin == 232448);
  EXPECT(p.sharedMemPerMultiprocessor == 233472 && p.reservedSharedMemPerBlock == 1024);
  EXPECT(p.l2CacheSize == 62914560 && p.memoryBusWidth == 6016 && p.totalConstMem == 65536);
  EXPECT(p.totalGlobalMem > size_t(140) * 1000 * 1000 * 1000);
  EXPECT(p.totalGlobalMem < size_t(152) * 1000 * 1000 * 1000);
  EXPECT(p.persistingL2CacheMaxSize == 39321600 && p.name[0]);

  EXPECT(attribute(cudaDevAttrClockRate) == 1980000);
  EXPECT(attribute(cudaDevAttrMemoryClockRate) == 3201000);
  EXPECT(attribute(cudaDevAttrMultiProcessorCount) == 132);
  EXPECT(attribute(cudaDevAttrSingleToDoublePrecisionPerfRatio) == 2);
  EXPECT(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin) == 232448);
  EXPECT(attribute(cudaDevAttrComputeCapabilityMajor) == 9);
  EXPECT(attribute(cudaDevAttrMaxTexture2DLinearPitch) == 2097120);
  int value;
  EXPECT_CODE(cudaErrorInvalidValue, cudaDeviceGetAttribute(&value, cudaDeviceAttr(999), 0));
  EXPECT_CODE(cudaErrorInvalidDevice, cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 99));

  size_t limit = 0;
  EXPECT_OK(cudaDeviceGetLimit(&limit, cudaLimitStackSize));
  EXPECT(limit == 1024);
  EXPECT_OK(cudaDeviceSetLimit(cudaLimitStackSize, 4096));
  EXPECT_OK(cudaDeviceGetLimit(&limit, cudaLimitStackSize));
  EXPECT(limit == 4096);
  EXPECT_CODE(cudaErrorInvalidValue, cudaDeviceSetLimit(cudaLimit(99), 1));
  EXPECT_OK(cudaRuntimeGetVersion(&value));
  EXPECT(value == 13000);
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT_OK(cudaDeviceReset());
  return failures != 0;
}
