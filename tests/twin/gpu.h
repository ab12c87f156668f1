// A real GPU through the driver's own library, found when the program starts: no toolkit and no GPU is needed to build.
//
//   Gpu gpu;                                   throws Error where there is none
//   auto module = gpu.load(text);              the driver's compiler makes machine code of the PTX
//   gpu.launch(module, "k", grid, block, shared, arguments); gpu.wait();
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "record/launch.h"

namespace headroom::fuzz {

class Gpu {
 public:
  using Module = void*;
  Gpu();
  std::string name() const;
  int driver() const;  // 13000
  Module load(const std::string& text);
  void unload(Module);
  uint64_t allocate(size_t bytes);
  void free(uint64_t address);
  void put(uint64_t to, const void* from, size_t bytes);
  void get(void* to, uint64_t from, size_t bytes);
  void clear(uint64_t address, size_t bytes);
  void launch(Module, const std::string& kernel, Dim3 grid, Dim3 block, uint64_t shared,
              const std::vector<uint8_t>& arguments);
  void wait();

 private:
  void* library = nullptr;
  int device = 0;
};

}  // namespace headroom::fuzz
