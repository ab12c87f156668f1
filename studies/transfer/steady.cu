// The rate of long copies between pinned and device memory by the device's own clock: sixteen copies
// in a row between two events, so that no call's cost is in it. These are the definitions of NVIDIA's
// nvbandwidth, beside which the figures can be set: bytes are counted once, also where a device reads
// and writes them; "against traffic" is the rate of one direction while a stream of copies twice as
// long fills the other.
#include "studies/common/buffer.h"
#include "studies/common/check.h"
#include "studies/common/random.h"
#include "studies/transfer/progress.h"
#include "studies/transfer/random_bytes.h"
#include "studies/transfer/timed.h"

namespace transfer {
namespace {

using namespace headroom::timing;

constexpr size_t max_bytes = size_t(1) << 29;
constexpr int copies_a_sample = 16;

struct Ends {
  void *host, *device, *device_other;
  void *host_traffic, *device_traffic;  // twice the size
  cudaStream_t stream, traffic;
};

enum class Traffic { none, to_host, to_device };

void queue_traffic(const Ends& ends, Traffic traffic, size_t bytes, int copies) {
  for (int i = 0; i < copies; ++i) {
    if (traffic == Traffic::to_host)
      runtime_copies.to_host_async(ends.host_traffic, ends.device_traffic, 2 * bytes, ends.traffic);
    if (traffic == Traffic::to_device)
      runtime_copies.to_device_async(ends.device_traffic, ends.host_traffic, 2 * bytes,
                                     ends.traffic);
  }
}

template <typename Copy>
Seconds timed(const Ends& ends, Traffic traffic, size_t bytes, const Copy& copy) {
  Plan plan;
  plan.stream = ends.stream;
  plan.batch = copies_a_sample;
  plan.min_samples = 6;
  plan.max_samples = 30;
  plan.max_seconds = 3;
  const Timing timing = measure(
      plan, [&](cudaStream_t) { copy(); },
      [&](cudaStream_t) {
        CHECK(cudaStreamSynchronize(ends.traffic));
        queue_traffic(ends, traffic, bytes, copies_a_sample);
      });
  CHECK(cudaDeviceSynchronize());
  return summary(timing);
}

// One row: fresh bytes, timed where that means something, and looked at afterwards.
template <typename Fill, typename Copy, typename Wrong>
SteadyRow row(const Settings& chosen, const Ends& ends, const char* what, Traffic traffic,
              size_t bytes, const Fill& fill, const Copy& copy, const Wrong& wrong) {
  static uint64_t rows = 0;
  const uint64_t seed = study::random_bits(chosen.seed + 1, rows++);
  progress(std::string("steady rate, ") + what);
  fill(seed);
  CHECK(cudaDeviceSynchronize());  // the streams of the copies do not wait for the default one
  SteadyRow found{what, bytes, 0, {}};
  if (chosen.measured) {
    found.seconds = timed(ends, traffic, bytes, copy);
  } else {
    queue_traffic(ends, traffic, bytes, 1);
    copy();
  }
  CHECK(cudaDeviceSynchronize());
  found.wrong = wrong(seed);
  return found;
}

}  // namespace

void steady(const Settings& chosen, Results& results) {
  const size_t bytes = std::min(chosen.most, max_bytes);
  const HostBuffer host(Memory::pinned, bytes), host_traffic(Memory::pinned, 2 * bytes);
  study::DeviceBuffer<uint8_t> device(bytes), device_other(bytes), device_traffic(2 * bytes);
  device_traffic.clear();
  Ends ends{
      host.data(), device.data(), device_other.data(), host_traffic.data(), device_traffic.data(),
      nullptr,     nullptr};
  CHECK(cudaStreamCreateWithFlags(&ends.stream, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&ends.traffic, cudaStreamNonBlocking));

  const auto fill_at_host = [&](uint64_t seed) {
    fill_host(ends.host, bytes, seed);
    device.clear();
  };
  const auto fill_at_device = [&](uint64_t seed) {
    fill_device(ends.device, bytes, seed);
    fill_host(ends.host, bytes, ~seed);
    device_other.clear();
  };
  const auto to_device = [&] {
    runtime_copies.to_device_async(ends.device, ends.host, bytes, ends.stream);
  };
  const auto to_host = [&] {
    runtime_copies.to_host_async(ends.host, ends.device, bytes, ends.stream);
  };
  const auto within = [&] {
    CHECK(cudaMemcpyAsync(ends.device_other, ends.device, bytes, cudaMemcpyDeviceToDevice,
                          ends.stream));
  };
  const auto at_device = [&](uint64_t seed) { return wrong_on_device(ends.device, bytes, seed); };
  const auto at_other = [&](uint64_t seed) {
    return wrong_on_device(ends.device_other, bytes, seed);
  };
  const auto at_host = [&](uint64_t seed) { return wrong_on_host(ends.host, bytes, seed); };

  const auto add = [&](const char* what, Traffic traffic, auto&& fill, auto&& copy, auto&& wrong) {
    if (!interrupted())
      results.steady.push_back(row(chosen, ends, what, traffic, bytes, fill, copy, wrong));
  };
  add("host to device", Traffic::none, fill_at_host, to_device, at_device);
  add("device to host", Traffic::none, fill_at_device, to_host, at_host);
  add("host to device against traffic", Traffic::to_host, fill_at_host, to_device, at_device);
  add("device to host against traffic", Traffic::to_device, fill_at_device, to_host, at_host);
  add("device to device", Traffic::none, fill_at_device, within, at_other);

  CHECK(cudaStreamDestroy(ends.stream));
  CHECK(cudaStreamDestroy(ends.traffic));
}

}  // namespace transfer
