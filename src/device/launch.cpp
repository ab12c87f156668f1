// The checks before a launch: what a driver of CUDA 13.0 refuses, with the code it gives (asked of
// one with an H200): every impossible configuration is an invalid value, only registers have a code
// of their own.
#include <fmt/format.h>

#include "device/alike.h"
#include "device/clusters.h"
#include "device/execute.h"
#include "device/footprint.h"

namespace headroom::device {
namespace {

constexpr uint64_t largest_grid_x = 0x7fffffff, largest_grid_yz = 65535, largest_block_z = 64;

void check_machine(const Machine& machine, Dim3 grid, Dim3 block) {
  const auto impossible = [](std::string problem, std::string hint) {
    return Failure{Status::invalid_value, Error{"", std::move(problem), std::move(hint)}};
  };
  uint64_t threads = block.count();
  uint64_t most = uint64_t(machine.max_threads_per_block.value_or(1024));
  if (!grid.x || !grid.y || !grid.z)
    throw impossible(fmt::format("a grid of {} blocks is empty", name_of(grid)),
                     "launch only where there is work");
  if (!threads)
    throw impossible(fmt::format("a block of {} threads is empty", name_of(block)),
                     "give every dimension at least 1");
  if (threads > most)
    throw impossible(fmt::format("a block of {} threads, and {} are the most", threads, most),
                     "launch more and smaller blocks");
  if (block.z > largest_block_z)
    throw impossible(fmt::format("a block of {} threads, and {} are the most in z", name_of(block),
                                 largest_block_z),
                     "put the longest dimension in x");
  if (grid.x > largest_grid_x || grid.y > largest_grid_yz || grid.z > largest_grid_yz)
    throw impossible(fmt::format("a grid of {} blocks, and {}×{}×{} is the most", name_of(grid),
                                 largest_grid_x, largest_grid_yz, largest_grid_yz),
                     "put the longest dimension in x");
}

void check_shared(const Machine& machine, const Footprint& footprint, uint64_t dynamic_shared) {
  if (dynamic_shared <= footprint.max_dynamic_shared) return;
  const uint64_t most = shared_per_block_opt_in(machine) - footprint.static_shared;
  throw Failure{
      Status::invalid_value,
      Error{"",
            fmt::format("{} bytes of dynamic shared memory, and {} are allowed", dynamic_shared,
                        footprint.max_dynamic_shared),
            dynamic_shared > most ? fmt::format("a block has at most {} on this machine", most)
                                  : fmt::format("opt in first: cudaFuncSetAttribute(kernel, "
                                                "cudaFuncAttributeMaxDynamicSharedMemorySize, {})",
                                                dynamic_shared)}};
}

void check_footprint(Session& session, const Footprint& footprint, const LaunchShape& shape) {
  const int threads = int(shape.block.count());
  if (footprint.bound_threads && threads > footprint.bound_threads)
    throw Failure{Status::invalid_value,
                  Error{"",
                        fmt::format("a block of {} threads, and __launch_bounds__ says {}", threads,
                                    footprint.bound_threads),
                        "launch smaller blocks or raise the bound"}};
  check_shared(session.machine, footprint, shape.dynamic_shared);
  const auto occupancy = resident_of(session.machine, shape, footprint.resources);
  const Occupancy& resident = *occupancy;
  if (resident.blocks == 0)
    throw Failure{Status::out_of_resources,
                  Error{"", fmt::format("no block fits on an SM: {}", resident.impossible),
                        "launch smaller blocks, or bound registers with __launch_bounds__"}};
  const uint64_t blocks = shape.grid.count();
  uint64_t most = resident.blocks * uint64_t(*session.machine.sm_count);
  if (shape.cooperative && blocks > most)
    throw Failure{
        Status::cooperative_launch_too_large,
        Error{"",
              fmt::format("{} blocks of a cooperative launch, and {} fit at once", blocks, most),
              "size the grid by cudaOccupancyMaxActiveBlocksPerMultiprocessor"}};
}

// What a GPU refuses stands in the record, as a launch that did not run, and on stderr.
void check(Session& session, Kernel& kernel, const LaunchWork& work, const Stream* stream) {
  try {
    check_machine(session.machine, work.shape.grid, work.shape.block);
    if (session.options.do_nothing) return;
    LaunchShape shape = whole_shape(session, kernel, work);
    shape.carveout.reset();  // a preference keeps no launch from running
    check_footprint(session, footprint_of(session, kernel), shape);
  } catch (const Failure& failure) {
    refuse(session, kernel, work, stream, failure);
  }
}

}  // namespace

Status prepare(Session& session, Kernel& kernel, const Stream* stream, void** arguments,
               LaunchWork& work) {
  work.shape.kernel = kernel.name;
  check(session, kernel, work, stream);
  if (session.options.do_nothing) return Status::ok;
  if (!arguments && parameter_bytes(session, kernel)) return Status::invalid_value;
  pack(session, kernel, arguments, work);
  return Status::ok;
}

Status prepare(Session& session, Kernel& kernel, const Stream* stream,
               std::vector<std::byte> buffer, LaunchWork& work) {
  buffer.resize(std::max<size_t>(buffer.size(), parameter_bytes(session, kernel)));
  std::vector<void*> pointers;
  for (uint64_t offset : parameter_offsets(session, kernel))
    pointers.push_back(buffer.data() + offset);
  return prepare(session, kernel, stream, pointers.data(), work);
}

}  // namespace headroom::device
