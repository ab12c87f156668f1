#include "report/prediction_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "model/quantity.h"
#include "model/verdict.h"
#include "report/format.h"
#include "report/notes.h"

namespace headroom {
namespace {

constexpr size_t most_sentences = 8;  // kernels
constexpr size_t most_waits = 6;
constexpr double noticeably = 1.1;  // times as much: less is little to gain
constexpr double least_busy = 0.1;  // of the time: less tells nothing of DRAM

std::string file_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

std::string place_of(const Advice& advice) {
  return advice.file.empty() ? "" : fmt::format("{}:{}", file_name(advice.file), advice.line);
}

std::string sentence(const Advice& advice) {
  const std::string place = place_of(advice);
  return fmt::format("{}{}; {}", advice.what, place.empty() ? "" : " (" + place + ")", advice.next);
}

std::string gain(const Advice& advice) { return "−" + text::microseconds(advice.gain_seconds); }

// "1.20 alone"
std::string alone(const Prediction& prediction, const Advice& then) {
  const auto told = std::ranges::find(prediction.advice, then.id, &Advice::id);
  return told == prediction.advice.end() ? "next to nothing alone"
                                         : text::microseconds(told->gain_seconds) + " alone";
}

// "DRAM is busy 98 % of the time: some 207 MB, of which 133 MB are compulsory; …"
std::string busy_dram(const ExplainedLaunch& launch, const DramBytes& dram) {
  const std::string busy = fmt::format("DRAM is busy {} of the time",
                                       text::percent(launch.record.prediction->dram_share));
  constexpr double much = 1.3;
  if (dram.as_lines > much * dram.moved)
    return busy + fmt::format(
                      ": some {} in sectors alone in their lines, which take as long as {} in "
                      "whole lines; {} are compulsory",
                      prefixed(dram.moved, "B"), prefixed(dram.as_lines, "B"),
                      prefixed(dram.compulsory, "B"));
  if (noticeably * dram.moved < dram.compulsory)
    return busy + fmt::format(": some {}; the rest of the {} that the launch needs lies in L2",
                              prefixed(dram.moved, "B"), prefixed(dram.compulsory, "B"));
  if (dram.moved < noticeably * dram.compulsory)
    return busy + fmt::format(", with the {} that must move where L2 holds nothing before",
                              prefixed(dram.compulsory, "B"));
  return busy + fmt::format(": some {}, of which {} are compulsory; the rest moves again{}",
                            prefixed(dram.moved, "B"), prefixed(dram.compulsory, "B"),
                            launch.bounds->fits_l2 ? "" : " after L2 has lost it");
}

List facts_of(const Machine& machine, const ExplainedLaunch& launch) {
  const Prediction& prediction = *launch.record.prediction;
  List facts;
  if (!prediction.lines.empty()) {
    std::string where;
    for (const StalledLine& line : prediction.lines)
      where +=
          fmt::format("{}{}:{} {} ({})", where.empty() ? "" : ", ", file_name(line.file), line.line,
                      text::percent(line.share), in_words(line.most, launch.record.counters).title);
    facts.items.push_back("warps spend their time at " + where);
  }
  if (prediction.bytes_in_flight > 0)
    facts.items.push_back(
        fmt::format("global loads in flight on an SM: {}; its share of DRAM's bandwidth needs {}",
                    text::bytes(prediction.bytes_in_flight), text::bytes(prediction.needed_bytes)));
  if (const auto dram = dram_bytes(machine, launch);
      dram && prediction.dram_share > least_busy && !prediction.advice.empty())
    facts.items.push_back(busy_dram(launch, *dram));
  if (prediction.apart)
    facts.items.push_back(
        fmt::format("without its floating-point arithmetic it takes {} µs, without global memory "
                    "{} µs: {} of the "
                    "shorter is "
                    "hidden behind the longer",
                    text::microseconds(prediction.apart->without_arithmetic),
                    text::microseconds(prediction.apart->without_memory),
                    text::percent(prediction.apart->overlap)));
  const int room = launch.occupancy->max_warps;
  if (prediction.needed_warps > 0 && prediction.warps > 0)
    facts.items.push_back(fmt::format(
        "a warp alone issues an instruction every {} cycles: {:.0f} warps would fill the issue "
        "slots of an SM ({}), {} are resident",
        text::compact(prediction.cycles_alone), std::ceil(prediction.needed_warps),
        prediction.needed_warps > room
            ? fmt::format("more than the {} that it has room for", room)
            : text::percent(prediction.needed_warps / room) + " occupancy",
        prediction.warps));
  return facts;
}

// A range says what makes it, and one without width that it is not sure for that.
std::string range_of(const Prediction& prediction) {
  const std::string low = text::microseconds(prediction.low_seconds),
                    high = text::microseconds(prediction.high_seconds);
  if (low == high) return "the same whatever L2 holds before, the model's own error aside";
  return fmt::format(
      "{} … {} µs by what L2 holds before and by unlike blocks, the model's own error aside", low,
      high);
}

// "−3.00 µs: ", of several "−3.00 µs … −1.20 µs: "; "" of none
std::string saved(const std::map<double, std::string, std::greater<>>& gains) {
  if (gains.empty()) return "";
  const std::string &most = gains.begin()->second, &least = gains.rbegin()->second;
  return most == least ? most + ": " : fmt::format("{} … {}: ", most, least);
}

// However much is in flight, it takes at least so long.
Grid latency_bounds_of(const Prediction& prediction) {
  Grid grid{.columns = {{"at least\nµs"}, {"one after the other", Align::left, Give::words}}};
  for (const LatencyBound& bound : prediction.latency_bounds)
    grid.rows.push_back({text::microseconds(bound.seconds), bound.what});
  return grid;
}

}  // namespace

std::string in_full(std::string said) {
  constexpr std::string_view asks = "see `--kernel`";
  const size_t at = said.find(asks);
  return at == said.npos ? said : said.replace(at, asks.size(), "see Occupancy");
}

std::string nothing_to_gain(const Machine& machine, const ExplainedLaunch& launch) {
  const Prediction& prediction = *launch.record.prediction;
  const std::optional<Limit> limit = reached_limit(launch);
  if (!limit) return "the model finds no single obstacle";
  const std::string share = text::percent(limit->share);
  if (limit->kind == Limit::Kind::latency)
    return fmt::format("{} of the time: {}", share, limit->numbers);
  if (limit->kind == Limit::Kind::host)
    return fmt::format(
        "the link to the host is busy {} of the time with {} of its memory; a copy to the "
        "device takes no less, and makes all that is used again faster",
        share, prefixed(prediction.host_bytes, "B"));
  const auto little = [&](double floor_seconds) {
    return prediction.seconds < noticeably * floor_seconds;
  };
  if (limit->kind == Limit::Kind::floor && little(launch.bounds->seconds))
    return fmt::format("at {} of what {} allows: little to gain", share, limit->what);
  if (const auto dram = dram_bytes(machine, launch);
      dram && (limit->kind == Limit::Kind::dram || dram->floor_seconds == launch.bounds->seconds)) {
    const bool little_moves = noticeably * dram->moved < dram->compulsory;
    if (little(dram->floor_seconds) && !little_moves)
      return fmt::format("at {} of what {} allows: little to gain",
                         text::percent(dram->floor_seconds / prediction.seconds),
                         title_of(Resource::dram_cold));
    return busy_dram(launch, *dram) +
           (dram->moved < noticeably * dram->compulsory
                ? ""
                : ": use what is used again sooner, or keep it in registers and shared memory");
  }
  if (limit->kind == Limit::Kind::dram)
    return fmt::format("{} is busy {} of the time", limit->what, share);
  return fmt::format("no single obstacle: {} of the time is the floor of {}, {} µs", share,
                     limit->what, text::microseconds(launch.bounds->seconds));
}

// Kernels of which the same is to be said share a sentence.
List next_steps(const Explanation& report) {
  struct Sentence {
    std::string said;
    std::vector<std::string> kernels;
    std::map<double, std::string, std::greater<>> gains;  // the largest first
  };
  std::vector<Sentence> sentences;
  for (const KernelGroup* kernel : by_gain(report)) {
    const ExplainedLaunch& launch = report.worst(*kernel);
    const auto& advice = launch.record.prediction->advice;
    const std::string times = kernel->launches.size() > 1
                                  ? (kernel->unlike() ? " of the longest of " : " each of ") +
                                        text::grouped(kernel->launches.size())
                                  : "";
    const std::string said =
        advice.empty() ? nothing_to_gain(report.machine, launch) : sentence(advice.front());
    auto found = std::ranges::find(sentences, said, &Sentence::said);
    if (found == sentences.end()) found = sentences.insert(found, {said, {}, {}});
    if (!advice.empty())
      found->gains.emplace(advice.front().gain_seconds,
                           fmt::format("{} µs{}", gain(advice.front()), times));
    if (std::ranges::find(found->kernels, launch.record.name) == found->kernels.end())
      found->kernels.push_back(launch.record.name);
  }
  const auto names_of = names_in_text(report);
  List list;
  std::set<std::string> left;
  for (const auto& [said, kernels, gains] : sentences)
    if (list.items.size() < most_sentences)
      list.items.push_back(kernels_told(kernels, names_of) + saved(gains) + said);
    else
      left.insert(kernels.begin(), kernels.end());
  if (!left.empty())
    list.items.push_back(fmt::format("… and {} with less to gain: --kernel NAME tells",
                                     text::counted(left.size(), "more kernel", "more kernels")));
  return list;
}

Document prediction_document(const Explanation& report, const KernelGroup& kernel) {
  const Machine& machine = report.machine;
  const ExplainedLaunch& launch = report.worst(kernel);
  const Prediction& prediction = *launch.record.prediction;
  Document document;
  document.add(Heading{3, "Predicted time", "by a model of one SM: " + prediction.basis});
  if (kernel.unlike())
    document.add(Paragraph{fmt::format("of the longest of {} launches, which take {} … {} µs",
                                       text::grouped(kernel.launches.size()),
                                       text::microseconds(kernel.least_predicted),
                                       text::microseconds(kernel.most_predicted))});
  document.add(Paragraph{fmt::format(
      "{} µs, {} {}; {:.2f} instructions a cycle on an SM", text::microseconds(prediction.seconds),
      reached_limit(launch) ? "bound by" : "waits for", bound_or_wait(launch), prediction.ipc)});
  document.add(Paragraph{range_of(prediction)});
  Grid waits{
      .columns = {{"stall", Align::left, Give::words}, {"cycles an\ninstruction"}, {"share"}}};
  for (const Wait& wait : waits_of(prediction)) {
    if (waits.rows.size() == most_waits) break;
    const StallRow& words = in_words(wait.stall, launch.record.counters);
    waits.rows.push_back({fmt::format("{} ({}): {}", words.title, words.name, words.meaning),
                          fmt::format("{:.2f}", wait.cycles), text::percent(wait.share)});
  }
  document.add(std::move(waits));
  document.add(facts_of(machine, launch));
  document.add(latency_bounds_of(prediction));
  document.add(Heading{3, "Advice", "what the model saves without each obstacle, alone"});
  if (prediction.advice.empty()) {
    document.add(Paragraph{nothing_to_gain(machine, launch)});
    return document;
  }
  Grid grid{.columns = {{"µs"}, {"", Align::left, Give::words}}};
  for (const Advice& each : prediction.advice) {
    grid.rows.push_back({gain(each), in_full(sentence(each))});
    for (const Advice& then : each.then)
      grid.rows.push_back(
          {gain(then), fmt::format("more, once that is done ({}): {}", alone(prediction, then),
                                   in_full(sentence(then)))});
  }
  document.add(std::move(grid));
  return document;
}

}  // namespace headroom
