// What programs that call CUB need around it: values in device memory, and the two calls that each algorithm takes.
#pragma once
#include <vector>

#include "tests/programs/expect.cuh"

template <class T>
struct DeviceVector {
  explicit DeviceVector(size_t n) : size(n) { EXPECT_OK(cudaMalloc(&data, (n + 1) * sizeof(T))); }
  explicit DeviceVector(const std::vector<T>& values) : DeviceVector(values.size()) {
    EXPECT_OK(cudaMemcpy(data, values.data(), size * sizeof(T), cudaMemcpyHostToDevice));
  }
  DeviceVector(const DeviceVector&) = delete;
  ~DeviceVector() { cudaFree(data); }

  std::vector<T> host() const {
    std::vector<T> values(size);
    EXPECT_OK(cudaMemcpy(values.data(), data, size * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
  }

  size_t size;
  T* data = nullptr;
};

// Asks how much storage the algorithm needs, then runs it.
template <class Algorithm>
void with_storage(Algorithm run) {
  size_t bytes = 0;
  EXPECT_OK(run(nullptr, bytes));
  DeviceVector<char> storage(bytes);
  EXPECT_OK(run(storage.data, bytes));
  EXPECT_OK(cudaDeviceSynchronize());
}
