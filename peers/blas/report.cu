// What follows from the times, and what is to be doubted.
#include <cstdio>
#include <cstring>

#include "peers/blas/report.h"

namespace blas {

double rate(const Row& row, const Timing& timing) {
  return row.operations / timing.median() * 1e-9;
}

size_t wins_from(const std::vector<Row>& rows, const char* routine, Timing GpuTimes::*times) {
  size_t from = 0;
  for (const Row& row : rows) {
    if (std::strcmp(row.routine, routine) != 0 || !row.gpu) continue;
    const bool wins = ((*row.gpu).*times).median() < row.cpu.median();
    from = !wins ? 0 : from ? from : row.n;
  }
  return from;
}

std::string cpu_name() {
  std::string found = "unknown";
  if (std::FILE* file = std::fopen("/proc/cpuinfo", "r")) {
    char line[256];
    while (std::fgets(line, sizeof line, file)) {
      const char* colon = std::strchr(line, ':');
      if (std::strncmp(line, "model name", 10) != 0 || !colon) continue;
      found = std::string(colon + 2, std::strcspn(colon + 2, "\n"));
      break;
    }
    std::fclose(file);
  }
  return found;
}

std::string doubt_of_cpu() {
  const std::string kernels = cpu_kernels();
  const bool old = kernels == "Prescott" || kernels == "Core2" || kernels == "Generic";
  if (!old || !__builtin_cpu_supports("avx2")) return "";
  return "OpenBLAS does not know this processor and uses code for " + kernels +
         "; it is older than the processor: take a newer OpenBLAS, or set OPENBLAS_CORETYPE";
}

}  // namespace blas
