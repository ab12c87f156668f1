// Times what a GPU does, and says how far the figure is to be trusted. C++17, nvcc, headers only.
//
//   #include <headroom/timing.cuh>
//   using namespace headroom::timing;
//
//   Timing t = measure({}, [&](cudaStream_t s) { kernel<<<grid, block, 0, s>>>(…); });
//   std::printf("%.2f us, %s\n", t.median() * 1e6, text(rate(bytes, t)).c_str());
//   for (const Caveat& caveat : t.caveats) std::puts(text(caveat).c_str());
//
//   12.34 us, 1700 GB/s
//
// A third argument runs before every sample and is not timed. `Plan` (timing/plan.h) chooses the
// clock, the state of the L2, the stream, and when samples suffice; docs/timing.md explains the
// caveats.
//
// On headroom's executor (`headroom run`) the same program takes one sample of one launch: events
// add up floors there, which no repetition changes.
//
// Throws std::invalid_argument for a plan that cannot be, and Failure when a CUDA call fails.
#pragma once
#include <cstdlib>
#include <cstring>

#include "headroom/timing/doubts.h"
#include "headroom/timing/executor.h"
#include "headroom/timing/rate.h"
#include "headroom/timing/sampler.cuh"

namespace headroom::timing {

// What the executor can answer of a plan.
inline Plan on_executor(Plan plan) {
  plan.cache = Cache::hot;
  plan.gate = false;
  plan.warm_up = 0;
  if (plan.clock == Clock::gpu) plan.batch = plan.min_samples = plan.max_samples = 1;
  return plan;
}

inline void refuse_capture(cudaStream_t stream) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  HEADROOM_TIMING_CALL(cudaStreamIsCapturing(stream, &status));
  if (status != cudaStreamCaptureStatusNone) {
    throw Failure(
        "timing: the stream is capturing: what is captured does not run; measure the "
        "graph's launches instead",
        cudaErrorStreamCaptureUnsupported);
  }
}

// What the plan asked for and this machine or this clock cannot give.
inline void doubt_plan(Timing& timing, const Plan& asked) {
  const auto doubt = [&](const char* what, const char* cause, const char* advice) {
    timing.caveats.push_back({what, cause, advice});
  };
  if (timing.executor) {
    if (asked.clock == Clock::gpu) {
      const char* events = std::getenv("HEADROOM_EVENTS");  // as `headroom run --events` sets it
      const bool predicted = events && !std::strcmp(events, "predicted");
      doubt(predicted ? "the times are predicted, no measurements"
                      : "the times are floors, no measurements",
            "headroom's emulator ran it", "run it on a GPU");
      if (asked.cache == Cache::cold)
        doubt("a cold L2 is not modelled",
              predicted ? "what L2 holds is guessed from the program's memory"
                        : "the floor counts every byte once, hot or cold",
              "run it on a GPU");
    } else {
      doubt("the times are those of headroom's emulator", "there is no GPU", "run it on a GPU");
    }
    return;
  }
  const bool own = asked.stream && asked.stream != cudaStreamLegacy;
  if (asked.clock == Clock::cpu && own) {
    doubt("the host's clock waits for the whole device", "the work has a stream of its own",
          "use Clock::gpu where other streams have work too");
  }
  if (asked.cache == Cache::cold && asked.batch > 1) {
    doubt("one launch a sample, not the batch asked for",
          "only the first launch of a batch finds a cold L2", "choose Cache::hot or batch = 1");
  }
}

template <typename Launch, typename Prepare>
Timing measure(const Plan& asked, const Launch& launch, const Prepare& prepare) {
  check(asked);
  call(cudaPeekAtLastError(), "an earlier call failed");
  refuse_capture(asked.stream);
  Timing timing;
  timing.executor = on_executor();
  Plan plan = timing.executor ? on_executor(asked) : asked;
  if (plan.cache == Cache::cold) plan.batch = 1;
  timing.clock = plan.clock;
  timing.cache = asked.cache;
  timing.batch = plan.batch;

  Sampler<Launch, Prepare> sampler(plan, launch, prepare);
  if (!timing.executor) {
    char address[32] = "";
    int device = 0;
    HEADROOM_TIMING_CALL(cudaGetDevice(&device));
    HEADROOM_TIMING_CALL(cudaDeviceGetPCIBusId(address, sizeof address, device));
    sampler.watch(address);
    sampler.warm_up();
    if (plan.warm_up > 0) timing.empty = sampler.empty_kernel();
  }
  collect(plan.limits(), sampler, timing);
  if (!timing.executor) timing.resolution = finest_step(timing, sampler.resolution());

  timing.gated = sampler.gated();
  doubt_plan(timing, asked);
  if (!timing.executor && asked.gate && plan.clock == Clock::gpu && !timing.gated) {
    timing.caveats.push_back(
        {"launch gaps are in the samples: the start gate was not used",
         plan.warm_up == 0 ? "there was no warm-up, and code that is being loaded cannot pass it"
         : sampler.expired_at_once()
             ? "the work waits for the device, or has more launches than the driver queues"
             : "the host took longer than the gate waits",
         plan.warm_up == 0 ? "warm_up >= 1"
                           : "leave synchronising calls out, and take a smaller batch"});
  }
  add_doubts(timing, plan.limits());
  return timing;
}

template <typename Launch>
Timing measure(const Plan& plan, const Launch& launch) {
  return measure(plan, launch, [](cudaStream_t) {});
}

}  // namespace headroom::timing
