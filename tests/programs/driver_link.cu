// Code linked at run time through the driver API.
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "tests/programs/driver.cuh"

namespace {

const char* const caller = R"(
.version 8.0
.target sm_80
.address_size 64
.extern .func (.param .b32 out) twice(.param .b32 x);
.visible .entry apply(.param .u64 p)
{
  .reg .b32 %r<3>;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [p];
  cvta.to.global.u64 %rd2, %rd1;
  ld.global.u32 %r1, [%rd2];
  {
    .param .b32 a;
    .param .b32 b;
    st.param.b32 [a], %r1;
    call.uni (b), twice, (a);
    ld.param.b32 %r2, [b];
  }
  st.global.u32 [%rd2], %r2;
  ret;
}
)";
const char* const callee = R"(
.version 8.0
.target sm_80
.address_size 64
.visible .func (.param .b32 out) twice(.param .b32 x)
{
  .reg .b32 %r<3>;
  ld.param.u32 %r1, [x];
  add.u32 %r2, %r1, %r1;
  st.param.b32 [out], %r2;
  ret;
}
)";

struct Logs {
  char information[512] = "-", errors[512] = "-";
  CUjit_option names[4] = {CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES,
                           CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[4] = {information, reinterpret_cast<void*>(sizeof information), errors,
                     reinterpret_cast<void*>(sizeof errors)};
  size_t error_bytes() const { return reinterpret_cast<size_t>(values[3]); }
};

CUresult add(CUlinkState state, const char* ptx, const char* name) {
  return cuLinkAddData(state, CU_JIT_INPUT_PTX, const_cast<char*>(ptx), std::strlen(ptx) + 1, name,
                       0, nullptr, nullptr);
}

void links() {
  Logs logs;
  CUlinkState state = nullptr;
  void* image = nullptr;
  size_t size = 0;
  EXPECT_CODE(CUDA_ERROR_INVALID_VALUE, cuLinkCreate(0, nullptr, nullptr, nullptr));
  EXPECT_OK(cuLinkCreate(4, logs.names, logs.values, &state));
  EXPECT_OK(add(state, caller, "caller"));
  EXPECT_OK(add(state, callee, "callee"));
  EXPECT_OK(cuLinkComplete(state, &image, &size));
  EXPECT(image && size);
  EXPECT(logs.error_bytes() == 0);
  CUmodule module = nullptr;
  CUfunction apply = nullptr;
  EXPECT_OK(cuModuleLoadData(&module, image));
  EXPECT_OK(cuLinkDestroy(state));  // the module has a copy
  EXPECT_OK(cuModuleGetFunction(&apply, module, "apply"));
  CUdeviceptr at = 0;
  unsigned value = 21;
  EXPECT_OK(cuMemAlloc(&at, sizeof value));
  EXPECT_OK(cuMemcpyHtoD(at, &value, sizeof value));
  void* parameters[] = {&at};
  EXPECT_OK(launch(apply, 1, parameters, nullptr));
  EXPECT_OK(cuMemcpyDtoH(&value, at, sizeof value));
  EXPECT(value == 42);
  EXPECT_OK(cuMemFree(at));
  EXPECT_OK(cuModuleUnload(module));
}

void refuses() {
  Logs logs;
  CUlinkState state = nullptr;
  void* image = nullptr;
  EXPECT_OK(cuLinkCreate(4, logs.names, logs.values, &state));
  EXPECT_CODE(CUDA_ERROR_FILE_NOT_FOUND,
              cuLinkAddFile(state, CU_JIT_INPUT_PTX, "/no/such.ptx", 0, nullptr, nullptr));
  EXPECT_CODE(CUDA_ERROR_INVALID_PTX, add(state, ".version 8.0\n.target sm_80\nnonsense", "bad"));
  EXPECT(std::strlen(logs.errors) > 1);
  EXPECT_OK(cuLinkDestroy(state));

  Logs missing;
  EXPECT_OK(cuLinkCreate(4, missing.names, missing.values, &state));
  EXPECT_OK(add(state, caller, "caller"));
  EXPECT(cuLinkComplete(state, &image, nullptr) != CUDA_SUCCESS);
  EXPECT(std::strstr(missing.errors, "twice"));
  EXPECT_OK(cuLinkDestroy(state));
}

// A part with a variable, a constant and a function for itself, under names that the other part has, too.
std::string part(const std::string& kernel, const std::string& number) {
  std::string text = R"(
.version 8.0
.target sm_80
.address_size 64
.global .align 4 .u32 hidden[2] = {1, #0};
.const .align 4 .u32 table = #00;
.func (.param .b32 out) own(.param .b32 x)
{
  .reg .b32 %r;
  ld.param.u32 %r, [x];
  add.u32 %r, %r, #000;
  st.param.b32 [out], %r;
  ret;
}
.visible .entry KERNEL(.param .u64 p)
{
  .reg .b32 %r<3>;
  .reg .b64 %rd;
  ld.param.u64 %rd, [p];
  ld.global.u32 %r1, [hidden+4];
  ld.const.u32 %r2, [table];
  add.u32 %r1, %r1, %r2;
  {
    .param .b32 a;
    .param .b32 b;
    st.param.b32 [a], %r1;
    call.uni (b), own, (a);
    ld.param.b32 %r1, [b];
  }
  st.global.u32 [%rd], %r1;
  st.global.u32 [hidden+4], %r1;
  ret;
}
)";
  for (size_t at; (at = text.find('#')) != text.npos;) text.replace(at, 1, number);
  return text.replace(text.find("KERNEL"), 6, kernel);
}

void links_names_of_one_spelling() {
  CUlinkState state = nullptr;
  void* image = nullptr;
  size_t size = 0;
  EXPECT_OK(cuLinkCreate(0, nullptr, nullptr, &state));
  EXPECT_OK(add(state, part("first", "1").c_str(), "first"));
  EXPECT_OK(add(state, part("second", "2").c_str(), "second"));
  EXPECT_OK(cuLinkComplete(state, &image, &size));
  CUmodule module = nullptr;
  EXPECT_OK(cuModuleLoadData(&module, image));
  EXPECT_OK(cuLinkDestroy(state));
  CUdeviceptr at = 0;
  EXPECT_OK(cuMemAlloc(&at, 4));
  void* parameters[] = {&at};
  const std::pair<const char*, unsigned> runs[] = {
      {"first", 1110}, {"second", 2220}, {"first", 2210}, {"second", 4420}};
  for (const auto& [name, expected] : runs) {
    CUfunction kernel = nullptr;
    unsigned value = 0;
    EXPECT_OK(cuModuleGetFunction(&kernel, module, name));
    EXPECT_OK(launch(kernel, 1, parameters, nullptr));
    EXPECT_OK(cuMemcpyDtoH(&value, at, sizeof value));
    EXPECT(value == expected);
  }
  EXPECT_OK(cuMemFree(at));
  EXPECT_OK(cuModuleUnload(module));
}

// Of a compiler that is yet to come.
void too_new() {
  CUmodule module = nullptr;
  EXPECT_CODE(CUDA_ERROR_UNSUPPORTED_PTX_VERSION,
              cuModuleLoadData(&module, ".version 99.0\n.target sm_80\n.address_size 64\n"));
}

// How long what was said of a module is.
void tells_lengths() {
  Logs good, bad;
  CUmodule module = nullptr;
  EXPECT_OK(cuModuleLoadDataEx(&module, callee, 4, good.names, good.values));
  EXPECT(good.error_bytes() == 0);
  EXPECT_OK(cuModuleUnload(module));
  EXPECT_CODE(CUDA_ERROR_INVALID_PTX,
              cuModuleLoadDataEx(&module, ".version 8.0\n.target sm_80\nnonsense", 4, bad.names,
                                 bad.values));
  EXPECT(bad.error_bytes() > 0 && bad.error_bytes() < sizeof bad.errors);
}

}  // namespace

int main() {
  std::setvbuf(stdout, nullptr, _IONBF, 0);
  CUcontext primary = nullptr;
  EXPECT_OK(cuInit(0));
  EXPECT_OK(cuDevicePrimaryCtxRetain(&primary, 0));
  EXPECT_OK(cuCtxSetCurrent(primary));
  links();
  links_names_of_one_spelling();
  refuses();
  tells_lengths();
  too_new();
  return failures != 0;
}
