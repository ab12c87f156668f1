// Runs a CUDA program on a real GPU and hands back when each of its launches and copies ran.
//
//   on_gpu({"/home/me/saxpy", {"./saxpy"}}, {.gpu = 0, .cupti = "/usr/local/cuda/lib64/libcupti.so.13"})
//     ->  Records{end {exit_code 0}, measured {TimingRecord of 4711 with 12 launches}}
#pragma once
#include <string>

#include "run/on_executor.h"

namespace headroom {

struct GpuOptions {
  int gpu = 0;        // of those that CUDA_VISIBLE_DEVICES leaves
  std::string cupti;  // the library (gpu/cupti_places.h)
};

Records on_gpu(const Program&, const GpuOptions&);

}  // namespace headroom
