#include "run/on_executor.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>

#include "kernel/machine_code.h"
#include "kernel/program.h"
#include "run/environment.h"
#include "run/record_folder.h"
#include "run/signals.h"

namespace headroom {

void check_for_executor(const std::string& path, const ExecutorOptions& options, int cc) {
  const ProgramFacts facts = look_at_program(path);
  const std::string& image = options.image;
  const bool by_ptx = options.engine == "ptx" || options.scheduling == "lockstep" ||
                      !image.empty() || !runs_machine_code(cc);
  if (const auto refused = refusal(facts, by_ptx ? 0 : cc)) throw *refused;
  const auto& there = facts.ptx_architectures;
  if (!image.empty() && !there.empty() &&
      std::find(there.begin(), there.end(), image) == there.end())
    throw Error{"--image " + image, fmt::format("{} has no PTX of that name", path),
                fmt::format("one of: {}", fmt::join(there, ", "))};
}

Records on_executor(const Program& program, const ExecutorOptions& options) {
  const bool is_seen = program.output != Output::read && program.output != Output::read_both;
  const SignalWatch watch(is_seen ? OnSignal::pass_on : OnSignal::stop);
  const RecordFolder folder;
  Records records;
  records.end =
      run_process({program.path, program.command,
                   executor_environment(options, folder.prefix(), is_seen && isatty(STDERR_FILENO)),
                   program.output});
  records.counted = folder.read(records.end.process);
  return records;
}

}  // namespace headroom
