// Micro-kernels: each does one kind of access, is launched once, is checked against what the host
// expects of it on fresh random input, and says what a profiler must count. tests/micro/counted.py
// holds that against the executor, and scripts/prove/compare_profiler.py holds the executor against a
// profiler on a GPU.
//
//   template <int S>
//   __global__ void load_stride(float* out, const float* in) { … out[i] = in[S * i]; }
//
//   std::vector<Case> strides() { return {{"load 4 B, stride 2", load_stride_case<2>}, …}; }
//
//   $ micro --seed 7 --json micro.json
//   strides    load 4 B, stride 2                PASS
//
// micro.json has the launches in their order:
//
//   [{"topic": "strides", "name": "load 4 B, stride 2", "verified": true, "registers": 8,
//     "local_bytes": 0, "shared_bytes": 0, "counters": {"global_load_requests": 16, …}}, …]
#pragma once
#include <algorithm>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "studies/common/buffer.h"
#include "studies/common/random.h"
#include "tests/micro/traffic.h"

namespace micro {

struct Result {
  bool verified = false;
  cudaFuncAttributes attributes{};  // of what the driver loaded
  std::map<std::string, long> counters;
};

// One launch and its check.
class Bench {
 public:
  explicit Bench(uint64_t seed) : seed_(seed) {}

  // Values of any type of plain bytes; numbers that are compared or added are taken from
  // random_integers.
  template <class T>
  std::vector<T> random(size_t n) {
    std::vector<T> values(n);
    auto* bytes = reinterpret_cast<unsigned char*>(values.data());
    ++stream_;
    for (size_t i = 0; i < n * sizeof(T); ++i)
      bytes[i] = (unsigned char)study::random_bits(seed_ + stream_, i);
    return values;
  }
  template <class T = int>
  std::vector<T> random_integers(size_t n, int end) {
    std::vector<T> values(n);
    ++stream_;
    for (size_t i = 0; i < n; ++i)
      values[i] = T(study::random_bits(seed_ + stream_, i) % uint64_t(end));
    return values;
  }
  // What memory holds that nobody has written.
  template <class T>
  static std::vector<T> unwritten(size_t n) {
    std::vector<T> values(n);
    std::memset(static_cast<void*>(values.data()), 0xA5, n * sizeof(T));
    return values;
  }

  // Launches kernel(out, in...) on memory that holds `before`; it must leave what `right` accepts.
  template <class Out, class... In>
  void check_that(void (*kernel)(Out*, const In*...), const Traffic& traffic,
                  const std::vector<Out>& before,
                  const std::function<bool(const std::vector<Out>&)>& right,
                  const std::vector<In>&... in) {
    study::DeviceBuffer<Out> out(before);
    launch(kernel, traffic, out, study::DeviceBuffer<In>(in)...);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    std::vector<Out> after;
    out.read(after);
    result.verified = right(after);
    result.counters = traffic.counters();
    CHECK(cudaFuncGetAttributes(&result.attributes, kernel));
  }
  // … it must leave exactly `after`, byte by byte.
  template <class Out, class... In>
  void check(void (*kernel)(Out*, const In*...), const Traffic& traffic,
             const std::vector<Out>& before, const std::vector<Out>& after,
             const std::vector<In>&... in) {
    check_that<Out, In...>(
        kernel, traffic, before,
        [&](const std::vector<Out>& got) {
          return got.size() == after.size() &&
                 std::memcmp(got.data(), after.data(), got.size() * sizeof(Out)) == 0;
        },
        in...);
  }

  Result result;

 private:
  template <class Out, class... In>
  void launch(void (*kernel)(Out*, const In*...), const Traffic& traffic,
              study::DeviceBuffer<Out>& out, const study::DeviceBuffer<In>&... in) {
    kernel<<<traffic.blocks(), traffic.block()>>>(out.data(), in.data()...);
  }

  uint64_t seed_, stream_ = 0;
};

struct Case {
  const char* name;
  void (*run)(Bench&);
};

// The topics, one file each.
std::vector<Case> strides();
std::vector<Case> shifts();
std::vector<Case> widths();
std::vector<Case> lanes();
std::vector<Case> permuted();
std::vector<Case> atomics();
std::vector<Case> local();
std::vector<Case> shared_reads();
std::vector<Case> shared_writes();
std::vector<Case> tiles();
std::vector<Case> uniform();
std::vector<Case> cached();
std::vector<Case> flow();
std::vector<Case> pipes();

}  // namespace micro
