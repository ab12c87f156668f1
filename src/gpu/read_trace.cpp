#include "gpu/read_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>
#include <tuple>

#include "base/read_file.h"
#include "gpu/problem.h"
#include "gpu/trace.h"
#include "kernel/kernel.h"

namespace headroom {
namespace {

constexpr double nanosecond = 1e-9;

// As CUPTI numbers directions (CUpti_ActivityMemcpyKind) and kinds of memory
// (CUpti_ActivityMemoryKind); 0 in the first is ours.
constexpr const char* directions[] = {"memset",          "host_to_device",  "device_to_host",
                                      "host_to_array",   "array_to_host",   "array_to_array",
                                      "array_to_device", "device_to_array", "device_to_device",
                                      "host_to_host",    "peer_to_peer"};
constexpr const char* memories[] = {"",      "pageable", "pinned", "device",
                                    "array", "managed",  "device", "managed"};

template <size_t size>
std::string word(const char* const (&words)[size], unsigned number) {
  return number < size ? words[number] : "";
}

// What the blocks of one file say, in their order.
struct Trace {
  trace::Header header{};
  std::vector<std::string> program;
  std::vector<GpuDevice> devices;
  struct Name {
    std::string mangled, plain;
  };
  std::map<uint32_t, Name> names;
  std::vector<trace::Launch> launches;
  std::vector<trace::Copy> copies;
  uint64_t dropped = 0;
  bool ended = false;
  std::optional<Error> problem;
};

[[noreturn]] void refuse(const std::string& path, const std::string& problem) {
  throw Error{path, problem, "bin/headroom and lib/headroom must be of the same version"};
}

template <class Payload>
Payload payload_of(std::string_view& block, const std::string& path) {
  Payload payload{};
  if (block.size() < sizeof payload) refuse(path, "is no trace of headroom");
  std::memcpy(&payload, block.data(), sizeof payload);
  block.remove_prefix(sizeof payload);
  return payload;
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (size_t end; (end = text.find('\0')) != text.npos; text.remove_prefix(end + 1))
    words.emplace_back(text.substr(0, end));
  return words;
}

GpuDevice device_of(const trace::Device& d, std::string_view name) {
  GpuDevice device;
  device.id = int(d.id);
  device.name = name;
  device.compute_major = int(d.compute_major);
  device.compute_minor = int(d.compute_minor);
  device.multiprocessors = int(d.multiprocessors);
  device.clock_mhz = d.clock_khz / 1000.0;
  device.memory_bytes = d.memory_bytes;
  device.l2_bytes = d.l2_bytes;
  device.memory_bandwidth = double(d.memory_bandwidth);
  device.warps_per_sm = int(d.warps_per_sm);
  device.blocks_per_sm = int(d.blocks_per_sm);
  device.threads_per_block = int(d.threads_per_block);
  device.registers_per_sm = int(d.registers_per_sm);
  device.registers_per_block = int(d.registers_per_block);
  device.shared_per_sm = d.shared_per_sm;
  device.shared_per_block = d.shared_per_block;
  return device;
}

void take(Trace& result, trace::Kind kind, std::string_view block, const std::string& path) {
  using trace::Kind;
  switch (kind) {
    case Kind::header: result.header = payload_of<trace::Header>(block, path); return;
    case Kind::program: result.program = words_of(block); return;
    case Kind::device: {
      const auto device = payload_of<trace::Device>(block, path);
      if (device.visible) result.devices.push_back(device_of(device, block));
      return;
    }
    case Kind::name: {
      const auto name = payload_of<trace::Name>(block, path);
      const std::string mangled(block);
      result.names[name.id] = {mangled, demangle(mangled)};
      return;
    }
    case Kind::launch: result.launches.push_back(payload_of<trace::Launch>(block, path)); return;
    case Kind::copy: result.copies.push_back(payload_of<trace::Copy>(block, path)); return;
    case Kind::dropped: result.dropped += payload_of<trace::Dropped>(block, path).records; return;
    case Kind::problem: {
      const auto problem = payload_of<trace::Problem>(block, path);
      result.problem = explain_problem(problem, std::string(block));
      return;
    }
    case Kind::end: result.ended = true; return;
  }
  refuse(path,
         fmt::format("has a block of kind {}, which this version does not know", uint32_t(kind)));
}

Trace read_blocks(const std::string& path) {
  const std::string bytes = load_file(path, "is the path right?", path, no_file_limit);
  std::string_view rest = bytes;
  Trace result;
  while (rest.size() >= sizeof(trace::Block)) {
    trace::Block head;
    std::memcpy(&head, rest.data(), sizeof head);
    const bool is_first = rest.size() == bytes.size();
    if (is_first && head.kind != trace::Kind::header) refuse(path, "is no trace of headroom");
    rest.remove_prefix(sizeof head);
    if (head.bytes > rest.size()) break;  // cut off
    take(result, head.kind, rest.substr(0, head.bytes), path);
    if (is_first && std::memcmp(result.header.magic, trace::magic, sizeof trace::magic) != 0)
      refuse(path, "is a trace of another version");
    rest.remove_prefix(head.bytes);
  }
  return result;
}

// Timestamps of 0 are none.
void set_times(auto& result, uint64_t start, uint64_t end, uint64_t first) {
  if (start) result.start = double(start - first) * nanosecond;
  if (start && end >= start) result.seconds = double(end - start) * nanosecond;
}

LaunchTiming launch_of(const trace::Launch& l, const Trace& trace, uint64_t first) {
  LaunchTiming launch;
  if (const auto name = trace.names.find(l.name); name != trace.names.end()) {
    launch.shape.kernel = name->second.mangled;
    launch.name = name->second.plain;
  }
  launch.shape.grid = {l.grid[0], l.grid[1], l.grid[2]};
  launch.shape.block = {l.block[0], l.block[1], l.block[2]};
  if (l.cluster[0]) launch.shape.cluster = Dim3{l.cluster[0], l.cluster[1], l.cluster[2]};
  set_times(launch, l.start, l.end, first);
  if (launch.seconds) launch.state = State::measured;
  launch.registers = int(l.registers);
  launch.static_shared = l.static_shared;
  launch.shape.dynamic_shared = l.dynamic_shared;
  launch.local_per_thread = l.local_per_thread;
  launch.shared_carveout = l.shared_carveout;
  launch.device = int(l.device);
  launch.context = int(l.context);
  launch.stream = l.stream;
  launch.shape.cooperative = l.cooperative;
  launch.in_graph = l.graph_node != 0;
  return launch;
}

CopyTiming copy_of(const trace::Copy& c, uint64_t first) {
  CopyTiming copy;
  copy.direction = word(directions, c.direction);
  copy.from = word(memories, c.from);
  copy.to = word(memories, c.to);
  copy.bytes = c.bytes;
  set_times(copy, c.start, c.end, first);
  copy.device = int(c.device);
  copy.to_device = int(c.to_device);
  copy.context = int(c.context);
  copy.stream = c.stream;
  copy.asynchronous = c.asynchronous;
  copy.in_graph = c.graph_node != 0;
  return copy;
}

// CUPTI numbers the program's calls; the nodes of a graph share its launch's number, and there the
// start decides.
void order(auto& activities) {
  std::ranges::stable_sort(activities, {},
                           [](const auto& a) { return std::tuple(a.correlation, a.start); });
}

uint64_t first_start(const std::vector<Trace>& traces) {
  uint64_t first = std::numeric_limits<uint64_t>::max();
  const auto look = [&](const auto& activities) {
    for (const auto& each : activities)
      if (each.start) first = std::min(first, each.start);
  };
  for (const Trace& trace : traces) look(trace.launches), look(trace.copies);
  return first;
}

TimingRecord record_of(Trace& trace, uint64_t first) {
  TimingRecord record;
  record.program = std::move(trace.program);
  record.process = trace.header.process;
  record.cupti_version = trace.header.cupti_version;
  record.devices = std::move(trace.devices);
  order(trace.launches);
  for (const trace::Launch& launch : trace.launches) {
    record.launches.push_back(launch_of(launch, trace, first));
    record.launches.back().index = int(record.launches.size()) - 1;
  }
  order(trace.copies);
  for (const trace::Copy& copy : trace.copies) record.copies.push_back(copy_of(copy, first));
  record.dropped = trace.dropped;
  record.ended = trace.ended;
  record.problem = trace.problem;
  return record;
}

}  // namespace

std::vector<TimingRecord> read_traces(const std::vector<std::string>& paths) {
  std::vector<Trace> traces;
  for (const std::string& path : paths) {
    Trace trace = read_blocks(path);
    if (trace.header.process) traces.push_back(std::move(trace));  // else nothing was written yet
  }
  const uint64_t first = first_start(traces);
  std::vector<TimingRecord> records;
  for (Trace& trace : traces) records.push_back(record_of(trace, first));
  return records;
}

}  // namespace headroom
