// Copies by the runtime's API.
#include "studies/common/check.h"
#include "studies/transfer/copies.h"

namespace transfer {
namespace {

void to_device(void* device, const void* host, size_t bytes) {
  CHECK(cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice));
}
void to_host(void* host, const void* device, size_t bytes) {
  CHECK(cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost));
}
// cudaMemcpyDefault: the addresses say which devices these are.
void within(void* to, const void* from, size_t bytes) {
  CHECK(cudaMemcpy(to, from, bytes, cudaMemcpyDefault));
}
void to_device_async(void* device, const void* host, size_t bytes, cudaStream_t stream) {
  CHECK(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, stream));
}
void to_host_async(void* host, const void* device, size_t bytes, cudaStream_t stream) {
  CHECK(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, stream));
}

}  // namespace

const Copies runtime_copies = {"runtime", to_device,       to_host,
                               within,    to_device_async, to_host_async};

}  // namespace transfer
