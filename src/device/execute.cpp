#include "device/execute.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <cstring>
#include <new>

#include "device/alike.h"
#include "device/clusters.h"
#include "device/interrupt.h"
#include "device/limits.h"
#include "device/machine_code.h"
#include "device/modules.h"
#include "device/progress.h"
#include "device/python_words.h"
#include "device/say.h"
#include "device/stream.h"
#include "model/occupancy.h"
#include "model/pipeline/predict.h"
#include "sim/machine_code.h"

namespace headroom::device {
namespace {

LaunchRecord describe(const LaunchWork& work, const Stream* stream) {
  LaunchRecord record;
  record.shape = work.shape;
  record.name = demangle(work.shape.kernel);
  record.device = work.device;
  record.stream = stream ? number_of(*stream) : 0;
  return record;
}

// The kernel's machine code, where it can be run; else null, and a caveat says why.
std::shared_ptr<const sim::Program> code_of(Session& session, Kernel& kernel,
                                            LaunchRecord& record) {
  if (!tries_machine_code(session)) return nullptr;
  if (session.options.lockstep) {
    record.caveats.push_back({"its PTX ran", "machine code is not run by lockstep scheduling",
                              "leave --scheduling out"});
    return nullptr;
  }
  LoadedBinary& loaded = load(session, *kernel.binary);
  // PTX tells more to who checks: machine code runs where there is nothing else, or it was asked for.
  const bool asked_for = session.options.engine == Engine::machine;
  if (session.options.check.on && !loaded.machine_code_alone && !asked_for) return nullptr;
  const bool clustered = record.shape.cluster_size().count() > 1;
  const uint8_t axes = sim::axes_between_warps(record.shape.block);
  const std::string key = fmt::format("{}:{}:machine:{}:{}", record.device, kernel.name, axes,
                                      clustered ? "clustered" : "");
  try {
    if (const auto refused = loaded.refused.find(key); refused != loaded.refused.end())
      throw refused->second;
    auto& slot = loaded.programs[key];
    if (!slot) slot = machine_program(session, kernel, record.device, clustered, axes);
    record.engine = Engine::machine;
    record.image = machine_code(session, *kernel.binary).image;
    return slot;
  } catch (const Error& error) {
    loaded.refused.try_emplace(key, error);
    record.caveats.push_back({"its PTX ran, not its machine code", error.problem, error.hint});
  } catch (const std::out_of_range&) {  // an operand that is not there
    record.caveats.push_back({"its PTX ran, not its machine code",
                              "an instruction has fewer operands than it needs",
                              "report this with the program"});
  }
  return nullptr;
}

std::shared_ptr<const sim::Program> program(Session& session, Kernel& kernel,
                                            const LaunchWork& work, LaunchRecord& record) {
  if (auto code = code_of(session, kernel, record)) return code;
  if (load(session, *kernel.binary).machine_code_alone) {
    const Caveat why = record.caveats.back();
    record.caveats.pop_back();
    throw Error{name_of(*kernel.binary), why.cause + ", and the program has no PTX",
                "add PTX when compiling: nvcc -gencode arch=compute_80,code=compute_80"};
  }
  if (session.options.source && !session.options.source_if_any)
    record.caveats.push_back({"no counts by source line",
                              "they are of machine code, and its PTX ran",
                              session.options.engine == Engine::ptx
                                  ? "leave --engine ptx out"
                                  : "leave --source out, or look at a kernel whose machine code "
                                    "runs"});
  const sim::LoadedModule& module = load_on_device(session, *kernel.binary, work.device);
  const uint8_t axes = sim::axes_between_warps(work.shape.block);
  auto& slot =
      kernel.binary->loaded->programs[fmt::format("{}:{}:{}", work.device, kernel.name, axes)];
  if (!slot) slot = sim::decode(module, kernel.name, axes, session.options.check.on);
  return slot;
}

sim::Limits limits(const Session& session, int device, const Occupancy& resident) {
  constexpr uint64_t most_of_stack = 512 << 10;  // of a thread's local memory, by the guide's table
  const Machine& machine = session.machine;
  sim::Limits limits;
  limits.device = device;
  limits.stack_bytes = std::min(limit_of(session, device, Limit::stack), most_of_stack);
  limits.heap_bytes = limit_of(session, device, Limit::heap);
  limits.printf_bytes = limit_of(session, device, Limit::printf);
  limits.sm_count = int(machine.sm_count.value_or(limits.sm_count));
  limits.blocks_per_sm = std::max(1, resident.blocks);
  if (machine.sm_clock) limits.clock_hz = uint64_t(*machine.sm_clock * 1e6);  // MHz
  limits.cc = machine.cc();
  limits.warps_per_sm = int(machine.max_warps_per_sm.value_or(limits.warps_per_sm));
  limits.reserved_shared = uint64_t(machine.shared_reserved_per_block.value_or(0));
  return limits;
}

std::shared_ptr<const MachineListing> listing(Kernel& kernel, const sim::Program& program,
                                              Engine engine) {
  const std::string key = engine == Engine::machine ? kernel.name : kernel.name + ":ptx";
  auto& slot = kernel.binary->loaded->listings[key];
  if (!slot) slot = std::make_shared<MachineListing>(sim::listing_of(program));
  return slot;
}

// Names of templates may fill a page.
std::string told(const std::string& name) {
  constexpr size_t most_of_a_name = 200;  // the report has the rest
  return name.size() <= most_of_a_name ? name : short_name(name) + "<…>";
}

// A page that is loaded and stored is touched once.
void tell_of_faults(Session& session, const sim::Outcome& outcome, LaunchRecord& record) {
  if (!session.options.model) return;
  const uint64_t bytes = session.managed_pages.first_touched(session, outcome.loaded) +
                         session.managed_pages.first_touched(session, outcome.stored);
  if (!bytes) return;
  constexpr double MiB = 1 << 20;
  record.caveats.push_back(
      {"the predicted time leaves out page faults of managed memory",
       fmt::format(
           "no launch before has touched {:.3g} MiB of it, which come to a GPU page by page",
           double(bytes) / MiB),
       "cudaMemPrefetchAsync brings them before; or time it on a GPU: headroom run --gpu 0"});
}

struct Ran {
  std::optional<Trace> trace;
  FoundInL2 in_l2;
};
Ran run(Session& session, Kernel& kernel, const std::shared_ptr<const sim::Program>& decoded,
        const LaunchWork& work, const Occupancy& resident, LaunchRecord& record,
        bool& interrupted) {
  const sim::Program& program = *decoded;
  sim::Options options;
  options.lockstep = session.options.lockstep;
  options.sites = session.options.source;
  options.checker = session.checker.get();
  options.bounds = session.options.check.bounds;
  options.count = !session.options.check.on;
  if (options.count && session.options.repeats != Repeated::run)
    options.touched =
        session.repeats.empty() ? sim::Options::Touched::worth_it : sim::Options::Touched::always;
  options.trace = session.predictions.sample(session, record, program, resident);
  options.hang_after = session.options.hang_after;
  options.threads = unsigned(session.options.threads);
  Progress progress(session.options.progress, record.name);
  Interrupt interrupt;
  options.interrupted = &interrupt.flag();
  options.progress = [&](uint64_t done, uint64_t all) {
    interrupt.watch();  // short launches are over before anybody asks
    progress.show(done, all);
  };
  record.ordered = sim::facts(program).ordered;
  const Repeats::What what{decoded,
                           {record.shape, work.arguments},
                           limits(session, work.device, resident),
                           options.trace};
  sim::Outcome outcome = run_or_repeat(session, what, options);
  progress.erase();
  if (!outcome.printed.empty()) {
    std::fwrite(outcome.printed.data(), 1, outcome.printed.size(), stdout);
    std::fflush(stdout);
  }
  record.counters = outcome.counters;
  if (!outcome.sites.empty())
    record.source = std::make_shared<SourceCounts>(
        SourceCounts{listing(kernel, program, record.engine), std::move(outcome.sites),
                     std::move(outcome.examples)});
  record.state = outcome.completed ? State::ran : State::stopped;
  interrupted = outcome.interrupted;
  if (interrupted) {
    say("Ctrl-C: kernel " + told(record.name) +
        " was ended where it was; what it wrote is incomplete");
    record.caveats.push_back({"ended by Ctrl-C", "its counters and what it wrote are incomplete",
                              "run a smaller problem"});
  }
  record.findings = outcome.findings;
  for (Finding& finding : record.findings) use_python_words(finding);
  record.seconds = outcome.seconds;
  record.caveats.insert(record.caveats.end(), outcome.caveats.begin(), outcome.caveats.end());
  tell_of_faults(session, outcome, record);
  const FoundInL2 in_l2 = session.recent.launch(outcome.loaded, outcome.stored,
                                                outcome.trace ? &*outcome.trace : nullptr,
                                                double(bytes_of(session.machine.l2_size)));
  return {std::move(outcome.trace), in_l2};
}

void predict(Session& session, Kernel& kernel, const sim::Program& program,
             const Occupancy& resident, const Ran& ran, LaunchRecord& record) {
  if (session.options.model)
    session.predictions.predict(session, record, program, resident, ran.trace,
                                *listing(kernel, program, record.engine), ran.in_l2);
}

// The fault that stopped a launch: told at once, returned by the next call that waits for the
// device.
void report_fault(Session& session, const LaunchRecord& record) {
  const std::string kernel = told(record.name);
  for (const Finding& finding : record.findings) {
    if (session.options.check.on && !finding.cuda_error) continue;  // the report tells of it
    say(fmt::format("{} in {}: {} ({}; block {} thread {}{})", finding.kind, kernel, finding.what,
                    finding.source, fmt::join(finding.block, ","), fmt::join(finding.thread, ","),
                    finding.address ? fmt::format("; address {:#x}", *finding.address) : ""));
  }
  if (record.completed() || failed(session.pending)) return;
  int code = record.findings.empty() ? 0 : record.findings.front().cuda_error;
  session.pending = code ? Status(code) : Status::launch_failed;
}

// Names as people write them, where the reason tells the kernel's mangled one.
std::string readable(std::string text, const LaunchRecord& record) {
  const std::string& mangled = record.shape.kernel;
  const std::string name = told(record.name);
  for (size_t at = 0; (at = text.find(mangled, at)) != text.npos; at += name.size())
    text.replace(at, mangled.size(), name);
  return text;
}

[[noreturn]] void refuse(Session& session, LaunchRecord& record, const Failure& reason) {
  const std::string where = readable(reason.error.where, record),
                    problem = readable(reason.error.problem, record),
                    hint = in_python_words(readable(reason.error.hint, record));
  record.state = State::refused;
  record.caveats.push_back({"not executed: " + problem, where, hint});
  session.journal.launch(record);
  const std::string name = told(record.name);
  const bool is_named = (where + problem).find(name) != std::string::npos;
  throw Failure{reason.status,
                Error{where, is_named ? problem : name + " did not run: " + problem, hint}};
}

}  // namespace

// Of a kernel, since PTX 8.1.
constexpr uint64_t max_parameter_bytes = 32764;

std::vector<uint64_t> parameter_offsets(Session& session, Kernel& kernel) {
  std::vector<uint64_t> offsets;
  uint64_t end = 0;
  for (const ptx::Variable& parameter : function(session, kernel).parameters) {
    const uint64_t align = uint64_t(std::max(1, parameter.align));
    offsets.push_back((end + align - 1) / align * align);
    end = offsets.back() + parameter.bytes;
    if (parameter.bytes > max_parameter_bytes || end > max_parameter_bytes)
      throw Failure{Status::invalid_ptx, Error{"kernel '" + kernel.name + "'",
                                               fmt::format("its parameters have more than {} bytes",
                                                           max_parameter_bytes),
                                               "pass a pointer to what is large"}};
  }
  return offsets;
}

uint64_t parameter_bytes(Session& session, Kernel& kernel) {
  const auto& parameters = function(session, kernel).parameters;
  if (parameters.empty()) return 0;
  return parameter_offsets(session, kernel).back() + parameters.back().bytes;
}

void pack(Session& session, Kernel& kernel, void** arguments, LaunchWork& work) {
  const auto& parameters = function(session, kernel).parameters;
  work.offsets = parameter_offsets(session, kernel);
  work.arguments.resize(parameter_bytes(session, kernel));
  for (size_t i = 0; i < parameters.size(); ++i)
    std::memcpy(work.arguments.data() + work.offsets[i], arguments[i], parameters[i].bytes);
}

LaunchShape whole_shape(Session& session, Kernel& kernel, const LaunchWork& work) {
  LaunchShape shape = work.shape;
  shape.cluster = cluster_of(session, kernel, work.shape, work.preferred);
  if (!shape.carveout && kernel.carveout >= 0) shape.carveout = kernel.carveout;
  return shape;
}

Status execute(Session& session, const LaunchWork& work, const Stream& stream) {
  Kernel* found = registry().kernel(work.function);
  if (!found) return Status::invalid_handle;  // its library is gone
  Kernel& kernel = *found;
  LaunchRecord record = describe(work, &stream);
  bool interrupted = false;
  if (session.options.do_nothing) {
    record.caveats.push_back({"not executed", "HEADROOM_DO_NOTHING is set (the negative control)",
                              "unset it to run kernels"});
    session.journal.launch(record);
    return Status::ok;
  }
  try {
    const LoadedBinary& loaded = load(session, *kernel.binary);
    record.image = loaded.image;
    record.caveats = loaded.caveats;
    record.resources = resources(session, kernel);
    record.shape = whole_shape(session, kernel, work);
    const auto occupancy = resident_of(session.machine, record.shape, record.resources);
    const Occupancy& resident = *occupancy;
    const auto decoded = program(session, kernel, work, record);
    session.journal.begin(record);
    if (session.checker) sim::check::runs(*session.checker, decoded);
    const Ran ran = run(session, kernel, decoded, work, resident, record, interrupted);
    record.floor_seconds = floor_of(session.machine, record, resident);
    predict(session, kernel, *decoded, resident, ran, record);
  } catch (const Failure& failure) {
    refuse(session, record, failure);
  } catch (const Error& error) {
    refuse(session, record, {Status::invalid_image, error});
  } catch (const std::bad_alloc&) {
    refuse(session, record,
           {Status::out_of_memory, Error{"", "the host has no memory left for it",
                                         "run a smaller problem, or one with fewer blocks"}});
  }
  const double likely = record.prediction ? record.prediction->seconds : record.floor_seconds;
  session.busy += likely;
  session.clock += session.options.predicted_events ? likely : record.floor_seconds;
  session.journal.launch(record);
  if (!interrupted) report_fault(session, record);
  return Status::ok;  // whoever pressed it knows, and the program's handler too
}

void refuse(Session& session, Kernel& kernel, const LaunchWork& work, const Stream* stream,
            const Failure& reason) {
  LaunchRecord record = describe(work, stream);
  try {
    record.resources = resources(session, kernel);
  } catch (const Error&) {  // of its image: the reason that there is stands first
  } catch (const Failure&) {
  }
  refuse(session, record, reason);
}

}  // namespace headroom::device
