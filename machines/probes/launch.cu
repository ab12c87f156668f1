// Launches: what starting a kernel costs, how fast blocks start, and how fine events tell time.
//
//   null_sync      an empty kernel and a wait for it, by the host's clock
//   back_to_back   per kernel, of 1000 empty ones queued one after the other, by the host's clock
//   graph          the same 1000 as a graph of one chain
//   …_queued       the GPU's part of both: 500, queued before the first begins, by events
//   event_gap      between two events with nothing between
//   event_step     the smallest difference seen between such gaps
//   block_start    empty blocks that start a second, whole GPU and SM, by block size: the time of a
//                  grid of 1152 blocks an SM, less that of one of 128
//
// Verified: a kernel that counts its launches in memory runs as often as it was launched; the empty
// blocks of the last measurement do so too.
#include <chrono>

#include "headroom/timing.cuh"
#include "machines/probes/probe.cuh"

using namespace probe;
namespace timing = headroom::timing;

__global__ void nothing() {}
__global__ void count_launch(unsigned* launches) { *launches += 1; }
// Every block is counted by its first thread; without a counter it does nothing.
__global__ void empty_block(unsigned* blocks) {
  if (blocks && threadIdx.x == 0) atomicAdd(blocks, 1);
}

template <typename Launch>
std::vector<double> microseconds(const Launch& launch, double each, timing::Clock clock) {
  timing::Plan plan;
  plan.clock = clock;
  plan.target = 0.01;
  plan.max_seconds = 0.3;
  std::vector<double> samples;
  for (const double seconds : timing::measure(plan, launch).seconds)
    samples.push_back(seconds * 1e6 / each);
  return samples;
}

void launches(Probe& probe) {
  const int number = probe.small ? 3 : 1000;
  Array<unsigned> counter(std::vector<unsigned>{0});
  auto queue = [&](cudaStream_t stream, bool counting) {
    for (int i = 0; i < number; ++i) {
      if (counting)
        count_launch<<<1, 1, 0, stream>>>(counter.data());
      else
        nothing<<<1, 1, 0, stream>>>();
    }
  };
  cudaStream_t stream;
  PROBE_CALL(cudaStreamCreate(&stream));
  auto graph_of = [&](bool counting) {
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    PROBE_CALL(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    queue(stream, counting);
    PROBE_CALL(cudaStreamEndCapture(stream, &graph));
    PROBE_CALL(cudaGraphInstantiate(&executable, graph, 0));
    PROBE_CALL(cudaGraphDestroy(graph));
    return executable;
  };
  const cudaGraphExec_t graph = graph_of(false), counting_graph = graph_of(true);
  queue(stream, true);
  PROBE_CALL(cudaGraphLaunch(counting_graph, stream));
  PROBE_CALL(cudaStreamSynchronize(stream));
  probe.check("launches", counter.first() == unsigned(2 * number), 2 * number);

  if (probe.executor) return;
  std::vector<double> sync;
  for (int i = 0; i < 300; ++i) {
    const auto start = std::chrono::steady_clock::now();
    nothing<<<1, 1>>>();
    PROBE_CALL(cudaDeviceSynchronize());
    sync.push_back(
        std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start)
            .count());
  }
  sync.erase(sync.begin(), sync.begin() + 50);
  probe.value("null_sync", "us", "kernel<<<1, 1>>> + cudaDeviceSynchronize", sync);

  // By the host's clock around 1000: events and a start gate would show the GPU's side alone.
  auto per_launch = [&](auto work) {
    std::vector<double> samples;
    for (int i = 0; i < 25; ++i) {
      PROBE_CALL(cudaStreamSynchronize(stream));
      const auto start = std::chrono::steady_clock::now();
      work();
      PROBE_CALL(cudaStreamSynchronize(stream));
      samples.push_back(
          std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start)
              .count() /
          number);
    }
    samples.erase(samples.begin(), samples.begin() + 3);
    return samples;
  };
  probe.value("back_to_back", "us", "kernel<<<1, 1>>>", per_launch([&] { queue(stream, false); }));
  probe.value("graph", "us", "cudaGraphLaunch",
              per_launch([&] { PROBE_CALL(cudaGraphLaunch(graph, stream)); }));
  const int queued = 500;
  probe.value("back_to_back_queued", "us", "kernel<<<1, 1>>>",
              microseconds(
                  [&](cudaStream_t s) {
                    for (int i = 0; i < queued; ++i) nothing<<<1, 1, 0, s>>>();
                  },
                  queued, timing::Clock::gpu));
  probe.value("graph_queued", "us", "cudaGraphLaunch",
              microseconds([&](cudaStream_t s) { PROBE_CALL(cudaGraphLaunch(graph, s)); }, number,
                           timing::Clock::gpu));
}

void events(Probe& probe) {
  if (probe.executor) return;
  const int number = 1000;
  std::vector<cudaEvent_t> marks(number);
  for (cudaEvent_t& mark : marks) PROBE_CALL(cudaEventCreate(&mark));
  for (const cudaEvent_t mark : marks) PROBE_CALL(cudaEventRecord(mark));
  PROBE_CALL(cudaDeviceSynchronize());
  std::vector<double> gaps, steps;
  for (int i = 1; i < number; ++i) {
    float milliseconds = 0;
    PROBE_CALL(cudaEventElapsedTime(&milliseconds, marks[i - 1], marks[i]));
    gaps.push_back(milliseconds * 1e3);
  }
  probe.value("event_gap", "us", "cudaEventRecord twice", gaps);
  std::sort(gaps.begin(), gaps.end());
  for (int i = 1; i < int(gaps.size()); ++i)
    if (gaps[i] - gaps[i - 1] > 1e-4) steps.push_back(gaps[i] - gaps[i - 1]);
  if (!steps.empty())
    probe.value("event_step", "us", "cudaEventElapsedTime",
                {*std::min_element(steps.begin(), steps.end())});
  for (const cudaEvent_t mark : marks) PROBE_CALL(cudaEventDestroy(mark));
}

void blocks(Probe& probe) {
  const int sms = probe.small ? 2 : probe.device.multiProcessorCount;
  Array<unsigned> counter(std::vector<unsigned>{0});
  unsigned expected = 0;
  for (const int threads : {32, 64, 128, 256, 512, 1024}) {
    const int fewer = sms * (probe.small ? 1 : 128), more = 9 * fewer;
    expected += unsigned(fewer);
    empty_block<<<fewer, threads>>>(counter.data());
    PROBE_CALL(cudaGetLastError());
    if (probe.executor) continue;
    auto time = [&](int grid) {
      return microseconds([&](cudaStream_t s) { empty_block<<<grid, threads, 0, s>>>(nullptr); }, 1,
                          timing::Clock::gpu);
    };
    const double base = median(time(fewer));
    std::vector<double> rate, each;
    for (const double t : time(more)) {
      rate.push_back((more - fewer) / (t - base) / 1e3);
      each.push_back((more - fewer) / (t - base) * 1e6 / sms / 1e6);
    }
    const At at{{"threads", double(threads)}};
    probe.value("block_start", "10^9 blocks/s", "empty block", rate, at);
    probe.value("block_start_sm", "blocks/us/SM", "empty block", each, at);
  }
  probe.check("blocks", counter.first() == expected, expected);
}

int main(int count, char** arguments) {
  Probe probe(count, arguments);
  launches(probe);
  events(probe);
  blocks(probe);
  return probe.end();
}
