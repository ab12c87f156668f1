// Launches every case, or its mended twin. Faults that end a launch end all that follows it in the
// process: those run in a process each, before this one calls CUDA.
//
//   $ check_cases faulty                  $ check_cases list            $ check_cases mended neighbour
//   neighbour                             neighbour	race_shared
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <numeric>
#include <vector>

#include "tests/check/cases.h"

using namespace check;
namespace {

bool ends_the_launch(const Case& each) {
  return std::strncmp(each.kind, "race", 4) && std::strcmp(each.kind, "uninitialised");
}

Memory allocate() {
  Memory m{};
  for (int** each : {&m.data, &m.flags, &m.out}) cudaMalloc(each, words * sizeof(int));
  return m;
}

cudaError_t run(const Case& each, Memory m, bool mended) {
  constexpr int dynamic_bytes = 1024;  // of shared memory
  std::vector<int> counting(words);
  std::iota(counting.begin(), counting.end(), 0);
  cudaMemcpy(m.data, counting.data(), words * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(m.flags, 0, words * sizeof(int));
  cudaMemset(m.out, 0, words * sizeof(int));
  cudaMalloc(&m.raw, words * sizeof(int));
  if (each.work)
    each.work(m, mended);
  else
    (mended ? each.mended : each.faulty)<<<each.blocks, each.threads, dynamic_bytes>>>(m);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(m.raw);
  std::printf("%s%s%s\n", each.name, error ? ": " : "", error ? cudaGetErrorString(error) : "");
  std::fflush(stdout);
  return error;
}

void run_apart(const Case& each) {
  const pid_t child = fork();
  if (child == 0) _exit(run(each, allocate(), false) != cudaSuccess);
  waitpid(child, nullptr, 0);
}

}  // namespace

int main(int argc, char** argv) {
  const bool list = argc == 2 && !std::strcmp(argv[1], "list"),
             mended = argc > 1 && !std::strcmp(argv[1], "mended"),
             faulty = argc > 1 && !std::strcmp(argv[1], "faulty");
  if ((!list && !mended && !faulty) || argc > 3) {
    std::fprintf(stderr, "check_cases list | {faulty | mended} [CASE]\n");
    return 2;
  }
  std::vector<Case> all;
  for (const Cases& some :
       {shared_cases(), warp_cases(), global_cases(), fence_cases(), uninitialised_cases(),
        bounds_cases(), barrier_cases(), copy_cases(), stream_cases(), neighbour_cases(),
        bulk_cases(), product_cases(), cluster_cases()})
    all.insert(all.end(), some.first, some.first + some.count);
  if (list) {
    for (const Case& each : all) std::printf("%s\t%s\n", each.name, each.kind);
    return 0;
  }
  if (argc == 3) {
    for (const Case& each : all)
      if (!std::strcmp(each.name, argv[2])) return run(each, allocate(), mended) != cudaSuccess;
    return 2;
  }
  for (const Case& each : all)
    if (faulty && ends_the_launch(each)) run_apart(each);
  const Memory m = allocate();
  for (const Case& each : all)
    if ((mended || !ends_the_launch(each)) && run(each, m, mended)) return 1;
  return 0;
}
