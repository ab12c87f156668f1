// What programs of the driver API check with (driver*.cu): they are linked with libcuda.so.1, make no call of the runtime, and say
// what a GPU's driver does not answer.
#pragma once
#include <cuda.h>

#include <cstdio>

namespace {

int failures = 0;

const char* name_of(CUresult code) {
  const char* name = nullptr;
  return cuGetErrorName(code, &name) == CUDA_SUCCESS ? name : "?";
}

#define EXPECT(condition)                                                 \
  do {                                                                    \
    if (!(condition)) {                                                   \
      std::printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
      ++failures;                                                         \
    }                                                                     \
  } while (0)
#define EXPECT_CODE(code, ...)                                                                   \
  do {                                                                                           \
    if (CUresult got = (__VA_ARGS__); got != (code)) {                                           \
      std::printf("%s:%d: %s gave %s, not %s\n", __FILE__, __LINE__, #__VA_ARGS__, name_of(got), \
                  name_of(code));                                                                \
      ++failures;                                                                                \
    }                                                                                            \
  } while (0)
#define EXPECT_OK(...) EXPECT_CODE(CUDA_SUCCESS, __VA_ARGS__)

// p[i] += factor for i < n, with a variable of the module.
const char* const text = R"(
.version 8.0
.target sm_80
.address_size 64
.visible .global .align 4 .u32 factor = 5;
.visible .entry grow(.param .u64 p, .param .u32 n)
{
  .reg .pred %q;
  .reg .b32 %r<6>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [p];
  ld.param.u32 %r2, [n];
  mov.u32 %r1, %tid.x;
  setp.ge.u32 %q, %r1, %r2;
  @%q bra end;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd1, %rd1, %rd2;
  ld.global.u32 %r3, [%rd1];
  ld.global.u32 %r4, [factor];
  add.u32 %r3, %r3, %r4;
  st.global.u32 [%rd1], %r3;
end:
  ret;
}
)";

struct Module {
  CUmodule module = nullptr;
  CUfunction grow = nullptr;
  Module() {
    EXPECT_OK(cuModuleLoadData(&module, text));
    EXPECT_OK(cuModuleGetFunction(&grow, module, "grow"));
  }
  ~Module() { EXPECT_OK(cuModuleUnload(module)); }
};

CUresult launch(CUfunction function, unsigned threads, void** parameters, void** extra,
                CUstream stream = nullptr) {
  return cuLaunchKernel(function, 1, 1, 1, threads, 1, 1, 0, stream, parameters, extra);
}

}  // namespace
