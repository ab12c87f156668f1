// timing.cuh: what it does on the executor (one sample, floors, nothing of its own launched) and on
// a GPU (this program runs on both), what it refuses, and that nothing hangs when the work goes
// wrong.
#include <headroom/timing.cuh>

#include "tests/programs/expect.cuh"

using namespace headroom::timing;

__global__ void count(unsigned* launches) { atomicAdd(launches, 1); }

static unsigned* launches;

static unsigned launched() {
  unsigned value = 0;
  EXPECT_OK(cudaMemcpy(&value, launches, sizeof value, cudaMemcpyDeviceToHost));
  EXPECT_OK(cudaMemset(launches, 0, sizeof value));
  EXPECT_OK(cudaDeviceSynchronize());  // not all streams wait for the default one
  return value;
}

static void launch(cudaStream_t stream) { count<<<1, 1, 0, stream>>>(launches); }

template <typename Body>
static std::string thrown(const Body& body) {
  try {
    body();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "nothing";
}

static void takes_one_sample_and_says_why() {
  if (!on_executor()) return;
  int prepared = 0;
  Plan plan;
  plan.cache = Cache::cold;
  plan.batch = 7;
  const Timing timing = measure(plan, launch, [&](cudaStream_t) { ++prepared; });
  EXPECT(timing.executor && !timing.gated);
  EXPECT(timing.seconds.size() == 1 && timing.median() > 0);
  EXPECT(launched() == 1 && prepared == 1);
  EXPECT(timing.caveats.size() == 2);
  EXPECT(timing.caveats[0].what == "the times are floors, no measurements");
  EXPECT(timing.caveats[1].what == "a cold L2 is not modelled");
}

static void measures_other_streams_and_the_host() {
  cudaStream_t stream;
  EXPECT_OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  Plan plan;
  plan.min_samples = plan.max_samples = 10;
  for (cudaStream_t any :
       {stream, cudaStream_t(cudaStreamLegacy), cudaStream_t(cudaStreamPerThread)}) {
    plan.stream = any;
    EXPECT(measure(plan, launch).median() > 0);
    EXPECT(launched() == (on_executor() ? 1 : 12));  // warm-up, the gate's trial, and ten
  }
  plan.clock = Clock::cpu;
  plan.min_samples = plan.max_samples = 3;
  const Timing timing = measure(plan, launch);
  EXPECT(timing.seconds.size() == 3 && timing.minimum() > 0);
  EXPECT(timing.caveats[0].what == (on_executor() ? "the times are those of headroom's emulator"
                                                  : "the host's clock waits for the whole device"));
  launched();
  EXPECT_OK(cudaStreamDestroy(stream));
}

static void refuses_what_cannot_be() {
  Plan none;
  none.max_samples = 0;
  EXPECT(thrown([&] { measure(none, launch); }).find("at least 10 and at most 0 samples") !=
         std::string::npos);
  Plan empty;
  empty.batch = 0;
  EXPECT(thrown([&] { measure(empty, launch); }).find("a batch of 0 launches") !=
         std::string::npos);
  EXPECT(launched() == 0);
}

static void refuses_a_stream_that_captures() {
  cudaStream_t stream;
  cudaGraph_t graph;
  EXPECT_OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  EXPECT_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  Plan plan;
  plan.stream = stream;
  EXPECT(thrown([&] { measure(plan, launch); }).find("the stream is capturing") !=
         std::string::npos);
  EXPECT_OK(cudaStreamEndCapture(stream, &graph));  // and left it whole
  EXPECT_OK(cudaGraphDestroy(graph));
  EXPECT_OK(cudaStreamDestroy(stream));
}

static void says_which_call_failed() {
  const auto too_large = [](cudaStream_t stream) { count<<<1, 4096, 0, stream>>>(launches); };
  const std::string problem = thrown([&] { measure({}, too_large); });
  EXPECT(problem.find("the launch that is measured") != std::string::npos);
  EXPECT(problem.find("(cudaErrorInvalid") != std::string::npos);
  EXPECT_OK(cudaGetLastError());
  count<<<1, 4096>>>(launches);  // and leaves it to the next to notice
  EXPECT(thrown([&] { measure({}, launch); }).find("an earlier call failed") != std::string::npos);
  EXPECT(cudaGetLastError() != cudaSuccess);
}

static bool doubts_the_gate(const Timing& timing) {
  for (const Caveat& caveat : timing.caveats) {
    if (caveat.what.find("the start gate was not used") != std::string::npos) return true;
  }
  return false;
}

static void does_without_the_gate_where_the_work_waits_for_itself() {
  Plan plan;
  plan.max_seconds = 0.01;
  const auto waiting = [](cudaStream_t stream) {
    launch(stream);
    EXPECT_OK(cudaStreamSynchronize(stream));
  };
  const Timing alone = measure(plan, launch), synchronised = measure(plan, waiting);
  EXPECT(alone.gated == !on_executor() && !doubts_the_gate(alone));
  EXPECT(!synchronised.gated && doubts_the_gate(synchronised) == !on_executor());
  plan.batch = 5000;  // more than a driver queues
  EXPECT(!measure(plan, launch).gated);
  plan.batch = 1;
  plan.warm_up = 0;
  EXPECT(!measure(plan, launch).gated);
  launched();
}

static void gate_gives_up_and_flush_runs() {
  Gate gate(nullptr);
  EXPECT(!gate.expired());
  gate.close();
  EXPECT_OK(cudaDeviceSynchronize());  // nobody opens it
  EXPECT(gate.expired());
  if (!on_executor()) {  // where close() is the whole launch
    gate.close();
    gate.open();
    EXPECT_OK(cudaDeviceSynchronize());
    EXPECT(!gate.expired());
  }
  Flush flush(nullptr);
  flush();
  EXPECT_OK(cudaDeviceSynchronize());
}

static void leaves_nothing_behind_when_the_launch_throws() {
  for (int good : {0, 1, 2, 5}) {
    int calls = 0;
    const auto throwing = [&](cudaStream_t stream) {
      if (calls++ == good) throw std::runtime_error("enough");
      launch(stream);
    };
    Plan plan;
    plan.clock = on_executor() ? Clock::cpu : Clock::gpu;
    EXPECT(thrown([&] { measure(plan, throwing); }) == "enough");
    EXPECT_OK(cudaDeviceSynchronize());
  }
  launched();
}

__global__ void fail() { asm volatile("trap;"); }

// The last: the device is lost to this program.
static void says_that_a_kernel_failed() {
  const std::string problem =
      thrown([] { measure({}, [](cudaStream_t s) { fail<<<1, 1, 0, s>>>(); }); });
  EXPECT(problem.find("cudaError") != std::string::npos);
  EXPECT(thrown([] { measure({}, launch); }).find("cudaError") != std::string::npos);
}

int main() {
  EXPECT_OK(cudaMalloc(&launches, sizeof *launches));
  EXPECT_OK(cudaMemset(launches, 0, sizeof *launches));
  takes_one_sample_and_says_why();
  measures_other_streams_and_the_host();
  refuses_what_cannot_be();
  refuses_a_stream_that_captures();
  does_without_the_gate_where_the_work_waits_for_itself();
  gate_gives_up_and_flush_runs();
  leaves_nothing_behind_when_the_launch_throws();
  says_which_call_failed();
  EXPECT_OK(cudaFree(launches));
  says_that_a_kernel_failed();
  return failures != 0;
}
