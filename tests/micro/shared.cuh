// The two kernels of shared memory: a block fills a tile in order and reads it by a pattern, or
// fills it by a pattern and reads it in order. P::size is the tile's elements, P::at(i) the element
// of thread i of the block, P::active(i) whether it takes part.
//
//   struct Two : Tile { … at(int i) { return 2 * i; } };
//                              // 4 B: two words in every second bank, 2 wavefronts
//   {"4 B, stride 2", read_case<float, Two>}
#pragma once
#include "tests/micro/gather.cuh"

namespace micro {

constexpr int shared_threads = 64;

struct Tile {
  static constexpr int size = shared_threads;
  ANYWHERE int at(int i) { return i; }
  ANYWHERE bool active(int) { return true; }
};

template <class T, class P>
__global__ void shared_read(T* out, const T* in) {
  __shared__ T tile[P::size];
  const int i = int(threadIdx.x);
#pragma unroll 1  // unrolled, lanes that go another number of rounds go their own ways
  for (int k = i; k < P::size; k += shared_threads) tile[k] = in[k];
  __syncthreads();
  if (P::active(i)) out[blockIdx.x * shared_threads + threadIdx.x] = tile[P::at(i)];
}

// A pattern as values: what follows is compiled once for a type, not for every pattern.
struct TileOf {
  int size;
  int (*at)(int);
  bool (*active)(int);
};

template <class T>
void read_by(Bench& bench, void (*kernel)(T*, const T*), TileOf pattern) {
  constexpr int bytes = int(sizeof(T));
  Traffic traffic(2, shared_threads);
  const auto in = bench.random<T>(size_t(pattern.size));
  const auto before = Bench::unwritten<T>(size_t(traffic.threads()));
  auto after = before;
  traffic.each_thread([&](Thread t) {
    if (pattern.active(t.index)) after[size_t(t.at)] = in[size_t(pattern.at(t.index))];
  });
  for (int first = 0; first < pattern.size; first += shared_threads) {
    const auto filled = [=](Thread t) {
      return first + t.index < pattern.size ? long(bytes) * (first + t.index) : idle;
    };
    traffic.global_load(bytes, filled);
    traffic.shared_store(bytes, filled);
  }
  traffic.shared_load(bytes, [=](Thread t) {
    return pattern.active(t.index) ? long(bytes) * pattern.at(t.index) : idle;
  });
  traffic.global_store(
      bytes, [=](Thread t) { return pattern.active(t.index) ? long(bytes) * t.at : idle; });
  bench.check(kernel, traffic, before, after, in);
}
template <class T, class P>
void read_case(Bench& bench) {
  read_by<T>(bench, shared_read<T, P>, {P::size, P::at, P::active});
}

// Elements that the pattern leaves out are never read.
template <class T, class P>
__global__ void shared_write(T* out, const T* in) {
  __shared__ T tile[P::size];
  const int i = int(threadIdx.x), j = i ^ 33;
  if (P::active(i)) tile[P::at(i)] = in[blockIdx.x * shared_threads + threadIdx.x];
  __syncthreads();
  if (P::active(j)) out[blockIdx.x * shared_threads + threadIdx.x] = tile[P::at(j)];
}

template <class T>
void write_by(Bench& bench, void (*kernel)(T*, const T*), TileOf pattern) {
  constexpr int bytes = int(sizeof(T));
  Traffic traffic(2, shared_threads);
  const auto in = bench.random<T>(size_t(traffic.threads()));
  const auto before = Bench::unwritten<T>(in.size());
  auto after = before;
  const auto other = [](Thread t) { return t.index ^ 33; };
  traffic.each_thread([&](Thread t) {
    if (pattern.active(other(t))) after[size_t(t.at)] = in[size_t(t.at - t.index + other(t))];
  });
  traffic.global_load(
      bytes, [=](Thread t) { return pattern.active(t.index) ? long(bytes) * t.at : idle; });
  traffic.shared_store(bytes, [=](Thread t) {
    return pattern.active(t.index) ? long(bytes) * pattern.at(t.index) : idle;
  });
  traffic.shared_load(bytes, [=](Thread t) {
    return pattern.active(other(t)) ? long(bytes) * pattern.at(other(t)) : idle;
  });
  traffic.global_store(
      bytes, [=](Thread t) { return pattern.active(other(t)) ? long(bytes) * t.at : idle; });
  bench.check(kernel, traffic, before, after, in);
}
template <class T, class P>
void write_case(Bench& bench) {
  write_by<T>(bench, shared_write<T, P>, {P::size, P::at, P::active});
}

template <int S>
struct Stride : Tile {
  static constexpr int size = S * (shared_threads - 1) + 1;
  ANYWHERE int at(int i) { return S * i; }
};

}  // namespace micro
