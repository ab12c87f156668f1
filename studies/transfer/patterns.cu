// Each pattern four times: what it begins with, what is put back, what is done, what must have come of
// it.
#include <cstring>

#include "studies/common/check.h"
#include "studies/transfer/patterns.h"
#include "studies/transfer/random_bytes.h"

namespace transfer {
namespace {

constexpr uint64_t other_way = 0x5bd1e995;  // both ways at once: the second seed
constexpr int poison = 0xA5;

bool managed(const Way& way) { return way.has_host() && way.memory == Memory::managed; }

// Reading write-combined memory takes the host an age; the device reads it over the link, past the
// copy engines that are under test.
size_t wrong_at_host(const Way& way, const void* memory, size_t bytes, uint64_t seed) {
  return way.memory == Memory::write_combined ? wrong_on_device(memory, bytes, seed)
                                              : wrong_on_host(memory, bytes, seed);
}

void poison_device(const Places& places, size_t bytes) {
  CHECK(cudaSetDevice(places.device_of_to));
  CHECK(cudaMemset(places.device_to, poison, bytes));
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaSetDevice(places.device));
}

size_t wrong_at_device_to(const Places& places, size_t bytes, uint64_t seed) {
  CHECK(cudaSetDevice(places.device_of_to));
  const size_t count = wrong_on_device(places.device_to, bytes, seed);
  CHECK(cudaSetDevice(places.device));
  return count;
}

}  // namespace

void set_up(const Way& way, const Places& places, size_t bytes, uint64_t seed) {
  const Pattern pattern = way.pattern;
  if (!managed(way)) {
    if (pattern != Pattern::device_to_host) poison_device(places, bytes);
    if (way.has_host() && pattern != Pattern::host_to_device)
      std::memset(places.host_to, poison, bytes);
  }
  const bool from_host = way.has_host() && pattern != Pattern::device_to_host;
  const bool from_device = pattern != Pattern::host_to_device && pattern != Pattern::round_trip;
  if (from_host) fill_host(places.host_from, bytes, seed);
  if (from_device)
    fill_device(places.device_from, bytes,
                pattern == Pattern::both_at_once ? seed ^ other_way : seed);
}

void put_back(const Way& way, const Places& places, size_t bytes) {
  if (!managed(way)) return;
  const Pattern pattern = way.pattern;
  if (pattern != Pattern::device_to_host) way.copies->to_host(places.host_from, nullptr, bytes);
  if (pattern == Pattern::device_to_host || pattern == Pattern::both_at_once)
    way.copies->to_device(nullptr, places.host_to, bytes);
}

void run(const Way& way, const Places& places, size_t bytes) {
  const Copies& copies = *way.copies;
  switch (way.pattern) {
    case Pattern::host_to_device:
      copies.to_device(places.device_to, places.host_from, bytes);
      break;
    case Pattern::device_to_host: copies.to_host(places.host_to, places.device_from, bytes); break;
    case Pattern::both_at_once:
      copies.to_device_async(places.device_to, places.host_from, bytes, places.streams[0]);
      copies.to_host_async(places.host_to, places.device_from, bytes, places.streams[1]);
      CHECK(cudaStreamSynchronize(places.streams[0]));
      CHECK(cudaStreamSynchronize(places.streams[1]));
      break;
    case Pattern::round_trip:
      copies.to_device(places.device_to, places.host_from, bytes);
      copies.to_host(places.host_end_of_round_trip(), places.device_to, bytes);
      break;
    case Pattern::within_device:
    case Pattern::peer: copies.within(places.device_to, places.device_from, bytes); break;
  }
}

size_t wrong(const Way& way, const Places& places, size_t bytes, uint64_t seed) {
  CHECK(cudaDeviceSynchronize());
  switch (way.pattern) {
    case Pattern::device_to_host: return wrong_at_host(way, places.host_to, bytes, seed);
    case Pattern::both_at_once:
      return wrong_at_device_to(places, bytes, seed) +
             wrong_at_host(way, places.host_to, bytes, seed ^ other_way);
    case Pattern::round_trip:
      return wrong_at_host(way, places.host_end_of_round_trip(), bytes, seed);
    case Pattern::host_to_device:
    case Pattern::within_device:
    case Pattern::peer: return wrong_at_device_to(places, bytes, seed);
  }
  return 1;
}

}  // namespace transfer
