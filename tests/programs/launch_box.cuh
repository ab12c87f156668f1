// What the files of the program launch_box share: a table with rows of our own, a kernel that tells
// what it was compiled with, and the comparison of that with what the host launched.
#pragma once
#include <headroom/launch_box.cuh>

#include "tests/programs/expect.cuh"

using headroom::LaunchBox;
using headroom::Launched;
using headroom::Row;

using Mixed = LaunchBox<Row<75, 64, 3>, Row<80, 128, 7, 4>, Row<90, 256, 11, 2>, Row<100, 512, 5>>;

struct Seen {
  int architecture, row, NT, VT, OCC, NV, threads, blocks;
};

// Adds 1 to n values, and says what it was compiled with.
template <typename Tuning>
__global__ __launch_bounds__(Tuning::here::NT, Tuning::here::OCC) void add_one(int n, int* values,
                                                                               Seen* seen) {
  using here = typename Tuning::here;
  __shared__ int tile[here::NV];
  for (int i = threadIdx.x; i < here::NV; i += here::NT) {
    const int at = blockIdx.x * here::NV + i;
    tile[i] = at < n ? values[at] : 0;
  }
  __syncthreads();
  for (int i = threadIdx.x; i < here::NV; i += here::NT) {
    const int at = blockIdx.x * here::NV + i;
    if (at < n) values[at] = tile[i] + 1;
  }
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    *seen = {here::compiled_for, here::architecture, here::NT,        here::VT,
             here::OCC,          here::NV,           int(blockDim.x), int(gridDim.x)};
  }
}

// Launches add_one on n values and returns what it launched, compared with what the device saw.
template <typename Tuning>
Launched add_one_and_compare(int n) {
  int* values;
  Seen* seen;
  EXPECT_OK(cudaMallocManaged(&values, sizeof(int) * n));
  EXPECT_OK(cudaMallocManaged(&seen, sizeof(Seen)));
  *seen = {};
  for (int i = 0; i < n; ++i) values[i] = i;
  const Launched launched =
      headroom::launch<Tuning>(add_one<Tuning>, n, cudaStreamLegacy, n, values, seen);
  EXPECT_OK(cudaDeviceSynchronize());
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += values[i] != i + 1;
  EXPECT(wrong == 0);
  const headroom::Choice& choice = launched.choice;
  EXPECT(seen->architecture == choice.architecture && seen->row == choice.row);
  EXPECT(seen->NT == choice.NT && seen->VT == choice.VT && seen->OCC == choice.OCC);
  EXPECT(seen->NV == choice.NV() && seen->threads == choice.NT);
  EXPECT(seen->blocks == int(launched.blocks));
  EXPECT_OK(cudaFree(values));
  EXPECT_OK(cudaFree(seen));
  return launched;
}

// In the other file: the same kernel of the same table, instantiated there.
Launched launch_from_another_file(int n);
