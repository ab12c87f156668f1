#include "driver/graph/node_work.h"

#include "base/saturate.h"
#include "device/host_memory.h"
#include "driver/copies.h"
#include "driver/launch.h"

namespace headroom::driver {
namespace {

Maker of_event(Work work, CUevent event) {
  return [=](Session& session, Work& out) {
    if (!session.events.count(event)) return Status::invalid_handle;
    out = work;
    return Status::ok;
  };
}

// The same parameters by an older name, which they begin with.
template <class Older, class Newer>
Maker as_older(const Newer& what) {
  return [&what](Session& session, Work& work) {
    static_assert(sizeof(Newer) >= sizeof(Older));
    return work_of(reinterpret_cast<const Older*>(&what))(session, work);
  };
}

struct CopyEnd {
  CUmemorytype type = CU_MEMORYTYPE_HOST;
  void* memory = nullptr;
  CUarray array = nullptr;
  size_t x = 0;
};
CopyEnd end_of(const Session& session, const Side& side, uint64_t element) {
  if (side.array)
    return {CU_MEMORYTYPE_ARRAY, nullptr, static_cast<CUarray>(const_cast<void*>(side.array)),
            side.at.x * element};
  const bool on_host = look_up(session, side.memory.pointer).kind < Pointed::Kind::device;
  return {on_host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE, side.memory.pointer, nullptr,
          side.at.x};
}

}  // namespace

Maker work_of(const CUDA_KERNEL_NODE_PARAMS* what) {
  if (!what) return [](Session&, Work&) { return Status::invalid_value; };
  const void* function = what->func ? static_cast<const void*>(what->func) : what->kern;
  const Request request = plain(what->gridDimX, what->gridDimY, what->gridDimZ, what->blockDimX,
                                what->blockDimY, what->blockDimZ, what->sharedMemBytes, nullptr);
  return kernel_work(function, request, what->kernelParams,
                     what->kernelParams ? nullptr : what->extra);
}

// A node is one even where it copies nothing.
Maker work_of(const CUDA_MEMCPY3D* what) {
  return [=](Session& session, Work& work) {
    CopyWork copy;
    if (!what) return Status::invalid_value;
    if (const Status status = read_box(session, *what, copy); failed(status)) return status;
    if (const Status status = check(session, copy); failed(status)) return status;
    work = copy;
    return Status::ok;
  };
}

Maker work_of(const CUDA_MEMSET_NODE_PARAMS* what) {
  return [=](Session& session, Work& work) {
    if (!what || !what->width || !what->height) return Status::invalid_value;
    const size_t width = saturated_multiply(what->width, what->elementSize);
    const FillWork fill{
        {pointer_of(what->dst), what->height > 1 ? what->pitch : width, what->width, what->height},
        what->value,
        what->elementSize,
        {width, what->height, 1}};
    if (const Status status = check(session, fill); failed(status)) return status;
    work = fill;
    return Status::ok;
  };
}

Maker work_of(const CUDA_HOST_NODE_PARAMS* what) {
  return [=](Session&, Work& work) {
    if (!what || !what->fn) return Status::invalid_value;
    work = HostWork{what->fn, what->userData};
    return Status::ok;
  };
}

Maker work_of(CUDA_MEM_ALLOC_NODE_PARAMS* what) {
  return [=](Session& session, Work& work) {
    if (!what || !what->bytesize || what->poolProps.allocType != CU_MEM_ALLOCATION_TYPE_PINNED ||
        what->poolProps.location.type != CU_MEM_LOCATION_TYPE_DEVICE || what->poolProps.handleTypes)
      return Status::invalid_value;
    const int device = what->poolProps.location.id;
    if (device < 0 || device >= session.options.devices) return Status::invalid_device;
    auto& allocate = work.emplace<AllocateWork>();
    allocate.device = device;
    allocate.most = what->poolProps.maxSize;
    allocate.usage = what->poolProps.usage;
    for (size_t i = 0; what->accessDescs && i < what->accessDescCount; ++i) {
      const auto& [where, flags] = what->accessDescs[i];
      if (where.type != CU_MEM_LOCATION_TYPE_DEVICE) return Status::invalid_value;
      allocate.access.push_back({where.id, flags});
    }
    const Status status = reserve(session, what->bytesize, allocate.memory);
    if (!failed(status)) what->dptr = allocate.memory.begin;
    return status;
  };
}

Maker empty_work() {
  return [](Session&, Work& work) {
    work = EmptyWork{};
    return Status::ok;
  };
}
Maker record_work(CUevent event) { return of_event(RecordWork{event}, event); }
Maker wait_work(CUevent event) { return of_event(WaitWork{event}, event); }

Maker child_work(CUgraph handle) {
  return [=](Session&, Work& work) {
    const Graph* graph = graph_of(handle);
    return is_live(graph) ? child_of(*graph, work.emplace<ChildWork>()) : Status::invalid_value;
  };
}

Maker release_work(CUdeviceptr address) {
  return [=](Session&, Work& work) {
    if (!address) return Status::invalid_value;
    work = ReleaseWork{address};
    return Status::ok;
  };
}

Maker work_of(CUgraphNodeParams* what) {
  if (!what) return [](Session&, Work&) { return Status::invalid_value; };
  switch (what->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL: return as_older<CUDA_KERNEL_NODE_PARAMS>(what->kernel);
    case CU_GRAPH_NODE_TYPE_MEMCPY: return work_of(&what->memcpy.copyParams);
    case CU_GRAPH_NODE_TYPE_MEMSET:
      if (!what->memset.ctx) return [](Session&, Work&) { return Status::invalid_value; };
      return as_older<CUDA_MEMSET_NODE_PARAMS>(what->memset);
    case CU_GRAPH_NODE_TYPE_HOST: return as_older<CUDA_HOST_NODE_PARAMS>(what->host);
    case CU_GRAPH_NODE_TYPE_GRAPH: return child_work(what->graph.graph);
    case CU_GRAPH_NODE_TYPE_EMPTY: return empty_work();
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT: return wait_work(what->eventWait.event);
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD: return record_work(what->eventRecord.event);
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
      return work_of(reinterpret_cast<CUDA_MEM_ALLOC_NODE_PARAMS*>(&what->alloc));
    case CU_GRAPH_NODE_TYPE_MEM_FREE: return release_work(what->free.dptr);
    default: break;
  }
  return [](Session&, Work&) -> Status {
    throw Failure{Status::not_supported,
                  Error{"cuGraphAddNode",
                        "conditional nodes, batches of memory operations and external semaphores "
                        "are not supported yet",
                        "branch on the host between launches of two graphs"}};
  };
}

CUDA_KERNEL_NODE_PARAMS told(Node& node, const KernelWork& work) {
  auto pointers = std::make_shared<std::vector<void*>>();
  for (const uint64_t offset : work.offsets)
    pointers->push_back(const_cast<std::byte*>(work.arguments.data()) + offset);
  node.shown = pointers;
  const auto& [grid, block] = std::tie(work.shape.grid, work.shape.block);
  CUDA_KERNEL_NODE_PARAMS out{};
  // What the runtime knows by the address of a stub is a kernel all the same.
  out.func = static_cast<CUfunction>(const_cast<void*>(work.function));
  out.gridDimX = grid.x, out.gridDimY = grid.y, out.gridDimZ = grid.z;
  out.blockDimX = block.x, out.blockDimY = block.y, out.blockDimZ = block.z;
  out.sharedMemBytes = unsigned(work.shape.dynamic_shared);
  out.kernelParams = pointers->data();
  return out;
}

CUDA_MEM_ALLOC_NODE_PARAMS told(Node& node, const AllocateWork& work) {
  auto access = std::make_shared<std::vector<CUmemAccessDesc>>();
  for (const auto& [device, flags] : work.access)
    access->push_back({{CU_MEM_LOCATION_TYPE_DEVICE, device}, CUmemAccess_flags(flags)});
  node.shown = access;
  CUDA_MEM_ALLOC_NODE_PARAMS out{};
  out.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  out.poolProps.location = {CU_MEM_LOCATION_TYPE_DEVICE, work.device};
  out.poolProps.maxSize = work.most;
  out.poolProps.usage = static_cast<unsigned short>(work.usage);
  out.accessDescs = access->data();
  out.accessDescCount = access->size();
  out.bytesize = work.memory.bytes;
  out.dptr = work.memory.begin;
  return out;
}

CUDA_MEMCPY3D told(const Session& session, const CopyWork& work) {
  const Array* array = find_array(session, work.to.array ? work.to.array : work.from.array);
  const uint64_t element = array ? array->element() : 1;
  const CopyEnd to = end_of(session, work.to, element), from = end_of(session, work.from, element);
  CUDA_MEMCPY3D out{};
  out.dstMemoryType = to.type, out.srcMemoryType = from.type;
  if (to.type == CU_MEMORYTYPE_DEVICE)
    out.dstDevice = CUdeviceptr(to.memory);
  else
    out.dstHost = to.memory;
  if (from.type == CU_MEMORYTYPE_DEVICE)
    out.srcDevice = CUdeviceptr(from.memory);
  else
    out.srcHost = from.memory;
  out.dstArray = to.array, out.srcArray = from.array;
  out.dstXInBytes = to.x, out.dstY = work.to.at.y, out.dstZ = work.to.at.z;
  out.srcXInBytes = from.x, out.srcY = work.from.at.y, out.srcZ = work.from.at.z;
  out.dstPitch = work.to.memory.pitch, out.dstHeight = work.to.memory.height;
  out.srcPitch = work.from.memory.pitch, out.srcHeight = work.from.memory.height;
  out.WidthInBytes = work.extent.width * element;
  out.Height = work.extent.height, out.Depth = work.extent.depth;
  return out;
}

CUDA_MEMSET_NODE_PARAMS told(const FillWork& work) {
  return {CUdeviceptr(work.to.pointer),
          work.to.pitch,
          work.value,
          work.element,
          work.extent.width / work.element,
          work.extent.height * work.extent.depth};
}

}  // namespace headroom::driver
