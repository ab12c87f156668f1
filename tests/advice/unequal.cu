// k51 to k54: lists of unlike lengths, halves one at a time, rows of a thread each, a table of constants.
#include <cuda_fp16.h>

#include "tests/advice/pairs.h"

namespace advice {
namespace {

__device__ void add_up(int* sum, const int* in, int begin, int end) {
  int part = 0;
  for (int i = begin + int(threadIdx.x); i < end; i += int(blockDim.x)) part += in[i];
  part = __reduce_add_sync(~0u, part);
  if (threadIdx.x % 32 == 0) atomicAdd(sum, part);
}

// A list a block, of which one is long; or pieces of equal length.
constexpr int lists = sms * 16, usual = 2048, longest = 1 << 19,
              in_all = (lists - 1) * usual + longest, piece = 2048;
__global__ void k51_a(int* out, const int* in, const int* begin) {
  add_up(out + blockIdx.x, in, begin[blockIdx.x], begin[blockIdx.x + 1]);  // planted
}
__global__ void k51_b(int* out, const int* in, const int* begin, const int* list_of) {
  const int list = list_of[blockIdx.x], at = int(blockIdx.x) * piece;
  add_up(out + list, in, max(at, begin[list]), min(at + piece, begin[list + 1]));
}

// A half a thread, or two.
constexpr int steps = 96, numbers = sms * 2048 * 16;
__device__ __half settled_half(__half x, __half factor, __half summand) {
  for (int i = 0; i < steps; ++i) x = __hfma(x, factor, summand);  // planted
  return x;
}
__device__ __half2 settled_half(__half2 x, __half2 factor, __half2 summand) {
  for (int i = 0; i < steps; ++i) x = __hfma2(x, factor, summand);
  return x;
}
__global__ void k52_a(__half* out, const __half* in) {
  const int i = thread_index();
  out[i] = settled_half(in[i], __float2half(0.75f), __float2half(0.125f));
}
__global__ void k52_b(__half* out, const __half* in) {
  const int i = thread_index();
  reinterpret_cast<__half2*>(out)[i] = settled_half(
      reinterpret_cast<const __half2*>(in)[i], __float2half2_rn(0.75f), __float2half2_rn(0.125f));
}

// The sum of a row by a thread, which has the rest of a sector when it comes back for it; or by a warp.
constexpr int rows = sms * 256, columns = 256;
__global__ void k53_a(int* out, const int* in) {
  int sum = 0;
  for (int c = 0; c < columns; ++c) sum += in[thread_index() * columns + c];  // planted
  out[thread_index()] = sum;
}
__global__ void k53_b(int* out, const int* in) {
  const int row = thread_index() / 32;
  int sum = 0;
  for (int c = int(threadIdx.x) % 32; c < columns; c += 32) sum += in[row * columns + c];
  sum = __reduce_add_sync(~0u, sum);
  if (threadIdx.x % 32 == 0) out[row] = sum;
}

// Lanes look up words of a table that constant memory gives one after the other, or shared memory a bank each.
constexpr int words = 512, lookups = 32;
__constant__ int table[words];
__global__ void k54_a(int* out, const int* in, const int*) {
  int at = in[thread_index()];
  for (int i = 0; i < lookups; ++i) at = table[at];  // planted
  out[thread_index()] = at;
}
__global__ void k54_b(int* out, const int* in, const int* from) {
  __shared__ int copy[words];
  for (int i = int(threadIdx.x); i < words; i += int(blockDim.x)) copy[i] = from[i];
  __syncthreads();
  int at = in[thread_index()];
  for (int i = 0; i < lookups; ++i) at = copy[at];
  out[thread_index()] = at;
}

}  // namespace

void k51(Bench& bench) {
  const auto in = bench.integers(in_all, 1000);
  const size_t where = bench.integers(1, lists / 2).front();
  std::vector<int> begin(lists + 1), list_of(in_all / piece), wanted(lists);
  for (int list = 0; list < lists; ++list) {
    begin[list + 1] = begin[list] + (size_t(list) == where ? longest : usual);
    for (int i = begin[list]; i < begin[list + 1]; ++i) wanted[list] += in[i];
    for (int i = begin[list]; i < begin[list + 1]; i += piece) list_of[i / piece] = list;
  }
  const DeviceBuffer<int> from(in), begins(begin), of(list_of), out(wanted.size());
  bench.run("k51_a", {lists, 256}, k51_a, out, equal(wanted), from.data(), begins.data());
  bench.run("k51_b", {unsigned(list_of.size()), 256}, k51_b, out, equal(wanted), from.data(),
            begins.data(), of.data());
}

void k52(Bench& bench) {
  std::vector<__half> in;
  std::vector<float> wanted;
  for (const float each : bench.floats(numbers, -1, 1)) {
    in.push_back(__float2half(each));
    double x = __half2float(in.back());
    for (int i = 0; i < steps; ++i) x = x * 0.75 + 0.125;
    wanted.push_back(float(x));
  }
  const DeviceBuffer<__half> from(in), out(in.size());
  const auto right = [&](const std::vector<__half>& got) {
    for (size_t i = 0; i < got.size(); ++i)
      if (!(std::fabs(__half2float(got[i]) - wanted[i]) <= 0.004)) return false;
    return got.size() == wanted.size();
  };
  bench.run<__half>("k52_a", {numbers / 256, 256}, k52_a, out, right, from.data());
  bench.run<__half>("k52_b", {numbers / 512, 256}, k52_b, out, right, from.data());
}

void k53(Bench& bench) {
  const auto in = bench.integers(size_t(rows) * columns, 1000);
  std::vector<int> wanted(rows);
  for (size_t i = 0; i < in.size(); ++i) wanted[i / columns] += in[i];
  const DeviceBuffer<int> from(in), out(wanted.size());
  bench.run("k53_a", {rows / 256, 256}, k53_a, out, equal(wanted), from.data());
  bench.run("k53_b", {rows / 8, 256}, k53_b, out, equal(wanted), from.data());
}

void k54(Bench& bench) {
  const auto next = bench.integers(words, words), in = bench.integers(sms * 2048, words);
  std::vector<int> wanted(in);
  for (int& at : wanted)
    for (int i = 0; i < lookups; ++i) at = next[size_t(at)];
  const DeviceBuffer<int> from(in), words_of(next), out(wanted.size());
  CHECK(cudaMemcpyToSymbol(table, next.data(), sizeof table));
  bench.run("k54_a", {sms * 8, 256}, k54_a, out, equal(wanted), from.data(), words_of.data());
  bench.run("k54_b", {sms * 8, 256}, k54_b, out, equal(wanted), from.data(), words_of.data());
}

}  // namespace advice
