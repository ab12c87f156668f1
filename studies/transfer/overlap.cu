// How much of a copy hides behind a kernel that takes as long: the data goes to the device in chunks,
// each through one of several streams, and a kernel works on every chunk that has arrived. From pinned memory with one
// stream nothing overlaps; with c chunks in several, all but the first chunk's copy can: 1 - 1 / c.
//
//   stream 0   | copy 0 | kernel 0 | copy 2 | kernel 2 |
//   stream 1            | copy 1 | kernel 1 | …
//
// From pageable memory the host itself copies a chunk while kernels work on those before it, whatever
// their streams: that hides too, behind a kernel as long as so slow a copy.
#include <cmath>

#include "studies/common/buffer.h"
#include "studies/common/check.h"
#include "studies/common/random.h"
#include "studies/transfer/progress.h"
#include "studies/transfer/random_bytes.h"
#include "studies/transfer/timed.h"

namespace transfer {
namespace {

constexpr size_t max_bytes = size_t(1) << 26;
constexpr int max_streams = 4, block = 256;
constexpr uint32_t multiplier = 1664525, increment = 1013904223;

// Takes as long as `rounds` says, and leaves in every word what the host can compute at once.
__global__ void work(uint32_t* data, size_t words, int rounds) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= words) return;
  uint32_t value = data[i];
  for (int round = 0; round < rounds; ++round) value = value * multiplier + increment;
  data[i] = value;
}

// `rounds` times x -> multiplier x + increment, as one step: by repeated squaring.
struct Step {
  uint32_t times = 1, plus = 0;
};
Step power(int rounds) {
  Step all, step{multiplier, increment};
  for (; rounds; rounds >>= 1) {
    if (rounds & 1) all = {all.times * step.times, all.plus * step.times + step.plus};
    step = {step.times * step.times, step.plus * step.times + step.plus};
  }
  return all;
}

struct Lanes {
  cudaStream_t streams[max_streams];
  uint32_t *host, *device;
  size_t words;
  int rounds = 1;
};

void copy(const Lanes& lanes, size_t first, size_t end, cudaStream_t stream) {
  runtime_copies.to_device_async(lanes.device + first, lanes.host + first,
                                 (end - first) * sizeof(uint32_t), stream);
}
void compute(const Lanes& lanes, size_t first, size_t end, cudaStream_t stream) {
  const size_t words = end - first;
  work<<<unsigned((words + block - 1) / block), block, 0, stream>>>(lanes.device + first, words,
                                                                    lanes.rounds);
  CHECK(cudaGetLastError());
}
void in_chunks(const Lanes& lanes, int chunks, int streams) {
  for (int chunk = 0; chunk < chunks; ++chunk) {
    const cudaStream_t stream = lanes.streams[chunk % streams];
    const size_t first = lanes.words * chunk / chunks, end = lanes.words * (chunk + 1) / chunks;
    copy(lanes, first, end, stream);
    compute(lanes, first, end, stream);
  }
}

constexpr Enough enough{0.01, 100, 0.5};

// Rounds with which the kernel takes as long as the copy.
int calibrate(Lanes& lanes, double seconds) {
  lanes.rounds = 64;
  for (int step = 0; step < 4; ++step) {
    const Seconds now = timed(enough, [&] { compute(lanes, 0, lanes.words, lanes.streams[0]); });
    lanes.rounds = std::max(1, int(std::lround(lanes.rounds * seconds / now.median)));
  }
  return lanes.rounds;
}

size_t wrong_words(const Lanes& lanes, const std::vector<uint32_t>& input) {
  std::vector<uint32_t> output(lanes.words);
  CHECK(cudaMemcpy(output.data(), lanes.device, lanes.words * sizeof(uint32_t),
                   cudaMemcpyDeviceToHost));
  const Step step = power(lanes.rounds);
  size_t wrong = 0;
  for (size_t i = 0; i < lanes.words; ++i) wrong += output[i] != input[i] * step.times + step.plus;
  return wrong;
}

void one_memory(const Settings& chosen, Memory memory, Lanes lanes, Results& results) {
  const size_t bytes = lanes.words * sizeof(uint32_t);
  const HostBuffer host(memory, bytes);
  lanes.host = static_cast<uint32_t*>(host.data());
  fill_host(lanes.host, bytes, study::random_bits(chosen.seed, uint64_t(memory) << 32));
  const std::vector<uint32_t> input(lanes.host, lanes.host + lanes.words);
  std::optional<Seconds> copy_alone, kernel_alone;
  lanes.rounds = 3;
  if (chosen.measured) {
    copy_alone = timed(enough, [&] { copy(lanes, 0, lanes.words, lanes.streams[0]); });
    calibrate(lanes, copy_alone->median);
    kernel_alone = timed(enough, [&] { compute(lanes, 0, lanes.words, lanes.streams[0]); });
  }
  for (const int streams : {1, 2, 4}) {
    for (const int chunks : {1, 2, 4, 8, 16, 32}) {
      if (chunks < streams || size_t(chunks) > lanes.words) continue;
      if (interrupted()) return;
      progress(std::string("overlap, ") + name(memory) + ", " + std::to_string(chunks) +
               " chunks, " + std::to_string(streams) + " streams");
      OverlapRow row{memory, bytes, 0, chunks, streams, copy_alone, kernel_alone, {}};
      if (chosen.measured) row.together = timed(enough, [&] { in_chunks(lanes, chunks, streams); });
      CHECK(cudaMemset(lanes.device, 0, bytes));
      CHECK(cudaDeviceSynchronize());
      in_chunks(lanes, chunks, streams);
      CHECK(cudaDeviceSynchronize());
      row.wrong = wrong_words(lanes, input);
      results.overlap.push_back(row);
    }
  }
}

}  // namespace

void overlap(const Settings& chosen, Results& results) {
  Lanes lanes{};
  lanes.words = std::min(chosen.most, max_bytes) / sizeof(uint32_t);
  if (!lanes.words) return;
  const study::DeviceBuffer<uint32_t> device(lanes.words);
  lanes.device = device.data();
  for (cudaStream_t& stream : lanes.streams)
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  for (const Memory memory : {Memory::pinned, Memory::pageable})
    one_memory(chosen, memory, lanes, results);
  for (cudaStream_t stream : lanes.streams) CHECK(cudaStreamDestroy(stream));
}

}  // namespace transfer
