#include "report/prediction_document.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/format.h"
#include "report/notes.h"

namespace headroom {
namespace {

constexpr double explains = 0.75;     // of the predicted time: then the floor is the reason
constexpr size_t most_sentences = 8;  // kernels
constexpr size_t most_reasons = 6;    // of a warp that does not issue
constexpr double least_share = 0.01;
constexpr double of_a_launch =
    0.5;  // of the time, that is not the SM's: then starting it takes longest

double sum_of(const Prediction& prediction) {
  double sum = 0;
  for (const double cycles : prediction.stall_cycles) sum += cycles;
  return sum;
}

// Reasons not to issue, the most frequent first.
std::vector<Stall> by_cycles(const Prediction& prediction) {
  std::vector<Stall> result;
  for (const StallRow& row : stalls)
    if (row.stall != Stall::selected) result.push_back(row.stall);
  std::ranges::stable_sort(result, [&](Stall a, Stall b) {
    return prediction.stall_cycles[size_t(a)] > prediction.stall_cycles[size_t(b)];
  });
  return result;
}

std::string file_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

std::string place_of(const Advice& advice) {
  return advice.file.empty() ? "" : fmt::format("{}:{}", file_name(advice.file), advice.line);
}

std::string sentence(const Advice& advice) {
  const std::string place = place_of(advice);
  return fmt::format("{}{}; {}", advice.what, place.empty() ? "" : " (" + place + ")", advice.next);
}

std::string gain(const Advice& advice) { return "−" + text::microseconds(advice.gain_seconds); }

std::string nothing_to_gain(const ExplainedLaunch& launch) {
  const Bounds& bounds = *launch.bounds;
  const double seconds = launch.record.prediction->seconds;
  if (bounds.limiter >= 0 && bounds.seconds >= explains * seconds)
    return fmt::format("at {} of what {} allows: little to gain",
                       text::percent(std::min(1.0, bounds.seconds / seconds)),
                       title_of(bounds.floors[size_t(bounds.limiter)].resource));
  return "the model finds no single obstacle";
}

List facts_of(const Prediction& prediction) {
  List facts;
  if (!prediction.lines.empty()) {
    std::string where;
    for (const StalledLine& line : prediction.lines)
      where += fmt::format("{}{}:{} {} ({})", where.empty() ? "" : ", ", file_name(line.file),
                           line.line, text::percent(line.share), row_of(line.most).name);
    facts.items.push_back("warps spend their time at " + where);
  }
  if (prediction.bytes_in_flight > 0)
    facts.items.push_back(
        fmt::format("global loads in flight on an SM: {}; its share of DRAM's bandwidth needs {}",
                    text::bytes(prediction.bytes_in_flight), text::bytes(prediction.needed_bytes)));
  return facts;
}

}  // namespace

std::string bound_or_wait(const ExplainedLaunch& launch) {
  const Bounds& bounds = *launch.bounds;
  const Prediction& prediction = *launch.record.prediction;
  if (prediction.start_seconds > of_a_launch * prediction.seconds) return "start of the launch";
  if (bounds.limiter >= 0 && bounds.seconds >= explains * prediction.seconds)
    return std::string(title_of(bounds.floors[size_t(bounds.limiter)].resource));
  return std::string(row_of(by_cycles(prediction).front()).title);
}

List next_steps(const Explanation& report) {
  const auto names_of = names_in_text(report);
  std::vector<const KernelGroup*> kernels;
  for (const KernelGroup& kernel : report.kernels)
    if (report.worst(kernel).record.prediction) kernels.push_back(&kernel);
  const auto gain_of = [&](const KernelGroup* kernel) {
    const auto& advice = report.worst(*kernel).record.prediction->advice;
    return advice.empty() ? 0.0 : advice.front().gain_seconds * double(kernel->launches.size());
  };
  std::ranges::stable_sort(kernels, [&](auto* a, auto* b) { return gain_of(a) > gain_of(b); });
  List list;
  for (const KernelGroup* kernel : kernels) {
    if (list.items.size() == most_sentences) break;
    const ExplainedLaunch& launch = report.worst(*kernel);
    const std::string& name = names_of.at(launch.record.name);
    const auto& advice = launch.record.prediction->advice;
    const std::string times =
        kernel->launches.size() > 1 ? " each of " + text::grouped(kernel->launches.size()) : "";
    std::string said = advice.empty() ? fmt::format("{}: {}", name, nothing_to_gain(launch))
                                      : fmt::format("{}: {} µs{}: {}", name, gain(advice.front()),
                                                    times, sentence(advice.front()));
    if (std::ranges::find(list.items, said) == list.items.end()) list.items.push_back(said);
  }
  return list;
}

Document prediction_document(const ExplainedLaunch& launch) {
  const Prediction& prediction = *launch.record.prediction;
  Document document;
  document.add(Heading{3, "Predicted time", "by a model of one SM: " + prediction.basis});
  document.add(Paragraph{fmt::format("{} µs ({} … {}); {:.2f} instructions a cycle on an SM",
                                     text::microseconds(prediction.seconds),
                                     text::microseconds(prediction.low_seconds),
                                     text::microseconds(prediction.high_seconds), prediction.ipc)});
  Grid waits{
      .columns = {{"a warp", Align::left, Give::words}, {"cycles an\ninstruction"}, {"share"}}};
  const double sum = sum_of(prediction);
  const std::vector<Stall> order = by_cycles(prediction);
  for (size_t i = 0; i < most_reasons; ++i) {
    const double cycles = prediction.stall_cycles[size_t(order[i])];
    if (cycles < least_share * sum) break;
    waits.rows.push_back({fmt::format("{} ({})", row_of(order[i]).meaning, row_of(order[i]).name),
                          fmt::format("{:.2f}", cycles), text::percent(cycles / sum)});
  }
  document.add(std::move(waits));
  document.add(facts_of(prediction));
  document.add(Heading{3, "Advice", "what the model saves without each obstacle, alone"});
  if (prediction.advice.empty()) {
    document.add(Paragraph{nothing_to_gain(launch)});
    return document;
  }
  Grid grid{.columns = {{"µs"}, {"", Align::left, Give::words}}};
  for (const Advice& each : prediction.advice) grid.rows.push_back({gain(each), sentence(each)});
  document.add(std::move(grid));
  return document;
}

}  // namespace headroom
