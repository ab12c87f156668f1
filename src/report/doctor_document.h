// What headroom found of what it works with, what is missing, what that costs and how to mend it.
//
//   headroom doctor: headroom 0.1.0  1 part to mend
//
//   CUDA toolkit
//     ok       ptxas   13.0.88, /usr/local/cuda/bin/ptxas (PATH)
//     missing  nvlink  not found
//
//     nvlink: programs built by parts (nvcc -rdc=true) run by their PTX: pip install nvidia-cuda-nvcc
#pragma once
#include <string>
#include <vector>

#include "report/document.h"

namespace headroom {

enum class Health : unsigned char {
  ok,
  absent,   // and not needed by what runs here
  missing,  // to be mended
};

struct CheckUp {
  std::string group, part;
  Health health = Health::ok;
  std::string found, costs = {}, mend = {};
};

bool is_well(const std::vector<CheckUp>&);
Document doctor_document(const std::vector<CheckUp>&);
std::string doctor_json(const std::vector<CheckUp>&);

}  // namespace headroom
