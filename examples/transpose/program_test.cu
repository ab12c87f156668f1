// The function as a program calls it, with all that it launches. CTest starts this one by `headroom run`.
#include <gtest/gtest.h>

#include <headroom/headroom.hpp>

#include "transpose.cuh"

TEST(Transpose, LaunchesOneKernelWithoutConflicts) {
  if (!headroom::is_emulated()) GTEST_SKIP() << "start it by: headroom run -- ./program_test";
  constexpr int n = 128;
  float *in, *out;
  ASSERT_EQ(cudaMalloc(&in, n * n * sizeof(float)), cudaSuccess);
  ASSERT_EQ(cudaMalloc(&out, n * n * sizeof(float)), cudaSuccess);
  const auto launches = headroom::launches_of([&] { transpose(out, in, n); });
  ASSERT_EQ(launches.size(), 1u);
  EXPECT_TRUE(launches[0].findings().empty());
  if (!launches[0].counted()) GTEST_SKIP() << "headroom check looks for faults and counts nothing";
  EXPECT_EQ(launches[0]["shared_load_conflicts"], 0);
  EXPECT_EQ(launches[0]["global_store_sectors"], n * n * sizeof(float) / 32);
  cudaFree(in);
  cudaFree(out);
}
