#include <algorithm>
#include <numeric>

#include "base/toolkit_header.h"
#include "model/pipeline/asking.h"

namespace headroom {
namespace {

constexpr double least_share = 0.03, least_seconds = 0.2e-6;  // of a gain that is told
// Of blocks that are not played, times what those that are have of it; assumed.
constexpr double later_share = 2;

// What DRAM takes for the bytes that the launch needs, each once: no advice saves that.
double compulsory_seconds(const LaunchModel& model) {
  const Counters& c = model.task.record.counters;
  double bytes = needed_load_bytes(c) * (1 - model.supply.in_l2);
  if (model.supply.writes_reach_dram) bytes += needed_store_bytes(c);
  // Of all SMs: there may be more blocks.
  const double of_those_in_use = model.supply.dram_bytes * model.sms * model.clock;
  return bytes * model.supply.dram_reach / of_those_in_use;
}

}  // namespace

Asking::Asking(const LaunchModel& model, const LaunchTime& time, Answers& answers)
    : model_(model),
      task_(model.task),
      time_(time),
      answers_(answers),
      evidence_(model.task.trace),
      least_seconds_(model.overhead + compulsory_seconds(model)) {}

std::vector<Advice> Asking::run() {
  asked_.clear();
  advice_.clear();
  mixes_rounds_ = false;
  memory();
  instructions();
  waiting();
  shape();
  // Without its tests the rounds of a loop are mixed, which is what independent values would do for it.
  if (mixes_rounds_ && std::ranges::find(advice_, "loop", &Advice::id) != advice_.end())
    std::erase_if(advice_, [](const Advice& each) { return each.id == "dependences"; });
  std::ranges::stable_sort(
      advice_, [](const Advice& a, const Advice& b) { return a.gain_seconds > b.gain_seconds; });
  together();
  return advice_;
}

void Asking::ask(const Ask& ask) {
  // Of warps that were not traced to their end nobody knows what the rest has of it.
  const bool is_whole = time_.whole == 1 && model_.longest_rest == 0;
  if (is_whole && later_share * ask.most * (time_.seconds - model_.overhead) < least_told()) return;
  asked_.push_back({ask, gain_of(ask.question)});
  tell(ask, asked_.back().gain);
}

double Asking::gain_of(const Question& question) const {
  return time_.seconds - answers_.to(question).seconds;
}

void Asking::tell(const Ask& ask, double gain) {
  const double least = ask.id == "launch" ? least_seconds_ - model_.overhead : least_seconds_;
  gain = std::min(gain, time_.seconds - least);
  if (gain >= least_told()) advice_.push_back(made_of(ask, gain));
}

double Asking::least_told() const { return std::max(least_seconds, least_share * time_.seconds); }

Advice Asking::made_of(const Ask& ask, double gain) const {
  Advice made{ask.id, gain, ask.what, ask.next, "", 0};
  std::optional<uint32_t> where = ask.instruction;
  if (ask.cost && ask.cost->total > 0) where = ask.cost->worst();
  if (!where || !task_.listing) return made;
  const MachineListing& listing = *task_.listing;
  const auto is_of_program = [&](uint32_t instruction) {
    const uint32_t file = listing.instructions[instruction].file;
    return file != no_source_file && !is_of_toolkit(listing.files[file]);
  };
  // What a header of the toolkit does is the program's line before it.
  uint32_t line = *where;
  while (line > 0 && !is_of_program(line)) --line;
  if (!is_of_program(line)) line = *where;
  const MachineInstruction& at = listing.instructions[line];
  if (at.file == no_source_file) return made;
  made.file = listing.files[at.file];
  made.line = at.line;
  return made;
}

uint32_t Asking::worst(Stall stall) const {
  const auto& all = time_.run.by_instruction;
  return uint32_t(std::ranges::max_element(
                      all, {}, [&](const StallCycles& each) { return each[size_t(stall)]; }) -
                  all.begin());
}

double Asking::share(Stall stall) const {
  const StallCycles& all = time_.run.stalls;
  const double sum = std::accumulate(all.begin(), all.end(), 0.0);
  return sum > 0 ? all[size_t(stall)] / sum : 0;
}

}  // namespace headroom
