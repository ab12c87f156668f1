// What moderngpu's functions need to be called again and again: a context that keeps the memory it was given
// back, so that no sample waits for cudaMalloc.
//
//   peers::ModerngpuContext context;
//   mgpu::mergesort(keys, n, less, context);          // asynchronous, on the default stream
//
// Compiled where -I leads to moderngpu's src (https://github.com/moderngpu/moderngpu), with --extended-lambda.
#pragma once
#include <map>
#include <moderngpu/context.hxx>

namespace peers {

class ModerngpuContext : public mgpu::standard_context_t {
 public:
  ModerngpuContext() : mgpu::standard_context_t(false) {}
  ~ModerngpuContext() {
    for (const auto& [size, memory] : free_) cudaFree(memory);
  }
  void* alloc(size_t size, mgpu::memory_space_t space) override {
    if (space != mgpu::memory_space_device) return standard_context_t::alloc(size, space);
    const auto kept = free_.find(size);
    void* memory = kept == free_.end() ? standard_context_t::alloc(size, space) : kept->second;
    if (kept != free_.end()) free_.erase(kept);
    if (memory) sizes_[memory] = size;
    return memory;
  }
  void free(void* memory, mgpu::memory_space_t space) override {
    if (space != mgpu::memory_space_device) return standard_context_t::free(memory, space);
    if (memory) free_.emplace(sizes_.at(memory), memory);
  }

 private:
  std::multimap<size_t, void*> free_;
  std::map<void*, size_t> sizes_;
};

}  // namespace peers
