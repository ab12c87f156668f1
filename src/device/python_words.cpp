#include "device/python_words.h"

#include <dlfcn.h>

#include <string_view>

namespace headroom::device {
namespace {

struct Word {
  std::string_view of_nvcc, of_python;
};
constexpr Word words[] = {
    {"if (i < n)", "mask=offsets < n in Triton, if i < n in Numba"},
    {"put __syncthreads() between them",
     "put a barrier between them: cuda.syncthreads() in Numba, tl.debug_barrier() in Triton"},
    {"put __syncwarp() between them",
     "put a barrier between them: cuda.syncwarp() in Numba, tl.debug_barrier() in Triton"},
    {"(compile with -lineinfo for the source line)",
     "(for the source line: @cuda.jit(lineinfo=True) in Numba, -lineinfo to nvcc)"},
    {"cudaMemset or a copy behind the allocation, or a store",
     "zeros instead of empty, a copy, or a kernel's store"},
    {" with PTX: nvcc -gencode arch=compute_80,code=compute_80",
     " with PTX (of a package: another build of it; nvcc -gencode "
     "arch=compute_80,code=compute_80)"},
};

bool is_python() {
  static const bool is = dlsym(RTLD_DEFAULT, "Py_IsInitialized") != nullptr;
  return is;
}

}  // namespace

std::string in_python_words(std::string text) {
  if (!is_python()) return text;
  for (const Word& word : words)
    if (const size_t at = text.find(word.of_nvcc); at != text.npos)
      text.replace(at, word.of_nvcc.size(), word.of_python);
  return text;
}

void use_python_words(Finding& finding) {
  finding.advice = in_python_words(std::move(finding.advice));
  finding.source = in_python_words(std::move(finding.source));
  if (finding.other) finding.other->source = in_python_words(std::move(finding.other->source));
}

}  // namespace headroom::device
