#include "cudart/graph/node_work.h"

#include <cstring>

#include "base/saturate.h"
#include "cudart/copy.h"
#include "cudart/launch.h"
#include "device/memory.h"

namespace headroom::cudart {
namespace {

// The other way to give arguments: one buffer, laid out by the caller.
//   extra = {POINTER, buffer, SIZE, &bytes, END}   with the driver's numbers 1, 2, 0
bool read_buffer(void** extra, std::vector<std::byte>& out) {
  const void* buffer = nullptr;
  size_t bytes = 0;
  for (; *extra; extra += 2) {
    if (uintptr_t(*extra) == 1) buffer = extra[1];
    if (uintptr_t(*extra) == 2) bytes = *static_cast<size_t*>(extra[1]);
  }
  if (!buffer) return false;
  out.resize(bytes);
  std::memcpy(out.data(), buffer, bytes);
  return true;
}

cudaError_t from_buffer(Session& session, const cudaKernelNodeParams& what, const Request& request,
                        KernelWork& work) {
  std::vector<std::byte> buffer;
  if (!read_buffer(what.extra, buffer)) return cudaErrorInvalidValue;
  return prepare(session, request, work, std::move(buffer));
}

// A node is one even where it copies nothing.
MakeWork copy_node(const CopyWork& what) {
  return [=](Session& session, Work& work) {
    if (cudaError_t error = check_copy(session, what)) return error;
    work = what;
    return cudaSuccess;
  };
}

}  // namespace

MakeWork work_of(const cudaKernelNodeParams* what) {
  return [=](Session& session, Work& work) {
    if (!what) return cudaErrorInvalidValue;
    const Request request = request_of(what->func, what->gridDim, what->blockDim,
                                       what->kernelParams, what->sharedMemBytes, nullptr);
    auto& kernel = work.emplace<KernelWork>();
    if (!what->kernelParams && what->extra) return from_buffer(session, *what, request, kernel);
    return prepare(session, request, kernel);
  };
}

MakeWork work_of(const cudaMemcpy3DParms* what) {
  if (!what) return [](Session&, Work&) { return cudaErrorInvalidValue; };
  return copy_node(copy_of(*what));
}

MakeWork work_of(const void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return copy_node(copy_of(const_cast<void*>(to), from, bytes, kind));
}

MakeWork work_of(const cudaMemsetParams* what) {
  if (!what || !what->width || !what->height)
    return [](Session&, Work&) { return cudaErrorInvalidValue; };
  const size_t width = saturated_multiply(what->width, what->elementSize);
  return fill_work({{what->dst, what->height > 1 ? what->pitch : width, what->width, what->height},
                    what->value,
                    what->elementSize,
                    {width, what->height, 1}});
}

MakeWork work_of(const cudaHostNodeParams* what) {
  return [=](Session&, Work& work) {
    if (!what || !what->fn) return cudaErrorInvalidValue;
    work = HostWork{what->fn, what->userData};
    return cudaSuccess;
  };
}

MakeWork work_of(cudaMemAllocNodeParams* what) {
  return [=](Session& session, Work& work) {
    if (!what || !what->bytesize || what->poolProps.allocType != cudaMemAllocationTypePinned ||
        what->poolProps.location.type != cudaMemLocationTypeDevice || what->poolProps.handleTypes)
      return cudaErrorInvalidValue;
    const int device = what->poolProps.location.id;
    if (device < 0 || device >= session.options.devices) return cudaErrorInvalidDevice;
    auto& allocate = work.emplace<AllocateWork>();
    allocate.device = device;
    allocate.most = what->poolProps.maxSize;
    allocate.usage = what->poolProps.usage;
    for (size_t i = 0; what->accessDescs && i < what->accessDescCount; ++i) {
      const auto& [where, flags] = what->accessDescs[i];
      if (where.type != cudaMemLocationTypeDevice) return cudaErrorInvalidValue;
      allocate.access.push_back({where.id, flags});
    }
    const Status status = reserve(session, what->bytesize, allocate.memory);
    if (!failed(status)) what->dptr = reinterpret_cast<void*>(allocate.memory.begin);
    return code_of(status);
  };
}

MakeWork record_work(cudaEvent_t event) {
  return [=](Session& session, Work& work) {
    if (!session.events.count(event)) return cudaErrorInvalidResourceHandle;
    work = RecordWork{event};
    return cudaSuccess;
  };
}

MakeWork wait_work(cudaEvent_t event) {
  return [=](Session& session, Work& work) {
    if (!session.events.count(event)) return cudaErrorInvalidResourceHandle;
    work = WaitWork{event};
    return cudaSuccess;
  };
}

MakeWork child_work(cudaGraph_t handle) {
  return [=](Session&, Work& work) {
    Graph* graph = graph_of(handle);
    if (!is_live(graph)) return cudaErrorInvalidValue;
    return code_of(child_of(*graph, work.emplace<ChildWork>()));
  };
}

MakeWork work_of(cudaGraphNodeParams& what) {
  auto* all = &what;
  switch (what.type) {
    case cudaGraphNodeTypeKernel:
      return [all](Session& session, Work& work) {
        const auto& from = all->kernel;
        cudaKernelNodeParams same{from.func,           from.gridDim,      from.blockDim,
                                  from.sharedMemBytes, from.kernelParams, from.extra};
        return work_of(&same)(session, work);
      };
    case cudaGraphNodeTypeMemcpy: return work_of(&what.memcpy.copyParams);
    case cudaGraphNodeTypeMemset:
      return [all](Session& session, Work& work) {
        const auto& from = all->memset;
        cudaMemsetParams same{from.dst,         from.pitch, from.value,
                              from.elementSize, from.width, from.height};
        return work_of(&same)(session, work);
      };
    case cudaGraphNodeTypeHost:
      return [all](Session& session, Work& work) {
        cudaHostNodeParams same{all->host.fn, all->host.userData};
        return work_of(&same)(session, work);
      };
    case cudaGraphNodeTypeGraph: return child_work(what.graph.graph);
    case cudaGraphNodeTypeEmpty:
      return [](Session&, Work& work) {
        work = EmptyWork{};
        return cudaSuccess;
      };
    case cudaGraphNodeTypeWaitEvent: return wait_work(what.eventWait.event);
    case cudaGraphNodeTypeEventRecord: return record_work(what.eventRecord.event);
    case cudaGraphNodeTypeMemAlloc:
      return [all](Session& session, Work& work) {
        auto& from = all->alloc;
        cudaMemAllocNodeParams same{from.poolProps, from.accessDescs, from.accessDescCount,
                                    from.bytesize, nullptr};
        cudaError_t error = work_of(&same)(session, work);
        from.dptr = same.dptr;
        return error;
      };
    case cudaGraphNodeTypeMemFree:
      return [all](Session&, Work& work) {
        if (!all->free.dptr) return cudaErrorInvalidValue;
        work = ReleaseWork{uint64_t(all->free.dptr)};
        return cudaSuccess;
      };
    default: break;
  }
  return [](Session&, Work&) -> cudaError_t {
    throw Failure{
        Status::not_supported,
        Error{"cudaGraphAddNode", "conditional nodes and external semaphores are not supported yet",
              "branch on the host between launches of two graphs"}};
  };
}

cudaKernelNodeParams told(Node& node, const KernelWork& work) {
  auto pointers = std::make_shared<std::vector<void*>>();
  for (uint64_t offset : work.offsets)
    pointers->push_back(const_cast<std::byte*>(work.arguments.data()) + offset);
  node.shown = pointers;
  const auto [grid, block] = std::pair(work.shape.grid, work.shape.block);
  return {
      const_cast<void*>(work.function),    {grid.x, grid.y, grid.z}, {block.x, block.y, block.z},
      unsigned(work.shape.dynamic_shared), pointers->data(),         nullptr};
}

cudaMemAllocNodeParams told(Node& node, const AllocateWork& work) {
  auto access = std::make_shared<std::vector<cudaMemAccessDesc>>();
  for (const auto& [device, flags] : work.access)
    access->push_back({{cudaMemLocationTypeDevice, device}, cudaMemAccessFlags(flags)});
  node.shown = access;
  cudaMemAllocNodeParams out{};
  out.poolProps.allocType = cudaMemAllocationTypePinned;
  out.poolProps.location = {cudaMemLocationTypeDevice, work.device};
  out.poolProps.maxSize = work.most;
  out.poolProps.usage = static_cast<unsigned short>(work.usage);
  out.accessDescs = access->data();
  out.accessDescCount = access->size();
  out.bytesize = work.memory.bytes;
  out.dptr = reinterpret_cast<void*>(work.memory.begin);
  return out;
}

}  // namespace headroom::cudart
