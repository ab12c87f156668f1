// Where pinned memory pays: data that lies in pageable memory is to reach the device once. Left where
// it is, copied into pinned memory that is kept for that, or pinned on the spot? And what does it cost
// to have pinned memory at all?
#include <cstdlib>
#include <cstring>

#include "studies/common/buffer.h"
#include "studies/common/check.h"
#include "studies/common/random.h"
#include "studies/transfer/progress.h"
#include "studies/transfer/random_bytes.h"
#include "studies/transfer/timed.h"

namespace transfer {
namespace {

constexpr size_t min_bytes = 4096;             // a page: less cannot be pinned
constexpr size_t max_bytes = size_t(1) << 28;  // pinning takes long
constexpr int factor = 4;

constexpr Enough enough{0.02, 200, 0.25};

struct Ends {
  void *pageable, *pinned, *device;
};

void plain(const Ends& ends, size_t bytes) {
  runtime_copies.to_device(ends.device, ends.pageable, bytes);
}
void already_pinned(const Ends& ends, size_t bytes) {
  runtime_copies.to_device(ends.device, ends.pinned, bytes);
}
void staged(const Ends& ends, size_t bytes) {
  std::memcpy(ends.pinned, ends.pageable, bytes);
  runtime_copies.to_device(ends.device, ends.pinned, bytes);
}
void registered(const Ends& ends, size_t bytes) {
  CHECK(cudaHostRegister(ends.pageable, bytes, cudaHostRegisterDefault));
  runtime_copies.to_device(ends.device, ends.pageable, bytes);
  CHECK(cudaHostUnregister(ends.pageable));
}
void allocate_pinned(size_t bytes) {
  void* memory = nullptr;
  CHECK(cudaHostAlloc(&memory, bytes, cudaHostAllocDefault));
  CHECK(cudaFreeHost(memory));
}
void allocate(size_t bytes) {
  volatile char* memory = static_cast<char*>(std::malloc(bytes));
  for (size_t i = 0; i < bytes; i += min_bytes) memory[i] = 1;
  std::free(const_cast<char*>(memory));
}

// How many words are wrong after `copy`, of fresh bytes.
template <typename Copy>
size_t verified(const Ends& ends, size_t bytes, uint64_t seed, const Copy& copy) {
  fill_host(ends.pageable, bytes, seed);
  CHECK(cudaMemset(ends.device, 0, bytes));
  CHECK(cudaDeviceSynchronize());
  copy(ends, bytes);
  CHECK(cudaDeviceSynchronize());
  return wrong_on_device(ends.device, bytes, seed);
}

}  // namespace

void pinning(const Settings& chosen, Results& results) {
  Settings here = chosen;
  here.least = min_bytes;
  here.factor = factor;
  const size_t most = std::min(chosen.most, max_bytes);
  if (most < min_bytes) return;
  const HostBuffer pageable(Memory::pageable, most), pinned(Memory::pinned, most);
  const study::DeviceBuffer<uint8_t> device(most);
  const Ends ends{pageable.data(), pinned.data(), device.data()};
  for (const size_t bytes : sizes_up_to(here, most)) {
    if (interrupted()) return;
    progress("where pinned pays, " + std::to_string(bytes) + " bytes");
    PinningRow row{bytes, 0, {}};
    uint64_t seed = study::random_bits(chosen.seed, ~uint64_t(bytes));
    for (const auto copy : {plain, staged, registered}) {
      row.wrong += verified(ends, bytes, seed++, copy);
    }
    if (chosen.measured) {
      row.times = PinningRow::Times{timed(enough, [&] { plain(ends, bytes); }),
                                    timed(enough, [&] { already_pinned(ends, bytes); }),
                                    timed(enough, [&] { staged(ends, bytes); }),
                                    timed(enough, [&] { registered(ends, bytes); }),
                                    timed(enough, [&] { allocate_pinned(bytes); }),
                                    timed(enough, [&] { allocate(bytes); })};
    }
    results.pinning.push_back(row);
  }
}

}  // namespace transfer
