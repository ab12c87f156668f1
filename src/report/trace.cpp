#include "report/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "report/format.h"
#include "report/json_parts.h"

namespace headroom {
namespace {

constexpr int all_processes = -1;
constexpr int of_host = -1;  // in place of a context: the row that is no stream's

// A process of the trace is a device of a process of the program; a thread of it a stream.
class Timeline {
 public:
  Timeline(std::string gpu, bool several, Json about)
      : gpu_(std::move(gpu)), several_(several), about_(std::move(about)) {}

  void event(Json event, int process, int device, int context, uint64_t stream) {
    const auto [place, is_new] = devices_.insert({{process, device}, int(devices_.size()) + 1});
    const int pid = place->second;
    if (is_new)
      add({{"ph", "M"},
           {"name", "process_name"},
           {"pid", pid},
           {"args", {{"name", label(process, device)}}}});
    const auto [row, is_new_row] =
        streams_.insert({{pid, context, stream}, int(streams_.size()) + 1});
    const int tid = row->second;
    if (is_new_row)
      add({{"ph", "M"},
           {"name", "thread_name"},
           {"pid", pid},
           {"tid", tid},
           {"args",
            {{"name", context == of_host ? "host"
                      : context          ? fmt::format("stream {}, context {}", stream, context)
                                         : fmt::format("stream {}", stream)}}}});
    event["pid"] = pid;
    event["tid"] = tid;
    add(event);
  }

  std::string text() && {
    return "{\"displayTimeUnit\": \"ns\",\n\"otherData\": " + one_line(about_) +
           ",\n\"traceEvents\": [" + events_ + "\n]}\n";
  }

 private:
  std::string label(int process, int device) const {
    const std::string name = fmt::format("{}, device {}", gpu_, device);
    if (!several_) return name;
    return process == all_processes ? name + ", copies of all processes"
                                    : fmt::format("{}, process {}", name, process);
  }
  static std::string one_line(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
  }
  void add(const Json& event) { events_ += (events_.empty() ? "\n" : ",\n") + one_line(event); }

  std::string gpu_, events_;
  bool several_;
  Json about_;
  std::map<std::pair<int, int>, int> devices_;
  std::map<std::tuple<int, int, uint64_t>, int> streams_;
};

bool several_processes(const std::vector<ExplainedLaunch>& launches) {
  return std::ranges::any_of(
      launches, [&](const auto& each) { return each.process != launches.front().process; });
}

// With a length, or as a mark where none is known.
Json timed_event(const char* category, std::string name, double start,
                 std::optional<double> seconds) {
  Json event = {{"ph", seconds ? "X" : "i"},
                {"cat", category},
                {"name", std::move(name)},
                {"ts", start * 1e6}};
  if (seconds)
    event["dur"] = *seconds * 1e6;
  else
    event["s"] = "t";
  return event;
}

std::string spaced(std::string name) {
  std::ranges::replace(name, '_', ' ');
  return name;
}

Json shape_args(const std::string& kernel, const LaunchShape& shape) {
  return {{"kernel", kernel},
          {"grid", name_of(shape.grid)},
          {"block", name_of(shape.block)},
          {"dynamic_shared", shape.dynamic_shared}};
}

// What a run on the executor did, one thing after the other: launches, copies and fills as they were
// given, and for each process how far its host has waited.
class Sequence {
 public:
  Sequence(const Explanation& report, Timeline& timeline) : report_(report), timeline_(timeline) {}

  void launch(const ExplainedLaunch& launch) {
    const LaunchRecord& record = launch.record;
    act(launch.process, size_t(record.index));
    const bool bound = record.completed() && launch.bounds->limiter >= 0;
    const auto seconds = record.prediction ? std::optional(record.prediction->seconds)
                         : bound           ? std::optional(launch.bounds->seconds)
                                           : std::nullopt;
    Json event = timed_event("kernel", text::bare_name(record.name), now_, seconds);
    event["args"] = shape_args(record.name, record.shape);
    event["args"]["launch"] = record.index;
    event["args"]["time"] = record.prediction ? "predicted" : bound ? "largest floor" : "not known";
    event["args"]["state"] = name_of(record.state);
    if (bound) {
      event["args"]["floor_us"] = launch.bounds->seconds * 1e6;
      event["args"]["limiter"] =
          title_of(launch.bounds->floors[size_t(launch.bounds->limiter)].resource);
    }
    if (!record.findings.empty()) event["args"]["finding"] = record.findings.front().what;
    timeline_.event(std::move(event), launch.process, record.device, 0, record.stream);
    pass(processes_[launch.process], record.device, record.stream, seconds.value_or(0));
  }

  void end() {
    for (const auto& [process, actions] : report_.actions) act(process, SIZE_MAX);
  }

 private:
  struct Process {
    size_t next = 0;                                    // of its actions
    std::vector<double> ends;                           // of its launches, copies and fills
    std::map<std::pair<int, uint64_t>, double> stream;  // the last end on a device's stream
    std::map<int, double> device;
    double host = 0;  // the end of its last wait
  };

  // The actions that came before the process's launch of that number.
  void act(int process, size_t launch) {
    const auto found = report_.actions.find(process);
    if (found == report_.actions.end()) return;
    Process& state = processes_[process];
    for (; state.next < found->second.size(); ++state.next) {
      const HostAction& action = found->second[state.next];
      if (action.launches > launch) return;
      action.is_wait() ? wait(process, state, action) : copy(process, state, action);
    }
  }

  void copy(int process, Process& state, const HostAction& action) {
    Json event = timed_event("copy", spaced(action.what), now_, action.seconds);
    event["args"] = {{"bytes", action.bytes}, {"time", "bytes over a rate"}};
    timeline_.event(std::move(event), process, action.device, 0, action.stream);
    pass(state, action.device, action.stream, action.seconds);
  }

  void wait(int process, Process& state, const HostAction& action) {
    const double end = std::max(state.host, end_of(state, action));
    Json event = timed_event("wait", spaced(action.what), state.host, end - state.host);
    event["args"] = {{"time", "until what it waits for ends"}};
    if (action.what == "wait_for_stream") event["args"]["stream"] = action.stream;
    timeline_.event(std::move(event), process, action.device, of_host, 0);
    state.host = end;
  }

  static double end_of(const Process& state, const HostAction& action) {
    const auto last = [](const auto& ends, const auto& of) {
      const auto found = ends.find(of);
      return found == ends.end() ? 0.0 : found->second;
    };
    if (action.what == "wait_for_device") return last(state.device, action.device);
    if (action.what != "wait_for_event")
      return last(state.stream, std::pair(action.device, action.stream));
    const size_t before = std::min(size_t(action.after), state.ends.size());
    return before ? state.ends[before - 1] : 0;
  }

  void pass(Process& state, int device, uint64_t stream, double seconds) {
    now_ += seconds;
    state.ends.push_back(now_);
    state.stream[{device, stream}] = state.device[device] = now_;
  }

  const Explanation& report_;
  Timeline& timeline_;
  std::map<int, Process> processes_;
  double now_ = 0;
};

}  // namespace

std::string run_trace(const Explanation& report) {
  Timeline timeline(
      report.machine.title, several_processes(report.launches),
      {{"command", report.command},
       {"machine", report.machine.name},
       {"times",
        "not measured: predicted by a model, or a launch's largest floor, a lower bound; "
        "each event says which"},
       {"order",
        "launches, copies and fills follow each other in the order of the calls: what streams "
        "overlap is not predicted"},
       {"copies", "bytes over a rate, as for events: DRAM's, or 55.5 GB/s between host and device"},
       {"waits",
        "of the host, from the end of its wait before to the end of what it waits for: what the "
        "host does between is not timed"}});
  Sequence sequence(report, timeline);
  for (const ExplainedLaunch& launch : report.launches) sequence.launch(launch);
  sequence.end();
  return std::move(timeline).text();
}

std::string gpu_trace(const MeasuredExplanation& report) {
  Timeline timeline(report.gpu, report.processes > 1,
                    {{"command", report.command},
                     {"gpu", report.gpu},
                     {"times", "measured"},
                     {"missing", "waits of the host: they are not measured"}});
  for (const MeasuredLaunch& launch : report.launches) {
    const LaunchTiming& timing = launch.timing;
    if (!timing.start) continue;
    Json event = timed_event("kernel", text::bare_name(timing.name), *timing.start, timing.seconds);
    event["args"] = shape_args(timing.name, timing.shape);
    event["args"]["launch"] = timing.index;
    event["args"]["time"] = timing.seconds ? "measured" : "not known";
    if (launch.bounds && launch.bounds->limiter >= 0)
      event["args"]["floor_us"] = launch.bounds->seconds * 1e6;
    timeline.event(std::move(event), launch.process, timing.device, timing.context, timing.stream);
  }
  // Whose process a copy is of is not told.
  const int process = report.processes > 1      ? all_processes
                      : report.launches.empty() ? 0
                                                : report.launches.front().process;
  for (const CopyTiming& copy : report.copies) {
    if (!copy.start) continue;
    Json event = timed_event("copy", spaced(copy.direction), *copy.start, copy.seconds);
    event["args"] = {{"bytes", copy.bytes},
                     {"from", copy.from},
                     {"to", copy.to},
                     {"asynchronous", copy.asynchronous},
                     {"time", copy.seconds ? "measured" : "not known"}};
    timeline.event(std::move(event), process, copy.device, copy.context, copy.stream);
  }
  return std::move(timeline).text();
}

}  // namespace headroom
