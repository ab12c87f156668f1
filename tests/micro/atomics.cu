// Atomics and reductions: operations of their own, which neither loads nor stores count. Their
// requests are estimates: the compiler below PTX may combine the lanes of a warp first, or loop on
// compare-and-swap.
//
//   atomicAdd(&total[0], 1)       every warp one request of one sector, or one lane of it with
//                                 the sum
#include <numeric>

#include "tests/micro/gather.cuh"

namespace micro {
namespace {

constexpr int n = 512;  // threads

// Tickets: every thread gets a number of its own. out[0] counts, out[1 + i] keeps.
__global__ void tickets(int* out, const int*) {
  out[1 + blockIdx.x * blockDim.x + threadIdx.x] = atomicAdd(out, 1);
}
void tickets_case(Bench& bench) {
  Traffic traffic(4, 128);
  std::vector<int> before(n + 1, 0);
  traffic.global_atomic(4, [](Thread) { return 0; });
  traffic.global_store(4, [](Thread t) { return 4 + 4 * t.at; });
  const std::function<bool(const std::vector<int>&)> all_numbers = [](const std::vector<int>& got) {
    std::vector<int> sorted(got.begin() + 1, got.end()), wanted(n);
    std::sort(sorted.begin(), sorted.end());
    std::iota(wanted.begin(), wanted.end(), 0);
    return got[0] == n && sorted == wanted;
  };
  bench.check_that(tickets, traffic, before, all_numbers, std::vector<int>(1));
}

// Reductions, by the place where thread i adds its value: places are 4 or 8 bytes each.
struct Same {
  ANYWHERE int place(int) { return 0; }
};
struct Own {
  ANYWHERE int place(int i) { return i; }
};
struct Eight {
  ANYWHERE int place(int i) { return 8 * i; }
};
struct Five {
  ANYWHERE int place(int i) { return i % 5; }
};
struct Hashed {
  ANYWHERE int place(int i) { return int(unsigned(i) * 2654435761u >> 22); }
};
constexpr int places = 8 * n;

struct Add {
  template <class T>
  __device__ static void apply(T* place, T value) {
    atomicAdd(place, value);
  }
  template <class T>
  static T host(T a, T b) {
    return a + b;
  }
};
struct Max {
  template <class T>
  __device__ static void apply(T* place, T value) {
    atomicMax(place, value);
  }
  template <class T>
  static T host(T a, T b) {
    return std::max(a, b);
  }
};
struct Xor {
  template <class T>
  __device__ static void apply(T* place, T value) {
    atomicXor(place, value);
  }
  template <class T>
  static T host(T a, T b) {
    return a ^ b;
  }
};

template <class T, class Operation, class P>
__global__ void reduce(T* out, const T* in) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  Operation::apply(out + P::place(i), in[i]);
}
// Small whole numbers: their sums are exact in every order, in floating point too.
template <class T, class Operation, class P>
void reduce_case(Bench& bench) {
  Traffic traffic(4, 128);
  const auto in = bench.random_integers<T>(n, 1000);
  const std::vector<T> before(places, T(1));
  auto after = before;
  for (int i = 0; i < n; ++i) {
    T& place = after[size_t(P::place(i))];
    place = Operation::template host<T>(place, in[size_t(i)]);
  }
  const int bytes = int(sizeof(T));
  traffic.global_load(bytes, [=](Thread t) { return bytes * t.at; });
  traffic.global_atomic(bytes, [=](Thread t) { return bytes * P::place(t.at); });
  bench.check(reduce<T, Operation, P>, traffic, before, after, in);
}

// Values that are used: each lane's own place, whose old value goes elsewhere.
__global__ void exchange(int* out, const int* in) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  out[n + i] = atomicExch(out + i, in[i]);
}
__global__ void compare_and_swap(int* out, const int* in) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  out[n + i] = atomicCAS(out + i, 7, in[i]);
}
__global__ void tickets_of_five(int* out, const int*) {  // from i % 5 on, by fives
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  out[n + i] = atomicAdd(out + i % 5, 5);
}
void tickets_of_five_case(Bench& bench) {
  Traffic traffic(4, 128);
  std::vector<int> before(2 * n, 0);
  for (int i = 0; i < 5; ++i) before[size_t(i)] = i;
  traffic.global_atomic(4, [](Thread t) { return 4 * (t.at % 5); });
  traffic.global_store(4, [](Thread t) { return 4 * (n + t.at); });
  const std::function<bool(const std::vector<int>&)> all_numbers = [](const std::vector<int>& got) {
    std::vector<int> sorted(got.begin() + n, got.end()), wanted(n);
    std::sort(sorted.begin(), sorted.end());
    std::iota(wanted.begin(), wanted.end(), 0);
    return sorted == wanted;
  };
  bench.check_that(tickets_of_five, traffic, before, all_numbers, std::vector<int>(1));
}
template <void (*kernel)(int*, const int*)>
void old_value_case(Bench& bench) {
  Traffic traffic(4, 128);
  const auto in = bench.random_integers(n, 1 << 30);
  auto before = bench.random_integers(2 * n, 10);
  auto after = before;
  for (size_t i = 0; i < n; ++i) {
    after[n + i] = before[i];
    if (kernel == exchange || before[i] == 7) after[i] = in[i];
  }
  traffic.global_load(4, [](Thread t) { return 4 * t.at; });
  traffic.global_atomic(4, [](Thread t) { return 4 * t.at; });
  traffic.global_store(4, [](Thread t) { return 4 * (n + t.at); });
  bench.check(kernel, traffic, before, after, in);
}

// Sums in shared memory: a histogram of 16 bins a block.
template <class T>
__global__ void histogram(T* out, const int* in) {
  __shared__ T bins[16];
  const int i = int(threadIdx.x);
  if (i < 16) bins[i] = T(0);
  __syncthreads();
  atomicAdd(&bins[in[blockIdx.x * blockDim.x + threadIdx.x]], T(1));
  __syncthreads();
  if (i < 16) out[blockIdx.x * 16 + threadIdx.x] = bins[i];
}
template <class T>
void histogram_case(Bench& bench) {
  Traffic traffic(4, 128);
  const auto in = bench.random_integers(n, 16);
  std::vector<T> after(4 * 16, T(0));
  for (size_t i = 0; i < n; ++i) after[i / 128 * 16 + size_t(in[i])] += T(1);
  const int bytes = int(sizeof(T));
  const auto bin = [=](Thread t) { return t.index < 16 ? long(bytes) * t.index : idle; };
  traffic.shared_store(bytes, bin);
  traffic.global_load(4, [](Thread t) { return 4 * t.at; });
  traffic.shared_atomic([](Thread) { return 0; });
  traffic.shared_load(bytes, bin);
  traffic.global_store(bytes, [=](Thread t) {
    return t.index < 16 ? long(bytes) * (16 * t.block + t.index) : idle;
  });
  bench.check(histogram<T>, traffic, Bench::unwritten<T>(after.size()), after, in);
}

}  // namespace

std::vector<Case> atomics() {
  using Wide = unsigned long long;
  return {
      {"tickets of one counter", tickets_case},
      {"tickets of five counters", tickets_of_five_case},
      {"add int, one place", reduce_case<int, Add, Same>},
      {"add int, places of their own", reduce_case<int, Add, Own>},
      {"add int, a sector each", reduce_case<int, Add, Eight>},
      {"add int, five places", reduce_case<int, Add, Five>},
      {"add int, hashed", reduce_case<int, Add, Hashed>},
      {"add float, one place", reduce_case<float, Add, Same>},
      {"add float, places of their own", reduce_case<float, Add, Own>},
      {"add double, hashed", reduce_case<double, Add, Hashed>},
      {"add 64 bits, places of their own", reduce_case<Wide, Add, Own>},
      {"maximum of int, one place", reduce_case<int, Max, Same>},
      {"maximum of 64 bits, five places", reduce_case<Wide, Max, Five>},
      {"exclusive or, hashed", reduce_case<unsigned, Xor, Hashed>},
      {"exchange", old_value_case<exchange>},
      {"compare and swap", old_value_case<compare_and_swap>},
      {"histogram of int in shared memory", histogram_case<int>},
      {"histogram of float in shared memory", histogram_case<float>},
      {"histogram of 64 bits in shared memory", histogram_case<Wide>},
  };
}

}  // namespace micro
