// The comparison's rows as tables of text and as JSON.
#pragma once
#include <string>
#include <vector>

#include "peers/blas/peers.h"

namespace blas {

struct Row {
  const char* routine;
  size_t n;
  double operations;
  Timing cpu;
  std::optional<GpuTimes> gpu;
  double cpu_error, gpu_error = 0, apart = 0;  // the first two over their bound
  double max_apart;

  bool right() const {
    return cpu_error <= 1 && gpu_error <= 1 && apart <= max_apart && (!gpu || !gpu->wrong_modes);
  }
};

struct Mode {
  const char* name;
  Timing GpuTimes::*times;
};
constexpr Mode modes[] = {{"device", &GpuTimes::device},
                          {"resident", &GpuTimes::resident},
                          {"pinned", &GpuTimes::pinned},
                          {"pageable", &GpuTimes::pageable}};

void print(const std::vector<Row>&);                               // report_text.cu
bool write_json(const std::string& path, const std::vector<Row>&,  // report_json.cu
                const std::string& command);

// report.cu
double rate(const Row&, const Timing&);  // GFLOP/s
// The smallest size from which on the GPU is faster at every size; 0: at none.
size_t wins_from(const std::vector<Row>&, const char* routine, Timing GpuTimes::*times);
std::string cpu_name();
// An OpenBLAS older than the processor runs code for one of twenty years ago on it: no fair peer.
// Empty where there is nothing to doubt.
std::string doubt_of_cpu();

}  // namespace blas
