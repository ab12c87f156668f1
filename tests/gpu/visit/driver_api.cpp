// The driver API alone: PTX loaded as a module, launched, and its context destroyed.
#include <cuda.h>

#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                      \
  do {                                                   \
    if (const CUresult error = (call)) {                 \
      fprintf(stderr, "line %d: %d\n", __LINE__, error); \
      exit(1);                                           \
    }                                                    \
  } while (0)

constexpr const char* ptx = R"(
.version 7.8
.target sm_70
.address_size 64
.visible .entry by_the_driver(.param .u64 where)
{
  .reg .b32 %r<3>;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [where];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd1, %rd1, %rd2;
  st.global.u32 [%rd1], %r1;
  ret;
}
)";

int main() {
  CHECK(cuInit(0));
  CUdevice device;
  CUcontext context;
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuDevicePrimaryCtxRetain(&context, device));
  CHECK(cuCtxSetCurrent(context));
  CUmodule module;
  CUfunction kernel;
  CHECK(cuModuleLoadData(&module, ptx));
  CHECK(cuModuleGetFunction(&kernel, module, "by_the_driver"));
  CUdeviceptr data;
  CHECK(cuMemAlloc(&data, 1024));
  void* arguments[] = {&data};
  for (int i = 0; i < 10; ++i)
    CHECK(cuLaunchKernel(kernel, 1, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  CHECK(cuCtxSynchronize());
  unsigned values[256];
  CHECK(cuMemcpyDtoH(values, data, sizeof values));
  CHECK(cuModuleUnload(module));
  CHECK(cuDevicePrimaryCtxRelease(device));
  puts(values[255] == 255 ? "right" : "wrong");
  return values[255] == 255 ? 0 : 1;
}
