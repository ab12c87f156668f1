// How many pieces of 16 bytes a second a GPU reads and writes in random order, beside a copy and a fill: what moves of
// short intervals cannot pass. Rows of JSON.
//
//   nvcc -arch=sm_90 -std=c++20 -O3 scripts/measure/random_pieces.cu -o random_pieces && ./random_pieces > rows.json
//
//   {"access": "read", "order": "random, of 512 MB", "us": …, "G pieces/s": …}
//   {"access": "write", "order": "random, of a window of 8 MB, as often as makes 512 MB", …}
//
// 2^25 pieces, 2^24 where every sector has one. A thread computes their places. Every value is the least of five samples
// of two launches, after one that does not count.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "shuffled.cuh"

#define CHECK(call)                                                                       \
  do {                                                                                    \
    if (cudaError_t error = (call)) {                                                     \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
      std::exit(1);                                                                       \
    }                                                                                     \
  } while (0)

namespace {

constexpr unsigned whole = 1 << 25;  // pieces of 512 MB
constexpr int threads = 256, in_flight = 8;

// The last round wraps around: up to 3 % more are read than counted on 132 multiprocessors.
__global__ void read_pieces(const float4* from, float* to, unsigned pieces, unsigned apart) {
  const unsigned step = gridDim.x * threads;
  float sum = 0;
  for (unsigned at = blockIdx.x * threads + threadIdx.x; at < pieces; at += in_flight * step) {
    float4 piece[in_flight];
#pragma unroll
    for (int i = 0; i < in_flight; ++i) {
      piece[i] = from[size_t(shuffled(at + i * step, pieces - 1)) * apart];
    }
#pragma unroll
    for (int i = 0; i < in_flight; ++i) sum += piece[i].x;
  }
  if (sum == 12345.f) *to = sum;  // so that nothing is left out
}

__global__ void write_pieces(float4* to, unsigned pieces, unsigned apart) {
  const unsigned step = gridDim.x * threads;
  for (unsigned at = blockIdx.x * threads + threadIdx.x; at < pieces; at += step) {
    to[size_t(shuffled(at, pieces - 1)) * apart] = {float(at), 0, 0, 0};
  }
}

template <typename Work>
void row(const char* access, const std::string& order, unsigned pieces, const Work& work) {
  cudaEvent_t begin, end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  work();
  float least = 1e9;
  for (int sample = 0; sample < 5; ++sample) {
    CHECK(cudaEventRecord(begin));
    work();
    work();
    CHECK(cudaEventRecord(end));
    CHECK(cudaEventSynchronize(end));
    CHECK(cudaGetLastError());
    float milliseconds = 0;
    CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
    least = std::min(least, milliseconds / 2);
  }
  std::printf("{\"access\": \"%s\", \"order\": \"%s\", \"us\": %.1f, \"G pieces/s\": %.2f}\n",
              access, order.c_str(), least * 1e3, pieces / least * 1e-6);
}

}  // namespace

int main() {
  int multiprocessors = 0;
  CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  const int blocks = 8 * multiprocessors;
  constexpr size_t bytes = whole * sizeof(float4);
  float4 *from, *to;
  CHECK(cudaMalloc(&from, bytes));
  CHECK(cudaMalloc(&to, bytes));
  CHECK(cudaMemset(from, 0, bytes));
  float* const sum = reinterpret_cast<float*>(to);
  row("read", "random, of 512 MB", whole,
      [&] { read_pieces<<<blocks, threads>>>(from, sum, whole, 1); });
  row("read", "random, of 512 MB, one a sector", whole / 2,
      [&] { read_pieces<<<blocks, threads>>>(from, sum, whole / 2, 2); });
  row("write", "random, of 512 MB", whole,
      [&] { write_pieces<<<blocks, threads>>>(to, whole, 1); });
  row("write", "random, of 512 MB, one a sector", whole / 2,
      [&] { write_pieces<<<blocks, threads>>>(to, whole / 2, 2); });
  for (const unsigned megabytes : {4, 8, 16, 32}) {
    const unsigned window = megabytes << 16;
    row("write",
        "random, of a window of " + std::to_string(megabytes) + " MB, as often as makes 512 MB",
        whole, [&] {
          for (unsigned i = 0; i < whole / window; ++i) {
            write_pieces<<<blocks, threads>>>(to, window, 1);
          }
        });
  }
  row("copy", "cudaMemcpy", whole,
      [&] { CHECK(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice)); });
  row("fill", "cudaMemset", whole, [&] { CHECK(cudaMemsetAsync(to, 1, bytes)); });
}
