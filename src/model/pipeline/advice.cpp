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
    reuse();
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
           .what = fmt::format("global atomics: {} requests; those at one line come one after the "
                               "other",
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

  // The same values again and again: in registers or shared memory they come faster.
  void reuse() {
    const Counters& c = task_.record.counters;
    const double arithmetic =
        double(c.fp32_instructions + c.fp64_instructions + c.fp16_instructions +
               c.tensor_instructions + c.integer_instructions);
    const double shared = double(c.shared_load_instructions);
    if (shared > 0.2 * arithmetic)
      ask({.id = "shared_loads",
           .question = {.relief = {.half_shared_loads = true}},
           .what =
               fmt::format("{:.2f} shared-memory loads for each arithmetic instruction (gain: half "
                           "as many)",
                           shared / arithmetic),
           .next =
               "several results a thread, so that a loaded value is used several times, and wider "
               "loads (studies/sgemm/tile_1d.cu, tile_2d.cu)",
           .cost = &evidence_.shared_loads});
    const double times =
        double(c.global_load_sectors) / double(std::max<uint64_t>(1, c.unique_load_sectors));
    if (times >= 4)
      ask({.id = "global_loads",
           .question = {.relief = {.half_global_loads = true}},
           .what = fmt::format("each sector is loaded {:.0f} times (gain: half as often)", times),
           .next = "load a tile into shared memory once for the block "
                   "(studies/sgemm/shared_tile.cu), or "
                   "several results a thread",
           .cost = &evidence_.global_loads});
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
    const auto is_conversion = [this](std::string_view to) {
      return where([to](const sass::Instruction& each) {
        return each.opcode == "F2F" && !each.modifiers.empty() &&
               each.modifiers.front().starts_with(to) &&
               std::ranges::any_of(each.modifiers, [](std::string_view modifier) {
                 return modifier.find("F64") != modifier.npos;
               });
      });
    };
    const std::vector<bool> widened = is_conversion(".F64"), narrowed = is_conversion(".F32");
    if (!any(widened) || !any(narrowed)) return;  // a sum of doubles is meant so
    std::vector<bool> converts = widened;
    for (size_t i = 0; i < converts.size(); ++i) converts[i] = widened[i] || narrowed[i];
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
        if (each.opcode != "I2F" || lines[i].file == no_source_file ||
            evidence_.executed.by_instruction[i] == 0 ||
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
    const auto& lines = task_.listing->instructions;
    std::set<std::pair<uint32_t, uint32_t>> there;
    for (size_t i = 0; i < found.size(); ++i)
      if (found[i] && lines[i].file != no_source_file) there.insert({lines[i].file, lines[i].line});
    if (there.empty()) return;
    std::vector<bool> left_out(found.size());
    for (size_t i = 0; i < found.size(); ++i)
      left_out[i] = there.contains({lines[i].file, lines[i].line}) &&
                    model_.code[i].action == Action::plain && model_.code[i].unit != Unit::xu;
    ask({.id = "accurate_functions",
         .question = {.left_out = left_out},
         .what = "the accurate sinf, cosf or expf",
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
    ask({.id = "narrow_accesses",
         .question = {.relief = {.block_starts = true, .few_global_accesses = true}},
         .what = "accesses of less than four bytes a thread (gain: a quarter as many, and as many "
                 "blocks)",
         .next = "let a thread move 4 to 16 bytes: uchar4, half2, float4",
         .cost = &evidence_.narrow});
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
    const double of_block = std::ceil(double(task_.record.shape.block.count()) / 32);
    const int warps = int(std::min(double(task_.occupancy.warps), model_.blocks_of_sm * of_block)),
              most = task_.occupancy.max_warps;
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
    occupancy();
  }

  // As many more blocks as there is room for warps, up to twice as many: what the traced ones take then.
  void occupancy() {
    const int resident = std::max(1, task_.occupancy.blocks), warps = task_.occupancy.warps;
    if (warps <= 0 || model_.blocks_of_sm <= resident) return;
    const int room = resident * task_.occupancy.max_warps / warps;
    const int more = std::min(2 * resident, room);
    if (more <= resident) return;
    const double then = time_of(model_, {.resident = more}).run.cycles,
                 played = double(time_.run.ends.size());
    tell({.id = "occupancy",
          .what = fmt::format("theoretical occupancy {:.0f} %, limited by {}",
                              100 * task_.occupancy.fraction,
                              task_.occupancy.limiters.empty() ? std::string("the launch")
                                                               : task_.occupancy.limiters.front()),
          .next = "see `--kernel` for what would admit one more block"},
         (time_.run.cycles - then) / played * model_.blocks_of_sm * model_.executed * model_.work /
             model_.clock);
  }

  void shape() {
    const double blocks = double(task_.record.shape.grid.count()),
                 sms = task_.machine.sm_count.value_or(1), of_sm = blocks / sms;
    if (blocks < sms) {
      // A warp's own way does not get shorter by that: no block ends before it.
      const double way = model_.way_alone / model_.clock;
      const double gain = std::min((time_.seconds - launch_seconds) * (1 - of_sm),
                                   time_.seconds - launch_seconds - way);
      tell({.id = "few_blocks",
            .what = fmt::format("{} for {:.0f} SMs: the others have no work",
                                text::counted(uint64_t(blocks), "block", "blocks"), sms),
            .next = "split the work over more blocks, as split-K does (studies/sgemm/stream_k.cu)"},
           gain);
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
            .next = "do more in one launch; many small ones start faster in a graph"},
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
