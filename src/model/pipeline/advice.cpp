#include "model/pipeline/advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "model/pipeline/evidence.h"
#include "model/quantity.h"

namespace headroom {
namespace {

constexpr double least_share = 0.03, least_seconds = 0.2e-6;  // of a gain that is told

// A question that is put to the model, and what is said if the answer is a gain.
struct Ask {
  std::string id;
  Question question;
  std::string what, next;
  const Cost* cost = nullptr;                // its worst instruction is where it is
  std::optional<uint32_t> instruction = {};  // … or this one
};

class Asking {
 public:
  Asking(const LaunchModel& model, const LaunchTime& time)
      : model_(model), task_(model.task), time_(time), evidence_(model.task.trace) {}

  std::vector<Advice> run() {
    memory();
    instructions();
    waiting();
    shape();
    std::ranges::stable_sort(
        advice_, [](const Advice& a, const Advice& b) { return a.gain_seconds > b.gain_seconds; });
    return std::move(advice_);
  }

 private:
  void ask(const Ask& ask) { tell(ask, time_.seconds - time_of(model_, ask.question).seconds); }

  void tell(const Ask& ask, double gain) {
    if (gain < least_seconds || gain < least_share * time_.seconds) return;
    Advice& made = advice_.emplace_back(Advice{ask.id, gain, ask.what, ask.next, "", 0});
    std::optional<uint32_t> where = ask.instruction;
    if (ask.cost && ask.cost->total > 0) where = ask.cost->worst();
    if (!where || !task_.listing) return;
    const auto& instructions = task_.listing->instructions;
    // What a header of the toolkit does is the program's line before it.
    uint32_t line = *where;
    while (line > 0 && is_of_toolkit(instructions[line])) --line;
    if (is_of_toolkit(instructions[line])) line = *where;
    const MachineInstruction& at = instructions[line];
    if (at.file == no_source_file) return;
    made.file = task_.listing->files[at.file];
    made.line = at.line;
  }

  bool is_of_toolkit(const MachineInstruction& at) const {
    if (at.file == no_source_file) return true;
    const std::string& file = task_.listing->files[at.file];
    return file.find("/include/") != std::string::npos && file.find("cuda") != std::string::npos;
  }

  uint32_t worst(Stall stall) const {
    const auto& all = time_.run.by_instruction;
    return uint32_t(std::ranges::max_element(
                        all, {}, [&](const StallCycles& each) { return each[size_t(stall)]; }) -
                    all.begin());
  }
  double share(Stall stall) const {
    double sum = 0;
    for (const double cycles : time_.run.stalls) sum += cycles;
    return sum > 0 ? time_.run.stalls[size_t(stall)] / sum : 0;
  }

  void memory() {
    const Counters& c = task_.record.counters;
    if (evidence_.excess_sectors.total > 0.05 * evidence_.sectors.total) {
      const uint32_t worst = evidence_.excess_sectors.worst();
      const double each = evidence_.sectors.by_instruction[worst],
                   excess = evidence_.excess_sectors.by_instruction[worst];
      ask({.id = "uncoalesced",
           .question = {.relief = {.excess_sectors = true}},
           .what = fmt::format("uncoalesced global accesses: {:.0f} % of the sectors of the worst "
                               "instruction are not needed",
                               100 * excess / each),
           .next = "let neighbouring lanes read neighbouring addresses: swap the indices, or store "
                   "arrays of fields, not of structures (studies/sgemm/coalesced.cu)",
           .cost = &evidence_.excess_sectors});
    }
    if (evidence_.conflicts.total > 0) {
      const uint32_t worst = evidence_.conflicts.worst();
      const double all = evidence_.wavefronts.by_instruction[worst],
                   ways = all / std::max(1.0, all - evidence_.conflicts.by_instruction[worst]);
      ask({.id = "bank_conflicts",
           .question = {.relief = {.bank_conflicts = true}},
           .what = fmt::format("{:.0f}-way bank conflicts in shared memory: {:.0f} % of all "
                               "wavefronts",
                               std::round(ways),
                               100 * evidence_.conflicts.total / evidence_.wavefronts.total),
           .next = "pad the rows of the tile by one element, or permute its columns "
                   "(studies/sgemm/bank_conflicts_padded.cu)",
           .cost = &evidence_.conflicts});
    }
    if (evidence_.local.total > 0) {
      const Resources& r = task_.record.resources;
      const int spilled = r.spill_loads.value_or(0) + r.spill_stores.value_or(0);
      ask({.id = spilled ? "spills" : "local_memory",
           .question = {.relief = {.local_memory = true}},
           .what = spilled
                       ? fmt::format("register spills: {} B stored and {} B loaded by code of {} "
                                     "registers a thread",
                                     r.spill_stores.value_or(0), r.spill_loads.value_or(0),
                                     r.registers.value_or(0))
                       : "an array of the thread lies in local memory, as it is indexed "
                         "dynamically",
           .next = spilled
                       ? "allow more registers (__launch_bounds__, -maxrregcount), or keep fewer "
                         "values a thread"
                       : "index it by constants: unroll the loop, or keep it in shared memory",
           .cost = &evidence_.local});
    }
    if (evidence_.global_atomics.total > 0)
      ask({.id = "atomics",
           .question = {.relief = {.atomics = true}},
           .what = fmt::format("atomics on few addresses: {} requests wait for one another",
                               prefixed(double(c.atomic_requests), "")),
           .next =
               "reduce in the warp (__reduce_add_sync, shuffles) and in the block first, then one "
               "atomic a block",
           .cost = &evidence_.global_atomics});
    if (evidence_.shared_atomics.total > 0)
      ask({.id = "shared_atomics",
           .question = {.relief = {.shared_atomics = true}},
           .what = "shared-memory atomics of a warp meet at one address",
           .next = "give each warp its own copy, or count in registers first",
           .cost = &evidence_.shared_atomics});
  }

  void instructions() {
    if (evidence_.lost_lanes.total > 0.05 * evidence_.executed.total &&
        task_.record.counters.divergent_branches > 0)
      ask({.id = "divergence",
           .question = {.relief = {.divergence = true}},
           .what = fmt::format("divergent branches: {:.1f} of 32 lanes are active",
                               mean_active_lanes(task_.record.counters)),
           .next = "let whole warps take the same side: sort the work, or compute both sides",
           .cost = &evidence_.diverging});
    if (time_.run.bank_cycles > 0)
      ask({.id = "register_banks",
           .question = {.relief = {.register_banks = true}},
           .what = fmt::format("operands in one register bank cost {:.2f} cycles an instruction",
                               time_.run.bank_cycles / double(time_.run.issued)),
           .next = "reorder the products so that an operand is used again by the next instruction "
                   "(studies/sgemm/register_banks.cu)",
           .instruction = worst(Stall::dispatch_stall)});
    double_precision();
    division();
    accurate_functions();
    reloads();
    narrow();
  }

  template <class Is>
  std::vector<bool> where(Is is) const {
    std::vector<bool> found(task_.trace.code.size());
    for (size_t i = 0; i < found.size(); ++i)
      found[i] = evidence_.executed.by_instruction[i] > 0 && is(*task_.trace.code[i].instruction);
    return found;
  }
  static bool any(const std::vector<bool>& found) {
    return std::ranges::find(found, true) != found.end();
  }

  uint32_t most_executed(const std::vector<bool>& of) const {
    uint32_t most = uint32_t(std::ranges::find(of, true) - of.begin());
    for (uint32_t i = most; i < of.size(); ++i)
      if (of[i] && evidence_.executed.by_instruction[i] > evidence_.executed.by_instruction[most])
        most = i;
    return most;
  }

  // 1.0 where 1.0f was meant: values become doubles and floats again.
  void double_precision() {
    const std::vector<bool> converts = where([](const sass::Instruction& each) {
      return each.opcode == "F2F" &&
             std::ranges::any_of(each.modifiers, [](std::string_view modifier) {
               return modifier.find("F64") != modifier.npos;
             });
    });
    if (!any(converts)) return;
    ask({.id = "double_precision",
         .question = {.relief = {.double_rate = true}, .left_out = converts},
         .what = "floats are converted to double and back",
         .next = "write 1.0f, not 1.0, and call sqrtf, not sqrt",
         .instruction = most_executed(converts)});
  }

  // What ptxas makes of x / n and x % n: in the basic blocks and on the lines that have a reciprocal of an
  // integer, rounded up.
  void division() {
    if (!task_.listing) return;
    const auto& code = task_.trace.code;
    const auto& lines = task_.listing->instructions;
    std::vector<bool> left_out(code.size());
    uint32_t worst = 0;
    double most = 0;
    for (const TracedBasicBlock& block : task_.trace.basic_blocks) {
      std::set<std::pair<uint32_t, uint32_t>> divides;
      for (uint32_t i = block.first; i <= block.last && block.first <= block.last; ++i) {
        const sass::Instruction& each = *code[i].instruction;
        if (each.opcode != "I2F" || evidence_.executed.by_instruction[i] == 0 ||
            !std::ranges::any_of(each.modifiers, [](std::string_view modifier) {
              return modifier.ends_with(".RP");
            }))
          continue;
        divides.insert({lines[i].file, lines[i].line});
        if (evidence_.executed.by_instruction[i] > most) {
          most = evidence_.executed.by_instruction[i];
          worst = i;
        }
      }
      for (uint32_t i = block.first; i < block.last && !divides.empty(); ++i)
        left_out[i] = divides.contains({lines[i].file, lines[i].line}) &&
                      model_.code[i].action == Action::plain;
    }
    if (most == 0) return;
    ask({.id = "integer_division",
         .question = {.left_out = left_out},
         .what = "division by an integer that is not known when compiling",
         .next =
             "divide by a constant or a power of two, or multiply by a reciprocal that the host "
             "computes",
         .instruction = worst});
  }

  // Of sinf and cosf 2 / π, by which they reduce their argument; of expf 1 / (88 ln 2), by which it keeps it
  // in range.
  static bool is_accurate(const sass::Instruction& instruction) {
    constexpr int64_t of_sine = 0x3f22f983, of_exponential = 0x3bbb989d;
    return std::ranges::any_of(instruction.operands, [&](const sass::Operand& operand) {
      return (operand.kind == sass::OperandKind::immediate ||
              operand.kind == sass::OperandKind::real) &&
             (operand.value == of_sine || operand.value == of_exponential);
    });
  }

  void accurate_functions() {
    if (!task_.listing) return;
    const std::vector<bool> found = where(is_accurate);
    if (!any(found)) return;
    const auto& lines = task_.listing->instructions;
    std::set<std::pair<uint32_t, uint32_t>> there;
    for (size_t i = 0; i < found.size(); ++i)
      if (found[i]) there.insert({lines[i].file, lines[i].line});
    std::vector<bool> left_out(found.size());
    for (size_t i = 0; i < found.size(); ++i)
      left_out[i] = there.contains({lines[i].file, lines[i].line}) &&
                    model_.code[i].action == Action::plain && model_.code[i].unit != Unit::xu;
    ask({.id = "accurate_functions",
         .question = {.left_out = left_out},
         .what = "sinf, cosf or expf to the last digit",
         .next = "__sinf, __expf, or -use_fast_math, where their error is small enough",
         .instruction = most_executed(found)});
  }

  // Loads and stores of one place, round by round.
  void reloads() {
    std::vector<bool> left_out(task_.trace.code.size());
    double sum = 0;
    for (size_t i = 0; i < left_out.size(); ++i) {
      const double again = evidence_.again.by_instruction[i];
      left_out[i] = again > 0.5 * evidence_.executed.by_instruction[i] && again > 0;
      sum += left_out[i] ? again : 0;
    }
    if (sum == 0) return;
    ask({.id = "reloads",
         .question = {.left_out = left_out},
         .what =
             fmt::format("{:.0f} % of the global accesses are to where the same warp was before",
                         100 * sum / evidence_.global.total),
         .next = "keep the value in a register: a local variable, const __restrict__ pointers",
         .cost = &evidence_.again});
  }

  // Bytes and halves: a thread that moves a word does the work of several.
  void narrow() {
    if (evidence_.narrow.total < 0.8 * evidence_.global.total || evidence_.global.total == 0)
      return;
    const double fewer = std::max(1.0, std::ceil(model_.blocks_of_sm / 4));
    const double gain = time_.seconds - time_of(model_, {.blocks_of_sm = fewer}).seconds;
    tell({.id = "narrow_accesses",
          .what = "accesses of less than four bytes a thread",
          .next = "let a thread move 4 to 16 bytes: uchar4, half2, float4",
          .cost = &evidence_.narrow},
         gain);
  }

  void waiting() {
    if (task_.record.counters.barriers > 0)
      ask({.id = "barriers",
           .question = {.relief = {.barriers = true}},
           .what = fmt::format("warps wait for their block at barriers for {:.0f} % of their time",
                               100 * share(Stall::barrier)),
           .next = "fewer barriers a tile (two buffers need one), or smaller blocks "
                   "(studies/sgemm/double_buffering.cu)",
           .instruction = worst(Stall::barrier)});
    const int warps = task_.occupancy.warps, most = task_.occupancy.max_warps;
    const Stall dominant =
        share(Stall::long_scoreboard) >= share(Stall::wait) ? Stall::long_scoreboard : Stall::wait;
    const std::string waits =
        dominant == Stall::wait
            ? fmt::format(
                  "dependent arithmetic: warps wait {:.0f} % of their time for their own last "
                  "instruction",
                  100 * share(Stall::wait))
            : fmt::format("latency of memory: warps wait {:.0f} % of their time for it",
                          100 * share(Stall::long_scoreboard));
    ask({.id = dominant == Stall::wait ? "dependences" : "latency",
         .question = {.relief = {.latency = true}},
         .what = waits + fmt::format(", {} of {} warps an SM", warps, most),
         .next =
             dominant == Stall::wait
                 ? "several independent accumulators or values a thread (studies/latency)"
                 : "more loads in flight: several independent values a thread, all loaded before "
                   "the first is used, and wider ones (studies/copy)",
         .instruction = worst(dominant)});
    const int resident = std::max(1, task_.occupancy.blocks);
    if (model_.blocks_of_sm > resident && task_.occupancy.fraction < 0.75)
      ask({.id = "occupancy",
           .question = {.resident = 2 * resident},
           .what = fmt::format("theoretical occupancy {:.0f} %, limited by {}",
                               100 * task_.occupancy.fraction,
                               task_.occupancy.limiters.empty() ? std::string("the launch")
                                                                : task_.occupancy.limiters.front()),
           .next = "see `--kernel` for what would admit one more block"});
  }

  void shape() {
    const double blocks = double(task_.record.shape.grid.count()),
                 sms = task_.machine.sm_count.value_or(1), of_sm = blocks / sms;
    if (blocks < sms) {
      tell({.id = "few_blocks",
            .what =
                fmt::format("{:.0f} blocks for {:.0f} SMs: the others have no work", blocks, sms),
            .next = "split the work over more blocks, as split-K does (studies/sgemm/stream_k.cu)"},
           (time_.seconds - launch_seconds) * (1 - of_sm));
    } else if (of_sm != std::ceil(of_sm) && time_.run.ends.size() > 1) {
      const double without = time_of(model_, {.blocks_of_sm = std::floor(of_sm)}).seconds;
      tell({.id = "tail",
            .what = fmt::format("the tail: {:.2f} blocks an SM, the busiest have {:.0f}", of_sm,
                                std::ceil(of_sm)),
            .next = "a grid that is a multiple of the SMs, smaller blocks, or a persistent kernel "
                    "(studies/sgemm/stream_k.cu)"},
           (time_.seconds - without) * (std::ceil(of_sm) - of_sm));
    }
    ask({.id = "small_blocks",
         .question = {.relief = {.block_starts = true}},
         .what = fmt::format("{:.0f} blocks of {} threads start one after the other", blocks,
                             task_.record.shape.block.count()),
         .next =
             "larger blocks, several values a thread, or as many blocks as are resident that loop "
             "over the work"});
    if (launch_seconds > 0.4 * time_.seconds)
      tell({.id = "launch",
            .what = "starting the launch takes longer than its work",
            .next = "do more in one launch, or launch a graph"},
           launch_seconds);
  }

  const LaunchModel& model_;
  const PredictTask& task_;
  const LaunchTime& time_;
  const Evidence evidence_;
  std::vector<Advice> advice_;
};

}  // namespace

std::vector<Advice> advice_of(const LaunchModel& model, const LaunchTime& time) {
  return Asking(model, time).run();
}

}  // namespace headroom
