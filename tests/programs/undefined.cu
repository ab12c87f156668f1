// What CUDA leaves undefined and is refused here. The runtime of an H200 lets some of it pass, hangs or
// crashes: this program is for the executor alone.
#include "tests/programs/expect.cuh"

// `int n = -1` as a size is nearly 2^64: no sum of it and an address may wrap. An H200's runtime gives
// these codes but for fills, which it takes: they fault on the device, or never end.
static void sizes_that_are_negative() {
  constexpr size_t huge = size_t(-4), half = size_t(1) << 32, top = size_t(1) << 63;
  static char host[4096];
  char *a, *out = nullptr;
  size_t pitch = 0;
  EXPECT_OK(cudaMalloc(&a, 1024));
  EXPECT_CODE(cudaErrorInvalidValue, cudaMemset(a + 8, 0, huge));
  EXPECT_CODE(cudaErrorInvalidValue, cudaMemsetAsync(a + 8, 0, size_t(-1), 0));
  EXPECT_CODE(cudaErrorInvalidValue, cudaMemcpy(a + 8, host, huge, cudaMemcpyHostToDevice));
  EXPECT_CODE(cudaErrorInvalidValue, cudaMemcpyAsync(host, a + 8, huge, cudaMemcpyDeviceToHost, 0));
  EXPECT_CODE(cudaErrorInvalidValue,
              cudaMemcpyAsync(a + 8, a + 512, huge, cudaMemcpyDeviceToDevice, 0));
  EXPECT_CODE(cudaErrorInvalidValue, cudaMemset2D(a, half, 0, 4, half + 1));
  EXPECT_CODE(cudaErrorInvalidValue, cudaMemset2D(a, 512, 0, 4, huge));
  EXPECT_CODE(cudaErrorInvalidValue,
              cudaMemcpy2D(a, half, host, half, 4, half + 1, cudaMemcpyHostToDevice));
  EXPECT_CODE(cudaErrorInvalidValue,
              cudaMemset3D(make_cudaPitchedPtr(a, half, 4, half), 0, make_cudaExtent(4, 1, 2)));
  cudaMemcpy3DParms parms = {};
  parms.srcPtr = make_cudaPitchedPtr(host, 64, 64, 4);
  parms.dstPtr = make_cudaPitchedPtr(a, 64, 64, 4);
  parms.extent = make_cudaExtent(64, 4, 1);
  parms.kind = cudaMemcpyHostToDevice;
  parms.dstPos = make_cudaPos(huge, 0, 0);
  EXPECT_CODE(cudaErrorInvalidValue, cudaMemcpy3D(&parms));
  parms.dstPos = make_cudaPos(0, top, 0);
  EXPECT_CODE(cudaErrorInvalidValue, cudaMemcpy3D(&parms));
  EXPECT_CODE(cudaErrorMemoryAllocation, cudaMalloc(&out, huge));
  EXPECT_CODE(cudaErrorMemoryAllocation, cudaMallocManaged(&out, huge));
  EXPECT_CODE(cudaErrorMemoryAllocation, cudaMallocAsync(&out, huge, 0));
  EXPECT_CODE(cudaErrorMemoryAllocation, cudaMallocHost(&out, huge));
  EXPECT_CODE(cudaErrorInvalidValue, cudaMallocPitch(&out, &pitch, half, half));
  EXPECT_CODE(cudaErrorInvalidValue, cudaHostRegister(host, size_t(-1), 0));
  EXPECT_CODE(cudaErrorInvalidValue, cudaHostRegister(host, huge, 0));
  EXPECT_OK(cudaFree(a));
}

// An object whose only reference is a graph's is not the program's to give back, or away.
static void foreign_references() {
  static int destroyed = 0;
  cudaGraph_t graph;
  cudaUserObject_t object;
  EXPECT_OK(cudaGraphCreate(&graph, 0));
  EXPECT_OK(cudaUserObjectCreate(
      &object, &destroyed, [](void* which) { ++*static_cast<int*>(which); }, 1,
      cudaUserObjectNoDestructorSync));
  EXPECT_OK(cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove));
  EXPECT_CODE(cudaErrorInvalidValue, cudaUserObjectRelease(object, 1));
  EXPECT_CODE(cudaErrorInvalidValue,
              cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove));
  EXPECT(destroyed == 0);
  EXPECT_OK(cudaGraphDestroy(graph));
  EXPECT(destroyed == 1);
}

int main() {
  sizes_that_are_negative();
  foreign_references();
  return failures != 0;
}
