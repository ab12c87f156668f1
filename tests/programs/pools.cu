// Ordered allocation and its pools, managed memory and what is said of it, host memory that kernels
// reach, copies of boxes.
#include <cstdint>
#include <cstring>
#include <vector>

#include "tests/programs/expect.cuh"

__global__ void fill(int* out, int value) { out[threadIdx.x] = value; }

static uint64_t attribute(cudaMemPool_t pool, cudaMemPoolAttr which) {
  uint64_t bytes = 0;
  EXPECT_OK(cudaMemPoolGetAttribute(pool, which, &bytes));
  return bytes;
}

static void pools() {
  cudaStream_t stream;
  cudaMemPool_t usual, own, now;
  EXPECT_OK(cudaStreamCreate(&stream));
  EXPECT_OK(cudaDeviceGetDefaultMemPool(&usual, 0));
  EXPECT_OK(cudaDeviceGetMemPool(&now, 0));
  EXPECT(now == usual);
  EXPECT_CODE(cudaErrorInvalidDevice, cudaDeviceGetDefaultMemPool(&own, 99));
  cudaMemPoolProps props = {};
  props.allocType = cudaMemAllocationTypePinned;
  props.location.type = cudaMemLocationTypeDevice;
  EXPECT_OK(cudaMemPoolCreate(&own, &props));
  EXPECT(own != usual);
  int *first, *second, back[64] = {};
  EXPECT_OK(cudaMallocFromPoolAsync(&first, 1 << 20, own, stream));
  EXPECT(attribute(own, cudaMemPoolAttrUsedMemCurrent) >= 1 << 20);
  EXPECT(attribute(own, cudaMemPoolAttrReservedMemCurrent) >= 1 << 20);
  fill<<<1, 64, 0, stream>>>(first, 7);
  EXPECT_OK(cudaMemcpyAsync(back, first, sizeof back, cudaMemcpyDeviceToHost, stream));
  EXPECT_OK(cudaFreeAsync(first, stream));
  EXPECT_OK(cudaStreamSynchronize(stream));
  EXPECT(back[0] == 7 && back[63] == 7);
  EXPECT(attribute(own, cudaMemPoolAttrUsedMemCurrent) == 0);
  EXPECT(attribute(own, cudaMemPoolAttrUsedMemHigh) >= 1 << 20);
  EXPECT(attribute(own, cudaMemPoolAttrReservedMemCurrent) == 0);  // nothing is kept by default
  uint64_t value = 0;
  EXPECT_OK(cudaMemPoolSetAttribute(own, cudaMemPoolAttrUsedMemHigh, &value));
  EXPECT(attribute(own, cudaMemPoolAttrUsedMemHigh) == 0);
  value = 1;
  EXPECT_CODE(cudaErrorInvalidValue,
              cudaMemPoolSetAttribute(own, cudaMemPoolAttrUsedMemHigh, &value));

  value = UINT64_MAX;  // keep everything
  EXPECT_OK(cudaMemPoolSetAttribute(own, cudaMemPoolAttrReleaseThreshold, &value));
  EXPECT(attribute(own, cudaMemPoolAttrReleaseThreshold) == UINT64_MAX);
  EXPECT_OK(cudaDeviceSetMemPool(0, own));
  EXPECT_OK(cudaDeviceGetMemPool(&now, 0));
  EXPECT(now == own);
  EXPECT_OK(cudaMallocAsync(&first, 4096, stream));
  EXPECT_OK(cudaMallocAsync(&second, 4096, stream));
  EXPECT(attribute(own, cudaMemPoolAttrUsedMemCurrent) >= 8192);
  EXPECT_OK(cudaFreeAsync(first, stream));
  EXPECT_OK(cudaStreamSynchronize(stream));
  EXPECT_OK(cudaFreeAsync(second, stream));
  EXPECT_OK(cudaStreamSynchronize(stream));
  EXPECT(attribute(own, cudaMemPoolAttrUsedMemCurrent) == 0);
  EXPECT(attribute(own, cudaMemPoolAttrReservedMemCurrent) > 0);
  EXPECT_OK(cudaMemPoolTrimTo(own, 0));
  EXPECT(attribute(own, cudaMemPoolAttrReservedMemCurrent) == 0);
  EXPECT_OK(cudaMallocAsync(&second, 4096, stream));
  EXPECT_OK(cudaStreamSynchronize(stream));
  EXPECT_OK(cudaFree(second));  // the unordered call takes it too
  int yes = -1;
  EXPECT_OK(cudaMemPoolGetAttribute(own, cudaMemPoolReuseAllowOpportunistic, &yes));
  EXPECT(yes == 1);

  cudaMemAccessFlags flags;
  cudaMemLocation here = {cudaMemLocationTypeDevice, 0};
  EXPECT_OK(cudaMemPoolGetAccess(&flags, own, &here));
  EXPECT(flags == cudaMemAccessFlagsProtReadWrite);
  EXPECT_OK(cudaMemPoolDestroy(own));
  EXPECT_OK(cudaDeviceGetMemPool(&now, 0));
  EXPECT(now == usual);
  EXPECT_CODE(cudaErrorInvalidValue, cudaMallocAsync(static_cast<void**>(nullptr), 16, stream));
  EXPECT_CODE(cudaErrorInvalidValue, cudaFreeAsync(back, stream));
  void* plain;
  EXPECT_OK(cudaMalloc(&plain, 64));
  EXPECT_OK(cudaFreeAsync(plain, stream));
  EXPECT_OK(cudaStreamDestroy(stream));
}

static int said(cudaMemRangeAttribute which, const void* pointer, size_t bytes) {
  int value = -99;
  EXPECT_OK(cudaMemRangeGetAttribute(&value, sizeof value, which, pointer, bytes));
  return value;
}

static void managed() {
  char* both;
  constexpr size_t size = 4 << 20, half = size / 2;
  EXPECT_OK(cudaMallocManaged(&both, 0));
  EXPECT(both == nullptr);
  EXPECT_CODE(cudaErrorInvalidValue, cudaMallocManaged(&both, 16, 77));
  EXPECT_OK(cudaMallocManaged(&both, size));
  cudaMemLocation device = {cudaMemLocationTypeDevice, 0}, host = {cudaMemLocationTypeHost, 0};
  EXPECT(said(cudaMemRangeAttributeReadMostly, both, size) == 0);
  EXPECT(said(cudaMemRangeAttributePreferredLocation, both, size) == cudaInvalidDeviceId);
  EXPECT_OK(cudaMemAdvise(both, size, cudaMemAdviseSetReadMostly, device));
  EXPECT_OK(cudaMemAdvise(both, half, cudaMemAdviseUnsetReadMostly, device));
  EXPECT(said(cudaMemRangeAttributeReadMostly, both, size) == 0);
  EXPECT(said(cudaMemRangeAttributeReadMostly, both, half) == 0);
  EXPECT(said(cudaMemRangeAttributeReadMostly, both + half, half) == 1);
  EXPECT_OK(cudaMemAdvise(both, size, cudaMemAdviseSetPreferredLocation, host));
  EXPECT(said(cudaMemRangeAttributePreferredLocation, both, size) == cudaCpuDeviceId);
  EXPECT_OK(cudaMemAdvise(both, half, cudaMemAdviseSetPreferredLocation, device));
  EXPECT(said(cudaMemRangeAttributePreferredLocation, both, half) == 0);
  EXPECT(said(cudaMemRangeAttributePreferredLocation, both, size) == cudaInvalidDeviceId);
  EXPECT_OK(cudaMemPrefetchAsync(both, size, device, 0, 0));
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT(said(cudaMemRangeAttributeLastPrefetchLocation, both, size) == 0);
  void* halves[2] = {both, both + half};
  size_t sizes[2] = {half, half}, first[2] = {0, 1};
  cudaMemLocation places[2] = {device, host};
  EXPECT_OK(cudaMemPrefetchBatchAsync(halves, sizes, 2, places, first, 2, 0, cudaStreamPerThread));
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT(said(cudaMemRangeAttributeLastPrefetchLocation, both, half) == 0);
  EXPECT(said(cudaMemRangeAttributeLastPrefetchLocation, both + half, half) == cudaCpuDeviceId);
  EXPECT_OK(cudaMemAdvise(both, size, cudaMemAdviseSetAccessedBy, device));
  int users[2] = {-7, -7};
  EXPECT_OK(
      cudaMemRangeGetAttribute(users, sizeof users, cudaMemRangeAttributeAccessedBy, both, size));
  EXPECT(users[0] == 0 && users[1] == cudaInvalidDeviceId);
  void* plain;
  EXPECT_OK(cudaMalloc(&plain, 4096));
  EXPECT_CODE(cudaErrorInvalidValue,
              cudaMemAdvise(plain, 4096, cudaMemAdviseSetReadMostly, device));
  EXPECT_CODE(cudaErrorInvalidValue, cudaMemPrefetchAsync(plain, 4096, device, 0, 0));
  EXPECT_CODE(cudaErrorInvalidValue, cudaMemPrefetchAsync(both, size, device, 1, 0));
  cudaMemLocation nowhere = {cudaMemLocationTypeDevice, 99};
  EXPECT_CODE(cudaErrorInvalidDevice, cudaMemPrefetchAsync(both, size, nowhere, 0, 0));
  cudaStream_t stream;
  EXPECT_OK(cudaStreamCreate(&stream));
  EXPECT_OK(cudaStreamAttachMemAsync(stream, both, 0, cudaMemAttachSingle));
  EXPECT_OK(cudaStreamSynchronize(stream));
  EXPECT_OK(cudaStreamDestroy(stream));
  EXPECT_OK(cudaFree(plain));
  EXPECT_OK(cudaFree(both));
}

static void host_memory() {
  int *mapped, *device;
  unsigned flags = 0;
  EXPECT_OK(cudaHostAlloc(&mapped, 256, cudaHostAllocMapped | cudaHostAllocPortable));
  EXPECT_OK(cudaHostGetDevicePointer(&device, mapped, 0));
  EXPECT_OK(cudaHostGetFlags(&flags, mapped));
  EXPECT(flags == (cudaHostAllocMapped | cudaHostAllocPortable));
  fill<<<1, 64>>>(device, 9);
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT(mapped[0] == 9 && mapped[63] == 9);
  EXPECT_CODE(cudaErrorInvalidValue, cudaHostGetDevicePointer(&device, mapped, 1));
  EXPECT_CODE(cudaErrorInvalidValue, cudaHostAlloc(&device, 256, 64));
  cudaPointerAttributes what;
  EXPECT_OK(cudaPointerGetAttributes(&what, mapped + 3));  // inside
  EXPECT(what.type == cudaMemoryTypeHost && what.hostPointer == mapped + 3);
  EXPECT_OK(cudaFreeHost(mapped));

  std::vector<int> page(4096);
  EXPECT_OK(cudaHostRegister(page.data(), 64 * sizeof(int), cudaHostRegisterMapped));
  EXPECT_OK(cudaHostGetDevicePointer(&device, page.data(), 0));
  fill<<<1, 64>>>(device, 4);
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT(page[63] == 4);
  EXPECT_OK(cudaHostUnregister(page.data()));
  EXPECT_CODE(cudaErrorInvalidValue, cudaHostRegister(nullptr, 64, 0));
  EXPECT_CODE(cudaErrorInvalidValue, cudaHostRegister(page.data(), 0, 0));
  EXPECT_CODE(cudaErrorInvalidValue, cudaHostRegister(page.data(), 64, 1024));
}

// A box of 5 x 4 x 3 bytes inside pitched memory, there, across and back.
static void boxes() {
  cudaExtent extent = make_cudaExtent(5, 4, 3);
  cudaPitchedPtr a, b;
  EXPECT_OK(cudaMalloc3D(&a, make_cudaExtent(64, 8, 6)));
  EXPECT_OK(cudaMalloc3D(&b, make_cudaExtent(64, 8, 6)));
  EXPECT(a.pitch % 32 == 0 && a.xsize == 64 && a.ysize == 8);
  unsigned char from[3][4][5], to[3][4][5] = {};
  for (int i = 0; i < 60; ++i) (&from[0][0][0])[i] = (unsigned char)(i + 1);
  EXPECT_OK(cudaMemset3D(a, 0xee, make_cudaExtent(64, 8, 6)));
  EXPECT_OK(cudaMemset3DAsync(b, 0xdd, make_cudaExtent(64, 8, 6), 0));
  cudaMemcpy3DParms in = {};
  in.srcPtr = make_cudaPitchedPtr(from, 5, 5, 4);
  in.dstPtr = a, in.dstPos = make_cudaPos(7, 2, 1);
  in.extent = extent, in.kind = cudaMemcpyHostToDevice;
  EXPECT_OK(cudaMemcpy3D(&in));
  cudaMemcpy3DPeerParms across = {};
  across.srcPtr = a, across.srcPos = make_cudaPos(7, 2, 1);
  across.dstPtr = b, across.dstPos = make_cudaPos(1, 1, 3);
  across.extent = extent;
  EXPECT_OK(cudaMemcpy3DPeerAsync(&across, 0));
  cudaMemcpy3DParms out = {};
  out.srcPtr = b, out.srcPos = make_cudaPos(1, 1, 3);
  out.dstPtr = make_cudaPitchedPtr(to, 5, 5, 4);
  out.extent = extent, out.kind = cudaMemcpyDeviceToHost;
  EXPECT_OK(cudaMemcpy3DAsync(&out, 0));
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT(!std::memcmp(from, to, sizeof to));
  unsigned char beside = 0;
  EXPECT_OK(cudaMemcpy(&beside, static_cast<char*>(b.ptr) + (3 * 8 + 1) * b.pitch, 1,
                       cudaMemcpyDeviceToHost));
  EXPECT(beside == 0xdd);
  EXPECT_OK(cudaMemcpyPeer(b.ptr, 0, a.ptr, 0, 16));
  EXPECT_OK(cudaMemset2DAsync(a.ptr, a.pitch, 1, 64, 2, 0));
  EXPECT_OK(cudaMemcpy2DAsync(to, 5, a.ptr, a.pitch, 5, 2, cudaMemcpyDefault, 0));
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT(to[0][0][0] == 1 && to[0][1][4] == 1 && to[0][2][0] == from[0][2][0]);
  EXPECT_OK(cudaFree(a.ptr));
  EXPECT_OK(cudaFree(b.ptr));
}

int main() {
  pools();
  managed();
  host_memory();
  boxes();
  return failures != 0;
}
