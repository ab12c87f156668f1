// Launches: of a function with a pointer to each parameter, or with all of them in a buffer.
//
//   cuLaunchKernel(function, grid…, block…, shared, stream, parameters, nullptr)
//   cuLaunchKernel(function, …, nullptr, {CU_LAUNCH_PARAM_BUFFER_POINTER, p, …_BUFFER_SIZE, &n, CU_LAUNCH_PARAM_END})
#include "driver/launch.h"

#include <bit>

#include "device/capture.h"
#include "device/submit.h"

namespace headroom::driver {
namespace {

// A list of names and values that ends with CU_LAUNCH_PARAM_END; what it gives may be less than the parameters
// take, not more.
Status read_buffer(void** extra, uint64_t most, std::vector<std::byte>& out) {
  const std::byte* buffer = nullptr;
  const size_t* size = nullptr;
  for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
    if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER)
      buffer = static_cast<const std::byte*>(extra[1]);
    else if (*extra == CU_LAUNCH_PARAM_BUFFER_SIZE)
      size = static_cast<const size_t*>(extra[1]);
    else
      return Status::invalid_value;
  }
  if (!buffer || !size) return Status::invalid_value;
  if (*size > most) return Status::out_of_resources;
  out.assign(buffer, buffer + *size);
  return Status::ok;
}

// A module's function and its stream are of one context; a library's kernel runs where its stream is.
bool have_one_context(const Kernel& kernel, const Stream& stream) {
  return !kernel.binary->context || *kernel.binary->context == stream.context;
}

CUresult launch(const void* function, const Request& request, void** parameters, void** extra) {
  return in_context(Need::wait, [&](Session& session) {
    return enqueue(session, request.stream, [&](Session& entered, Work& work) {
      const Kernel* kernel = registry().kernel(function);
      if (kernel && !have_one_context(*kernel, *find_stream(entered, request.stream)))
        return Status::invalid_handle;
      return kernel_work(function, request, parameters, extra)(entered, work);
    });
  });
}

}  // namespace

Request plain(unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,
              unsigned block_z, unsigned shared, CUstream stream) {
  Request request;
  request.shape.grid = {grid_x, grid_y, grid_z};
  request.shape.block = {block_x, block_y, block_z};
  request.shape.dynamic_shared = shared;
  request.stream = stream;
  return request;
}

void ask(LaunchShape& shape, std::optional<Dim3>& preferred, CUlaunchAttributeID id,
         const CUlaunchAttributeValue& value) {
  switch (id) {
    case CU_LAUNCH_ATTRIBUTE_COOPERATIVE: shape.cooperative = value.cooperative; break;
    case CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION:
      shape.cluster = Dim3{value.clusterDim.x, value.clusterDim.y, value.clusterDim.z};
      break;
    case CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION:
      preferred = Dim3{value.preferredClusterDim.x, value.preferredClusterDim.y,
                       value.preferredClusterDim.z};
      break;
    case CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
      shape.carveout = int(value.sharedMemCarveout);
      break;
    default: break;
  }
}

Maker kernel_work(const void* function, const Request& request, void** parameters, void** extra) {
  return [=](Session& session, Work& work) {
    Kernel* kernel = registry().kernel(function);
    if (!kernel) return Status::invalid_handle;
    if (parameters && extra) return Status::invalid_value;
    const Stream* stream = find_stream(session, request.stream);
    auto& launch = work.emplace<KernelWork>();
    launch.function = function;
    launch.shape = request.shape;
    launch.preferred = request.preferred;
    launch.attributes = request.attributes;
    launch.device = stream->device;
    if (!extra) return prepare(session, *kernel, stream, parameters, launch);
    std::vector<std::byte> buffer;
    const Status given = read_buffer(extra, parameter_bytes(session, *kernel), buffer);
    if (failed(given)) return given;
    return prepare(session, *kernel, stream, std::move(buffer), launch);
  };
}

Request request_of(const CUlaunchConfig& config) {
  Request request =
      plain(config.gridDimX, config.gridDimY, config.gridDimZ, config.blockDimX, config.blockDimY,
            config.blockDimZ, config.sharedMemBytes, config.hStream);
  for (unsigned i = 0; config.attrs && i < config.numAttrs; ++i) {
    const auto& [id, padding, value] = config.attrs[i];
    request.attributes[int(id)] = std::bit_cast<Opaque>(value);
    ask(request.shape, request.preferred, id, value);
  }
  return request;
}

}  // namespace headroom::driver

using namespace headroom::driver;
extern "C" {

CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                        unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                        CUstream stream, void** parameters, void** extra) {
  return launch(function, plain(grid_x, grid_y, grid_z, block_x, block_y, block_z, shared, stream),
                parameters, extra);
}

CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned grid_x, unsigned grid_y,
                                   unsigned grid_z, unsigned block_x, unsigned block_y,
                                   unsigned block_z, unsigned shared, CUstream stream,
                                   void** parameters) {
  Request request = plain(grid_x, grid_y, grid_z, block_x, block_y, block_z, shared, stream);
  request.shape.cooperative = true;
  return launch(function, request, parameters, nullptr);
}

CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction function, void** parameters,
                          void** extra) {
  if (!config || (config->numAttrs && !config->attrs)) return CUDA_ERROR_INVALID_VALUE;
  return launch(function, request_of(*config), parameters, extra);
}

CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void* data) {
  return in_context(Need::wait, [&](Session& session) {
    return enqueue(session, stream, [&](Session&, Work& work) {
      if (!function) return Status::invalid_value;
      work = HostWork{function, data};
      return Status::ok;
    });
  });
}
}
