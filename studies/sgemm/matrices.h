// What a product needs, on the host and on the device: random A and B, a C that shows when it is read
// or left alone, and what it must become.
//
//   Matrices matrices(shape, alpha, beta, seed);
//   const Workspace workspace(rung, matrices.on_device(nullptr));
//   matrices.restore_c();
//   rung.launch(matrices.on_device(workspace.data()));
//   Answer answer = matrices.answer();
#pragma once
#include <limits>
#include <vector>

#include "studies/common/buffer.h"
#include "studies/common/random.h"
#include "studies/sgemm/reference.h"
#include "studies/sgemm/sgemm.h"
#include "studies/sgemm/shapes.h"

namespace sgemm {

class Matrices {
 public:
  Matrices(const Shape& shape, float alpha, float beta, uint64_t seed)
      : shape_(shape),
        alpha_(alpha),
        beta_(beta),
        before_(c_before(seed + 2)),
        host_a_(study::random_floats(shape.elements_of_a(), seed)),
        host_b_(study::random_floats(shape.elements_of_b(), seed + 1)),
        a_(host_a_),
        b_(host_b_),
        c_before_(before_),
        c_(before_),
        reference_(problem(host_a_.data(), host_b_.data(), nullptr, nullptr), before_, seed + 3) {}

  Problem on_device(void* workspace) const {
    return problem(a_.data(), b_.data(), c_.data(), workspace);
  }
  void restore_c() { c_.copy_from(c_before_); }
  Answer answer() {
    c_.read(after_);
    return reference_.compare(after_.data());
  }

 private:
  Problem problem(const float* a, const float* b, float* c, void* workspace) const {
    return {shape_.m, shape_.n, shape_.k, alpha_, beta_, a, b, c, workspace};
  }
  // What C must not be read for is not a number, so that reading it shows.
  std::vector<float> c_before(uint64_t seed) const {
    if (beta_ != 0) return study::random_floats(shape_.elements_of_c(), seed);
    return std::vector<float>(shape_.elements_of_c(), std::numeric_limits<float>::quiet_NaN());
  }

  Shape shape_;
  float alpha_, beta_;
  std::vector<float> before_, host_a_, host_b_, after_;
  study::DeviceBuffer<float> a_, b_, c_before_, c_;
  Reference reference_;
};

class Workspace {
 public:
  Workspace(const Rung& rung, const Problem& problem)
      : bytes_(rung.workspace ? rung.workspace(problem) : 0) {
    bytes_.clear();
  }
  void* data() const { return bytes_.data(); }

 private:
  study::DeviceBuffer<char> bytes_;
};

}  // namespace sgemm
