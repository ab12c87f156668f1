// A libcupti.so.13 that plays a recorded trace (src/gpu/trace.h) back as activity records, into the
// buffers that its client gives: for tests of the whole chain on machines without a GPU.
//
//   FAKE_CUPTI_TRACE=run.activity      what is played; fake_launch(5) makes the next five due
//   FAKE_CUPTI_VERSION=130001          what cuptiGetVersion answers
//   FAKE_CUPTI_FAILS=cuptiSubscribe=39 this call fails so
//   FAKE_CUPTI_DROPPED=3               so many records were lost, told with the first buffer
//   FAKE_CUPTI_FLUSH=100               each flush takes so many milliseconds
#include <cupti.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "gpu/trace.h"

namespace {

using namespace headroom;

const char* setting(const char* variable) {
  const char* value = std::getenv(variable);
  return value ? value : "";
}

// The code that FAKE_CUPTI_FAILS asks of this call, or success.
CUptiResult result_of(const std::string& call) {
  const std::string fails = setting("FAKE_CUPTI_FAILS");
  if (!fails.starts_with(call + "=")) return CUPTI_SUCCESS;
  return CUptiResult(std::atoi(fails.c_str() + call.size() + 1));
}

using Bytes = std::vector<uint8_t>;

template <class Record>
Bytes bytes_of(const Record& record) {
  const auto* begin = reinterpret_cast<const uint8_t*>(&record);
  return {begin, begin + sizeof record};
}

Bytes kernel_record(const trace::Launch& l, const char* name) {
  CUpti_ActivityKernel10 k{};
  k.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
  k.registersPerThread = uint16_t(l.registers);
  k.start = l.start, k.end = l.end, k.graphNodeId = l.graph_node, k.graphId = l.graph;
  k.deviceId = l.device, k.contextId = l.context, k.streamId = l.stream;
  k.gridX = int(l.grid[0]), k.gridY = int(l.grid[1]), k.gridZ = int(l.grid[2]);
  k.blockX = int(l.block[0]), k.blockY = int(l.block[1]), k.blockZ = int(l.block[2]);
  k.clusterX = l.cluster[0], k.clusterY = l.cluster[1], k.clusterZ = l.cluster[2];
  k.staticSharedMemory = int(l.static_shared), k.dynamicSharedMemory = int(l.dynamic_shared);
  k.localMemoryPerThread = l.local_per_thread;
  k.sharedMemoryExecuted = l.shared_carveout;
  k.correlationId = l.correlation;
  k.launchType = l.cooperative;
  k.name = name;
  return bytes_of(k);
}

Bytes set_record(const trace::Copy& c) {
  CUpti_ActivityMemset4 s{};
  s.kind = CUPTI_ACTIVITY_KIND_MEMSET;
  s.bytes = c.bytes, s.start = c.start, s.end = c.end, s.graphNodeId = c.graph_node;
  s.deviceId = c.device, s.contextId = c.context, s.streamId = c.stream;
  s.correlationId = c.correlation, s.memoryKind = c.to, s.flags = c.asynchronous;
  return bytes_of(s);
}

Bytes peer_record(const trace::Copy& c) {
  CUpti_ActivityMemcpyPtoP4 p{};
  p.kind = CUPTI_ACTIVITY_KIND_MEMCPY2;
  p.copyKind = c.direction, p.srcKind = c.from, p.dstKind = c.to, p.flags = c.asynchronous;
  p.bytes = c.bytes, p.start = c.start, p.end = c.end, p.graphNodeId = c.graph_node;
  p.deviceId = p.srcDeviceId = c.device, p.dstDeviceId = c.to_device, p.contextId = c.context;
  p.streamId = c.stream, p.correlationId = c.correlation;
  return bytes_of(p);
}

Bytes copy_record(const trace::Copy& c) {
  if (c.direction == 0) return set_record(c);
  if (c.direction == CUPTI_ACTIVITY_MEMCPY_KIND_PTOP) return peer_record(c);
  CUpti_ActivityMemcpy6 m{};
  m.kind = CUPTI_ACTIVITY_KIND_MEMCPY;
  m.copyKind = c.direction, m.srcKind = c.from, m.dstKind = c.to, m.flags = c.asynchronous;
  m.bytes = c.bytes, m.start = c.start, m.end = c.end, m.graphNodeId = c.graph_node;
  m.deviceId = c.device, m.contextId = c.context, m.streamId = c.stream;
  m.correlationId = c.correlation;
  return bytes_of(m);
}

Bytes device_record(const trace::Device& d, const char* name) {
  CUpti_ActivityDevice5 r{};
  r.kind = CUPTI_ACTIVITY_KIND_DEVICE;
  r.globalMemorySize = d.memory_bytes, r.globalMemoryBandwidth = d.memory_bandwidth / 1000;
  r.id = d.id, r.computeCapabilityMajor = d.compute_major,
  r.computeCapabilityMinor = d.compute_minor;
  r.numMultiprocessors = d.multiprocessors, r.coreClockRate = d.clock_khz;
  r.l2CacheSize = d.l2_bytes, r.maxWarpsPerMultiprocessor = d.warps_per_sm;
  r.maxBlocksPerMultiprocessor = d.blocks_per_sm, r.maxThreadsPerBlock = d.threads_per_block;
  r.maxRegistersPerMultiprocessor = d.registers_per_sm;
  r.maxRegistersPerBlock = d.registers_per_block;
  r.maxSharedMemoryPerMultiprocessor = d.shared_per_sm;
  r.maxSharedMemoryPerBlock = d.shared_per_block;
  r.isCudaVisible = uint8_t(d.visible), r.name = name;
  return bytes_of(r);
}

size_t size_of(const CUpti_Activity& record) {
  switch (record.kind) {
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL: return sizeof(CUpti_ActivityKernel10);
    case CUPTI_ACTIVITY_KIND_MEMCPY: return sizeof(CUpti_ActivityMemcpy6);
    case CUPTI_ACTIVITY_KIND_MEMCPY2: return sizeof(CUpti_ActivityMemcpyPtoP4);
    case CUPTI_ACTIVITY_KIND_MEMSET: return sizeof(CUpti_ActivityMemset4);
    case CUPTI_ACTIVITY_KIND_DEVICE: return sizeof(CUpti_ActivityDevice5);
    default: return 0;
  }
}

class Player {
 public:
  CUpti_BuffersCallbackRequestFunc request = nullptr;
  CUpti_BuffersCallbackCompleteFunc complete = nullptr;

  Player() {
    std::ifstream file(setting("FAKE_CUPTI_TRACE"), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    for (size_t at = 0; at + sizeof(trace::Block) <= bytes.size();) {
      trace::Block head;
      std::memcpy(&head, &bytes[at], sizeof head);
      at += sizeof head;
      take(head.kind, bytes.substr(at, head.bytes));
      at += head.bytes;
    }
    due_ = first_.size();
  }
  void launch(size_t more) {
    const std::lock_guard held(lock_);
    due_ = std::min(due_ + more, first_.size() + later_.size());
  }
  // What is due and was not delivered, in as many buffers as it takes.
  void deliver() {
    const std::lock_guard held(lock_);
    uint8_t* buffer = nullptr;
    size_t size = 0, used = 0, most = 0;
    for (; delivered_ < due_; ++delivered_) {
      const Bytes& record =
          delivered_ < first_.size() ? first_[delivered_] : later_[delivered_ - first_.size()];
      if (buffer && used + record.size() > size) {
        complete(nullptr, 0, buffer, size, used);
        buffer = nullptr;
      }
      if (!buffer) {
        request(&buffer, &size, &most);
        used = 0;
        for (size_t i = 0; i < size; i += 509)
          if (buffer[i] != 0) std::abort();  // they are promised to be zeroed
      }
      std::memcpy(buffer + used, record.data(), record.size());
      used += record.size();
    }
    if (buffer) complete(nullptr, 0, buffer, size, used);
  }

 private:
  template <class Payload>
  static Payload payload(const std::string& block) {
    Payload result{};
    std::memcpy(&result, block.data(), sizeof result);
    return result;
  }
  void take(trace::Kind kind, const std::string& block) {
    if (kind == trace::Kind::name)
      names_[payload<trace::Name>(block).id] = block.substr(sizeof(trace::Name));
    if (kind == trace::Kind::launch) {
      const auto launch = payload<trace::Launch>(block);
      later_.push_back(kernel_record(launch, names_[launch.name].c_str()));
    }
    if (kind == trace::Kind::copy) later_.push_back(copy_record(payload<trace::Copy>(block)));
    if (kind == trace::Kind::device) {
      std::string& name = names_[~uint32_t(first_.size())];
      name = block.substr(sizeof(trace::Device));
      first_.push_back(device_record(payload<trace::Device>(block), name.c_str()));
    }
  }
  std::mutex lock_;
  std::map<uint32_t, std::string> names_;
  std::vector<Bytes> first_, later_;  // devices come when they are asked for, the rest when due
  size_t due_ = 0, delivered_ = 0;
};

Player& player() {
  static Player& only = *new Player;
  return only;
}

}  // namespace

extern "C" {
#pragma GCC visibility push(default)

void fake_launch(int more) { player().launch(size_t(more)); }

CUptiResult cuptiGetVersion(uint32_t* version) {
  const char* wanted = setting("FAKE_CUPTI_VERSION");
  *version = *wanted ? uint32_t(std::atoi(wanted)) : 130001;
  return result_of("cuptiGetVersion");
}
CUptiResult cuptiGetResultString(CUptiResult result, const char** text) {
  *text = result == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED
              ? "CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED"
          : result == CUPTI_ERROR_INSUFFICIENT_PRIVILEGES ? "CUPTI_ERROR_INSUFFICIENT_PRIVILEGES"
                                                          : "CUPTI_ERROR_UNKNOWN";
  return CUPTI_SUCCESS;
}
CUptiResult cuptiSubscribe(CUpti_SubscriberHandle*, CUpti_CallbackFunc, void*) {
  return result_of("cuptiSubscribe");
}
CUptiResult cuptiEnableCallback(uint32_t, CUpti_SubscriberHandle, CUpti_CallbackDomain,
                                CUpti_CallbackId) {
  return result_of("cuptiEnableCallback");
}
CUptiResult cuptiActivitySetAttribute(CUpti_ActivityAttribute, size_t*, void*) {
  return CUPTI_SUCCESS;
}
CUptiResult cuptiActivityRegisterCallbacks(CUpti_BuffersCallbackRequestFunc request,
                                           CUpti_BuffersCallbackCompleteFunc complete) {
  player().request = request;
  player().complete = complete;
  return result_of("cuptiActivityRegisterCallbacks");
}
CUptiResult cuptiActivityEnable(CUpti_ActivityKind) { return result_of("cuptiActivityEnable"); }
CUptiResult cuptiActivityFlushAll(uint32_t) {
  usleep(useconds_t(1000 * std::atoi(setting("FAKE_CUPTI_FLUSH"))));
  player().deliver();
  return CUPTI_SUCCESS;
}
CUptiResult cuptiActivityGetNextRecord(uint8_t* buffer, size_t valid, CUpti_Activity** record) {
  uint8_t* next = *record ? reinterpret_cast<uint8_t*>(*record) + size_of(**record) : buffer;
  if (next >= buffer + valid) return CUPTI_ERROR_MAX_LIMIT_REACHED;
  *record = reinterpret_cast<CUpti_Activity*>(next);
  return CUPTI_SUCCESS;
}
CUptiResult cuptiActivityGetNumDroppedRecords(CUcontext, uint32_t, size_t* dropped) {
  static int told = 0;
  *dropped = told++ ? 0 : size_t(std::atoi(setting("FAKE_CUPTI_DROPPED")));
  return CUPTI_SUCCESS;
}

#pragma GCC visibility pop
}
