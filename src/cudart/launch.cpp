// The launch calls, and the checks before a launch: what a driver of CUDA 13.0 refuses, with the
// code it gives (asked of one with an H200): every impossible configuration is an invalid value,
// only registers have a code of their own.
#include "cudart/launch.h"

#include <fmt/format.h>

#include "cudart/capture.h"
#include "cudart/clusters.h"
#include "cudart/execute.h"
#include "cudart/function.h"
#include "cudart/host_function.h"
#include "cudart/launch_attributes.h"
#include "cudart/modules.h"
#include "cudart/stream.h"
#include "model/occupancy.h"

namespace headroom::cudart {
namespace {

constexpr uint64_t largest_grid_x = 0x7fffffff, largest_grid_yz = 65535, largest_block_z = 64;

std::string text(Dim3 d) { return fmt::format("{}×{}×{}", d.x, d.y, d.z); }

void check_machine(const Machine& machine, Dim3 grid, Dim3 block) {
  const auto impossible = [](std::string problem, std::string hint) {
    return Failure{Status::invalid_value, Error{"", std::move(problem), std::move(hint)}};
  };
  uint64_t threads = block.count();
  uint64_t most = uint64_t(machine.max_threads_per_block.value_or(1024));
  if (!grid.x || !grid.y || !grid.z)
    throw impossible(fmt::format("a grid of {} blocks is empty", text(grid)),
                     "launch only where there is work");
  if (!threads)
    throw impossible(fmt::format("a block of {} threads is empty", text(block)),
                     "give every dimension at least 1");
  if (threads > most)
    throw impossible(fmt::format("a block of {} threads, and {} are the most", threads, most),
                     "launch more and smaller blocks");
  if (block.z > largest_block_z)
    throw impossible(fmt::format("a block of {} threads, and {} are the most in z", text(block),
                                 largest_block_z),
                     "put the longest dimension in x");
  if (grid.x > largest_grid_x || grid.y > largest_grid_yz || grid.z > largest_grid_yz)
    throw impossible(fmt::format("a grid of {} blocks, and {}×{}×{} is the most", text(grid),
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
  const Occupancy resident = occupancy_of(session.machine, shape, footprint.resources);
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
void check(Session& session, Kernel& kernel, const KernelWork& work, cudaStream_t stream) {
  try {
    check_machine(session.machine, work.shape.grid, work.shape.block);
    if (session.options.do_nothing) return;
    LaunchShape shape = whole_shape(session, kernel, work);
    shape.carveout.reset();  // a preference keeps no launch from running
    check_footprint(session, footprint_of(session, kernel), shape);
  } catch (const Failure& failure) {
    refuse(session, kernel, work, find_stream(session, stream), failure);
  }
}

Dim3 plain(dim3 d) { return {d.x, d.y, d.z}; }

}  // namespace

Request request_of(const void* function, dim3 grid, dim3 block, void** arguments,
                   size_t dynamic_shared, cudaStream_t stream) {
  LaunchShape shape;
  shape.grid = plain(grid);
  shape.block = plain(block);
  shape.dynamic_shared = dynamic_shared;
  return {function, std::move(shape), arguments, stream};
}

void ask(LaunchShape& shape, std::optional<Dim3>& preferred, const cudaLaunchAttribute& attribute) {
  const cudaLaunchAttributeValue& value = attribute.val;
  switch (attribute.id) {
    case cudaLaunchAttributeCooperative: shape.cooperative = value.cooperative; break;
    case cudaLaunchAttributeClusterDimension:
      shape.cluster = Dim3{value.clusterDim.x, value.clusterDim.y, value.clusterDim.z};
      break;
    case cudaLaunchAttributePreferredClusterDimension:
      preferred = Dim3{value.preferredClusterDim.x, value.preferredClusterDim.y,
                       value.preferredClusterDim.z};
      break;
    case cudaLaunchAttributePreferredSharedMemoryCarveout:
      shape.carveout = int(value.sharedMemCarveout);
      break;
    default: break;
  }
}

cudaError_t prepare(Session& session, const Request& request, KernelWork& work) {
  if (!request.function) return cudaErrorInvalidDeviceFunction;
  Kernel* kernel = registry().kernel(request.function);
  if (!kernel) return cudaErrorInvalidResourceHandle;
  work.function = request.function;
  work.shape = request.shape;
  work.shape.kernel = kernel->name;
  work.preferred = request.preferred;
  work.device = current_device();
  check(session, *kernel, work, request.stream);
  if (session.options.do_nothing) return cudaSuccess;
  if (!request.arguments && parameter_bytes(session, *kernel)) return cudaErrorInvalidValue;
  pack(session, *kernel, request.arguments, work);
  return cudaSuccess;
}

// A graph's node keeps the attributes; what they ask of a launch stands in its shape.
cudaError_t launch(const Request& request, const std::vector<cudaLaunchAttribute>& attributes) {
  return enqueue(request.stream, [&](Session& session, Work& work) {
    auto& kernel = work.emplace<KernelWork>();
    kernel.attributes = attributes;
    if (cudaError_t error = prepare(session, request, kernel)) return error;
    kernel.device = find_stream(session, request.stream)->device;
    return cudaSuccess;
  });
}

}  // namespace headroom::cudart

using namespace headroom::cudart;
extern "C" {

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                             size_t shared, cudaStream_t stream) {
  return launch(request_of(function, grid, block, arguments, shared, stream));
}

cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block,
                                        void** arguments, size_t shared, cudaStream_t stream) {
  Request request = request_of(function, grid, block, arguments, shared, stream);
  request.shape.cooperative = true;
  return launch(request);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function,
                                void** arguments) {
  if (!config) return fail(cudaErrorInvalidValue);
  if (cudaError_t error = check_attributes(*config)) return error;
  Request request = request_of(function, config->gridDim, config->blockDim, arguments,
                               config->dynamicSmemBytes, config->stream);
  for (unsigned i = 0; i < config->numAttrs; ++i)
    ask(request.shape, request.preferred, config->attrs[i]);
  cudaError_t error = launch(request, {config->attrs, config->attrs + config->numAttrs});
  return error ? error : record_events(*config);
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  return enqueue(stream, [&](Session&, Work& work) {
    if (!function) return cudaErrorInvalidValue;
    work = HostWork{function, data};
    return cudaSuccess;
  });
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data,
                                  unsigned flags) {
  return synchronising([&](Session& session) {
    if (!callback || flags) return cudaErrorInvalidValue;
    Stream* found = find_stream(session, stream);
    if (!found) return cudaErrorInvalidResourceHandle;
    refuse_capture(session, *found, "cudaStreamAddCallback");
    wait_for_host_functions(session, *found);
    if (!(found = find_stream(session, stream))) return cudaErrorInvalidResourceHandle;
    run_host_function(session, *found, [&] { callback(stream, cudaSuccess, data); });
    return cudaSuccess;
  });
}
}
