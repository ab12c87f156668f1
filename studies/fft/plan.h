// A transform of N points by threads that hold V values each: stages of radix V, and what is left.
//
//   1024 points, 16 values, 64 threads: stages of radix 16, 16 and 4
//
// Stockham's order: before each stage, value i of thread t is point t + i N / V of an array; stage `Done`
// (the product of the radices before it) turns points j + r N / R into (j / Done) Done R + j % Done +
// r Done. No order has to be put right at the end, and every read and the last write go to neighbours.
//
// Source: N. K. Govindaraju et al., "High Performance Discrete Fourier Transforms on Graphics Processors",
// 2008.
#pragma once

namespace fft {

constexpr int smallest_block = 64;  // threads; of shorter transforms a block has several

template <int N, int V>
struct Plan {
  static constexpr int threads = N / V;  // of a transform
  static constexpr int block = threads > smallest_block ? threads : smallest_block;
  static constexpr int transforms = block / threads;  // of a block
  static constexpr int tile = transforms * N;         // points of a block
  __host__ __device__ static constexpr int radix(int done) { return N / done < V ? N / done : V; }
};

// Where a point lies in shared memory. The first stage writes every V-th point at a time: unless a gap
// follows each V of them, these lie in few banks.
template <int V>
struct Dense {
  __device__ static unsigned at(unsigned point) { return point; }
  __host__ __device__ static constexpr int size(int points) { return points; }
};
template <int V>
struct Padded {
  __device__ static unsigned at(unsigned point) { return point + point / V; }
  __host__ __device__ static constexpr int size(int points) { return points + points / V; }
};

}  // namespace fft
