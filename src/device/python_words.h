// Advice in the words of who writes kernels in Python, where the process is one: what stands in a finding or a
// hint is nvcc's and CUDA C++'s else.
//
//   in_python_words("… allocated: if (i < n)")   "… allocated: mask=offsets < n in Triton, if i < n in Numba"
#pragma once
#include <string>

#include "record/finding.h"

namespace headroom::device {

std::string in_python_words(std::string text);  // as it is, of other processes
void use_python_words(Finding&);

}  // namespace headroom::device
