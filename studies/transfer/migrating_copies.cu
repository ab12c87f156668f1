// Managed memory: nothing is copied to another address, pages move. The device's pointer and the
// host's are one, so each function looks at the host's only. Whole pages move, however few bytes are
// asked for.
#include "studies/common/check.h"
#include "studies/transfer/copies.h"

namespace transfer {
namespace {

void to_device_async(void*, const void* host, size_t bytes, cudaStream_t stream) {
  cudaMemLocation where{cudaMemLocationTypeDevice, 0};
  CHECK(cudaGetDevice(&where.id));
  CHECK(cudaMemPrefetchAsync(host, bytes, where, 0, stream));
}
void to_host_async(void* host, const void*, size_t bytes, cudaStream_t stream) {
  CHECK(cudaMemPrefetchAsync(host, bytes, {cudaMemLocationTypeHost, 0}, 0, stream));
}
void to_device(void* device, const void* host, size_t bytes) {
  to_device_async(device, host, bytes, nullptr);
  CHECK(cudaStreamSynchronize(nullptr));
}
void to_host(void* host, const void* device, size_t bytes) {
  to_host_async(host, device, bytes, nullptr);
  CHECK(cudaStreamSynchronize(nullptr));
}

}  // namespace

const Copies migrating_copies = {"runtime", to_device,       to_host,
                                 nullptr,   to_device_async, to_host_async};

bool can_migrate(int device) {
  int concurrent = 0;
  CHECK(cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, device));
  return concurrent != 0;
}

}  // namespace transfer
