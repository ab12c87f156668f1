// The launch calls: what <<<>>> and its attributes ask for, as the device takes it.
#include "cudart/launch.h"

#include <bit>
#include <memory>

#include "cudart/enqueue.h"
#include "cudart/function.h"
#include "cudart/launch_attributes.h"
#include "device/capture.h"
#include "device/stream.h"

namespace headroom::cudart {
namespace {

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

namespace {

// Everything but the arguments.
cudaError_t describe(const Request& request, KernelWork& work, Kernel*& kernel) {
  if (!request.function) return cudaErrorInvalidDeviceFunction;
  kernel = registry().kernel(request.function);
  if (!kernel) return cudaErrorInvalidResourceHandle;
  work.function = request.function;
  work.shape = request.shape;
  work.preferred = request.preferred;
  work.device = current_device();
  return cudaSuccess;
}

}  // namespace

cudaError_t prepare(Session& session, const Request& request, KernelWork& work) {
  Kernel* kernel = nullptr;
  if (cudaError_t error = describe(request, work, kernel)) return error;
  const Stream* stream = find_stream(session, request.stream);
  return code_of(prepare(session, *kernel, stream, request.arguments, work));
}

cudaError_t prepare(Session& session, const Request& request, KernelWork& work,
                    std::vector<std::byte> buffer) {
  Kernel* kernel = nullptr;
  if (cudaError_t error = describe(request, work, kernel)) return error;
  const Stream* stream = find_stream(session, request.stream);
  return code_of(prepare(session, *kernel, stream, std::move(buffer), work));
}

// A graph's node keeps the attributes; what they ask of a launch stands in its shape.
cudaError_t launch(const Request& request, const std::vector<cudaLaunchAttribute>& attributes,
                   const char* function) {
  return enqueue(
      request.stream,
      [&](Session& session, Work& work) {
        auto& kernel = work.emplace<KernelWork>();
        for (const cudaLaunchAttribute& attribute : attributes)
          kernel.attributes[attribute.id] = std::bit_cast<Opaque>(attribute.val);
        if (cudaError_t error = prepare(session, request, kernel)) return error;
        kernel.device = find_stream(session, request.stream)->device;
        return cudaSuccess;
      },
      function);
}

}  // namespace headroom::cudart

using namespace headroom::cudart;
namespace {

struct Callback {
  cudaStreamCallback_t function;
  cudaStream_t stream;
  void* data;
};

void call_back(void* what) {
  const std::unique_ptr<Callback> callback(static_cast<Callback*>(what));
  callback->function(callback->stream, cudaSuccess, callback->data);
}

}  // namespace

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

// Never a node, so it is called once.
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data,
                                  unsigned flags) {
  return enqueue(stream, [&](Session& session, Work& work) {
    if (!callback || flags) return cudaErrorInvalidValue;
    refuse_capture(session, *find_stream(session, stream), "cudaStreamAddCallback");
    work = HostWork{call_back, new Callback{callback, stream, data}};
    return cudaSuccess;
  });
}
}
