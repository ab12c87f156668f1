// Device memory with an owner: allocated on construction, freed at the end of the scope.
//
//   DeviceBuffer<float> a(host);        // allocate and copy in
//   kernel<<<grid, block>>>(a.data());
//   a.read(host);                       // copy out
#pragma once
#include <cstddef>
#include <vector>

#include "studies/common/check.h"

namespace study {

template <typename T>
class DeviceBuffer {
 public:
  explicit DeviceBuffer(size_t count) : size_(count) {
    const cudaError_t result = cudaMalloc(&data_, bytes());
    if (result == cudaErrorMemoryAllocation) {
      std::fprintf(stderr, "the device has no room for another %.1f MiB: choose a smaller size\n",
                   double(bytes()) / (1 << 20));
      std::exit(2);
    }
    CHECK(result);
  }
  explicit DeviceBuffer(const std::vector<T>& host) : DeviceBuffer(host.size()) { write(host); }
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;
  ~DeviceBuffer() { cudaFree(data_); }

  T* data() const { return data_; }
  size_t bytes() const { return size_ * sizeof(T); }

  void write(const std::vector<T>& host) {
    CHECK(cudaMemcpy(data_, host.data(), bytes(), cudaMemcpyHostToDevice));
  }
  void read(std::vector<T>& host) const {
    host.resize(size_);
    CHECK(cudaMemcpy(host.data(), data_, bytes(), cudaMemcpyDeviceToHost));
  }
  void copy_from(const DeviceBuffer& other) {
    CHECK(cudaMemcpyAsync(data_, other.data_, bytes(), cudaMemcpyDeviceToDevice));
  }
  void clear() { CHECK(cudaMemset(data_, 0, bytes())); }

 private:
  T* data_ = nullptr;
  size_t size_ = 0;
};

}  // namespace study
