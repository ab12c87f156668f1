// What a program registers before main: its fat binaries, and which host address stands for which
// kernel or variable in them. Nothing is read here; modules.h reads a binary when it is first used.
//
//   __cudaRegisterFatBinary(wrapper)                         -> Binary
//   __cudaRegisterFunction(binary, &saxpy, "_Z5saxpyfPfS_")  -> Kernel, found by &saxpy
//   __cudaRegisterVar(binary, &table, "table", 1024, …)      -> Variable, found by &table
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "device/context.h"
#include "device/status.h"

namespace headroom::device {

struct Binary;
struct LoadedBinary;  // modules.h

struct Kernel {
  Binary* binary = nullptr;
  const void* host = nullptr;
  std::string name;  // mangled, as in the PTX
  std::optional<int>
      max_dynamic_shared;  // what cudaFuncSetAttribute allowed; absent: 48 KiB less the static
  int carveout = -1;       // percent of shared memory preferred; -1: the driver's choice
  bool non_portable_clusters = false;  // of more than 8 blocks
};

struct Variable {
  Binary* binary = nullptr;
  std::string name;
  uint64_t bytes = 0;
  void** host_pointer = nullptr;  // managed: the program's pointer to it, set when loaded
};

struct Binary {
  int number = 0;  // in order of registration
  std::span<const std::byte> bytes;
  // Of relocatable device code (-rdc=true): the fat binaries of its modules, one a translation
  // unit. `bytes` then has only the machine code that nvlink made of them.
  std::vector<const void*> parts;
  std::vector<std::byte> own;  // of a library loaded at run time: the bytes, copied
  bool library = false;
  std::optional<Context> context;  // of a module; absent: of whichever asks
  std::vector<std::unique_ptr<Kernel>> kernels;
  std::vector<Variable*> managed;
  std::shared_ptr<LoadedBinary> loaded;       // from its first use on
  std::shared_ptr<const Failure> unreadable;  // or why that failed
};

class Registry {
 public:
  Binary* add_binary(const void* wrapper);
  Binary* add_library(std::vector<std::byte> image);
  bool is_library(const Binary*) const;
  void remove_binary(Binary*);
  void add_kernel(Binary*, const void* host, const char* name);  // host: null in a library
  Variable* add_variable(Binary*, const void* host, const char* name, uint64_t bytes);

  // By the host address of its stub, or by the handle that __cudaGetKernel gave. Null if neither.
  Kernel* kernel(const void* function) const;
  Variable* variable(const void* host) const;
  void each_binary(const std::function<void(Binary&)>&) const;

 private:
  mutable std::mutex lock_;  // libraries register whenever dlopen brings them
  std::vector<std::unique_ptr<Binary>> binaries_;
  std::unordered_map<const void*, Kernel*> kernels_;  // by host address and by handle
  std::unordered_map<const void*, std::unique_ptr<Variable>> variables_;
};

}  // namespace headroom::device
