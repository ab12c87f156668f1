#include "report/notes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <tuple>

#include "report/distinct.h"
#include "report/format.h"

namespace headroom {

namespace {

std::string place(const Finding& f) {
  return fmt::format("thread ({}), block ({})", fmt::join(f.thread, ","), fmt::join(f.block, ","));
}

constexpr size_t max_name = 200;

std::string place(const Finding::Party& of) {
  return fmt::format("thread ({}), block ({})", fmt::join(of.thread, ","),
                     fmt::join(of.block, ","));
}

constexpr size_t max_caveats = 12, max_names = 3;

std::string one_caveat(const Caveat& caveat, const std::string& about = "") {
  std::string line = "caveat: " + about + caveat.what;
  if (!caveat.cause.empty()) line += "; " + caveat.cause;
  if (!caveat.advice.empty()) line += ": " + caveat.advice;
  return line;
}

}  // namespace

std::string kernels_told(const std::vector<std::string>& kernels,
                         const std::map<std::string, std::string>& names_of) {
  if (kernels.empty()) return "";
  std::vector<std::string> names;
  for (size_t i = 0; i < std::min(kernels.size(), max_names); ++i) {
    std::string name = names_of.at(kernels[i]);
    if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
  }
  std::string result = fmt::format("{}", fmt::join(names, ", "));
  if (kernels.size() > max_names) result += fmt::format(" and {} more", kernels.size() - max_names);
  return result + ": ";
}

std::string how_it_ended(const ProgramEnd& end) {
  if (end.signal) return fmt::format("killed by signal {} ({})", end.signal, strsignal(end.signal));
  return fmt::format("exit code {}", end.exit_code);
}

std::map<std::string, std::string> names_in_text(const Explanation& report) {
  std::vector<std::string> kernels;
  for (const KernelGroup& group : report.kernels)
    kernels.push_back(report.worst(group).record.name);
  std::ranges::sort(kernels);
  kernels.erase(std::unique(kernels.begin(), kernels.end()), kernels.end());
  return text::names_in_text(kernels);
}

bool failed_before_cuda(const Explanation& report) {
  return report.launches.empty() && !report.used_cuda && !report.incomplete &&
         (report.end.exit_code != 0 || report.end.signal);
}

Heading program_heading(const Explanation& report) {
  const std::string name = report.command.empty() ? "the program" : report.command[0];
  if (failed_before_cuda(report))
    return {1,
            fmt::format("headroom: {}: {}, before any CUDA call", name, how_it_ended(report.end)),
            ""};
  std::string what = report.incomplete  ? "no launch could be recorded"
                     : report.used_cuda ? "no kernel was launched"
                                        : "the program made no CUDA call";
  if (!report.launches.empty())
    what = fmt::format("{}, {} of {}", report.machine.title,
                       text::counted(report.launches.size(), "launch", "launches"),
                       text::counted(report.kernel_names, "kernel", "kernels"));
  if (report.stopped) what += fmt::format(", {} stopped", report.stopped);
  if (report.not_run) what += fmt::format(", {} not run", report.not_run);
  return {1, fmt::format("headroom: {}: {}; {}", name, what, how_it_ended(report.end)), ""};
}

Document finding_told(const DistinctFinding& each) {
  const Finding& finding = each.first;
  Document result;
  result.add(Paragraph{"finding: " + finding.what, Tone::alarm, 0});
  const bool of_kernel = !finding.kernel.empty();  // else of a call
  if (of_kernel)
    result.add(Paragraph{
        fmt::format("in {} at {}", text::shorten(finding.kernel, max_name), finding.source)});
  else if (!finding.source.empty())
    result.add(Paragraph{"at " + finding.source});
  if (!finding.instruction.empty()) result.add(Code{{finding.instruction}});
  std::vector<std::string> where;
  if (of_kernel) where.push_back(place(finding));
  if (finding.address) where.push_back(fmt::format("address {:#x}", *finding.address));
  std::string line = fmt::format("{}", fmt::join(where, ", "));
  if (each.times > 1)
    line += fmt::format("{}and {} more of the same", line.empty() ? "" : "; ", each.times - 1);
  if (!line.empty()) result.add(Paragraph{line});
  if (const auto& other = finding.other; other && !other->source.empty()) {
    const std::string in =
        other->kernel.empty() ? "" : " in " + text::shorten(other->kernel, max_name);
    result.add(
        Paragraph{fmt::format("and the {}{} at {}", other->use, in,
                              other->source == finding.source ? "the same line" : other->source)});
    if (!other->instruction.empty()) result.add(Code{{other->instruction}});
    result.add(Paragraph{place(*other)});
  }
  if (!finding.advice.empty()) result.add(Paragraph{"to do: " + finding.advice});
  return result;
}

Document findings_told(const std::vector<Finding>& findings) {
  Document result;
  for (const DistinctFinding& each : distinct(findings)) result.add(finding_told(each));
  return result;
}

Document findings_reminder(const std::vector<Finding>& findings) {
  const auto different = distinct(findings);
  if (different.empty()) return {};
  const Finding& first = different.front().first;
  const std::string file = first.source.substr(first.source.rfind('/') + 1);  // npos + 1 is 0
  std::string line = text::counted(different.size(), "finding", "findings") + ", told above";
  line += fmt::format("{}: {} in {} at {}", different.size() > 1 ? "; the first" : "", first.kind,
                      text::name_in_text(first.kernel), file);
  return {"", {Paragraph{line, Tone::alarm, 0, 2, true}}};
}

List caveats_list(const std::vector<Caveat>& caveats) {
  List result;
  for (const Caveat& caveat : caveats) result.items.push_back(one_caveat(caveat));
  return result;
}

List caveats_list(const Explanation& report) {
  List result;
  const auto names_of = names_in_text(report);
  const bool named = report.kernel_names > 1 || report.stopped > 0;
  for (size_t i = 0; i < std::min(report.caveats.size(), max_caveats); ++i) {
    RunCaveat caveat = report.caveats[i];
    std::string kernels = named ? kernels_told(caveat.kernels, names_of) : "";
    if (caveat.alike) {
      const LaunchShape& shape = report.launches[caveat.first].record.shape;
      kernels += text::launch_shape(shape.grid, shape.block) + ": ";
      caveat.what +=
          ", and alike in " + text::counted(caveat.alike, "more launch", "more launches");
    }
    result.items.push_back(one_caveat(caveat, kernels));
  }
  if (report.caveats.size() > max_caveats)
    result.items.push_back(fmt::format("… and {} more caveats (--json lists all)",
                                       report.caveats.size() - max_caveats));
  return result;
}

}  // namespace headroom
