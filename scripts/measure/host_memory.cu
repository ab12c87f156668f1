// What kernels read from and write to memory of the host over the link, beside the copies of cudaMemcpy.
//
//   nvcc -arch=sm_90 -O3 -std=c++17 scripts/measure/host_memory.cu -o host_memory && ./host_memory
//
//   {"kernel": "read", "MiB": 64, "blocks": 1056, "us": 1290.1, "GB_per_s": 52.0}
//   {"kernel": "chase", "ns": 812.4}
//
// read, write, copy: of whole lines, once; both: reads one array and writes another in the host; again: reads the same MiB sixteen times;
// sectors: one of four sectors of each line; alone: 32 bytes of each warp, with random lines. Medians of nine launches.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <random>
#include <vector>

#define CHECK(call)                                                            \
  do {                                                                         \
    if (const cudaError_t error = (call); error != cudaSuccess)                \
      std::printf("%s: %s\n", #call, cudaGetErrorString(error)), std::exit(1); \
  } while (0)

__global__ void reads(const float4* in, float* out, size_t count, int times) {
  float sum = 0;
  for (int t = 0; t < times; ++t)
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < count;
         i += size_t(gridDim.x) * blockDim.x) {
      const float4 value = in[i];
      sum += value.x + value.y + value.z + value.w;
    }
  if (sum == 1.25f) out[threadIdx.x] = sum;
}
__global__ void writes(float4* out, size_t count) {
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < count;
       i += size_t(gridDim.x) * blockDim.x)
    out[i] = make_float4(1, 2, 3, 4);
}
__global__ void copies(float4* out, const float4* in, size_t count) {
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < count;
       i += size_t(gridDim.x) * blockDim.x)
    out[i] = in[i];
}
// Eight lanes read a sector of the line that the list has.
__global__ void reads_sectors(const float* in, const uint32_t* lines, float* out, size_t count) {
  float sum = 0;
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < 8 * count;
       i += size_t(gridDim.x) * blockDim.x)
    sum += in[size_t(lines[i / 8]) * 32 + i % 8];
  if (sum == 1.25f) out[threadIdx.x] = sum;
}
__global__ void chases(const uint32_t* next, long long* clocks, uint32_t* out, int times) {
  uint32_t at = 0;
  const long long begin = clock64();
  for (int i = 0; i < times; ++i) at = next[at];
  *clocks = clock64() - begin;
  *out = at;
}

constexpr int launches = 9;

double median_us(const std::function<void()>& run) {
  cudaEvent_t begin, end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  std::vector<float> all;
  for (int i = 0; i <= launches; ++i) {
    CHECK(cudaEventRecord(begin));
    run();
    CHECK(cudaEventRecord(end));
    CHECK(cudaEventSynchronize(end));
    float ms;
    CHECK(cudaEventElapsedTime(&ms, begin, end));
    if (i > 0) all.push_back(ms);
  }
  std::sort(all.begin(), all.end());
  return 1000 * double(all[launches / 2]);
}

void tell(const char* kernel, size_t bytes, int blocks, double us) {
  std::printf(
      "{\"kernel\": \"%s\", \"MiB\": %.3f, \"blocks\": %d, \"us\": %.2f, \"GB_per_s\": %.2f}\n",
      kernel, double(bytes) / (1 << 20), blocks, us, double(bytes) / us / 1000);
}

int main() {
  constexpr size_t most = size_t(256) << 20;
  void *from, *to, *device;
  CHECK(cudaHostAlloc(&from, most, cudaHostAllocMapped));
  CHECK(cudaHostAlloc(&to, most, cudaHostAllocMapped));
  CHECK(cudaMalloc(&device, most));
  std::fill_n(static_cast<float*>(from), most / 4, 1.0f);
  const auto* in = static_cast<const float4*>(from);
  auto* out = static_cast<float4*>(to);
  auto* here = static_cast<float4*>(device);
  for (const size_t bytes : {size_t(64) << 10, size_t(1) << 20, size_t(16) << 20, most})
    for (const int blocks : {1, 132, 1056}) {
      if (blocks == 1 && bytes == most) continue;
      const size_t count = bytes / 16;
      tell("read", bytes, blocks,
           median_us([&] { reads<<<blocks, 256>>>(in, static_cast<float*>(device), count, 1); }));
      tell("write", bytes, blocks, median_us([&] { writes<<<blocks, 256>>>(out, count); }));
      tell("copy in", bytes, blocks, median_us([&] { copies<<<blocks, 256>>>(here, in, count); }));
      tell("copy out", bytes, blocks,
           median_us([&] { copies<<<blocks, 256>>>(out, here, count); }));
      tell("both", bytes, blocks, median_us([&] { copies<<<blocks, 256>>>(out, in, count); }));
      if (bytes <= size_t(16) << 20)
        tell("again", bytes, blocks, median_us([&] {
               reads<<<blocks, 256>>>(in, static_cast<float*>(device), count, 16);
             }));
    }
  for (const size_t bytes : {size_t(1) << 20, most}) {
    tell("memcpy in", bytes, 0,
         median_us([&] { CHECK(cudaMemcpyAsync(device, from, bytes, cudaMemcpyDefault)); }));
    tell("memcpy out", bytes, 0,
         median_us([&] { CHECK(cudaMemcpyAsync(to, device, bytes, cudaMemcpyDefault)); }));
  }
  // Lines in a row and in random order, a sector each.
  std::vector<uint32_t> lines(most / 128);
  std::iota(lines.begin(), lines.end(), 0u);
  uint32_t* list;
  CHECK(cudaMalloc(&list, lines.size() * 4));
  for (const char* kernel : {"sectors", "alone"}) {
    CHECK(cudaMemcpy(list, lines.data(), lines.size() * 4, cudaMemcpyDefault));
    const size_t count = lines.size() / 4;
    tell(kernel, 32 * count, 1056, median_us([&] {
           reads_sectors<<<1056, 256>>>(static_cast<const float*>(from), list,
                                        static_cast<float*>(device), count);
         }));
    std::shuffle(lines.begin(), lines.end(), std::mt19937(7));
  }
  // One load after the other, each in a line of its own.
  auto* next = static_cast<uint32_t*>(from);
  constexpr int times = 4096;
  for (int i = 0; i < times; ++i) next[lines[size_t(i)] * 32] = lines[size_t(i + 1)] * 32;
  next[0] = lines[0] * 32;
  long long* clocks;
  uint32_t* last;
  CHECK(cudaMallocManaged(&clocks, 8));
  CHECK(cudaMallocManaged(&last, 4));
  const double us = median_us([&] { chases<<<1, 1>>>(next, clocks, last, times); });
  std::printf("{\"kernel\": \"chase\", \"ns\": %.1f, \"clocks\": %.1f}\n", 1000 * us / times,
              double(*clocks) / times);
}
