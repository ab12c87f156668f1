// Every way at every size: verified, and where there is hardware timed by the host's clock from the
// call until the device has nothing left to do. That is the time which the program waits.
#include "studies/common/check.h"
#include "studies/common/random.h"
#include "studies/transfer/progress.h"
#include "studies/transfer/timed.h"

namespace transfer {
namespace {

constexpr Enough enough{0.01, 400, 0.5};

Row transfer(const Settings& chosen, const Way& way, const Places& places, size_t bytes) {
  static uint64_t transfers = 0;
  const uint64_t seed = study::random_bits(chosen.seed, transfers++);
  Row row{way, bytes, 0, {}};
  set_up(way, places, bytes, seed);
  put_back(way, places, bytes);
  if (chosen.measured) {
    row.seconds = timed(
        enough, [&] { run(way, places, bytes); }, [&] { put_back(way, places, bytes); });
  } else {
    run(way, places, bytes);
  }
  row.wrong = wrong(way, places, bytes, seed);
  return row;
}

void all_sizes(const Settings& chosen, const Way& way, const Places& places, size_t most,
               Results& results) {
  for (const size_t bytes : sizes_up_to(chosen, most)) {
    if (interrupted()) return;
    progress(std::string(way.has_host() ? name(way.memory) : "") + " " + name(way.pattern) + ", " +
             way.copies->name + ", " + std::to_string(bytes) + " bytes");
    results.rows.push_back(transfer(chosen, way, places, bytes));
  }
}

// The rows of functions that can move this memory, and what is left out for which reason.
std::vector<const Copies*> apis(Memory memory, Results& results) {
  std::vector<const Copies*> found;
  if (memory == Memory::mapped) return {&kernel_copies};
  const bool migrates = memory == Memory::managed;
  found.push_back(migrates ? &migrating_copies : &runtime_copies);
  const Copies* driver = migrates ? driver_migrating_copies() : driver_copies();
  if (driver) {
    found.push_back(driver);
  } else if (memory == Memory::pageable) {
    results.left_out.push_back("the driver's API: this process has no driver");
  }
  return found;
}

void with_host(const Settings& chosen, Memory memory, Places places, Results& results) {
  const bool is_managed = memory == Memory::managed;
  if (is_managed && !can_migrate(0)) {
    results.left_out.push_back("managed: this device cannot migrate pages while kernels run");
    return;
  }
  const size_t most = is_managed ? std::min(chosen.most, chosen.max_managed) : chosen.most;
  if (most < chosen.most) {
    results.left_out.push_back("managed above " + std::to_string(most) +
                               " bytes: see --most-managed");
  }
  if (most < chosen.least) return;
  const HostBuffer from(memory, most), to(memory, most);
  places.memory = memory;
  places.host_from = from.data();
  places.host_to = to.data();
  if (is_managed) {
    places.device_to = places.host_from;
    places.device_from = places.host_to;
  }
  for (const Copies* copies : apis(memory, results)) {
    for (const Pattern pattern : {Pattern::host_to_device, Pattern::device_to_host,
                                  Pattern::both_at_once, Pattern::round_trip}) {
      all_sizes(chosen, {memory, pattern, copies}, places, most, results);
    }
  }
}

void between_devices(const Settings& chosen, Places places, Results& results) {
  if (chosen.devices < 2) {
    results.left_out.push_back("peer: there is one device");
    return;
  }
  int can = 0;
  CHECK(cudaDeviceCanAccessPeer(&can, 0, 1));
  if (can) {
    CHECK(cudaDeviceEnablePeerAccess(1, 0));
    CHECK(cudaSetDevice(1));
    CHECK(cudaDeviceEnablePeerAccess(0, 0));
  } else {
    results.left_out.push_back(
        "peer access: these devices have none, so peers copy through the host");
    CHECK(cudaSetDevice(1));
  }
  const study::DeviceBuffer<uint8_t> there(chosen.most);
  CHECK(cudaSetDevice(0));
  places.device_to = there.data();
  places.device_of_to = 1;
  for (const Copies* copies : {&runtime_copies, driver_copies()}) {
    if (copies)
      all_sizes(chosen, {Memory::pinned, Pattern::peer, copies}, places, chosen.most, results);
  }
}

}  // namespace

void sweep(const Settings& chosen, Results& results) {
  const study::DeviceBuffer<uint8_t> from(chosen.most), to(chosen.most);
  Places places;
  places.device_from = from.data();
  places.device_to = to.data();
  for (cudaStream_t& stream : places.streams)
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  for (const Memory memory : chosen.memories) with_host(chosen, memory, places, results);
  for (const Copies* copies : {&runtime_copies, driver_copies()}) {
    const Way within{Memory::pinned, Pattern::within_device, copies};
    if (copies) all_sizes(chosen, within, places, chosen.most, results);
  }
  between_devices(chosen, places, results);
  for (cudaStream_t stream : places.streams) CHECK(cudaStreamDestroy(stream));
}

}  // namespace transfer
