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

std::string place_of(const Advice& advice) {
  if (advice.file.empty()) return "";
  const size_t slash = advice.file.rfind('/');
  return fmt::format("{}:{}",
                     slash == std::string::npos ? advice.file : advice.file.substr(slash + 1),
                     advice.line);
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

}  // namespace

std::string bound_or_wait(const ExplainedLaunch& launch) {
  const Bounds& bounds = *launch.bounds;
  const Prediction& prediction = *launch.record.prediction;
  if (bounds.limiter >= 0 && bounds.seconds >= explains * prediction.seconds)
    return std::string(title_of(bounds.floors[size_t(bounds.limiter)].resource));
  return std::string(row_of(by_cycles(prediction).front()).title);
}

List next_steps(const Explanation& report) {
  const auto names_of = names_in_text(report);
  std::vector<const ExplainedLaunch*> launches;
  for (const KernelGroup& kernel : report.kernels)
    if (report.worst(kernel).record.prediction) launches.push_back(&report.worst(kernel));
  const auto gain_of = [](const ExplainedLaunch* launch) {
    const auto& advice = launch->record.prediction->advice;
    return advice.empty() ? 0.0 : advice.front().gain_seconds;
  };
  std::ranges::stable_sort(launches, [&](auto* a, auto* b) { return gain_of(a) > gain_of(b); });
  List list;
  for (size_t i = 0; i < std::min(launches.size(), most_sentences); ++i) {
    const LaunchRecord& record = launches[i]->record;
    const std::string& name = names_of.at(record.name);
    const auto& advice = record.prediction->advice;
    list.items.push_back(advice.empty() ? fmt::format("{}: {}", name, nothing_to_gain(*launches[i]))
                                        : fmt::format("{}: {} µs: {}", name, gain(advice.front()),
                                                      sentence(advice.front())));
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
