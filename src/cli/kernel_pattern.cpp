#include "cli/kernel_pattern.h"

#include <fmt/format.h>

#include "base/error.h"
#include "kernel/kernel.h"
#include "report/format.h"

namespace headroom {

namespace {

// std::regex calls itself once a character, and tries each beginning anew: a template's name of
// 80 000 characters would overflow the stack, or never end.
constexpr size_t searched = 4000;

bool is_valid(const std::string& text) {
  try {
    const std::regex tried(text);
    return true;
  } catch (const std::regex_error&) {
    return false;
  }
}

// The library tells what is wrong but not where. What follows the longest valid beginning is where
// it went wrong: the parenthesis that nothing closes, the star that repeats nothing.
size_t wrong_from(const std::string& text) {
  size_t length = text.size();
  while (length > 0 && !is_valid(text.substr(0, length))) --length;
  return length;
}

}  // namespace

KernelPattern::KernelPattern(const std::string& text) : text_(text) {
  if (!is_valid(text)) {
    const size_t from = wrong_from(text);
    throw Error{fmt::format("--kernel '{}'", text),
                fmt::format("not a regular expression: '{}' at character {} has no meaning there",
                            text.substr(from, 1), from + 1),
                "ECMAScript syntax, as in 'scan.*'; a backslash makes a sign stand for itself"};
  }
  expression_.assign(text);
}

bool KernelPattern::matches(const std::string& name) const {
  for (const std::string& form :
       {name, short_name(name), text::short_name(name), text::bare_name(name)})
    if (std::regex_search(form.substr(0, searched), expression_)) return true;
  return false;
}

std::vector<const KernelGroup*> KernelPattern::matches(const Explanation& report) const {
  std::vector<const KernelGroup*> result;
  for (const KernelGroup& kernel : report.kernels) {
    const LaunchRecord& record = report.worst(kernel).record;
    if (matches(record.name) || matches(record.shape.kernel)) result.push_back(&kernel);
  }
  return result;
}

std::vector<const MeasuredGroup*> KernelPattern::matches(const MeasuredExplanation& report) const {
  std::vector<const MeasuredGroup*> result;
  for (const MeasuredGroup& group : report.kernels) {
    const LaunchTiming& first = report.launches[group.launches.front()].timing;
    if (matches(first.name) || matches(first.shape.kernel)) result.push_back(&group);
  }
  return result;
}

}  // namespace headroom
