// What a kernel may use of another device's memory: nothing, until that is allowed. Copies between
// devices need no leave, managed memory is everyone's, pools and graphs have rules of their own. With
// one device there is nothing to see.
#include "tests/programs/expect.cuh"

__global__ void put(int* at, int value) { *at = value; }
__device__ int number;

static int read(const int* at) {
  int value = -1;
  EXPECT_OK(cudaMemcpy(&value, at, sizeof value, cudaMemcpyDefault));
  return value;
}

static void copies_need_no_access(int* there) {
  int *here, value = 5;
  EXPECT_OK(cudaMalloc(&here, 4));
  EXPECT_OK(cudaMemcpy(here, &value, 4, cudaMemcpyHostToDevice));
  EXPECT_OK(cudaMemcpyPeer(there, 1, here, 0, 4));
  EXPECT(read(there) == 5);
  EXPECT_OK(cudaMemset(here, 0, 4));
  EXPECT_OK(cudaMemcpy(here, there, 4, cudaMemcpyDeviceToDevice));
  EXPECT(read(here) == 5);
  EXPECT_OK(cudaFree(here));
}

static void managed_memory_is_everyones() {
  int* shared;
  EXPECT_OK(cudaSetDevice(1));
  EXPECT_OK(cudaMallocManaged(&shared, 4));
  EXPECT_OK(cudaSetDevice(0));
  put<<<1, 1>>>(shared, 6);
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT(*shared == 6);
  EXPECT_OK(cudaFree(shared));
}

static void pools_have_their_own_rule() {
  cudaMemPool_t pool;
  int* there;
  EXPECT_OK(cudaDeviceGetDefaultMemPool(&pool, 1));
  cudaMemAccessDesc access = {{cudaMemLocationTypeDevice, 0}, cudaMemAccessFlagsProtReadWrite};
  EXPECT_OK(cudaMemPoolSetAccess(pool, &access, 1));
  EXPECT_OK(cudaSetDevice(1));
  EXPECT_OK(cudaMallocAsync(&there, 4, 0));
  EXPECT_OK(cudaStreamSynchronize(0));
  EXPECT_OK(cudaSetDevice(0));
  put<<<1, 1>>>(there, 7);
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT(read(there) == 7);
  EXPECT_OK(cudaFree(there));
}

static void enabled_access(int* there) {
  EXPECT_OK(cudaDeviceEnablePeerAccess(1, 0));
  EXPECT_CODE(cudaErrorPeerAccessAlreadyEnabled, cudaDeviceEnablePeerAccess(1, 0));
  put<<<1, 1>>>(there, 8);
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT(read(there) == 8);
  EXPECT_OK(cudaDeviceDisablePeerAccess(1));
  EXPECT_CODE(cudaErrorPeerAccessNotEnabled, cudaDeviceDisablePeerAccess(1));
}

// The last thing a process does: it is never rid of the fault.
static void an_access_that_is_not_enabled(int* there) {
  put<<<1, 1>>>(there, 10);
  EXPECT_CODE(cudaErrorIllegalAddress, cudaDeviceSynchronize());
}

// Peer access covers what is allocated there.
static void a_variable_is_its_devices_own() {
  int* variable;
  EXPECT_OK(cudaSetDevice(1));
  EXPECT_OK(cudaGetSymbolAddress((void**)&variable, number));
  EXPECT_OK(cudaSetDevice(0));
  EXPECT_OK(cudaDeviceEnablePeerAccess(1, 0));
  put<<<1, 1>>>(variable, 9);
  EXPECT_CODE(cudaErrorIllegalAddress, cudaDeviceSynchronize());
}

int main(int words, char**) {
  int count = 0, *there;
  EXPECT_OK(cudaGetDeviceCount(&count));
  if (count < 2) return 0;
  EXPECT_OK(cudaSetDevice(1));
  EXPECT_OK(cudaMalloc(&there, 4));
  EXPECT_OK(cudaSetDevice(0));
  copies_need_no_access(there);
  managed_memory_is_everyones();
  pools_have_their_own_rule();
  enabled_access(there);
  if (words > 1)  // the last thing, too
    a_variable_is_its_devices_own();
  else
    an_access_that_is_not_enabled(there);
  return failures != 0;
}
