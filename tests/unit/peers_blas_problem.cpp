// The check of a matrix product of the peer `blas`: the right answer passes, any wrong one shows.
#include <gtest/gtest.h>

#include "peers/blas/problem.h"

namespace {

using blas::Problem;

template <typename T>
std::vector<T> product(const Problem<T>& problem) {
  const size_t n = problem.n;
  std::vector<T> c(n * n);
  for (size_t column = 0; column < n; ++column) {
    for (size_t row = 0; row < n; ++row) {
      for (size_t k = 0; k < n; ++k)
        c[row + column * n] += problem.a[row + k * n] * problem.b[k + column * n];
    }
  }
  return c;
}

TEST(BlasProblem, a_right_product_lies_within_the_bound) {
  EXPECT_LE(Problem<float>(16, 7).error_over_bound(product(Problem<float>(16, 7))), 1);
  EXPECT_LE(Problem<double>(16, 7).error_over_bound(product(Problem<double>(16, 7))), 1);
}

TEST(BlasProblem, a_value_that_is_slightly_wrong_exceeds_it) {
  const Problem<float> problem(4, 7);  // 256 places: every one of 16 is looked at
  for (size_t place = 0; place < 16; ++place) {
    std::vector<float> c = product(problem);
    c[place] += 1e-4f;
    EXPECT_GT(problem.error_over_bound(c), 1) << place;
  }
}

TEST(BlasProblem, an_answer_that_is_no_number_is_never_right) {
  const Problem<float> problem(4, 7);
  for (size_t place = 0; place < 16; ++place) {
    std::vector<float> c = product(problem);
    c[place] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_FALSE(problem.error_over_bound(c) <= 1) << place;
    EXPECT_FALSE(blas::difference(c, product(problem)) <= 1) << place;
  }
}

}  // namespace
