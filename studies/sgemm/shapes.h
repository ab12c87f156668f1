// The sizes of products, as a command line names them.
//
//   --size 1024,4095x4097x4099      {1024, 1024, 1024} and {4095, 4097, 4099}
//   --size 256 --k 64               {256, 256, 64}
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "studies/common/options.h"

namespace sgemm {

struct Shape {
  int m, n, k;

  size_t elements_of_a() const { return size_t(m) * k; }
  size_t elements_of_b() const { return size_t(k) * n; }
  size_t elements_of_c() const { return size_t(m) * n; }
  double operations() const { return 2.0 * m * n * k; }
  std::string short_text() const {  // as --size takes it
    const std::string one = std::to_string(m);
    return m == n && n == k ? one : one + "x" + std::to_string(n) + "x" + std::to_string(k);
  }
  std::string text(const std::string& before) const {
    return before + std::to_string(m) + " x " + std::to_string(n) + " x " + std::to_string(k);
  }
};

inline int extent_of(const study::Options& options, const std::string& word) {
  constexpr int64_t largest = 65535 * 32;  // a grid has at most 65 535 blocks in y, the least of 32
  const bool digits = !word.empty() && word.find_first_not_of("0123456789") == std::string::npos;
  const int64_t extent = digits && word.size() < 10 ? std::stoll(word) : 0;
  if (extent < 1 || extent > largest) {
    options.reject("an extent must be a whole number from 1 to " + std::to_string(largest) +
                   ", not '" + word + "'");
  }
  return int(extent);
}

inline std::vector<Shape> shapes(study::Options& options, const char* otherwise) {
  std::vector<Shape> found;
  for (const std::string& size : study::parts_of(options.text("--size", otherwise))) {
    const std::vector<std::string> words = study::parts_of(size, 'x');
    if (words.size() != 1 && words.size() != 3) {
      options.reject("--size must be as 1024 or 1024x64x512, not '" + size + "'");
    }
    found.push_back({extent_of(options, words.front()), extent_of(options, words[words.size() / 2]),
                     extent_of(options, words.back())});
  }
  const std::string m = options.text("--m", ""), n = options.text("--n", ""),
                    k = options.text("--k", "");
  for (Shape& shape : found) {
    if (!m.empty()) shape.m = extent_of(options, m);
    if (!n.empty()) shape.n = extent_of(options, n);
    if (!k.empty()) shape.k = extent_of(options, k);
  }
  return found;
}

}  // namespace sgemm
