// The timing study: what a timer adds to what it times, and whether its claim to know the median
// holds when the measurement is repeated.
//
//   timing --runs 60 --json timing.json     on a GPU; without --runs it fits an executor
//
//   work        clock   L2   stream   gate  batch  samples  median, us  +- %  spread, %
//   nothing     events  hot  default   yes      1       10         …
//
// A kernel that waits for a known time shows what events and the host's clock add; a read of 20 MiB
// shows whether the L2 was flushed; work that synchronises shows that the gate never hangs.
//
// Sources: the chapter on timers of NVIDIA, "CUDA C++ Best Practices Guide" (events, and the host's
// clock with a synchronised device); headroom/timing.cuh.
#include <algorithm>
#include <functional>

#include "studies/common/buffer.h"
#include "studies/common/options.h"
#include "studies/common/output_file.h"
#include "studies/common/random.h"
#include "studies/timing/results.h"
#include "studies/timing/work.h"

namespace {

using namespace headroom::timing;
using Launch = std::function<void(cudaStream_t)>;

constexpr const char* usage =
    "timing: what a timer adds, and whether it knows what it says\n\n"
    "  --runs N        repeat measurements N times and count how often their claim holds\n"
    "                  (default 0)\n"
    "  --json FILE     write everything there, all samples too\n\n"
    "exit code: 0 measured, 1 a CUDA call failed, 2 bad options\n";

struct Data {
  static constexpr size_t small = 20 << 20, large = 256 << 20;
  study::DeviceBuffer<float4> from, to;
  study::DeviceBuffer<float> values;

  explicit Data(bool on_gpu)
      : from((on_gpu ? large : small) / sizeof(float4)),
        to((on_gpu ? large : small) / sizeof(float4)),
        values(study::random_floats(132 * 8 * 256, 1)) {
    std::vector<float4> host(from.bytes() / sizeof(float4));
    for (size_t i = 0; i < host.size(); ++i) {
      const float value = study::random_float(2, i);
      host[i] = {value, value + 1, value + 2, value + 3};
    }
    from.write(host);
    to.clear();
  }
};

struct Named {
  std::string name;
  Launch launch;
};

Plan with(Cache cache, bool gate = true, int batch = 1, cudaStream_t stream = nullptr,
          Clock clock = Clock::gpu) {
  Plan plan;
  plan.cache = cache;
  plan.gate = gate;
  plan.batch = batch;
  plan.stream = stream;
  plan.clock = clock;
  plan.max_samples = 300;
  plan.max_seconds = 0.5;
  return plan;
}

void measure_all(study::Rows& rows, Data& data, cudaStream_t own, bool on_gpu) {
  const auto row = [&](const std::string& name, const Plan& plan, const Launch& launch) {
    rows.add(name, plan, measure(plan, launch));
  };
  const Cache hot = Cache::hot, cold = Cache::cold;
  row("multiply, from idle", with(hot),
      [&](cudaStream_t s) { work::multiply(s, data.values.data(), 132 * 8, 2000); });
  for (cudaStream_t stream : {cudaStream_t(nullptr), own}) {
    for (bool gate : {true, false}) {
      row("no launch", with(hot, gate, 1, stream), [](cudaStream_t) {});
      row("nothing", with(hot, gate, 1, stream), work::nothing);
    }
    row("nothing", with(hot, false, 1, stream, Clock::cpu), work::nothing);
  }
  for (int batch : {10, 100, 500}) row("nothing", with(hot, true, batch), work::nothing);
  for (unsigned us : {5, 20, 100, 1000}) {
    const auto wait = [us](cudaStream_t s) { work::wait(s, us * 1000); };
    const std::string name = "wait " + std::to_string(us) + " us";
    row(name, with(hot), wait);
    row(name, with(hot, false), wait);
    row(name, with(hot, false, 1, nullptr, Clock::cpu), wait);
  }
  const auto read = [&](cudaStream_t s) {
    work::read(s, data.from.data(), data.to.data(), Data::small);
  };
  const auto copy = [&](cudaStream_t s) {
    work::copy(s, data.to.data(), data.from.data(), Data::small);
  };
  row("read 20 MiB", with(hot), read);
  row("read 20 MiB", with(cold), read);
  row("copy 20 MiB", with(hot), copy);
  row("copy 20 MiB", with(cold), copy);
  row("read 20 MiB", with(cold, true, 1, own), read);
  if (!on_gpu) return;
  // Flushed in other ways: what was written must go back to memory while the work is timed.
  const auto written = [&](cudaStream_t s) {
    HEADROOM_TIMING_CALL(cudaMemsetAsync(data.to.data(), 1, Data::large / 2, s));
  };
  const auto more_read = [&](cudaStream_t s) {
    work::read(s, data.from.data() + Data::small / sizeof(float4), data.to.data(),
               Data::large - Data::small);
  };
  const auto both = [&](cudaStream_t s) {
    written(s);
    more_read(s);
  };
  rows.add("read 20 MiB after memset", with(hot), measure(with(hot), read, written));
  rows.add("read 20 MiB after reading", with(hot), measure(with(hot), read, more_read));
  rows.add("read 20 MiB after both", with(hot), measure(with(hot), read, both));
  row("copy 256 MiB", with(hot),
      [&](cudaStream_t s) { work::copy(s, data.to.data(), data.from.data(), Data::large); });
  row("nothing, then synchronise", with(hot), [](cudaStream_t s) {
    work::nothing(s);
    HEADROOM_TIMING_CALL(cudaStreamSynchronize(s));
  });
  row("nothing, 5000 launches", with(hot, true, 5000), work::nothing);
}

// Of `runs` measurements of the same: how often the median of all their medians lay within the error
// that each claimed.
struct Claim {
  std::string work;
  double target, median, samples, covered, farthest;
};

Claim repeated(const Named& named, Plan plan, int runs) {
  std::vector<double> medians, errors, counts;
  for (int run = 0; run < runs; ++run) {
    const Timing timing = measure(plan, named.launch);
    medians.push_back(timing.median());
    errors.push_back(timing.relative_error());
    counts.push_back(double(timing.seconds.size()));
  }
  const double middle = median(medians);
  int covered = 0;
  double farthest = 0;
  for (int run = 0; run < runs; ++run) {
    constexpr double rounding = 1e-6;
    const double away = std::abs(medians[run] - middle);
    covered += away <= (errors[run] + rounding) * medians[run];
    farthest = std::max(farthest, away / middle);
  }
  return {named.name, plan.target, middle, median(counts), double(covered) / runs, farthest};
}

std::vector<Claim> measure_claims(Data& data, int runs) {
  std::vector<Claim> claims;
  const Named works[] = {
      {"nothing", work::nothing},
      {"multiply", [&](cudaStream_t s) { work::multiply(s, data.values.data(), 132 * 8, 2000); }},
      {"read 20 MiB",
       [&](cudaStream_t s) { work::read(s, data.from.data(), data.to.data(), Data::small); }},
      {"copy 256 MiB",
       [&](cudaStream_t s) { work::copy(s, data.to.data(), data.from.data(), Data::large); }},
  };
  for (const Named& named : works) {
    for (double target : {0.001, 0.005, 0.02}) {
      Plan plan;
      plan.target = target;
      plan.max_seconds = 0.1;
      claims.push_back(repeated(named, plan, runs));
      if (named.name != "read 20 MiB") continue;
      plan.cache = Cache::cold;
      claims.push_back(repeated({named.name + ", cold", named.launch}, plan, runs));
    }
  }
  return claims;
}

void print(const std::vector<Claim>& claims, int runs) {
  if (claims.empty()) return;
  study::Table table(
      {"work", "target, %", "median, us", "samples", "claim held, %", "farthest, %"});
  for (const Claim& claim : claims) {
    table.row({claim.work, study::number(claim.target * 100, 1),
               study::number(claim.median * 1e6, 3), study::number(claim.samples, 0),
               study::number(claim.covered * 100, 0), study::number(claim.farthest * 100, 2)});
  }
  std::printf(
      "\n%d runs of each; the claim holds where a run's median lies within its error of the "
      "median of all\n\n",
      runs);
  table.print();
}

void write(std::FILE* file, const char* device, const study::Rows& rows, int runs,
           const std::vector<Claim>& claims) {
  study::Json json(file);
  json.begin('{');
  json.pair("gpu", device);
  json.key("rows");
  rows.write(json);
  json.pair("runs", runs);
  json.key("claims");
  json.begin('[');
  for (const Claim& claim : claims) {
    json.begin('{');
    json.pair("work", claim.work);
    json.pair("target", claim.target);
    json.pair("median", claim.median);
    json.pair("samples", claim.samples);
    json.pair("held", claim.covered);
    json.pair("farthest", claim.farthest);
    json.end();
  }
  json.end();
  json.end();
}

}  // namespace

int main(int argc, char** argv) {
  study::Options options(argc, argv, usage);
  const int runs = int(options.integer("--runs", 0, 0, 10000));
  const std::string json = options.text("--json", "");
  options.finish();
  cudaDeviceProp device;
  CHECK(cudaGetDeviceProperties(&device, 0));
  cudaStream_t own;
  CHECK(cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking));
  study::Rows rows;
  std::vector<Claim> claims;
  try {
    Data data(!on_executor());
    measure_all(rows, data, own, !on_executor());
    if (runs) claims = measure_claims(data, runs);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  CHECK(cudaStreamDestroy(own));
  std::printf("timing on %s\n\n", device.name);
  rows.print();
  print(claims, runs);
  if (json.empty()) return 0;
  study::OutputFile file(json);
  if (!file.stream()) options.reject("cannot write " + json);
  write(file.stream(), device.name, rows, runs, claims);
  return file.finish() ? 0 : 1;
}
