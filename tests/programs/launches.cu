// Launches by other ways: attributes, libraries loaded at run time, kernels by handle, attributes
// of kernels and streams.
#include <cstring>
#include <string>

#include "tests/programs/expect.cuh"

__global__ void fill(int* out, int value, short unused, double scale) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = int(value * scale) + unused;
}

static void extended_launches() {
  int *out, back[64] = {};
  EXPECT_OK(cudaMalloc(&out, sizeof back));
  cudaStream_t stream;
  EXPECT_OK(cudaStreamCreate(&stream));
  cudaLaunchAttribute attributes[4] = {};
  attributes[0].id = cudaLaunchAttributePriority, attributes[0].val.priority = -1;
  attributes[1].id = cudaLaunchAttributeCooperative, attributes[1].val.cooperative = 1;
  attributes[2].id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attributes[2].val.programmaticStreamSerializationAllowed = 0;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(2), config.blockDim = dim3(32), config.stream = stream;
  config.attrs = attributes, config.numAttrs = 3;
  EXPECT_OK(cudaLaunchKernelEx(&config, fill, out, 21, short(1), 2.0));
  EXPECT_OK(cudaMemcpyAsync(back, out, sizeof back, cudaMemcpyDeviceToHost, stream));
  EXPECT_OK(cudaStreamSynchronize(stream));
  EXPECT(back[0] == 43 && back[63] == 43);
  config.gridDim = dim3(1 << 20);
  EXPECT_CODE(cudaErrorCooperativeLaunchTooLarge,
              cudaLaunchKernelEx(&config, fill, out, 1, short(0), 1.0));
  config.gridDim = dim3(2), config.numAttrs = 4;
  attributes[3].id = cudaLaunchAttributeID(999);
  EXPECT_CODE(cudaErrorInvalidValue, cudaLaunchKernelEx(&config, fill, out, 1, short(0), 1.0));
  cudaEvent_t event;
  EXPECT_OK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  attributes[1].id = cudaLaunchAttributeIgnore;
  attributes[3].id = cudaLaunchAttributeLaunchCompletionEvent;
  attributes[3].val.launchCompletionEvent.event = event;
  EXPECT_OK(cudaLaunchKernelEx(&config, fill, out, 1, short(0), 1.0));
  EXPECT_OK(cudaEventSynchronize(event));
  EXPECT_OK(cudaEventDestroy(event));

  size_t offset = 0, size = 0;
  EXPECT_OK(cudaFuncGetParamInfo((void*)fill, 2, &offset, &size));
  EXPECT(offset == 12 && size == 2);
  EXPECT_OK(cudaFuncGetParamInfo((void*)fill, 3, &offset, nullptr));
  EXPECT(offset == 16);
  EXPECT_CODE(cudaErrorInvalidValue, cudaFuncGetParamInfo((void*)fill, 4, &offset, &size));
  const char* name = "";
  EXPECT_OK(cudaFuncGetName(&name, (void*)fill));
  EXPECT(!std::strcmp(name, "_Z4fillPiisd"));
  cudaFunction_t handle;
  EXPECT_OK(cudaGetFuncBySymbol(&handle, (void*)fill));
  int value = 5;
  short add = 2;
  double by = 3;
  void* arguments[] = {&out, &value, &add, &by};
  EXPECT_OK(cudaLaunchKernel((void*)handle, dim3(1), dim3(64), arguments, 0, stream));
  EXPECT_OK(cudaMemcpyAsync(back, out, sizeof back, cudaMemcpyDeviceToHost, stream));
  EXPECT_OK(cudaStreamSynchronize(stream));
  EXPECT(back[63] == 17);
  EXPECT_OK(cudaStreamDestroy(stream));
  EXPECT_OK(cudaFree(out));
}

static const char* text = R"(
.version 8.0
.target sm_75
.address_size 64
.visible .global .align 4 .u32 counter = 5;
.visible .entry add_to(.param .u64 out, .param .u32 what) {
  .reg .u64 %rd<3>; .reg .u32 %r<4>;
  ld.param.u64 %rd1, [out];
  ld.param.u32 %r1, [what];
  ld.global.u32 %r2, [counter];
  add.u32 %r3, %r1, %r2;
  st.global.u32 [%rd1], %r3;
  ret;
}
.visible .entry nothing() { ret; }
)";

static void libraries() {
  cudaLibrary_t library;
  cudaKernel_t kernel, all[2] = {};
  unsigned count = 0;
  EXPECT_OK(cudaLibraryLoadData(&library, text, nullptr, nullptr, 0, nullptr, nullptr, 0));
  EXPECT_OK(cudaLibraryGetKernelCount(&count, library));
  EXPECT(count == 2);
  EXPECT_OK(cudaLibraryEnumerateKernels(all, 2, library));
  EXPECT_OK(cudaLibraryGetKernel(&kernel, library, "add_to"));
  EXPECT(kernel == all[0] || kernel == all[1]);
  EXPECT_CODE(cudaErrorSymbolNotFound, cudaLibraryGetKernel(&kernel, library, "absent"));
  EXPECT_OK(cudaLibraryGetKernel(&kernel, library, "add_to"));
  int *out, back = 0;
  EXPECT_OK(cudaMalloc(&out, 4));
  unsigned what = 37;
  void* arguments[] = {&out, &what};
  EXPECT_OK(cudaLaunchKernel((const void*)kernel, dim3(1), dim3(1), arguments, 0, nullptr));
  EXPECT_OK(cudaMemcpy(&back, out, 4, cudaMemcpyDeviceToHost));
  EXPECT(back == 42);
  void* counter;
  size_t bytes = 0;
  EXPECT_OK(cudaLibraryGetGlobal(&counter, &bytes, library, "counter"));
  EXPECT(bytes == 4);
  int three = 3;
  EXPECT_OK(cudaMemcpy(counter, &three, 4, cudaMemcpyHostToDevice));
  EXPECT_OK(cudaLaunchKernel((const void*)kernel, dim3(1), dim3(1), arguments, 0, nullptr));
  EXPECT_OK(cudaMemcpy(&back, out, 4, cudaMemcpyDeviceToHost));
  EXPECT(back == 40);
  EXPECT_CODE(cudaErrorSymbolNotFound, cudaLibraryGetGlobal(&counter, &bytes, library, "absent"));
  EXPECT_OK(cudaLibraryUnload(library));
  // At once, or where loading is lazy, when it is used.
  cudaError_t broken =
      cudaLibraryLoadData(&library, ".version 8.0\n.target sm_75\n.visible .entry broken( {",
                          nullptr, nullptr, 0, nullptr, nullptr, 0);
  if (!broken) broken = cudaLibraryGetKernel(&kernel, library, "broken");
  EXPECT(broken == cudaErrorInvalidPtx);
  cudaGetLastError();
  EXPECT_CODE(cudaErrorFileNotFound, cudaLibraryLoadFromFile(&library, "/absent.ptx", nullptr,
                                                             nullptr, 0, nullptr, nullptr, 0));
  EXPECT_OK(cudaFree(out));
}

static void priorities() {
  int least = 9, greatest = 9, got = 9;
  EXPECT_OK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  EXPECT(least == 0 && greatest == -5);
  for (int asked : {0, -2, -5, -100, 100}) {  // beyond the range is its end
    cudaStream_t stream;
    EXPECT_OK(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, asked));
    EXPECT_OK(cudaStreamGetPriority(stream, &got));
    EXPECT(got == (asked > least ? least : asked < greatest ? greatest : asked));
    cudaLaunchAttributeValue value = {};
    value.priority = -30;
    EXPECT_OK(cudaStreamSetAttribute(stream, cudaLaunchAttributePriority, &value));
    EXPECT_OK(cudaStreamGetPriority(stream, &got));
    EXPECT(got == greatest);
    EXPECT_OK(cudaStreamDestroy(stream));
  }
  cudaStream_t none;
  EXPECT_CODE(cudaErrorInvalidValue, cudaStreamCreateWithPriority(&none, 7, 0));
  EXPECT_OK(cudaStreamGetPriority(nullptr, &got));
  EXPECT(got == 0);
}

static void streams() {
  cudaStream_t first, second;
  unsigned long long one = 0, two = 0, legacy = 0;
  EXPECT_OK(cudaStreamCreateWithPriority(&first, cudaStreamDefault, -2));
  EXPECT_OK(cudaStreamCreate(&second));
  EXPECT_OK(cudaStreamGetId(first, &one));
  EXPECT_OK(cudaStreamGetId(second, &two));
  EXPECT_OK(cudaStreamGetId(cudaStreamLegacy, &legacy));
  EXPECT(one != two && one != legacy && two != legacy);
  int device = -1;
  EXPECT_OK(cudaStreamGetDevice(first, &device));
  EXPECT(device == 0);
  cudaLaunchAttributeValue value = {};
  EXPECT_OK(cudaStreamGetAttribute(first, cudaLaunchAttributePriority, &value));
  EXPECT(value.priority == -2);
  value = {};
  value.syncPolicy = cudaSynchronizationPolicy(77);
  EXPECT_CODE(cudaErrorInvalidValue,
              cudaStreamSetAttribute(first, cudaLaunchAttributeSynchronizationPolicy, &value));
  value.syncPolicy = cudaSyncPolicyYield;
  EXPECT_OK(cudaStreamSetAttribute(first, cudaLaunchAttributeSynchronizationPolicy, &value));
  EXPECT_OK(cudaStreamCopyAttributes(second, first));
  value = {};
  EXPECT_OK(cudaStreamGetAttribute(second, cudaLaunchAttributeSynchronizationPolicy, &value));
  EXPECT(value.syncPolicy == cudaSyncPolicyYield);
  int priority = 9;
  EXPECT_OK(cudaStreamGetPriority(second, &priority));
  EXPECT(priority == -2);  // copied with the rest
  EXPECT_CODE(cudaErrorInvalidValue,
              cudaStreamGetAttribute(first, cudaLaunchAttributeClusterDimension, &value));
  EXPECT_OK(cudaStreamDestroy(first));
  EXPECT_OK(cudaStreamDestroy(second));
}

int main() {
  extended_launches();
  libraries();
  priorities();
  streams();
  return failures != 0;
}
