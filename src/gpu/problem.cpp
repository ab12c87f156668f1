// The codes are CUptiResult's (cupti_result.h); what to do about each stands in a table.
#include "gpu/problem.h"

#include <fmt/format.h>

namespace headroom {
namespace {

struct Advice {
  int code;
  const char *problem, *hint;
};

constexpr Advice advices[] = {
    {14, "CUPTI and the driver do not fit together",
     "set HEADROOM_CUPTI to the libcupti of a toolkit that is not newer than the driver"},
    {15, "CUPTI could not be initialised",
     "set HEADROOM_CUPTI to the libcupti of a toolkit that is not newer than the driver"},
    {27, "CUPTI does not support this device", "it cannot be measured this way"},
    {33, "a virtual GPU without profiling", "ask who runs the host to allow profiling of it"},
    {35, "profiling is forbidden to this user",
     "ask the administrator for NVreg_RestrictProfilingToAdminUsers=0, or run as root "
     "(developer.nvidia.com/ERR_NVGPUCTRPERM)"},
    {36, "the program uses CUPTI's old profiler", "run it without its own profiler"},
    {39, "another profiler is at work in the program",
     "run it without Nsight, compute-sanitizer, cuda-gdb and its own profiler"},
    {40, "profiling of this virtual GPU is forbidden to this user",
     "ask who runs the host to allow profiling of it"},
    {41, "confidential computing is on: no profiling", "switch it off, or use another GPU"},
    {42, "a mining processor cannot be profiled", "use another GPU"},
    {43, "CUPTI does not support this MIG device", "use a whole GPU"},
    {45, "no profiling in this version of WSL", "see the CUPTI manual for its driver"},
};

Error explain_call(int code, const std::string& said) {
  for (const Advice& advice : advices)
    if (advice.code == code) return {"--gpu", advice.problem + (" (" + said + ")"), advice.hint};
  return {"--gpu", "CUPTI refused: " + said,
          "is libcupti of the same CUDA version as the driver? HEADROOM_CUPTI names another"};
}

}  // namespace

Error explain_problem(const trace::Problem& problem, const std::string& text) {
  switch (problem.cause) {
    case trace::Cause::no_cupti:
      return {"--gpu", "CUPTI could not be loaded into the program: " + text,
              "set HEADROOM_CUPTI to the path of libcupti.so.13"};
    case trace::Cause::no_function:
      return {"--gpu", fmt::format("the CUPTI that was loaded has no function {}", text),
              "set HEADROOM_CUPTI to the libcupti of CUDA 12 or 13"};
    case trace::Cause::version:
      return {"--gpu",
              fmt::format("CUPTI is of version {}, which this version of headroom does not know",
                          uint32_t(problem.code)),
              "set HEADROOM_CUPTI to the libcupti of CUDA 12 or 13"};
    case trace::Cause::call: return explain_call(problem.code, text);
  }
  return {"--gpu", "unknown problem: " + text};
}

}  // namespace headroom
