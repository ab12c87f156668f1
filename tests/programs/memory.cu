// Allocation, copies, fills, and what a pointer is.
#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "tests/programs/expect.cuh"

static void allocate_and_free() {
  void *a = nullptr, *b = nullptr;
  EXPECT_OK(cudaMalloc(&a, 100));
  EXPECT_OK(cudaMalloc(&b, 1));
  EXPECT(uintptr_t(a) % 256 == 0 && uintptr_t(b) % 256 == 0 && a != b);
  EXPECT_CODE(cudaErrorInvalidValue, cudaFree(static_cast<char*>(a) + 4));
  EXPECT_OK(cudaFree(a));
  EXPECT_CODE(cudaErrorInvalidValue, cudaFree(a));
  EXPECT_OK(cudaFree(b));
  EXPECT_OK(cudaFree(nullptr));
  int local;
  EXPECT_CODE(cudaErrorInvalidValue, cudaFree(&local));
  EXPECT_OK(cudaMalloc(&a, 0));
  EXPECT(a == nullptr);
  EXPECT_CODE(cudaErrorInvalidValue, cudaMalloc(static_cast<void**>(nullptr), 16));
  EXPECT_CODE(cudaErrorMemoryAllocation, cudaMalloc(&a, size_t(1) << 45));
  size_t free_before, free_after, total;
  EXPECT_OK(cudaMemGetInfo(&free_before, &total));
  EXPECT_OK(cudaMalloc(&a, 64 << 20));
  EXPECT_OK(cudaMemGetInfo(&free_after, &total));
  EXPECT(free_before <= total && free_before - free_after >= size_t(64 << 20));
  EXPECT_OK(cudaFree(a));
  EXPECT_OK(cudaMallocAsync(&a, 64, 0));
  EXPECT_OK(cudaFreeAsync(a, 0));
}

// Many are live at once, each by itself, and all come back.
static void many_allocations() {
  constexpr int count = 40000;
  std::vector<char*> all(count);
  for (char*& each : all) EXPECT_OK(cudaMalloc(&each, 64));
  std::vector<char*> sorted = all;
  std::sort(sorted.begin(), sorted.end());
  bool apart = true;
  for (int i = 1; i < count; ++i) apart &= sorted[i] - sorted[i - 1] >= 64;
  EXPECT(apart);
  for (char* each : all) EXPECT_OK(cudaFree(each));
  EXPECT(cudaFree(all[count / 2]) == cudaErrorInvalidValue);
  cudaGetLastError();
}

static void copy_kinds() {
  std::vector<int> from(256), to(256);
  for (int i = 0; i < 256; ++i) from[i] = i * 3;
  int *a, *b;
  EXPECT_OK(cudaMalloc(&a, 1024));
  EXPECT_OK(cudaMalloc(&b, 1024));
  EXPECT_OK(cudaMemcpy(a, from.data(), 1024, cudaMemcpyHostToDevice));
  EXPECT_OK(cudaMemcpy(b, a, 1024, cudaMemcpyDeviceToDevice));
  EXPECT_OK(cudaMemcpy(to.data(), b, 1024, cudaMemcpyDeviceToHost));
  EXPECT(from == to);
  EXPECT_OK(cudaMemset(b, 0x11, 512));
  EXPECT_OK(cudaMemcpy(to.data(), b, 1024, cudaMemcpyDefault));
  EXPECT(to[0] == 0x11111111 && to[127] == 0x11111111 && to[128] == 128 * 3);

  EXPECT_CODE(cudaErrorInvalidValue, cudaMemcpy(to.data(), a, 4, cudaMemcpyHostToDevice));
  EXPECT_CODE(cudaErrorInvalidValue, cudaMemcpy(a, from.data(), 4, cudaMemcpyDeviceToHost));
  EXPECT_CODE(cudaErrorInvalidValue, cudaMemcpy(a, from.data(), 4, cudaMemcpyDeviceToDevice));
  EXPECT_CODE(cudaErrorInvalidMemcpyDirection, cudaMemcpy(a, from.data(), 4, cudaMemcpyKind(9)));
  EXPECT_CODE(cudaErrorInvalidValue, cudaMemcpy(nullptr, from.data(), 4, cudaMemcpyHostToDevice));
  EXPECT_OK(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyHostToDevice));
  EXPECT_CODE(cudaErrorInvalidValue, cudaMemset(from.data(), 0, 4));
  EXPECT_CODE(cudaErrorInvalidValue, cudaMemset(nullptr, 0, 4));
  EXPECT_OK(cudaMemset(a, 0, 0));
  EXPECT_OK(cudaFree(a));
  EXPECT_OK(cudaFree(b));
}

static void copy_past_the_end() {
  std::vector<char> host(16 << 20);
  void* a;
  EXPECT_OK(cudaMalloc(&a, 4 << 20));
  EXPECT_CODE(cudaErrorInvalidValue, cudaMemcpy(a, host.data(), 16 << 20, cudaMemcpyHostToDevice));
  EXPECT_CODE(cudaErrorInvalidValue, cudaMemset(a, 0, (4 << 20) + 1));
  EXPECT_OK(cudaFree(a));
}

static void boxes() {
  size_t pitch = 0;
  char* a;
  EXPECT_OK(cudaMallocPitch(&a, &pitch, 100, 3));
  EXPECT(pitch == 512);
  char from[3][10], to[3][20] = {};
  for (int y = 0; y < 3; ++y) std::memset(from[y], 'a' + y, 10);
  EXPECT_OK(cudaMemset2D(a, pitch, '.', 100, 3));
  EXPECT_OK(cudaMemcpy2D(a, pitch, from, 10, 10, 3, cudaMemcpyHostToDevice));
  EXPECT_OK(cudaMemcpy2D(to, 20, a, pitch, 12, 3, cudaMemcpyDeviceToHost));
  EXPECT(to[0][0] == 'a' && to[1][9] == 'b' && to[2][9] == 'c' && to[2][11] == '.' &&
         to[2][12] == 0);
  EXPECT_CODE(cudaErrorInvalidPitchValue,
              cudaMemcpy2D(a, 5, from, 10, 10, 3, cudaMemcpyHostToDevice));
  EXPECT_OK(cudaFree(a));

  cudaPitchedPtr box;
  cudaExtent extent = make_cudaExtent(8, 4, 2);
  EXPECT_OK(cudaMalloc3D(&box, extent));
  EXPECT_OK(cudaMemset3D(box, 7, extent));
  char out[2][4][8] = {};
  cudaMemcpy3DParms parms = {};
  parms.srcPtr = box;
  parms.dstPtr = make_cudaPitchedPtr(out, 8, 8, 4);
  parms.extent = make_cudaExtent(8, 4, 1);
  parms.dstPos = make_cudaPos(0, 0, 1);
  parms.kind = cudaMemcpyDeviceToHost;
  EXPECT_OK(cudaMemcpy3D(&parms));
  EXPECT(out[0][3][7] == 0 && out[1][0][0] == 7 && out[1][3][7] == 7);
  EXPECT_OK(cudaFree(box.ptr));
}

static void host_memory() {
  int* pinned;
  EXPECT_OK(cudaMallocHost(&pinned, 64));
  pinned[3] = 5;
  cudaPointerAttributes what;
  EXPECT_OK(cudaPointerGetAttributes(&what, pinned));
  EXPECT(what.type == cudaMemoryTypeHost && what.devicePointer == pinned &&
         what.hostPointer == pinned);
  EXPECT_CODE(cudaErrorInvalidValue, cudaFree(pinned));
  EXPECT_OK(cudaFreeHost(pinned));
  EXPECT_OK(cudaFreeHost(nullptr));

  void* gone = mmap(nullptr, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  munmap(static_cast<char*>(gone) + 4096, 4096);
  EXPECT_CODE(cudaErrorInvalidValue, cudaHostRegister(gone, 8192, 0));
  EXPECT_OK(cudaHostRegister(gone, 4096, 0));
  EXPECT_OK(cudaHostUnregister(gone));
  munmap(gone, 4096);

  static int plain[1024];
  void* mapped;
  EXPECT_CODE(cudaErrorInvalidValue, cudaFreeHost(plain));
  EXPECT_OK(cudaHostRegister(plain, sizeof plain, cudaHostRegisterDefault));
  EXPECT_CODE(cudaErrorHostMemoryAlreadyRegistered, cudaHostRegister(plain, sizeof plain, 0));
  EXPECT_OK(cudaHostGetDevicePointer(&mapped, plain, 0));
  EXPECT(mapped == plain);
  EXPECT_OK(cudaHostUnregister(plain));
  EXPECT_CODE(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(plain));
  EXPECT_CODE(cudaErrorInvalidValue, cudaHostGetDevicePointer(&mapped, plain, 0));
  EXPECT_OK(cudaPointerGetAttributes(&what, plain));
  EXPECT(what.type == cudaMemoryTypeUnregistered && what.device == cudaInvalidDeviceId);
}

static void managed_memory() {
  int* both;
  EXPECT_OK(cudaMallocManaged(&both, 64));
  both[7] = 9;
  int out = 0;
  EXPECT_OK(cudaMemcpy(&out, both + 7, 4, cudaMemcpyDeviceToHost));
  EXPECT(out == 9);
  cudaPointerAttributes what;
  EXPECT_OK(cudaPointerGetAttributes(&what, both));
  EXPECT(what.type == cudaMemoryTypeManaged && what.devicePointer == both &&
         what.hostPointer == both);
  EXPECT_OK(cudaFree(both));
  void* device;
  EXPECT_OK(cudaMalloc(&device, 64));
  EXPECT_OK(cudaPointerGetAttributes(&what, device));
  EXPECT(what.type == cudaMemoryTypeDevice && what.device == 0 && what.hostPointer == nullptr);
  EXPECT_OK(cudaFree(device));
}

int main() {
  allocate_and_free();
  many_allocations();
  copy_kinds();
  copy_past_the_end();
  boxes();
  host_memory();
  managed_memory();
  return failures != 0;
}
