// A batch of transforms on the device: fresh random input, and whether what came out is right.
//
//   Batch batch(1024, bytes, seed);
//   batch.prepare(in_place);
//   rung.launch(batch.request(in_place, inverse));
//   Answer answer = batch.answer(inverse);           // every value of every transform is compared
//
// Signals repeat after a prime number of transforms, so that the reference of a large batch is soon there:
// whoever mistakes a transform for another one of a tile or of the machine is still found.
//
// error: the largest of all transforms of |X - X64| / |X64|, both Euclidean norms, in units of 2^-24.
#pragma once
#include <algorithm>
#include <cmath>
#include <thread>
#include <vector>

#include "studies/common/buffer.h"
#include "studies/common/random.h"
#include "studies/fft/fft.h"
#include "studies/fft/reference.h"

namespace fft {

struct Answer {
  double error;
  bool right;
};

class Batch {
 public:
  Batch(int n, size_t bytes, uint64_t seed)
      : n_(n),
        batch_(std::max<size_t>(1, bytes / (n * sizeof(float2)))),
        different_(std::min<size_t>(batch_, most_different)),
        source_(n * batch_),
        result_(n * batch_),
        roots_(roots_of(n)),
        signals_(different_) {
    std::vector<float2> values(n * different_);
    for (size_t s = 0; s < different_; ++s) {
      signals_[s].resize(n);
      for (int i = 0; i < n; ++i) {
        const size_t at = s * n + i;
        values[at] = {study::random_float(seed, 2 * at), study::random_float(seed, 2 * at + 1)};
        signals_[s][i] = {values[at].x, values[at].y};
      }
    }
    CHECK(cudaMemcpy(source_.data(), values.data(), values.size() * sizeof(float2),
                     cudaMemcpyHostToDevice));
    const size_t all = n * batch_;
    for (size_t there = values.size(); there < all; there *= 2) {
      CHECK(cudaMemcpy(source_.data() + there, source_.data(),
                       std::min(there, all - there) * sizeof(float2), cudaMemcpyDeviceToDevice));
    }
    int device = 0;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaDeviceGetAttribute(&multiprocessors_, cudaDevAttrMultiProcessorCount, device));
  }

  Request request(bool in_place, bool inverse, float2* workspace = nullptr) const {
    return {in_place ? result_.data() : source_.data(),
            result_.data(),
            roots_.data(),
            workspace,
            n_,
            batch_,
            inverse,
            multiprocessors_};
  }
  size_t size() const { return batch_; }
  size_t bytes() const { return source_.bytes(); }

  // What lies where the result is to be: the input, or what is no number.
  void prepare(bool in_place) {
    if (in_place) {
      result_.copy_from(source_);
    } else {
      CHECK(cudaMemsetAsync(result_.data(), 0xff, result_.bytes()));
    }
  }
  Answer answer(bool inverse) {
    result_.read(output_);
    std::vector<Signal>& right = inverse ? backward_ : forward_;
    if (right.empty()) {
      right.resize(different_);
      in_parts(different_, [&](size_t s) {
        right[s] = transform(signals_[s], inverse);
        return 0.0;
      });
    }
    const double error = in_parts(
        batch_, [&](size_t b) { return distance(output_.data() + b * n_, right[b % different_]); });
    return {error, error <= limit()};
  }
  // Rounding takes a few units, the intrinsics' factors some more; a wrong point takes millions.
  double limit() const { return 4 * std::log2(n_); }

 private:
  static constexpr size_t most_different = 509;

  static std::vector<float2> roots_of(int n) {
    std::vector<float2> roots(n);
    for (int k = 0; k < n; ++k) {
      const std::complex<double> exact = root(double(k) / n);
      roots[k] = {float(exact.real()), float(exact.imag())};
    }
    return roots;
  }
  // What is no number stays none.
  static double distance(const float2* x, const Signal& right) {
    double off = 0, length = 0;
    for (size_t i = 0; i < right.size(); ++i) {
      off += std::norm(std::complex<double>(x[i].x, x[i].y) - right[i]);
      length += std::norm(right[i]);
    }
    return std::sqrt(off / length) * 0x1p24;
  }
  // The largest of a figure over all `count`, by all cores of the host where there is much to do.
  template <typename Of>
  double in_parts(size_t count, const Of& of) const {
    const size_t cores = std::max(1u, std::thread::hardware_concurrency());
    const size_t parts = std::min(count * n_ / (1 << 16) + 1, cores);
    std::vector<double> largest(parts, 0);
    const auto part = [&](size_t p) {
      for (size_t i = count * p / parts; i < count * (p + 1) / parts; ++i) {
        const double figure = of(i);
        if (!(figure <= largest[p])) largest[p] = figure;
      }
    };
    std::vector<std::thread> others;
    for (size_t p = 1; p < parts; ++p) others.emplace_back(part, p);
    part(0);
    for (std::thread& other : others) other.join();
    for (const double one : largest) {
      if (!(one <= largest[0])) largest[0] = one;
    }
    return largest[0];
  }

  int n_;
  size_t batch_, different_;
  study::DeviceBuffer<float2> source_, result_, roots_;
  std::vector<Signal> signals_, forward_, backward_;
  std::vector<float2> output_;
  int multiprocessors_ = 0;
};

}  // namespace fft
