// What a GPU's driver answers where no document says it: a code for each question, each in a process of its own, as some of
// them end it. For src/driver, tests/programs/driver_contexts.cu and docs/driver.md.
//
//   nvcc -arch=sm_90 -cudart shared scripts/prove/driver_probe.cu -lcuda -o probe && ./probe [QUESTION …]
//   ./probe --undefined [CUBIN …]     only how an image is loaded that calls a function which nobody defines
//
// A CUBIN of that kind: `ptxas -c -arch=sm_90` of the text that the probe has, which it prints after --undefined alone.
//
//   cuLaunchKernel(function, own stream)                     400 CUDA_ERROR_INVALID_HANDLE
//   cuStreamSynchronize(stream) of a destroyed context       ended by signal 11
#include <cuda.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

static const char* const text = R"(
.version 8.0
.target sm_80
.address_size 64
.visible .global .align 4 .u32 number = 7;
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

// Things of two contexts of one device: `there` is the other one's, `here` is current.
struct Things {
  CUcontext context;
  CUstream stream;
  CUevent event, later;
  CUmodule module;
  CUfunction function;
  CUlibrary library;
  CUkernel kernel;
  CUdeviceptr memory;
  CUarray array;
};
static Things here, there;

static void must(CUresult code, const char* call) {
  if (!code) return;
  std::printf("no question: %s gave %d\n", call, int(code));
  std::exit(2);
}
#define MUST(...) must(__VA_ARGS__, #__VA_ARGS__)

static void make(Things& things) {
  MUST(cuCtxCreate(&things.context, nullptr, 0, 0));
  MUST(cuStreamCreate(&things.stream, CU_STREAM_NON_BLOCKING));
  MUST(cuEventCreate(&things.event, 0));
  MUST(cuEventCreate(&things.later, 0));
  MUST(cuEventRecord(things.event, things.stream));
  MUST(cuEventRecord(things.later, things.stream));
  MUST(cuModuleLoadData(&things.module, text));
  MUST(cuModuleGetFunction(&things.function, things.module, "widen"));
  MUST(cuLibraryLoadData(&things.library, text, nullptr, nullptr, 0, nullptr, nullptr, 0));
  MUST(cuLibraryGetKernel(&things.kernel, things.library, "widen"));
  MUST(cuMemAlloc(&things.memory, 16));
  const CUDA_ARRAY_DESCRIPTOR descriptor = {4, 4, CU_AD_FORMAT_UNSIGNED_INT8, 1};
  MUST(cuArrayCreate(&things.array, &descriptor));
  MUST(cuCtxSynchronize());
}

static CUresult launch(CUfunction function, CUstream stream) {
  unsigned bits = 0x7fc12345;
  void* parameters[] = {&here.memory, &bits};
  const CUresult code = cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, parameters, nullptr);
  return code ? code : cuCtxSynchronize();
}
static CUresult launch(CUkernel kernel, CUstream stream) {
  return launch(reinterpret_cast<CUfunction>(kernel), stream);
}
static void no_context() {
  CUcontext popped;
  while (cuCtxGetCurrent(&popped) == CUDA_SUCCESS && popped) cuCtxPopCurrent(&popped);
}
static CUresult nothing() { return CUDA_SUCCESS; }
static void CUDA_CB call_back(void*) {}

static CUfunction function;
static CUdeviceptr address;
static CUgraph graph;
static CUstreamCaptureStatus status;
static CUcontext owner;
static float milliseconds;
static size_t bytes;
static int number;
static unsigned flags;
static char host[16];

struct Question {
  const char* text;
  CUresult (*ask)();
  bool destroyed = false;  // whether the other context is destroyed before
};
#define Q(...)                               \
  {                                          \
#__VA_ARGS__, [] { return __VA_ARGS__; } \
  }
#define GONE(...)                                  \
  {                                                \
#__VA_ARGS__, [] { return __VA_ARGS__; }, true \
  }

static const Question questions[] = {
    Q(launch(here.function, here.stream)),
    Q(launch(there.function, nullptr)),
    Q(launch(here.function, there.stream)),
    Q(launch(there.function, here.stream)),
    Q(launch(there.function, there.stream)),
    Q(launch(here.kernel, there.stream)),
    Q(launch(there.kernel, nullptr)),
    Q(launch(there.kernel, there.stream)),
    Q(cuStreamSynchronize(there.stream)),
    Q(cuStreamQuery(there.stream)),
    Q(cuStreamGetFlags(there.stream, &flags)),
    Q((cuStreamGetCtx(there.stream, &owner),
       owner == there.context ? CUDA_SUCCESS : CUDA_ERROR_UNKNOWN)),
    Q(cuStreamIsCapturing(there.stream, &status)),
    Q(cuStreamBeginCapture(there.stream, CU_STREAM_CAPTURE_MODE_GLOBAL)),
    Q(cuStreamDestroy(there.stream)),
    Q(cuLaunchHostFunc(there.stream, call_back, nullptr)),
    Q(cuEventRecord(there.event, nullptr)),
    Q(cuEventRecord(here.event, there.stream)),
    Q(cuEventRecord(there.event, here.stream)),
    Q(cuEventRecord(there.event, there.stream)),
    Q(cuStreamWaitEvent(nullptr, there.event, 0)),
    Q(cuStreamWaitEvent(here.stream, there.event, 0)),
    Q(cuStreamWaitEvent(there.stream, here.event, 0)),
    Q(cuStreamWaitEvent(there.stream, there.event, 0)),
    Q(cuEventQuery(there.event)),
    Q(cuEventSynchronize(there.event)),
    Q(cuEventElapsedTime(&milliseconds, there.event, there.later)),
    Q(cuEventElapsedTime(&milliseconds, here.event, there.later)),
    Q(cuEventDestroy(there.event)),
    Q(cuMemsetD8(there.memory, 0, 16)),
    Q(cuMemsetD8Async(here.memory, 0, 16, there.stream)),
    Q(cuMemsetD8Async(there.memory, 0, 16, there.stream)),
    Q(cuMemcpyDtoH(host, there.memory, 16)),
    Q(cuMemcpyHtoDAsync(here.memory, host, 16, there.stream)),
    Q(cuMemcpyDtoDAsync(here.memory, there.memory, 16, there.stream)),
    Q(cuMemFree(there.memory)),
    Q(cuMemFreeAsync(there.memory, there.stream)),
    Q(cuMemAllocAsync(&address, 16, there.stream)),
    Q(cuMemGetAddressRange(&address, &bytes, there.memory)),
    Q(cuFuncGetAttribute(&number, CU_FUNC_ATTRIBUTE_NUM_REGS, there.function)),
    Q(cuFuncSetAttribute(there.function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1024)),
    Q(cuOccupancyMaxActiveBlocksPerMultiprocessor(&number, there.function, 32, 0)),
    Q(cuModuleGetFunction(&function, there.module, "widen")),
    Q(cuModuleGetGlobal(&address, &bytes, there.module, "number")),
    Q(cuModuleUnload(there.module)),
    Q(cuKernelGetFunction(&function, there.kernel)),
    Q(cuArrayDestroy(there.array)),
    // No context at all.
    Q((no_context(), launch(here.function, nullptr))),
    Q((no_context(), launch(here.function, here.stream))),
    Q((no_context(), launch(here.kernel, here.stream))),
    Q((no_context(), cuStreamSynchronize(here.stream))),
    Q((no_context(), cuStreamQuery(here.stream))),
    Q((no_context(), cuEventQuery(here.event))),
    Q((no_context(), cuEventSynchronize(here.event))),
    Q((no_context(), cuEventRecord(here.event, here.stream))),
    Q((no_context(), cuStreamWaitEvent(here.stream, here.event, 0))),
    Q((no_context(), cuStreamDestroy(here.stream))),
    Q((no_context(), cuEventDestroy(here.event))),
    Q((no_context(), cuMemsetD8Async(here.memory, 0, 16, here.stream))),
    Q((no_context(), cuMemcpyHtoDAsync(here.memory, host, 16, here.stream))),
    Q((no_context(), cuMemFree(here.memory))),
    Q((no_context(), cuModuleGetFunction(&function, here.module, "widen"))),
    Q((no_context(), cuModuleUnload(here.module))),
    Q((cuCtxSetCurrent(nullptr),
       cuLibraryLoadData(&there.library, text, nullptr, nullptr, 0, nullptr, nullptr, 0))),
    Q((no_context(), cuLibraryGetKernel(&there.kernel, here.library, "widen"))),
    Q((cuCtxSetCurrent(nullptr),
       cuFuncGetAttribute(&number, CU_FUNC_ATTRIBUTE_NUM_REGS, here.function))),
    Q((no_context(), cuKernelGetParamInfo(here.kernel, 0, &bytes, nullptr))),
    Q((no_context(), cuKernelGetAttribute(&number, CU_FUNC_ATTRIBUTE_NUM_REGS, here.kernel, 0))),
    Q((no_context(), cuGraphCreate(&graph, 0))),
    // Things of a context that is destroyed. Each may end the process.
    GONE(nothing()),
    GONE(cuCtxSynchronize()),
    GONE(cuStreamSynchronize(there.stream)),
    GONE(cuStreamQuery(there.stream)),
    GONE(cuStreamDestroy(there.stream)),
    GONE(cuEventQuery(there.event)),
    GONE(cuEventDestroy(there.event)),
    GONE(cuStreamWaitEvent(nullptr, there.event, 0)),
    GONE(launch(there.function, nullptr)),
    GONE(launch(here.function, there.stream)),
    GONE(launch(there.kernel, nullptr)),
    GONE(cuModuleGetFunction(&function, there.module, "widen")),
    GONE(cuModuleUnload(there.module)),
    GONE(cuMemFree(there.memory)),
    GONE(cuMemsetD8(there.memory, 0, 16)),
    GONE(cuMemcpyDtoH(host, there.memory, 16)),
    GONE(cuMemGetAddressRange(&address, &bytes, there.memory)),
    GONE(cuArrayDestroy(there.array)),
    GONE(cuCtxDestroy(there.context)),
    GONE(cuCtxSetCurrent(there.context)),
    GONE(cuCtxPushCurrent(there.context)),
    GONE((cuCtxPushCurrent(there.context), cuMemAlloc(&address, 16))),
};

static const char* name_of(CUresult code) {
  const char* name = nullptr;
  return cuGetErrorName(code, &name) ? "?" : name;
}

static int in_child(const Question& question) {
  MUST(cuInit(0));
  make(there);
  make(here);
  if (question.destroyed) MUST(cuCtxDestroy(there.context));
  const CUresult code = question.ask();
  std::printf("%3d %s\n", int(code), name_of(code));
  std::fflush(stdout);
  _exit(0);  // what the driver does at the end of a process is not asked
}

static const char* const calls =
    ".version 8.0\n.target sm_80\n.address_size 64\n.extern .func missing();\n"
    ".visible .entry sound()\n{\n  ret;\n}\n"
    ".visible .entry k()\n{\n  call.uni missing;\n  ret;\n}\n";

// What each way to load an image says whose kernel `k` calls a function that nobody defines, `sound` none.
static int undefined(const char* name, const char* image) {
  MUST(cuInit(0));
  make(here);
  char errors[512] = "";
  CUjit_option names[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {errors, (void*)sizeof errors};
  CUmodule module;
  CUlibrary library;
  CUkernel kernel;
  std::printf("%s\n", name);
  CUresult code = cuModuleLoadDataEx(&module, image, 2, names, values);
  std::printf("  cuModuleLoadDataEx: %d %s, length said %zu, is %zu: %s\n", int(code),
              name_of(code), (size_t)values[1], std::strlen(errors), errors);
  code = cuModuleLoadData(&module, image);
  std::printf("  cuModuleLoadData: %d %s\n", int(code), name_of(code));
  for (const char* each : {"sound", "k"}) {
    if (code) break;
    const CUresult got = cuModuleGetFunction(&function, module, each);
    std::printf("  cuModuleGetFunction(%s): %d\n", each, int(got));
    if (!got) std::printf("  its launch: %d\n", int(launch(function, nullptr)));
  }
  code = cuLibraryLoadData(&library, image, nullptr, nullptr, 0, nullptr, nullptr, 0);
  std::printf("  cuLibraryLoadData: %d %s\n", int(code), name_of(code));
  for (const char* each : {"sound", "k"}) {
    if (code) break;
    CUresult got = cuLibraryGetKernel(&kernel, library, each);
    std::printf("  cuLibraryGetKernel(%s): %d\n", each, int(got));
    if (!got)
      std::printf("  cuKernelGetFunction: %d\n", int(got = cuKernelGetFunction(&function, kernel)));
    if (!got) std::printf("  its launch: %d\n", int(launch(function, nullptr)));
  }
  std::fflush(stdout);
  _exit(0);
}

static std::string contents_of(const char* path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The sign of a NaN behind one that is changed on the way into a wider type; how long a log is said to be; what an undefined
// function gives.
static int others() {
  MUST(cuInit(0));
  make(here);
  for (unsigned bits : {0x7fc12345u, 0xffc12345u}) {
    uint64_t back[2] = {};
    void* parameters[] = {&here.memory, &bits};
    MUST(cuLaunchKernel(here.function, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr));
    MUST(cuMemcpyDtoH(back, here.memory, sizeof back));
    std::printf("%08x  -: %016llx  |.|: %016llx\n", bits, (unsigned long long)back[0],
                (unsigned long long)back[1]);
  }
  char errors[256] = "";
  CUjit_option names[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {errors, (void*)sizeof errors};
  CUmodule module;
  CUresult code =
      cuModuleLoadDataEx(&module, ".version 8.0\n.target sm_80\nnonsense", 2, names, values);
  std::printf("nonsense: %d, length said %zu, is %zu\n", int(code), (size_t)values[1],
              std::strlen(errors));
  code = cuModuleLoadData(&module, ".version 99.0\n.target sm_80\n.address_size 64\n");
  std::printf("PTX 99.0: %d\n", int(code));
  CUlinkState state;
  void* linked;
  values[1] = (void*)sizeof errors;
  MUST(cuLinkCreate(2, names, values, &state));
  MUST(cuLinkAddData(state, CU_JIT_INPUT_PTX, (void*)calls, std::strlen(calls) + 1, "a", 0, nullptr,
                     nullptr));
  code = cuLinkComplete(state, &linked, &bytes);
  std::printf("undefined function: %d, length said %zu, is %zu: %s\n", int(code), (size_t)values[1],
              std::strlen(errors), errors);
  std::fflush(stdout);
  _exit(0);
}

// Before any call of CUDA: a process that has used it cannot fork one that does.
template <class Body>
static void apart(const char* title, const Body& body) {
  std::printf("%-96s ", title);
  std::fflush(stdout);
  const pid_t child = fork();
  if (!child) body();
  int ended = 0;
  waitpid(child, &ended, 0);
  if (WIFSIGNALED(ended)) std::printf("ended by signal %d\n", WTERMSIG(ended));
}

int main(int argc, char** argv) {
  if (argc > 1 && !std::strcmp(argv[1], "--undefined")) {
    if (argc == 2) std::puts(calls);
    apart("", [] { undefined("PTX", calls); });
    for (int i = 2; i < argc; ++i) {
      const std::string image = contents_of(argv[i]);
      apart("", [&] { undefined(argv[i], image.data()); });
    }
    return 0;
  }
  for (const Question& question : questions) {
    bool wanted = argc < 2;
    for (int i = 1; i < argc; ++i) wanted |= std::strstr(question.text, argv[i]) != nullptr;
    if (!wanted) continue;
    char title[200];
    std::snprintf(title, sizeof title, "%s%s", question.destroyed ? "destroyed: " : "",
                  question.text);
    apart(title, [&] { in_child(question); });
  }
  if (argc < 2) apart("others:\n", [] { others(); });
  return 0;
}
