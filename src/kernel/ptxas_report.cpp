// Reading ptxas's prose by its marks: see ptxas_report.h.
#include "kernel/ptxas_report.h"

#include <algorithm>
#include <charconv>

namespace headroom {
namespace {

// The text between two marks, or "".
std::string_view between(std::string_view text, std::string_view before, std::string_view after) {
  const size_t begin = text.find(before);
  if (begin == text.npos) return {};
  text.remove_prefix(begin + before.size());
  const size_t end = text.find(after);
  return end == text.npos ? std::string_view{} : text.substr(0, end);
}

std::optional<int> integer(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} ? std::optional(value) : std::nullopt;
}

// "…, 256 bytes smem" and " bytes smem" -> 256
std::optional<int> number_before(std::string_view line, std::string_view what) {
  const size_t end = line.find(what);
  if (end == line.npos) return {};
  size_t begin = end;
  while (begin > 0 && line[begin - 1] >= '0' && line[begin - 1] <= '9') --begin;
  return integer(line.substr(begin, end - begin));
}

template <class Take>
void each_line(std::string_view text, Take take) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    take(line);
    text.remove_prefix(std::min(text.size(), line.size() + 1));
  }
}

// The report tells of one kernel after another, each followed by the functions it calls.
struct Report {
  std::map<std::string, Resources> kernels;
  std::string kernel, function;
  bool whole_stack = false;  // ptxas added up the callees' frames, which it cannot under recursion

  void take(std::string_view line) {
    if (const auto name = between(line, "Compiling entry function '", "'"); !name.empty()) {
      kernel = name;
      function.clear();
      whole_stack = false;
    } else if (constexpr std::string_view mark = "Function properties for ";
               line.find(mark) != line.npos) {
      function = line.substr(line.find(mark) + mark.size());
    } else if (const auto frame = number_before(line, " bytes stack frame");
               frame && !kernel.empty()) {
      take_frame(line, *frame);
    } else if (const auto registers = number_before(line, " registers");
               registers && !kernel.empty()) {
      Resources& resources = kernels[kernel];
      resources.registers = registers;
      resources.static_shared = number_before(line, " bytes smem").value_or(0);
      resources.constant = number_before(line, " bytes cmem[0]");
      if (const auto stack = number_before(line, " bytes cumulative stack")) {
        resources.stack = stack;
        whole_stack = true;
      }
    }
  }

  void take_frame(std::string_view line, int frame) {
    Resources& resources = kernels[kernel];
    if (function == kernel) {
      resources.stack = frame;
      resources.spill_stores = number_before(line, " bytes spill stores");
      resources.spill_loads = number_before(line, " bytes spill loads");
    } else if (frame > 0 && !whole_stack && resources.caveats.empty()) {
      resources.caveats.push_back(
          {"the stack is deeper than stated",
           "functions it calls have frames of their own, and recursion hides how many",
           "set it with cudaDeviceSetLimit(cudaLimitStackSize, …)"});
    }
  }
};

}  // namespace

std::map<std::string, Resources> read_ptxas_report(std::string_view text) {
  Report report;
  each_line(text, [&](std::string_view line) { report.take(line); });
  std::erase_if(report.kernels, [](const auto& entry) { return !entry.second.registers; });
  return report.kernels;
}

bool reports_spills(std::string_view text) {
  bool found = false;
  each_line(text, [&](std::string_view line) {
    found |= number_before(line, " bytes spill stores").value_or(0) > 0 ||
             number_before(line, " bytes spill loads").value_or(0) > 0;
  });
  return found;
}

std::string read_ptxas_version(std::string_view text) {
  return std::string(between(text, ", V", "\n"));
}

std::vector<int> read_ptxas_architectures(std::string_view text) {
  std::vector<int> known;
  constexpr std::string_view mark = "'sm_";
  for (size_t at = text.find(mark); at != text.npos; at = text.find(mark)) {
    text.remove_prefix(at + mark.size());
    if (const auto number = integer(text)) known.push_back(*number);
  }
  return known;
}

std::string ptxas_complaint(std::string_view text) {
  std::string complaint;
  each_line(text, [&](std::string_view line) {
    const bool says_why = line.find("fatal") != line.npos || line.find("error") != line.npos;
    if (complaint.empty() && says_why) complaint = line;
  });
  return complaint.empty() ? "it gave no reason" : complaint;
}

}  // namespace headroom
