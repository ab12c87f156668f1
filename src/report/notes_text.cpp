#include "report/notes_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstring>
#include <tuple>

#include "report/format.h"

namespace headroom {

namespace {

std::string how_it_ended(const ProgramEnd& end) {
  if (end.signal) return fmt::format("killed by signal {} ({})", end.signal, strsignal(end.signal));
  return fmt::format("exit code {}", end.exit_code);
}

auto fault_of(const Finding& f) { return std::tie(f.kind, f.kernel, f.source, f.instruction); }

std::string place(const Finding& f) {
  return fmt::format("thread ({}), block ({})", fmt::join(f.thread, ","), fmt::join(f.block, ","));
}

std::string one_finding(const Finding& finding, size_t repeats, const Style& style) {
  std::string result = style.red(text::wrap("finding: " + finding.what, style.columns, 2)) + "\n";
  result += fmt::format("  in {} at {}\n", finding.kernel, finding.source);
  if (!finding.instruction.empty()) result += fmt::format("    {}\n", finding.instruction);
  result += fmt::format("  {}", place(finding));
  if (finding.address) result += fmt::format(", address 0x{:x}", finding.address);
  if (repeats > 1) result += fmt::format("; and {} more of the same", repeats - 1);
  return result + "\n";
}

}  // namespace

std::string program_line(const RunReport& report, const Style& style) {
  const std::string name = report.command.empty() ? "the program" : report.command[0];
  std::string what = report.used_cuda ? "no kernel was launched" : "the program made no CUDA call";
  if (!report.launches.empty())
    what = fmt::format("{}, {} of {}", report.machine.title,
                       text::counted(report.launches.size(), "launch", "launches"),
                       text::counted(report.kernel_names, "kernel", "kernels"));
  return style.bold(
             text::wrap(fmt::format("headroom: {}: {}; {}", name, what, how_it_ended(report.end)),
                        style.columns, 2)) +
         "\n";
}

std::string findings_text(const std::vector<Finding>& findings, const Style& style) {
  std::string result;
  for (size_t i = 0; i < findings.size(); ++i) {
    size_t repeats = 0;
    bool is_first = true;
    for (size_t j = 0; j < findings.size(); ++j) {
      if (fault_of(findings[j]) != fault_of(findings[i])) continue;
      is_first &= j >= i;
      ++repeats;
    }
    if (is_first) result += one_finding(findings[i], repeats, style);
  }
  return result.empty() ? result : result + "\n";
}

std::string caveats_text(const std::vector<Caveat>& caveats, const Style& style) {
  std::string result;
  for (const Caveat& caveat : caveats) {
    std::string line = "  caveat: " + caveat.what;
    if (!caveat.cause.empty()) line += "; " + caveat.cause;
    if (!caveat.advice.empty()) line += ": " + caveat.advice;
    result += text::wrap(line, style.columns, 4) + "\n";
  }
  return result;
}

}  // namespace headroom
