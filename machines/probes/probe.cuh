// What all probes share: options, random input, device memory, and what they print.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -I. -Iinclude machines/probes/latency.cu -o latency
//   ./latency [--gpu N] [--seed N] [--small]
//
// A probe measures one thing in several ways, verifies on the host, on fresh random input, that its
// kernels compute what their instructions say, and prints a line of JSON for each value and check:
//
//   {"value": "ffma", "unit": "cycles", "median": 4, "least": 4, "most": 4.02, "samples": 21, …}
//   {"check": "ffma", "passed": true, "checked": 32}
//   {"caveat": {"what": "…", "cause": "…", "advice": "…"}}
//   {"end": true}
//
// `--small` takes sizes that headroom's executor runs in a moment. There, where no clock is, the
// checks are all there is: values are left out, with a caveat that says so.
#pragma once
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "headroom/timing/executor.h"
#include "headroom/timing/samples.h"

namespace probe {

// A CUDA call that fails ends the probe with one line that says which.
inline void call(cudaError_t code, const char* file, int line) {
  if (code == cudaSuccess) return;
  std::printf("{\"error\": \"%s\", \"text\": \"%s\", \"call\": \"%s:%d\"}\n",
              cudaGetErrorName(code), cudaGetErrorString(code), file, line);
  std::fflush(stdout);
  std::exit(3);
}
#define PROBE_CALL(...) ::probe::call((__VA_ARGS__), __FILE__, __LINE__)

// One value at one point of a curve: `at` names the point, {{"KiB", 64}}.
using At = std::vector<std::pair<const char*, double>>;

using headroom::timing::median;

class Probe {
 public:
  bool small = false, executor = false;
  unsigned seed = unsigned(std::chrono::system_clock::now().time_since_epoch().count());
  int gpu = 0;
  cudaDeviceProp device{};
  std::mt19937 random;

  Probe(int count, char** arguments) {
    for (int i = 1; i < count; ++i) {
      const std::string option = arguments[i];
      const bool has_value = i + 1 < count;
      if (option == "--small") {
        small = true;
      } else if (option == "--gpu" && has_value) {
        gpu = std::atoi(arguments[++i]);
      } else if (option == "--seed" && has_value) {
        seed = unsigned(std::strtoul(arguments[++i], nullptr, 10));
      } else {
        std::fprintf(stderr, "%s: no option '%s'\n  hint: [--gpu N] [--seed N] [--small]\n",
                     arguments[0], option.c_str());
        std::exit(2);
      }
    }
    random.seed(seed);
    executor = headroom::timing::on_executor();
    PROBE_CALL(cudaSetDevice(gpu));
    PROBE_CALL(cudaGetDeviceProperties(&device, gpu));
    std::printf("{\"seed\": %u}\n", seed);
    if (executor) {
      caveat("only the checks were made: nothing was measured",
             "the executor runs kernels, but has no clock", "run the probe on a GPU");
    }
  }

  // Samples of what a clock measured.
  void value(const char* name, const char* unit, const char* instruction,
             const std::vector<double>& samples, const At& at = {}) {
    if (!executor && !samples.empty()) print(name, unit, instruction, samples, samples.size(), at);
  }
  // What was counted on so many inputs: the executor can do that too.
  void counted(const char* name, const char* unit, const char* instruction, double value,
               double inputs, const At& at = {}) {
    print(name, unit, instruction, {value}, inputs, at);
  }

  void check(const char* name, bool passed, double checked) {
    std::printf("{\"check\": \"%s\", \"passed\": %s, \"checked\": %.0f}\n", name,
                passed ? "true" : "false", checked);
    std::fflush(stdout);
    failed_ |= !passed || checked == 0;
  }

  void caveat(const char* what, const char* cause, const char* advice) {
    std::printf("{\"caveat\": {\"what\": \"%s\", \"cause\": \"%s\", \"advice\": \"%s\"}}\n", what,
                cause, advice);
  }

  // The exit code of main: 1 when a check failed.
  int end() {
    PROBE_CALL(cudaDeviceSynchronize());
    std::printf("{\"end\": true}\n");
    return failed_ ? 1 : 0;
  }

  uint32_t bits() { return uint32_t(random()); }
  double between(double low, double high) {
    return low + (high - low) * (double(random()) / 4294967296.0);
  }

 private:
  void print(const char* name, const char* unit, const char* instruction,
             const std::vector<double>& samples, double number, const At& at) {
    const auto [least, most] = std::minmax_element(samples.begin(), samples.end());
    std::printf("{\"value\": \"%s\", \"unit\": \"%s\", \"instruction\": \"%s\", ", name, unit,
                instruction);
    for (size_t i = 0; i < at.size(); ++i)
      std::printf("%s\"%s\": %.9g%s", i ? ", " : "\"at\": {", at[i].first, at[i].second,
                  i + 1 == at.size() ? "}, " : "");
    std::printf("\"median\": %.7g, \"least\": %.7g, \"most\": %.7g, \"samples\": %.0f}\n",
                median(samples), *least, *most, number);
    std::fflush(stdout);
  }

  bool failed_ = false;
};

// Device memory with an owner.
template <typename T>
class Array {
 public:
  explicit Array(size_t size) : size_(size) {
    PROBE_CALL(cudaMalloc(&data_, size * sizeof(T)));
    PROBE_CALL(cudaMemset(data_, 0xff, size * sizeof(T)));  // what no kernel wrote shows
  }
  explicit Array(const std::vector<T>& from) : Array(from.size()) { write(from); }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  ~Array() { cudaFree(data_); }

  T* data() const { return data_; }
  size_t size() const { return size_; }
  void write(const std::vector<T>& from) {
    PROBE_CALL(cudaMemcpy(data_, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice));
  }
  std::vector<T> read() const {
    std::vector<T> to(size_);
    PROBE_CALL(cudaMemcpy(to.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost));
    return to;
  }
  T first() const {
    T value;
    PROBE_CALL(cudaMemcpy(&value, data_, sizeof(T), cudaMemcpyDeviceToHost));
    return value;
  }

 private:
  T* data_ = nullptr;
  size_t size_ = 0;
};

// Differences in units in the last place of a float, of what a GPU computed to the exact value.
inline double ulps(double computed, double exact) {
  if (std::isnan(exact) || std::isnan(computed))
    return std::isnan(exact) == std::isnan(computed) ? 0 : INFINITY;
  const float nearest = float(exact);
  if (std::isinf(nearest)) return float(computed) == nearest ? 0 : INFINITY;
  const float next = std::nextafterf(std::fabs(nearest), INFINITY);
  return std::fabs(computed - exact) / (double(next) - std::fabs(double(nearest)));
}

}  // namespace probe
