// What a command line asks for: rungs, sizes, directions and places, and which rungs can run here.
//
//   --rung padded,bulk  --size 256,1024  --direction forward,inverse  --place out,in
#pragma once
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "studies/common/check.h"
#include "studies/common/options.h"
#include "studies/fft/fft.h"

namespace fft {

inline std::vector<const Rung*> chosen_rungs(study::Options& options) {
  const std::string names = options.text("--rung", "");
  if (names == "list") {
    for (const Rung* rung : rungs) std::puts(rung->name);
    std::exit(0);
  }
  std::vector<const Rung*> chosen;
  for (const std::string& name : study::parts_of(names)) {
    const size_t before = chosen.size();
    for (const Rung* rung : rungs) {
      if (name == rung->name) chosen.push_back(rung);
    }
    if (chosen.size() == before) options.reject("there is no rung '" + name + "'");
  }
  if (names.empty()) chosen.assign(std::begin(rungs), std::end(rungs));
  return chosen;
}

inline std::vector<int> chosen_sizes(study::Options& options, const char* otherwise) {
  std::vector<int> chosen;
  for (const std::string& word : study::parts_of(options.text("--size", otherwise))) {
    char* rest = nullptr;
    const long n = std::strtol(word.c_str(), &rest, 10);
    if (word.empty() || *rest || n < min_size || n > max_size || (n & (n - 1))) {
      options.reject("--size must be powers of two from 16 to 8192, not '" + word + "'");
    }
    chosen.push_back(int(n));
  }
  if (chosen.empty()) options.reject("--size needs points");
  return chosen;
}

// Of two words those that are named; true: the second one.
inline std::vector<bool> chosen_of(study::Options& options, const std::string& option,
                                   const std::string& one, const std::string& other) {
  std::vector<bool> chosen;
  for (const std::string& word : study::parts_of(options.text(option, one))) {
    if (word != one && word != other) {
      options.reject(option + " must be " + one + " or " + other + ", not '" + word + "'");
    }
    chosen.push_back(word == other);
  }
  if (chosen.empty()) options.reject(option + " must be " + one + " or " + other);
  return chosen;
}

static __global__ void of_this_code() {}

// The compute capability that the loaded code was compiled for, whatever the device has: 90 is 9.0.
inline int capability_of_code() {
  cudaFuncAttributes attributes;
  CHECK(cudaFuncGetAttributes(&attributes, of_this_code));
  return attributes.ptxVersion;
}

// Why a rung has no row; empty: it may have.
inline std::string why_not(const Rung& rung, int n, int capability) {
  if (rung.capability > capability) {
    return "needs code for compute capability " + std::to_string(rung.capability / 10) + "." +
           std::to_string(rung.capability % 10);
  }
  return n <= rung.most ? "" : "transforms " + std::to_string(rung.most) + " points at most";
}

}  // namespace fft
