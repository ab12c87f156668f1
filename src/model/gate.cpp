#include "model/gate.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/nearest.h"

namespace headroom {

namespace {

std::string_view without_spaces(std::string_view text) {
  const size_t from = std::min(text.find_first_not_of(" \t"), text.size());
  return text.substr(from, text.find_last_not_of(" \t") + 1 - from);
}

Error malformed(const std::string& text, std::string problem) {
  return {fmt::format("--fail-if '{}'", text), std::move(problem),
          "as in 'global_load_sectors > +0 %' or 'registers >= 8': a figure, one of > >= < <=, and "
          "a change, in per cent or in the figure's unit"};
}

size_t known_metric(const std::string& text, std::string_view name) {
  if (const auto metric = metric_of(name)) return *metric;
  std::vector<std::string_view> names;
  for (const Metric& each : metrics()) names.push_back(each.name);
  throw Error{fmt::format("--fail-if '{}'", text), fmt::format("no figure is called '{}'", name),
              fmt::format("did you mean '{}'? docs/compare.md lists them", nearest(name, names))};
}

double number_in(const std::string& text, std::string_view number) {
  const bool has_plus = number.starts_with("+");
  if (has_plus) number.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  if ((has_plus && number.starts_with("-")) || error != std::errc{} ||
      end != number.data() + number.size() || !std::isfinite(value))
    throw malformed(text, number.empty() ? std::string("the change is missing")
                                         : fmt::format("'{}' is not a number", number));
  return value;
}

// Whether the gate may ask; else says why not.
class Judge {
 public:
  Judge(const Gate& gate, Judgement& result)
      : gate_(gate), name_(metrics()[gate.metric].name), result_(result) {}

  void kernel(const ComparedKernel& kernel) {
    if (name_ == launches_metric)
      change(kernel, kernel.launches_after,
             {gate_.metric, double(kernel.launches_before), double(kernel.launches_after)});
    else if (name_ == measured_metric)
      measured(kernel);
    else
      for (const ComparedLaunches& each : kernel.launches) launches(kernel, each);
  }
  void missing(const std::string& kernel) { unknown(kernel, "the new record has no such launch"); }
  void calls(const Comparison& comparison) {
    if (name_ != "findings" || !comparison.before.of_calls || !comparison.after.of_calls) return;
    const Change now{gate_.metric, comparison.before.of_calls, comparison.after.of_calls};
    if (gate_.holds(now)) result_.violations.push_back({gate_.text, "the program's calls", 0, now});
  }

 private:
  void unknown(const std::string& kernel, std::string_view why) {
    const std::string said = fmt::format("{}: {}: {}", gate_.text, kernel, why);
    if (std::ranges::find(result_.unknown, said) == result_.unknown.end())
      result_.unknown.push_back(said);
  }
  void change(const ComparedKernel& kernel, size_t launches, const Change& change) {
    if (gate_.holds(change))
      result_.violations.push_back({gate_.text, kernel.kernel, launches, change});
  }
  void measured(const ComparedKernel& kernel) {
    Change now = kernel.measured_change();
    if (!now.before || !now.after) return unknown(kernel.kernel, "not measured in both records");
    if (kernel.measured->verdict == SampleVerdict::too_few)
      return unknown(kernel.kernel,
                     fmt::format("fewer than {} measured launches in a record", least_samples));
    if (kernel.measured->verdict == SampleVerdict::tie) now.after = now.before;
    change(kernel, kernel.launches_after, now);
  }
  void launches(const ComparedKernel& kernel, const ComparedLaunches& each) {
    const auto &before = each.before->values[gate_.metric],
               &after = each.after->values[gate_.metric];
    if (!before || !after)
      return unknown(kernel.kernel, fmt::format("{} has no such figure",
                                                before ? "the new record" : "the old record"));
    const bool of_engine = gate_.metric < *metric_of("predicted_ns");
    if (of_engine && !each.one_engine())
      return unknown(kernel.kernel, "one record counted PTX, the other machine code");
    change(kernel, each.count, {gate_.metric, before, after});
  }

  const Gate& gate_;
  std::string_view name_;
  Judgement& result_;
};

}  // namespace

bool Gate::holds(const Change& change) const {
  const double moved = in_percent ? change.percent() : change.difference();
  switch (compares) {
    case Operator::more: return moved > bound;
    case Operator::at_least: return moved >= bound;
    case Operator::less: return moved < bound;
    case Operator::at_most: return moved <= bound;
  }
  return false;
}

Gate gate_of(const std::string& text) {
  const size_t sign = text.find_first_of("<>");
  if (sign == text.npos) throw malformed(text, "there is no > >= < <= in it");
  const bool or_equal = text.substr(sign + 1).starts_with("=");
  std::string_view rest = without_spaces(std::string_view(text).substr(sign + 1 + or_equal));
  Gate gate{text};
  gate.metric = known_metric(text, without_spaces(std::string_view(text).substr(0, sign)));
  gate.compares = text[sign] == '>' ? (or_equal ? Operator::at_least : Operator::more)
                                    : (or_equal ? Operator::at_most : Operator::less);
  gate.in_percent = rest.ends_with("%");
  if (gate.in_percent) rest = without_spaces(rest.substr(0, rest.size() - 1));
  gate.bound = number_in(text, rest);
  return gate;
}

Judgement judge(const std::vector<Gate>& gates, const Comparison& comparison) {
  Judgement result;
  for (const Gate& gate : gates) {
    Judge judge(gate, result);
    judge.calls(comparison);
    for (const ComparedKernel& kernel : comparison.kernels) judge.kernel(kernel);
    for (const OneSided& kernel : comparison.only_before) judge.missing(kernel.kernel);
  }
  if (!gates.empty() && comparison.kernels.empty())
    result.unknown.push_back("no kernel is in both records");
  return result;
}

}  // namespace headroom
