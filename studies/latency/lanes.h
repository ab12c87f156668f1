// FP32 lanes of an SM by compute capability: multiply-adds a clock. Source: CUDA C Programming
// Guide, "Throughput of Native Arithmetic Instructions"; before 3.0 its earlier editions.
//
//   lanes_per_sm(9, 0)  ->  128        lanes_per_sm(99, 0)  ->  0: unknown
#pragma once

namespace latency {

struct Lanes {
  int major, minor, lanes;
};
constexpr Lanes lanes_table[] = {
    {1, 0, 8},   {1, 1, 8},   {1, 2, 8},    {1, 3, 8},    {2, 0, 32},   {2, 1, 48},   {3, 0, 192},
    {3, 5, 192}, {3, 7, 192}, {5, 0, 128},  {5, 2, 128},  {5, 3, 128},  {6, 0, 64},   {6, 1, 128},
    {6, 2, 128}, {7, 0, 64},  {7, 2, 64},   {7, 5, 64},   {8, 0, 64},   {8, 6, 128},  {8, 7, 128},
    {8, 9, 128}, {9, 0, 128}, {10, 0, 128}, {10, 3, 128}, {11, 0, 128}, {12, 0, 128}, {12, 1, 128},
};

constexpr int lanes_per_sm(int major, int minor) {
  for (const Lanes& row : lanes_table) {
    if (row.major == major && row.minor == minor) return row.lanes;
  }
  return 0;
}

static_assert(lanes_per_sm(9, 0) == 128 && lanes_per_sm(2, 1) == 48 && lanes_per_sm(99, 0) == 0);

}  // namespace latency
