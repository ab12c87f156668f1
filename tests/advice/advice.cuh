// Pairs of kernels for advice to be held against: kNN_a has one problem planted in it, kNN_b is its
// mended twin, and both leave what the host expects of fresh random input. Names tell nothing; the
// table in pairs.h does, and a comment at the end of the planted line.
//
//   __global__ void k02_a(int* out, const int* in) { … out[32 * row + j] = …;  // planted
//   __global__ void k02_b(int* out, const int* in) { … }
//
//   void k02(Bench& bench) {
//     const auto in = bench.integers(n, 1000);
//     …
//     bench.run("k02_a", {512, 256}, k02_a, out, equal(wanted), from.data());
//     bench.run("k02_b", {512, 256}, k02_b, out, equal(wanted), from.data());
//   }
#pragma once
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "studies/common/buffer.h"
#include "studies/common/random.h"

namespace advice {

using study::DeviceBuffer;

constexpr int sms = 132;  // of the GPU that the sizes are made for

struct Shape {
  dim3 grid, block;
  size_t dynamic_shared = 0;  // bytes
};

struct Row {
  std::string kernel;
  Shape shape;
  bool verified;
};

class Bench {
 public:
  Bench(uint64_t seed, int repeat) : seed_(seed), repeat_(repeat) {}

  // Uniform in [low, high).
  std::vector<float> floats(size_t n, float low, float high) {
    std::vector<float> values(n);
    ++stream_;
    for (size_t i = 0; i < n; ++i) {
      values[i] = low + (high - low) * (study::random_float(seed_ + stream_, i) + 1) / 2;
    }
    return values;
  }
  // Uniform in 0 … end - 1.
  template <class T = int>
  std::vector<T> integers(size_t n, uint64_t end) {
    std::vector<T> values(n);
    ++stream_;
    for (size_t i = 0; i < n; ++i) values[i] = T(study::random_bits(seed_ + stream_, i) % end);
    return values;
  }

  // Launches kernel(out, arguments...) on an `out` of zeros; it must leave what `right` accepts.
  template <class Out, class... Parameters, class... Arguments>
  void run(const char* name, Shape shape, void (*kernel)(Out*, Parameters...),
           const DeviceBuffer<Out>& out, const std::function<bool(const std::vector<Out>&)>& right,
           Arguments... arguments) {
    if (shape.dynamic_shared > 48 * 1024) {
      CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 int(shape.dynamic_shared)));
    }
    Row row{name, shape, true};
    std::vector<Out> after;
    for (int i = 0; i < repeat_; ++i) {
      CHECK(cudaMemset(out.data(), 0, out.bytes()));
      kernel<<<shape.grid, shape.block, shape.dynamic_shared>>>(out.data(), arguments...);
      CHECK(cudaGetLastError());
      CHECK(cudaDeviceSynchronize());
      out.read(after);
      row.verified = row.verified && right(after);
    }
    rows.push_back(row);
  }

  std::vector<Row> rows;

 private:
  uint64_t seed_, stream_ = 0;
  int repeat_;
};

// What `right` may be.
template <class T>
std::function<bool(const std::vector<T>&)> equal(std::vector<T> wanted) {
  return [wanted = std::move(wanted)](const std::vector<T>& got) { return got == wanted; };
}
inline std::function<bool(const std::vector<float>&)> close(std::vector<double> wanted,
                                                            double tolerance) {
  return [wanted = std::move(wanted), tolerance](const std::vector<float>& got) {
    if (got.size() != wanted.size()) return false;
    for (size_t i = 0; i < got.size(); ++i) {
      // Not the other way round: a NaN is wrong.
      if (!(std::fabs(got[i] - wanted[i]) <= tolerance * (1 + std::fabs(wanted[i])))) return false;
    }
    return true;
  };
}

#ifdef __CUDACC__
__device__ inline int thread_index() { return int(blockIdx.x * blockDim.x + threadIdx.x); }
#endif

}  // namespace advice
