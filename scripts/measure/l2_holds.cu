// What of an array lies in L2 when a launch loads it, by what launches, fills and copies did before: run under a profiler that counts
// DRAM's bytes.
//
//   nvcc -arch=sm_90 -O3 -std=c++20 scripts/measure/l2_holds.cu -o l2_holds
//   ncu --cache-control none --metrics dram__bytes_read.sum,dram__bytes_write.sum --print-units base --csv --page raw ./l2_holds
//
// The program prints a line a launch: {"what": "loads and stores again", "MiB": 24, "others": 16}, or {} for one that only goes before.
//
// loads and stores again: of a, and others of b, the third time; stored, filled, copied to, copied from: before a was loaded, with nothing of it
// in L2 first (behind loads of 100 MiB), or with all of it; past …: 16 MiB of a, loaded twice before, and others loaded, stored, filled or
// copied since, in MiB; of a copy on the device half of them are read and half written. pageable: the host's memory.
#include <cstdio>
#include <cstdlib>
#include <cstring>

constexpr size_t MiB = 1 << 20, room = 128 * MiB;

__global__ void both(const float4* from, float4* to, size_t loads, size_t stores, float* out) {
  const size_t part = blockIdx.x, parts = gridDim.x;
  float sum = 0;
  for (size_t i = loads * part / parts + threadIdx.x; i < loads * (part + 1) / parts;
       i += blockDim.x) {
    const float4 value = __ldcg(&from[i]);
    sum += value.x + value.y + value.z + value.w;
  }
  for (size_t i = stores * part / parts + threadIdx.x; i < stores * (part + 1) / parts;
       i += blockDim.x)
    to[i] = make_float4(sum, 0, 0, 0);
  if (sum == 1.5f) *out = sum;
}

char *a, *b, *c, *hosts[2];  // pinned, pageable

void launch(char* from, int loads, char* to, int stores) {
  constexpr size_t words = MiB / sizeof(float4);
  both<<<1056, 256>>>((const float4*)from, (float4*)to, loads * words, stores * words, (float*)b);
}
void load(char* from, int mebibytes) { launch(from, mebibytes, b, 0), std::puts("{}"); }
void store(char* to, int mebibytes) { launch(b, 0, to, mebibytes), std::puts("{}"); }
void tell(const char* what, int mebibytes, int others = 0, int pageable = 0) {
  std::printf("{\"what\": \"%s\", \"MiB\": %d, \"others\": %d, \"pageable\": %d}\n", what,
              mebibytes, others, pageable);
}
void tell_of_load(const char* what, int mebibytes, int others = 0, int pageable = 0) {
  cudaDeviceSynchronize();
  launch(a, mebibytes, b, 0), tell(what, mebibytes, others, pageable);
}
void copy(char* to, const char* from, int mebibytes) {
  cudaMemcpy(to, from, mebibytes * MiB, cudaMemcpyDefault);
}

void tell_of_launches() {
  for (const int loads : {8, 16, 24, 32, 40, 48})
    for (const int stores : {0, 8, 16, 24, 32, 40, 48})
      for (int turn = 0; turn < 3; ++turn) {
        launch(a, loads, c, stores);
        turn < 2 ? (void)std::puts("{}") : tell("loads and stores again", loads, stores);
      }
}

void tell_of_what_is_left(int mebibytes) {
  constexpr int none = 100;
  load(c, none), store(a, mebibytes), tell_of_load("stored", mebibytes);
  load(c, none), cudaMemset(a, 0, mebibytes * MiB), tell_of_load("filled", mebibytes);
  load(c, none), copy(a, b, mebibytes), tell_of_load("copied to, on the device", mebibytes);
  load(c, none), copy(b, a, mebibytes), tell_of_load("copied from, on the device", mebibytes);
  for (const int pageable : {0, 1}) {
    char* const host = hosts[pageable];
    load(c, none), copy(a, host, mebibytes);
    tell_of_load("copied to, from the host", mebibytes, 0, pageable);
    load(a, mebibytes), copy(a, host, mebibytes);
    tell_of_load("copied to, from the host, where it lay in L2", mebibytes, 0, pageable);
    load(c, none), copy(host, a, mebibytes);
    tell_of_load("copied from, to the host", mebibytes, 0, pageable);
    load(a, mebibytes), copy(host, a, mebibytes);
    tell_of_load("copied from, to the host, where it lay in L2", mebibytes, 0, pageable);
  }
}

void tell_of_what_goes_past(int others) {
  constexpr int mine = 16;
  const auto begin = [] { load(c, 100), load(a, mine), load(a, mine); };
  begin(), load(c, others), tell_of_load("past loads", mine, others);
  begin(), store(c, others), tell_of_load("past stores", mine, others);
  begin(), cudaMemset(c, 0, others * MiB), tell_of_load("past a fill", mine, others);
  begin(), copy(c, b, others / 2), tell_of_load("past a copy on the device", mine, others);
  for (const int pageable : {0, 1}) {
    begin(), copy(c, hosts[pageable], others);
    tell_of_load("past a copy from the host", mine, others, pageable);
    begin(), copy(hosts[pageable], c, others);
    tell_of_load("past a copy to the host", mine, others, pageable);
  }
}

int main() {
  for (char** array : {&a, &b, &c}) cudaMalloc(array, room), cudaMemset(*array, 0, room);
  cudaMallocHost(&hosts[0], room);
  hosts[1] = static_cast<char*>(std::malloc(room));
  for (char* host : hosts) std::memset(host, 1, room);
  tell_of_launches();
  for (const int mebibytes : {4, 8, 16, 24, 32, 40, 48, 56}) tell_of_what_is_left(mebibytes);
  for (const int others : {4, 8, 16, 24, 32, 40, 48, 56}) tell_of_what_goes_past(others);
  return cudaDeviceSynchronize() != cudaSuccess;
}
