// Accesses under branches and in loops: a request counts for every round in which a lane of the
// warp takes part, and lanes that left a loop at different rounds meet again behind it.
#include "tests/micro/gather.cuh"

namespace micro {
namespace {

constexpr int n = 512;

// Lane l goes l % 5 rounds; all store together.
__global__ void uneven(int* out, const int* in) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  int sum = 0;
#pragma unroll 1
  for (int k = 0; k < i % 5; ++k) sum += in[n * k + i];
  out[i] = sum;
}
void uneven_case(Bench& bench) {
  Traffic traffic(4, 128);
  const auto in = bench.random_integers(5 * n, 1000);
  std::vector<int> after(n, 0);
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < i % 5; ++k) after[size_t(i)] += in[size_t(n * k + i)];
  }
  for (int k = 0; k < 4; ++k)
    traffic.global_load(4, [=](Thread t) { return k < t.at % 5 ? 4L * (n * k + t.at) : idle; });
  traffic.global_store(4, [](Thread t) { return 4 * t.at; });
  bench.check(uneven, traffic, Bench::unwritten<int>(n), after, in);
}

// Two ways, each with loads of its own.
__global__ void two_ways(int* out, const int* in, const int* which) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  int value = 0;
  if (which[i] == 1) {
#pragma unroll 1
    for (int k = 0; k < 3; ++k) value += in[n * k + i];
  } else {
#pragma unroll 1
    for (int k = 3; k < 8; ++k) value ^= in[n * k + i];
  }
  out[i] = value;
}
void two_ways_case(Bench& bench) {
  Traffic traffic(4, 128);
  const auto in = bench.random_integers(8 * n, 1000), which = bench.random_integers(n, 2);
  std::vector<int> after(n, 0);
  const auto goes = [&](int i, int k) { return (which[size_t(i)] == 1) == (k < 3); };
  for (int k = 0; k < 8; ++k) {
    for (int i = 0; i < n; ++i) {
      const int value = goes(i, k) ? in[size_t(n * k + i)] : 0;
      after[size_t(i)] = k < 3 ? after[size_t(i)] + value : after[size_t(i)] ^ value;
    }
    traffic.global_load(4, [&](Thread t) { return goes(t.at, k) ? 4L * (n * k + t.at) : idle; });
  }
  traffic.global_load(4, [](Thread t) { return 4 * t.at; });
  traffic.global_store(4, [](Thread t) { return 4 * t.at; });
  bench.check(two_ways, traffic, Bench::unwritten<int>(n), after, in, which);
}

// One load under a condition, short enough for a predicate.
__global__ void predicated(int* out, const int* in) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  int value = in[i];
  if (value % 3 == 0) value += in[n + i];
  if (i / 32 % 4 == 1) value += in[2 * n + i];
  out[i] = value;
}
void predicated_case(Bench& bench) {
  Traffic traffic(4, 128);
  const auto in = bench.random_integers(3 * n, 1000);
  std::vector<int> after(n);
  for (size_t i = 0; i < n; ++i) after[i] = in[i] + (in[i] % 3 == 0 ? in[n + i] : 0);
  // the second condition looks at the warp alone
  for (size_t i = 0; i < n; ++i) after[i] += i / 32 % 4 == 1 ? in[2 * n + i] : 0;
  traffic.global_load(4, [](Thread t) { return 4 * t.at; });
  traffic.global_load(4,
                      [&](Thread t) { return in[size_t(t.at)] % 3 == 0 ? 4L * (n + t.at) : idle; });
  traffic.global_load(4, [](Thread t) { return t.at / 32 % 4 == 1 ? 4L * (2 * n + t.at) : idle; });
  traffic.global_store(4, [](Thread t) { return 4 * t.at; });
  bench.check(predicated, traffic, Bench::unwritten<int>(n), after, in);
}

// Each lane looks for its value in a sorted list: all look at the middle, then each goes its way.
constexpr int listed = 1000;
__global__ void search(int* out, const int* list, const int* wanted) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  const int value = wanted[i];
  int low = 0, high = listed;
#pragma unroll 1
  while (low < high) {
    const int middle = (low + high) / 2;
    if (list[middle] < value)
      low = middle + 1;
    else
      high = middle;
  }
  out[i] = low;
}
void search_case(Bench& bench) {
  Traffic traffic(4, 128);
  auto list = bench.random_integers(listed, 100000);
  std::sort(list.begin(), list.end());
  const auto wanted = bench.random_integers(n, 100000);
  std::vector<int> after(n);
  std::vector<std::vector<int>> path(n);  // the middles of each thread
  for (size_t i = 0; i < n; ++i) {
    after[i] = int(std::lower_bound(list.begin(), list.end(), wanted[i]) - list.begin());
    for (int low = 0, high = listed; low < high;) {
      const int middle = (low + high) / 2;
      path[i].push_back(middle);
      (middle < after[i] ? low : high) = middle < after[i] ? middle + 1 : middle;
    }
  }
  traffic.global_load(4, [](Thread t) { return 4 * t.at; });
  for (size_t round = 0; round < 11; ++round) {
    traffic.global_load(4, [&](Thread t) {
      const auto& middles = path[size_t(t.at)];
      return round < middles.size() ? 4L * middles[round] : idle;
    });
  }
  traffic.global_store(4, [](Thread t) { return 4 * t.at; });
  bench.check(search, traffic, Bench::unwritten<int>(n), after, list, wanted);
}

// Loops over the grid: one round after another, whose last has 100 threads; and unrolled by four,
// whose rest is done one by one, with three whole warps in the last round: where the lanes of a
// warp go different numbers of rounds, an unrolled loop leads them apart.
template <int Unrolled>
__global__ void grid_stride(int* out, const int* in, const int* count) {
  const int threads = int(gridDim.x * blockDim.x), bound = *count;
#pragma unroll Unrolled
  for (int i = int(blockIdx.x * blockDim.x + threadIdx.x); i < bound; i += threads) out[i] = in[i];
}
template <int Unrolled, int Last>
void grid_stride_case(Bench& bench) {
  constexpr int total = 7 * n + Last;
  Traffic traffic(4, 128);
  const auto in = bench.random<int>(total);
  traffic.global_load(4, [](Thread) { return 0; });
  for (int first = 0; first < total; first += n) {
    const auto place = [=](Thread t) { return first + t.at < total ? 4L * (first + t.at) : idle; };
    traffic.global_load(4, place);
    traffic.global_store(4, place);
  }
  bench.check(grid_stride<Unrolled>, traffic, Bench::unwritten<int>(total), in, in,
              std::vector<int>{total});
}

// Rows of 8 values, unrolled in full.
__global__ void rows(int* out, const int* in) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  int sum = 0;
#pragma unroll
  for (int k = 0; k < 8; ++k) sum += in[9 * i + k];
  out[i] = sum;
}
void rows_case(Bench& bench) {
  Traffic traffic(4, 128);
  const auto in = bench.random_integers(9 * n, 1000);
  std::vector<int> after(n, 0);
  for (int k = 0; k < 8; ++k) {
    for (size_t i = 0; i < n; ++i) after[i] += in[9 * i + size_t(k)];
    traffic.global_load(4, [=](Thread t) { return 4 * (9 * t.at + k); });
  }
  traffic.global_store(4, [](Thread t) { return 4 * t.at; });
  bench.check(rows, traffic, Bench::unwritten<int>(n), after, in);
}

// Four cases, and one that does nothing.
__global__ void cases(int* out, const int* in, const int* which) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  switch (which[i]) {
    case 0: out[i] = in[i]; break;
    case 1: out[i] = in[n + 2 * i] * 3; break;
    case 2: out[i] = in[3 * n] - i; break;
    case 3: out[n + i] = i; break;
    default: break;
  }
}
void cases_case(Bench& bench) {
  Traffic traffic(4, 128);
  const auto in = bench.random_integers(3 * n + 1, 1000), which = bench.random_integers(n, 5);
  const auto before = Bench::unwritten<int>(2 * n);
  auto after = before;
  for (size_t i = 0; i < n; ++i) {
    if (which[i] == 0) after[i] = in[i];
    if (which[i] == 1) after[i] = in[n + 2 * i] * 3;
    if (which[i] == 2) after[i] = in[3 * n] - int(i);
    if (which[i] == 3) after[n + i] = int(i);
  }
  traffic.global_load(4, [](Thread t) { return 4 * t.at; });
  const auto only = [&](int wanted, auto place) {
    return [&which, wanted, place](Thread t) {
      return which[size_t(t.at)] == wanted ? long(place(t.at)) : idle;
    };
  };
  traffic.global_load(4, only(0, [](int i) { return 4 * i; }));
  traffic.global_load(4, only(1, [](int i) { return 4 * (n + 2 * i); }));
  traffic.global_load(4, only(2, [](int) { return 12 * n; }));
  for (int wanted = 0; wanted < 3; ++wanted)
    traffic.global_store(4, only(wanted, [](int i) { return 4 * i; }));
  traffic.global_store(4, only(3, [](int i) { return 4 * (n + i); }));
  bench.check(cases, traffic, before, after, in, which);
}

}  // namespace

std::vector<Case> flow() {
  return {
      {"loop of l % 5 rounds", uneven_case},
      {"two ways", two_ways_case},
      {"loads under short conditions", predicated_case},
      {"search in a sorted list", search_case},
      {"loop over the grid", grid_stride_case<1, 100>},
      {"loop over the grid, unrolled by 4", grid_stride_case<4, 96>},
      {"rows of 8, unrolled", rows_case},
      {"four cases", cases_case},
  };
}

}  // namespace micro
