// Launches every case, or its mended twin.
//
//   $ check_cases faulty                  $ check_cases list
//   neighbour                             neighbour	race_shared
#include <cstdio>
#include <cstring>
#include <numeric>
#include <vector>

#include "tests/check/cases.h"

using namespace check;

int main(int argc, char** argv) {
  const bool list = argc == 2 && !std::strcmp(argv[1], "list"),
             mended = argc == 2 && !std::strcmp(argv[1], "mended"),
             faulty = argc == 2 && !std::strcmp(argv[1], "faulty");
  if (!list && !mended && !faulty) {
    std::fprintf(stderr, "check_cases list | faulty | mended\n");
    return 2;
  }
  constexpr int dynamic_bytes = 1024;  // of shared memory
  std::vector<int> counting(words);
  std::iota(counting.begin(), counting.end(), 0);
  Memory m{};
  if (!list)
    for (int** each : {&m.data, &m.flags, &m.out}) cudaMalloc(each, words * sizeof(int));
  for (const Cases& some :
       {shared_cases(), warp_cases(), global_cases(), fence_cases(), uninitialised_cases()}) {
    for (const Case* each = some.first; each != some.first + some.count; ++each) {
      if (list) {
        std::printf("%s\t%s\n", each->name, each->kind);
        continue;
      }
      cudaMemcpy(m.data, counting.data(), words * sizeof(int), cudaMemcpyHostToDevice);
      cudaMemset(m.flags, 0, words * sizeof(int));
      cudaMemset(m.out, 0, words * sizeof(int));
      cudaMalloc(&m.raw, words * sizeof(int));
      (mended ? each->mended : each->faulty)<<<each->blocks, each->threads, dynamic_bytes>>>(m);
      const cudaError_t error = cudaDeviceSynchronize();
      cudaFree(m.raw);
      std::printf("%s%s%s\n", each->name, error ? ": " : "",
                  error ? cudaGetErrorString(error) : "");
      if (error) return 1;
    }
  }
  return 0;
}
