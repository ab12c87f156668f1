// The kernel that most topics share: thread i copies in[P::load(i)] to out[P::store(i)]. A pattern
// P may leave out `store` (i itself) and `active` (all threads); every warp then makes one load and
// one store.
//
//   struct Twice : Every { ANYWHERE int load(int i) { return 2 * i; } };
//   {"load 4 B, stride 2", gather_case<float, Twice>}
#pragma once
#include "tests/micro/micro.cuh"

namespace micro {

#define ANYWHERE __host__ __device__ static

struct Every {
  ANYWHERE int load(int i) { return i; }
  ANYWHERE int store(int i) { return i; }
  ANYWHERE bool active(int) { return true; }
};

template <class T, class P>
__global__ void gather(T* out, const T* in) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (P::active(i)) out[P::store(i)] = in[P::load(i)];
}

// A pattern as values: what follows is compiled once for a type, not for every pattern.
struct GatherOf {
  int (*load)(int);
  int (*store)(int);
  bool (*active)(int);
};

template <class T>
void gather_by(Bench& bench, void (*kernel)(T*, const T*), GatherOf pattern) {
  Traffic traffic(4, 128);
  int loaded = 0, stored = 0;
  traffic.each_thread([&](Thread t) {
    loaded = std::max(loaded, pattern.load(t.at) + 1);
    stored = std::max(stored, pattern.store(t.at) + 1);
  });
  const auto in = bench.random<T>(size_t(loaded));
  const auto before = Bench::unwritten<T>(size_t(stored));
  auto after = before;
  traffic.each_thread([&](Thread t) {
    if (pattern.active(t.at)) after[size_t(pattern.store(t.at))] = in[size_t(pattern.load(t.at))];
  });
  constexpr int bytes = int(sizeof(T));
  traffic.global_load(bytes, [=](Thread t) {
    return pattern.active(t.at) ? long(bytes) * pattern.load(t.at) : idle;
  });
  traffic.global_store(bytes, [=](Thread t) {
    return pattern.active(t.at) ? long(bytes) * pattern.store(t.at) : idle;
  });
  bench.check(kernel, traffic, before, after, in);
}
template <class T, class P>
void gather_case(Bench& bench) {
  gather_by<T>(bench, gather<T, P>, {P::load, P::store, P::active});
}

}  // namespace micro
