// The noun in the middle: what one <<<>>> asks for, and what became of it.
//
//   saxpy<<<4096, 256, 1024>>>(…)
//     LaunchShape{"_Z5saxpyfPfS_", {4096, 1, 1}, {256, 1, 1}, dynamic_shared 1024}
//
// Everything that has a launch (Launch, LaunchRecord, LaunchTiming) holds this one struct; launches
// are of one kind, and grouped in a report, when their shapes are equal.
#pragma once
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

struct Dim3 {
  unsigned x = 1, y = 1, z = 1;
  uint64_t count() const { return uint64_t(x) * y * z; }
  friend auto operator<=>(const Dim3&, const Dim3&) = default;
};
std::string name_of(Dim3);  // "8×8×1"

struct LaunchShape {
  std::string kernel;  // as in the PTX (mangled)
  Dim3 grid, block;
  // Blocks that run together and see each other's shared memory; absent: the launch asks for none
  // (a cluster of one block is something else: instructions ask for it).
  std::optional<Dim3> cluster = std::nullopt;
  uint64_t dynamic_shared = 0;  // bytes per block
  // Percent of an SM's shared memory that the program prefers; absent: the driver's choice.
  std::optional<int> carveout = std::nullopt;
  bool cooperative = false;  // all blocks run at once and may wait for one another

  // Blocks of a cluster, 1 × 1 × 1 without.
  Dim3 cluster_size() const { return cluster.value_or(Dim3{}); }
  friend auto operator<=>(const LaunchShape&, const LaunchShape&) = default;
};

// One launch, as the executor takes it.
struct Launch {
  LaunchShape shape;
  std::vector<std::byte> arguments;  // the parameter buffer, laid out as the kernel declares
  friend bool operator==(const Launch&, const Launch&) = default;
};

enum class State : unsigned char {
  not_executed,  // the program asked for nothing to run (HEADROOM_DO_NOTHING)
  refused,       // impossible on the machine, or not supported: a caveat says why
  stopped,       // it began, and a fault or the program's end stopped it
  ran,           // to its end, on the executor
  measured,      // to its end, on a GPU
};
std::string_view name_of(State);  // "not_executed"
// Absent: no state is called so.
std::optional<State> state_of(std::string_view name);

// What of a kernel the executor ran, and its counters count.
enum class Engine : unsigned char {
  ptx,
  machine,  // the machine code that a GPU would run
};
std::string_view name_of(Engine);  // "machine"
std::optional<Engine> engine_of(std::string_view name);

}  // namespace headroom
