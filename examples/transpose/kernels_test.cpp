// The kernels alone: no CUDA in this file, no GPU where it runs.
#include <gtest/gtest.h>

#include <headroom/headroom.hpp>

namespace {

constexpr int n = 256;

class Transpose : public testing::TestWithParam<const char*> {
 protected:
  // Runs the kernel and looks at what it wrote.
  headroom::Launch run() {
    std::vector<float> values(n * n);
    for (int i = 0; i < n * n; ++i) values[i] = float(i);
    const headroom::Array<float> in(values), out(n * n);
    const headroom::Launch launch =
        program.kernel(GetParam())({{n / 32, n / 32}, {32, 8}}, out, in, n);
    const std::vector<float> result = out.host();
    for (int y = 0; y < n; ++y)
      for (int x = 0; x < n; ++x)
        if (result[x * n + y] != values[y * n + x]) ADD_FAILURE() << "at " << x << ", " << y;
    return launch;
  }
  headroom::Program program = headroom::load(KERNELS);
};
INSTANTIATE_TEST_SUITE_P(Kernels, Transpose, testing::Values("naive", "tiled", "padded"));

TEST_P(Transpose, IsRightAndReadsWholeSectors) {
  const headroom::Launch launch = run();
  EXPECT_TRUE(launch.findings().empty());
  EXPECT_EQ(launch["global_load_sectors"], 4 * launch["global_load_requests"]);
}

class Padded : public Transpose {};
INSTANTIATE_TEST_SUITE_P(Kernels, Padded, testing::Values("padded"));

TEST_P(Padded, NeedsNoMoreThanItMust) {
  const headroom::Launch launch = run();
  EXPECT_EQ(launch["global_store_sectors"], 4 * launch["global_store_requests"]);
  EXPECT_EQ(launch["shared_load_conflicts"], 0);
  EXPECT_EQ(launch["shared_store_conflicts"], 0);
  EXPECT_EQ(launch["spill"], 0);
  EXPECT_LE(launch["registers"], 32);
}

class Tiled : public Transpose {};
INSTANTIATE_TEST_SUITE_P(Kernels, Tiled, testing::Values("tiled"));

TEST_P(Tiled, HasThirtyTwoWayConflicts) {
  const headroom::Launch launch = run();
  EXPECT_EQ(launch["shared_load_wavefronts"], 32 * launch["shared_load_instructions"]);
  ASSERT_FALSE(launch.advice().empty());
}

}  // namespace
