// Tables of tunings: what the host launches with is what the device was compiled with, for every
// architecture that the program holds code of. It prints its launches.
#include "tests/programs/launch_box.cuh"
#include "tests/programs/launch_box_examples.h"

// 128 threads with 7 values each, 4 blocks an SM.
using Foo = LaunchBox<Row<20, 128, 7, 4>>;

using examples::Bar, examples::Mergesort;

template <typename Tuning>
__global__ __launch_bounds__(Tuning::here::NT, Tuning::here::OCC) void bar(int* p1, int* bytes) {
  using here = typename Tuning::here;
  *p1 = here::P1;
  *bytes = int(sizeof(typename here::Type));
}

static void launch_bar() {
  int* seen;
  EXPECT_OK(cudaMallocManaged(&seen, 2 * sizeof(int)));
  const Launched launched = headroom::launch<Bar>(bar<Bar>, 1, nullptr, seen, seen + 1);
  EXPECT_OK(cudaDeviceSynchronize());
  headroom::at_row<Bar>(bar<Bar>, [&](auto row) {
    EXPECT(seen[0] == row.P1 && seen[1] == int(sizeof(typename decltype(row)::Type)));
    std::printf("%s, P1=%d and a type of %zu bytes\n", text(launched, "Bar").c_str(), row.P1,
                sizeof(typename decltype(row)::Type));
  });
  EXPECT_OK(cudaFree(seen));
}

// A kernel whose launch bounds are not those of the table that it is launched with.
static __global__ __launch_bounds__(32) void narrow() {}

template <typename Body>
static void expect_failure(cudaError_t code, const char* words, const Body& body) {
  try {
    body();
    EXPECT(!"a LaunchFailure");
  } catch (const headroom::LaunchFailure& failure) {
    EXPECT(failure.code == code);
    EXPECT(std::string(failure.what()).find(words) != std::string::npos);
  }
}

int main() {
  const int n = 1'000'000;
  std::puts(text(add_one_and_compare<Foo>(n), "Foo").c_str());
  launch_bar();
  std::puts(text(add_one_and_compare<Mergesort<int32_t>>(n), "Mergesort, 32 bit").c_str());
  std::puts(text(add_one_and_compare<Mergesort<int64_t>>(n), "Mergesort, 64 bit").c_str());

  const Launched mixed = add_one_and_compare<Mixed>(n), other = launch_from_another_file(1000);
  EXPECT(mixed.choice == other.choice);
  std::puts(text(mixed, "Mixed").c_str());
  const Launched nothing = headroom::launch<Mixed>(add_one<Mixed>, 0, nullptr, 0, nullptr, nullptr);
  EXPECT(nothing.blocks == 0);

  using Later = LaunchBox<Row<9999, 64>>;
  expect_failure(cudaErrorNoKernelImageForDevice, "and the table begins with sm_9999",
                 [] { headroom::configure<Later>(narrow); });
  expect_failure(cudaErrorInvalidConfiguration, "and the kernel runs with 32 at most",
                 [] { headroom::configure<Mixed>(narrow); });
  return failures != 0;
}
