// CUDA kernels in unit tests, without a GPU: load code, launch it on headroom's executor, read what it did. C++17, any
// compiler, any test framework; nothing of CUDA is needed to build the test.
//
//   headroom::Program program = headroom::load("transpose.ptx");     // or .cubin, .fatbin, a program that nvcc built
//   headroom::Array<float> in(n * n, 1), out(n * n);
//   headroom::Launch launch = program.kernel("tiled")({{n / 32, n / 32}, {32, 8}}, out, in, n);
//
//   EXPECT_EQ(out.host()[0], 1);
//   EXPECT_EQ(launch["shared_load_conflicts"], 0);
//   EXPECT_LE(launch["global_load_sectors"], 4 * launch["global_load_requests"]);
//   EXPECT_LE(launch["predicted_ns"], 1.1 * launch["floor_ns"]);
//
// Figures have the names of docs/compare.md. A kernel's fault is a finding of its launch, with source line and thread
// (launch.findings()); its figures are refused. Everything that goes wrong otherwise throws headroom::Error.
//
// Launches by <<<>>> are read as well, where the test was started by `headroom run -- ./test`:
//
//   for (const headroom::Launch& launch : headroom::launches_of([&] { sort(keys); })) …
//
// In CMake: find_package(headroom), target_link_libraries(test headroom::headroom); docs/library.md.
#pragma once
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "headroom/library/connect.h"
#include "headroom/library/launch.h"

namespace headroom {

struct Dim {
  unsigned x = 1, y = 1, z = 1;
};

struct Shape {
  Dim grid, block;
  std::size_t dynamic_shared = 0;  // bytes a block
  std::optional<Dim> cluster = std::nullopt;
  bool cooperative = false;
};

// Values in the device's memory, which it gives back at its end. Those of Array(count) are whatever is there:
// `headroom check -- ./test` finds a kernel that uses them.
template <class T>
class Array {
  static_assert(std::is_trivially_copyable_v<T>, "the device copies bytes");

 public:
  explicit Array(std::size_t count) : count_(count) {
    library::check(library::functions().allocate(count * sizeof(T), &address_));
  }
  explicit Array(const std::vector<T>& values) : Array(values.size()) { set(values); }
  Array(std::size_t count, const T& value) : Array(std::vector<T>(count, value)) {}
  Array(Array&& other) noexcept
      : address_(std::exchange(other.address_, nullptr)), count_(std::exchange(other.count_, 0)) {}
  Array& operator=(Array&& other) noexcept {
    std::swap(address_, other.address_);
    std::swap(count_, other.count_);
    return *this;
  }
  ~Array() {
    if (address_) library::functions().release(address_);
  }

  std::size_t size() const { return count_; }
  T* data() const { return static_cast<T*>(address_); }  // in the device's memory
  void set(const std::vector<T>& values) {
    if (values.size() != count_)
      throw Error("array of " + std::to_string(count_) +
                  " values: " + std::to_string(values.size()) + " were given");
    library::check(library::functions().copy(address_, values.data(), count_ * sizeof(T)));
  }
  std::vector<T> host() const {
    std::vector<T> values(count_);
    library::check(library::functions().copy(values.data(), address_, count_ * sizeof(T)));
    return values;
  }

 private:
  void* address_ = nullptr;
  std::size_t count_ = 0;
};

namespace library {

template <class T>
T argument(const T& value) {
  static_assert(std::is_trivially_copyable_v<T>,
                "a kernel takes values that can be copied as bytes");
  return value;
}
template <class T>
T* argument(const Array<T>& array) {
  return array.data();
}

struct Unload {
  void operator()(headroom_program* program) const { functions().unload(program); }
};

}  // namespace library

// Lives as long as its program.
class Kernel {
 public:
  explicit Kernel(headroom_kernel* handle) : handle_(handle) {}

  // Runs to its end before it returns. Arguments have the size of the kernel's parameters: 2.0f for a float, not 2.
  template <class... Arguments>
  Launch operator()(const Shape& shape, const Arguments&... given) const {
    return start(shape, library::argument(given)...);
  }

 private:
  template <class... Values>
  Launch start(const Shape& shape, const Values&... values) const {
    const headroom_argument arguments[] = {{&values, sizeof values}..., {nullptr, 0}};
    const Dim cluster = shape.cluster.value_or(Dim{0, 0, 0});
    const headroom_shape asked{{shape.grid.x, shape.grid.y, shape.grid.z},
                               {shape.block.x, shape.block.y, shape.block.z},
                               {cluster.x, cluster.y, cluster.z},
                               shape.dynamic_shared,
                               shape.cooperative};
    std::size_t index = 0;
    library::check(
        library::functions().launch(handle_, &asked, arguments, sizeof...(values), &index));
    return Launch(index);
  }
  headroom_kernel* handle_;
};

class Program {
 public:
  explicit Program(headroom_program* program) : program_(program) {}
  // By its name without parameters ("tiled<32>", or "tiled" where there is one), with them, or as it is mangled.
  Kernel kernel(const std::string& name) const {
    headroom_kernel* found = nullptr;
    library::check(library::functions().find_kernel(program_.get(), name.c_str(), &found));
    return Kernel(found);
  }

 private:
  std::unique_ptr<headroom_program, library::Unload> program_;
};

// PTX, a cubin, a fat binary, or what nvcc built of any of these: an object, a library, a program.
inline Program load(const std::string& path) {
  headroom_program* program = nullptr;
  library::check(library::functions().load_file(path.c_str(), &program));
  return Program(program);
}
// The same from memory: PTX text that NVRTC made.
inline Program load_image(const std::string& bytes) {
  headroom_program* program = nullptr;
  library::check(library::functions().load_image(bytes.data(), bytes.size(), &program));
  return Program(program);
}

// Which machine is imitated, "h200" where nothing else is said: before the first load, array or launch.
inline void use_machine(const std::string& name) {
  library::check(library::functions().choose(name.c_str()));
}
inline std::string machine() {  // "NVIDIA H200 SXM5 141 GB (GH100, Hopper)"
  const char* name = "";
  library::check(library::functions().machine(&name));
  return name;
}

// Whether <<<>>> and the CUDA calls of this process come to headroom: it was started by `headroom run`.
inline bool is_emulated() { return library::preloaded() != nullptr; }

// What was launched, in any way, while the function ran.
template <class Function>
std::vector<Launch> launches_of(Function&& function) {
  if (!is_emulated())
    throw Error(
        "launches_of: CUDA calls of this process do not come to headroom; start it by: "
        "headroom run -- ./test");
  std::size_t before = library::functions().launches();
  std::forward<Function>(function)();
  std::vector<Launch> launches;
  for (const std::size_t after = library::functions().launches(); before < after; ++before)
    launches.emplace_back(before);
  return launches;
}

}  // namespace headroom
