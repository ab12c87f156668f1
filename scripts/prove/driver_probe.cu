// What a GPU's driver answers where no document says it: a code for each question. For src/driver and docs/driver.md.
//
//   nvcc -arch=sm_90 scripts/prove/driver_probe.cu -lcuda -o probe && ./probe
#include <cuda.h>

#include <cstdint>
#include <cstdio>
#include <cstring>

static const char* const text = R"(
.version 8.0
.target sm_80
.address_size 64
.visible .entry widen(.param .u64 p, .param .u32 bits)
{
  .reg .f32 %f<4>;
  .reg .f64 %d<3>;
  .reg .b64 %rd<2>;
  .reg .b32 %r<2>;
  ld.param.u64 %rd1, [p];
  ld.param.u32 %r1, [bits];
  mov.b32 %f1, %r1;
  neg.f32 %f2, %f1;
  cvt.f64.f32 %d1, %f2;
  st.global.f64 [%rd1], %d1;
  abs.f32 %f3, %f1;
  cvt.f64.f32 %d2, %f3;
  st.global.f64 [%rd1+8], %d2;
  ret;
}
)";

#define ASK(...) std::printf("%-72s %d\n", #__VA_ARGS__, int(__VA_ARGS__))

int main() {
  CUcontext first, second;
  CUstream stream;
  CUevent event, other;
  CUmodule module, own;
  CUfunction function, mine;
  CUdeviceptr memory;
  uint64_t back[2] = {};
  cuInit(0);
  cuCtxCreate(&second, nullptr, 0, 0);
  cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING);
  cuEventCreate(&event, 0);
  cuModuleLoadData(&module, text);
  cuModuleGetFunction(&function, module, "widen");
  cuCtxCreate(&first, nullptr, 0, 0);  // current; stream, event and function are the second one's
  cuEventCreate(&other, 0);
  cuModuleLoadData(&own, text);
  cuModuleGetFunction(&mine, own, "widen");
  cuMemAlloc(&memory, 16);
  unsigned bits = 0x7fc12345;
  void* parameters[] = {&memory, &bits};
  ASK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr));
  ASK(cuLaunchKernel(mine, 1, 1, 1, 1, 1, 1, 0, stream, parameters, nullptr));
  ASK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, parameters, nullptr));
  ASK(cuStreamSynchronize(stream));
  ASK(cuStreamQuery(stream));
  ASK(cuEventRecord(event, nullptr));
  ASK(cuEventRecord(other, stream));
  ASK(cuEventRecord(event, stream));
  ASK(cuStreamWaitEvent(nullptr, event, 0));
  ASK(cuStreamWaitEvent(stream, other, 0));
  ASK(cuEventQuery(event));
  ASK(cuEventSynchronize(event));
  ASK(cuMemsetD8Async(memory, 0, 16, stream));
  ASK(cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1024));
  ASK(cuModuleGetFunction(&function, module, "widen"));
  ASK(cuCtxDestroy(second));
  ASK(cuStreamSynchronize(stream));
  ASK(cuEventQuery(event));
  ASK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr));

  // The sign of a NaN behind one that is changed on the way into a wider type.
  for (unsigned sign : {0u, 0x80000000u}) {
    bits = 0x7fc12345 | sign;
    cuLaunchKernel(mine, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr);
    cuMemcpyDtoH(back, memory, sizeof back);
    std::printf("%08x  -: %016llx  |.|: %016llx\n", bits, (unsigned long long)back[0],
                (unsigned long long)back[1]);
  }

  // How long a log is said to be, and what an undefined function gives.
  char errors[256] = "";
  CUjit_option names[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {errors, (void*)sizeof errors};
  ASK(cuModuleLoadDataEx(&module, ".version 8.0\n.target sm_80\nnonsense", 2, names, values));
  std::printf("length said %zu, is %zu\n", (size_t)values[1], std::strlen(errors));
  const char* calls =
      ".version 8.0\n.target sm_80\n.address_size 64\n.extern .func missing();\n"
      ".visible .entry k()\n{\n  call.uni missing;\n  ret;\n}\n";
  CUlinkState state;
  void* code;
  size_t size;
  values[1] = (void*)sizeof errors;
  ASK(cuLinkCreate(2, names, values, &state));
  ASK(cuLinkAddData(state, CU_JIT_INPUT_PTX, (void*)calls, std::strlen(calls) + 1, "a", 0, nullptr,
                    nullptr));
  ASK(cuLinkComplete(state, &code, &size));
  std::printf("length said %zu, is %zu: %s\n", (size_t)values[1], std::strlen(errors), errors);
  return 0;
}
