// CUPTI's records become blocks of the trace. CUPTI only ever adds members at the end of a record,
// so what we read lies in the same place in CUDA 12's and in CUDA 13's: checked here.
#include <cupti.h>

#include <cstddef>

#include "gpu/inject/recorder.h"

namespace headroom::inject {
namespace {

#define HEADROOM_SAME_PLACE(older, newer, member) \
  static_assert(offsetof(older, member) == offsetof(newer, member))

HEADROOM_SAME_PLACE(CUpti_ActivityKernel9, CUpti_ActivityKernel10, registersPerThread);
HEADROOM_SAME_PLACE(CUpti_ActivityKernel9, CUpti_ActivityKernel10, end);
HEADROOM_SAME_PLACE(CUpti_ActivityKernel9, CUpti_ActivityKernel10, streamId);
HEADROOM_SAME_PLACE(CUpti_ActivityKernel9, CUpti_ActivityKernel10, blockZ);
HEADROOM_SAME_PLACE(CUpti_ActivityKernel9, CUpti_ActivityKernel10, localMemoryPerThread);
HEADROOM_SAME_PLACE(CUpti_ActivityKernel9, CUpti_ActivityKernel10, name);
HEADROOM_SAME_PLACE(CUpti_ActivityKernel9, CUpti_ActivityKernel10, launchType);
HEADROOM_SAME_PLACE(CUpti_ActivityKernel9, CUpti_ActivityKernel10, sharedMemoryExecuted);
HEADROOM_SAME_PLACE(CUpti_ActivityKernel9, CUpti_ActivityKernel10, graphId);
HEADROOM_SAME_PLACE(CUpti_ActivityKernel9, CUpti_ActivityKernel10, clusterZ);
HEADROOM_SAME_PLACE(CUpti_ActivityMemcpy5, CUpti_ActivityMemcpy6, correlationId);
HEADROOM_SAME_PLACE(CUpti_ActivityMemcpy5, CUpti_ActivityMemcpy6, graphNodeId);
HEADROOM_SAME_PLACE(CUpti_ActivityMemcpyPtoP3, CUpti_ActivityMemcpyPtoP4, correlationId);
HEADROOM_SAME_PLACE(CUpti_ActivityMemcpyPtoP3, CUpti_ActivityMemcpyPtoP4, graphNodeId);
HEADROOM_SAME_PLACE(CUpti_ActivityMemset3, CUpti_ActivityMemset4, memoryKind);
HEADROOM_SAME_PLACE(CUpti_ActivityMemset3, CUpti_ActivityMemset4, graphNodeId);
HEADROOM_SAME_PLACE(CUpti_ActivityDevice4, CUpti_ActivityDevice5, name);
HEADROOM_SAME_PLACE(CUpti_ActivityDevice4, CUpti_ActivityDevice5, isCudaVisible);

template <class Record>
const Record& as(const CUpti_Activity& activity) {
  return reinterpret_cast<const Record&>(activity);
}

}  // namespace

void Recorder::write(const CUpti_Activity& activity) {
  switch (activity.kind) {
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
    case CUPTI_ACTIVITY_KIND_KERNEL: return write_launch(activity);
    case CUPTI_ACTIVITY_KIND_MEMCPY: return write_copy(activity);
    case CUPTI_ACTIVITY_KIND_MEMCPY2: return write_peer_copy(activity);
    case CUPTI_ACTIVITY_KIND_MEMSET: return write_set(activity);
    case CUPTI_ACTIVITY_KIND_DEVICE: return write_device(activity);
    default: return;
  }
}

void Recorder::write_launch(const CUpti_Activity& activity) {
  const auto& k = as<CUpti_ActivityKernel9>(activity);
  const Names::Known name = names_.number_of(k.name);
  if (name.is_new) file_.block(trace::Kind::name, trace::Name{name.id}, k.name ? k.name : "");
  trace::Launch launch{};
  launch.start = k.start;
  launch.end = k.end;
  launch.graph_node = k.graphNodeId;
  launch.name = name.id;
  launch.correlation = k.correlationId;
  launch.device = k.deviceId;
  launch.context = k.contextId;
  launch.stream = k.streamId;
  launch.graph = k.graphId;
  const int32_t grid[]{k.gridX, k.gridY, k.gridZ}, block[]{k.blockX, k.blockY, k.blockZ};
  const uint32_t cluster[]{k.clusterX, k.clusterY, k.clusterZ};
  for (int i = 0; i < 3; ++i) {
    launch.grid[i] = uint32_t(grid[i]);
    launch.block[i] = uint32_t(block[i]);
    launch.cluster[i] = cluster[i];
  }
  launch.registers = k.registersPerThread;
  launch.static_shared = uint32_t(k.staticSharedMemory);
  launch.dynamic_shared = uint32_t(k.dynamicSharedMemory);
  launch.local_per_thread = k.localMemoryPerThread;
  launch.shared_carveout = k.sharedMemoryExecuted;
  launch.cooperative = k.launchType == CUPTI_ACTIVITY_LAUNCH_TYPE_COOPERATIVE_SINGLE_DEVICE ||
                       k.launchType == CUPTI_ACTIVITY_LAUNCH_TYPE_COOPERATIVE_MULTI_DEVICE;
  file_.block(trace::Kind::launch, launch);
}

void Recorder::write_device(const CUpti_Activity& activity) {
  const auto& d = as<CUpti_ActivityDevice4>(activity);
  trace::Device device{};
  device.memory_bytes = d.globalMemorySize;
  device.memory_bandwidth = d.globalMemoryBandwidth * 1000;  // kB/s there
  device.id = d.id;
  device.compute_major = d.computeCapabilityMajor;
  device.compute_minor = d.computeCapabilityMinor;
  device.multiprocessors = d.numMultiprocessors;
  device.clock_khz = d.coreClockRate;
  device.l2_bytes = d.l2CacheSize;
  device.warps_per_sm = d.maxWarpsPerMultiprocessor;
  device.blocks_per_sm = d.maxBlocksPerMultiprocessor;
  device.threads_per_block = d.maxThreadsPerBlock;
  device.registers_per_sm = d.maxRegistersPerMultiprocessor;
  device.registers_per_block = d.maxRegistersPerBlock;
  device.shared_per_sm = d.maxSharedMemoryPerMultiprocessor;
  device.shared_per_block = d.maxSharedMemoryPerBlock;
  device.visible = d.isCudaVisible;
  file_.block(trace::Kind::device, device, d.name ? d.name : "");
}

namespace {

// What the records of copies and memsets have in common.
template <typename Activity>
trace::Copy moved(const Activity& activity) {
  trace::Copy copy{};
  copy.start = activity.start;
  copy.end = activity.end;
  copy.bytes = activity.bytes;
  copy.graph_node = activity.graphNodeId;
  copy.correlation = activity.correlationId;
  copy.context = activity.contextId;
  copy.stream = activity.streamId;
  return copy;
}

template <typename Activity>
trace::Copy copied(const Activity& activity) {
  trace::Copy copy = moved(activity);
  copy.from = activity.srcKind;
  copy.to = activity.dstKind;
  copy.asynchronous = activity.flags & CUPTI_ACTIVITY_FLAG_MEMCPY_ASYNC;
  return copy;
}

}  // namespace

void Recorder::write_copy(const CUpti_Activity& activity) {
  const auto& c = as<CUpti_ActivityMemcpy5>(activity);
  trace::Copy copy = copied(c);
  copy.device = copy.to_device = c.deviceId;
  copy.direction = c.copyKind;
  file_.block(trace::Kind::copy, copy);
}

void Recorder::write_peer_copy(const CUpti_Activity& activity) {
  const auto& c = as<CUpti_ActivityMemcpyPtoP3>(activity);
  trace::Copy copy = copied(c);
  copy.device = c.srcDeviceId;
  copy.to_device = c.dstDeviceId;
  copy.direction = CUPTI_ACTIVITY_MEMCPY_KIND_PTOP;
  file_.block(trace::Kind::copy, copy);
}

void Recorder::write_set(const CUpti_Activity& activity) {
  const auto& s = as<CUpti_ActivityMemset3>(activity);
  trace::Copy copy = moved(s);
  copy.device = copy.to_device = s.deviceId;
  copy.to = uint8_t(s.memoryKind);
  copy.asynchronous = s.flags & CUPTI_ACTIVITY_FLAG_MEMSET_ASYNC;
  file_.block(trace::Kind::copy, copy);
}

}  // namespace headroom::inject
