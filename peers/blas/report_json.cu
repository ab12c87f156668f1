// Every time with its spread as JSON.
//
//   {"schema": "headroom-blas/1", "gpu": "NVIDIA H200", …, "rows": [
//     {"routine": "sgemm", "n": 16, "right": true, …, "cpu": {"median": 2e-07, …}, "device": {…},
//     …}, …],
//    "wins_from": {"sgemm": {"resident": 64, "pinned": 96, "pageable": 192}, …}}
#include "peers/blas/report.h"
#include "studies/common/check.h"
#include "studies/common/json.h"
#include "studies/common/origin.h"

namespace blas {
namespace {

void timing_members(study::Json& json, const char* key, const Timing& timing) {
  json.key(key);
  json.begin('{');
  json.pair("median", timing.median());
  json.pair("least", timing.minimum());
  json.pair("most", timing.maximum());
  json.finite("relative_error", timing.relative_error());
  json.pair("samples", timing.seconds.size());
  json.end();
}

}  // namespace

bool write_json(const std::string& path, const std::vector<Row>& rows, const std::string& command) {
  std::FILE* file = std::fopen(path.c_str(), "w");
  if (!file) return false;
  study::Json json(file);
  json.begin('{');
  json.pair("schema", "headroom-blas/1");
  if (!rows.empty() && rows.front().gpu) {
    cudaDeviceProp device;
    CHECK(cudaGetDeviceProperties(&device, 0));
    json.pair("gpu", device.name);
    json.pair("driver", study::driver(true));
    json.pair("gpu_library", gpu_library());
  }
  json.pair("cpu_library", cpu_library());
  json.pair("cpu_kernels", cpu_kernels());
  json.pair("cpu_threads", cpu_threads());
  json.pair("cpu", cpu_name());
  json.key("caveats");
  json.begin('[');
  if (!doubt_of_cpu().empty()) json.value(doubt_of_cpu());
  json.end();
  json.pair("date", study::today());
  json.pair("command", command);
  json.pair("units", "seconds of one product, medians; 2 n^3 operations");
  json.key("rows");
  json.begin('[');
  for (const Row& row : rows) {
    json.begin('{');
    json.pair("routine", row.routine);
    json.pair("n", row.n);
    json.pair("right", row.right());
    json.pair("cpu_error_over_bound", row.cpu_error);
    timing_members(json, "cpu", row.cpu);
    if (row.gpu) {
      json.pair("gpu_error_over_bound", row.gpu_error);
      json.pair("apart", row.apart);
      for (const Mode& mode : modes) timing_members(json, mode.name, (*row.gpu).*mode.times);
    }
    json.end();
  }
  json.end();
  json.key("wins_from");
  json.begin('{');
  for (const char* routine : {"sgemm", "dgemm"}) {
    json.key(routine);
    json.begin('{');
    for (const Mode& mode : modes) {
      const size_t from = wins_from(rows, routine, mode.times);
      if (mode.times != &GpuTimes::device && from) json.pair(mode.name, from);
    }
    json.end();
  }
  json.end();
  json.end();
  return std::fclose(file) == 0;
}

}  // namespace blas
