// Register banks: how much of the FP32 rate multiply-adds reach by the registers they read.
//
// A register file has two banks, even and odd; an instruction that reads two different registers of
// one bank takes a second cycle for it, unless the operand cache still holds one (`.reuse`, which
// ptxas sets where the next instruction of the same warp reads it again). Controls, each with 1 to
// 8 independent chains a thread:
//
//   a*a+a    FFMA of one register: no conflict can be
//   a+b      FADD of two
//   a*b+a    FFMA of two
//   a*b+c    FFMA of three: two of them are in one bank. With one chain nothing is reused
//
// Method: as arithmetic.cu, 1024 threads on every SM, by the SM's clock. The value is the results
// a clock and SM; 128 is all an SM of 128 FP32 lanes can do.
//
// Verified: what a part of the threads leave, against the host.
#include <cmath>

#include "machines/probes/probe.cuh"

using namespace probe;

enum class Form { square, sum, pair, triple };
constexpr const char* names[] = {"a*a+a", "a+b", "a*b+a", "a*b+c"};
constexpr const char* instructions[] = {"FFMA", "FADD", "FFMA", "FFMA"};

template <Form form>
__device__ __forceinline__ void step(float& a, float b, float c) {
  if constexpr (form == Form::square) asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(a));
  if constexpr (form == Form::sum) asm volatile("add.rn.f32 %0, %0, %1;" : "+f"(a) : "f"(b));
  if constexpr (form == Form::pair) asm volatile("fma.rn.f32 %0, %0, %1, %0;" : "+f"(a) : "f"(b));
  if constexpr (form == Form::triple)
    asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(a) : "f"(b), "f"(c));
}

float on_host(Form form, float a, float b, float c) {
  if (form == Form::square) return std::fma(a, a, a);
  if (form == Form::sum) return a + b;
  if (form == Form::pair) return std::fma(a, b, a);
  return std::fma(a, b, c);
}

constexpr int block_of_steps = 288;  // a multiple of every number of chains

// b and c come from memory, so that they are registers of each thread and no constants.
template <Form form, int chains>
__global__ void __launch_bounds__(1024)
    run(float* values, const float* operands, int rounds, long long* cycles) {
  float a[chains];
  const float b = operands[0], c = operands[1];
  float* own = values + (blockIdx.x * blockDim.x + threadIdx.x) * chains;
#pragma unroll
  for (int j = 0; j < chains; ++j) a[j] = own[j];
  __syncthreads();
  const long long start = clock64();
#pragma unroll 1
  for (int round = 0; round < rounds; ++round)
#pragma unroll
    for (int i = 0; i < block_of_steps / chains; ++i)
#pragma unroll
      for (int j = 0; j < chains; ++j) step<form>(a[j], b, c);
  __syncthreads();
  const long long stop = clock64();
#pragma unroll
  for (int j = 0; j < chains; ++j) own[j] = a[j];
  if (threadIdx.x == 0) cycles[blockIdx.x] = stop - start;
}

template <Form form, int chains>
void measure(Probe& probe) {
  const int threads = probe.small ? 64 : 1024,
            blocks = probe.small ? 1 : probe.device.multiProcessorCount;
  std::vector<float> before(size_t(blocks) * threads * chains);
  for (float& a : before) a = float(probe.between(-0.9, 0.9));
  const std::vector<float> operands{float(probe.between(-1, 0)), float(probe.between(-1, 1))};
  Array<float> values(before), constant(operands);
  Array<long long> cycles(blocks);
  auto once = [&](int rounds) {
    run<form, chains><<<blocks, threads>>>(values.data(), constant.data(), rounds, cycles.data());
    PROBE_CALL(cudaGetLastError());
    const auto all = cycles.read();
    return median(std::vector<double>(all.begin(), all.end()));
  };
  once(1);
  const std::vector<float> after = values.read();
  bool passed = true;
  for (size_t t = 0; t < 64 * chains; ++t) {
    float a = before[t];
    for (int i = 0; i < block_of_steps / chains; ++i)
      a = on_host(form, a, operands[0], operands[1]);
    passed &= a == after[t];
  }
  probe.check(names[int(form)], passed, 64 * chains);
  if (probe.small) return;
  const int fewer = 8, more = 40;
  std::vector<double> samples;
  for (int i = 0; i < 11; ++i)
    samples.push_back(double(threads) * block_of_steps * (more - fewer) /
                      (once(more) - once(fewer)));
  probe.value(names[int(form)], "results/clk/SM", instructions[int(form)], samples,
              {{"chains", chains}});
}

template <Form form>
void all_chains(Probe& probe) {
  measure<form, 1>(probe);
  measure<form, 2>(probe);
  measure<form, 3>(probe);
  measure<form, 4>(probe);
  measure<form, 8>(probe);
}

int main(int count, char** arguments) {
  Probe probe(count, arguments);
  all_chains<Form::square>(probe);
  all_chains<Form::sum>(probe);
  all_chains<Form::pair>(probe);
  all_chains<Form::triple>(probe);
  return probe.end();
}
