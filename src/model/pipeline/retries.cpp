#include "model/pipeline/retries.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>

#include "model/pipeline/decides.h"
#include "model/pipeline/loops.h"
#include "model/pipeline/out_of_line.h"

namespace headroom {
namespace {

// A try takes its slice of L2 so many cycles, whether or not it holds.
constexpr double of_try = 1.46;

// By a thread that leaves where it finds a better value, if few improve on it on the emulator: 1.05 to 1.3 of 262 144 threads, of which
// an early one has the best, and 1.3 to 2.2 of 270 336 whose best is anywhere (atomicCAS; k61_a of tests/advice).
constexpr double tries_for_best = 1.1;

// Until one holds all others have tried once, if they are few; the more there are, the fewer of them come between
// (results/h200/retries.json, "each", once, of four blocks and more: within a fifth for 512 to 67 584 lanes).
double tries_of_each(double contenders) {
  return contenders / 2 * std::min(1.0, 4.6 * std::pow(contenders, -0.27));
}

// best: threads compare what they find by its order with a value of their own, and leave the loop, or store nothing new: few of many hold
// then. own: each goes on until its own swap holds. A limit that lies in a register is taken for a value of the thread's own.
enum class Aim : uint8_t { own, best };

bool is_order(std::string_view modifier) {
  static constexpr std::string_view all[] = {".LT",  ".LE",  ".GT",  ".GE",
                                             ".LTU", ".LEU", ".GTU", ".GEU"};
  return std::ranges::find(all, modifier) != std::end(all);
}

// The swap's own loop; none: nothing branches back over it.
std::optional<Loop> loop_of(const Trace& trace, uint32_t swap) {
  for (uint32_t last = swap; last < trace.code.size(); ++last) {
    const sass::Instruction* const end = trace.code[last].instruction;
    if (!end || end->opcode != "BRA") continue;
    if (const auto first = goes_to(trace, last); first && *first <= swap) return Loop{*first, last};
  }
  return std::nullopt;
}

// MOV R4, R6 and IMAD.MOV R4, RZ, RZ, R6.
bool moves(const sass::Instruction& instruction) {
  if (instruction.opcode == "MOV") return true;
  return instruction.opcode == "IMAD" &&
         std::ranges::count_if(instruction.operands, [](const sass::Operand& operand) {
           return !operand.written && operand.kind == sass::OperandKind::reg &&
                  operand.index == sass::zero_register;
         }) >= 2;
}

// FSETP.GT P0, R7, R4 with a value of the thread's own, no limit of all threads as a constant; FMNMX; DSETP.MAX, which a selection follows.
bool is_order_with_own(const sass::Instruction& instruction, const std::set<uint16_t>& found) {
  if (instruction.opcode.find("MNMX") != std::string_view::npos) return true;
  if (instruction.opcode.find("SETP") == std::string_view::npos) return false;
  if (instruction.has(".MAX") || instruction.has(".MIN")) return true;
  return std::ranges::any_of(instruction.modifiers, is_order) &&
         std::ranges::any_of(instruction.operands, [&](const sass::Operand& operand) {
           return !operand.written && operand.kind == sass::OperandKind::reg &&
                  operand.index != sass::zero_register && !found.contains(operand.index);
         });
}

// What the swap gave, and its copies, followed twice round the loop.
Aim aim_of(const Trace& trace, uint32_t swap) {
  const auto loop = loop_of(trace, swap);
  if (!loop) return Aim::own;
  std::set<uint16_t> found;
  const auto is_found = [&](const sass::Operand& operand) {
    return !operand.written && operand.kind == sass::OperandKind::reg &&
           found.contains(operand.index);
  };
  for (int round = 0; round < 2; ++round)
    for (uint32_t i = loop->first; i <= loop->last; ++i) {
      const sass::Instruction* const each = trace.code[i].instruction;
      if (!each) continue;
      const bool reads = std::ranges::any_of(each->operands, is_found);
      if (reads && is_order_with_own(*each, found)) return Aim::best;
      for (const sass::Operand& operand : each->operands) {
        if (!operand.written || operand.kind != sass::OperandKind::reg) continue;
        if (i == swap || (reads && moves(*each))) {
          found.insert(operand.index);
          if (i == swap && each->has(".64")) found.insert(uint16_t(operand.index + 1));
        } else {
          found.erase(operand.index);
        }
      }
    }
  return Aim::own;
}

// Lanes of an access that go to one word of its sectors; of loads those that must, being more than a sector has words.
double lanes_at_one(const TracedAccess& access) {
  if (access.kind != AccessKind::global_load)
    return access.sectors == 1 ? access.same_address
                               : double(access.passes) / double(access.sectors);
  return access.sectors == 1 && access.lanes * access.bytes > 32 ? access.lanes : 1;
}

struct Place {
  double holds = 0;  // swaps that hold: one of all lanes that try at once
  double lanes = 0;  // that try there, or load it before, of the traced warps
  bool is_best = false;
  uint32_t swap = 0;
  size_t blocks = 0;  // traced, that come there
  const TracedBlock* last = nullptr;
};

struct Seen {
  std::unordered_map<uint64_t, Place> places;
  double requests = 0, warps = 0;
  size_t blocks = 0;  // traced
};

template <class Visit>
void each_warp(const Trace& trace, Visit visit) {
  for (const auto* blocks : {&trace.blocks, &trace.others})
    for (const TracedBlock& block : *blocks) {
      if (blocks == &trace.others &&
          std::ranges::any_of(
              trace.blocks, [&](const TracedBlock& other) { return other.linear == block.linear; }))
        continue;
      for (const TracedWarp& warp : block.warps) visit(block, warp);
    }
}

bool is_swap(const Trace& trace, const TracedAccess& access) {
  return access.kind == AccessKind::global_atomic &&
         trace.code[access.instruction].instruction->has(".CAS");
}

Seen seen_in(const Trace& trace) {
  Seen seen;
  std::map<uint32_t, std::optional<Aim>> aims;  // by swap; none: it is tried once
  each_warp(trace, [&](const TracedBlock&, const TracedWarp& warp) {
    for (const TracedAccess& access : warp.accesses)
      if (is_swap(trace, access)) aims[access.instruction] = std::nullopt;
  });
  if (aims.empty()) return seen;
  const LoopDecisions loops(trace);
  for (auto& [swap, aim] : aims)
    if (loops.decides(swap)) aim = aim_of(trace, swap);
  each_warp(trace, [&](const TracedBlock& block, const TracedWarp& warp) {
    for (const TracedAccess& access : warp.accesses) {
      if (!is_swap(trace, access) || !aims[access.instruction]) continue;
      for (uint32_t i = 0; i < access.sectors; ++i) {
        Place& place = seen.places[block.sectors[access.first_sector + i]];
        place.is_best |= aims[access.instruction] == Aim::best;
        place.swap = access.instruction;
      }
    }
  });
  const TracedBlock* last = nullptr;
  each_warp(trace, [&](const TracedBlock& block, const TracedWarp& warp) {
    seen.warps += 1;
    seen.blocks += last != &block;
    last = &block;
    std::unordered_map<uint64_t, double> lanes;
    for (const TracedAccess& access : warp.accesses) {
      seen.requests += access.kind == AccessKind::global_atomic;
      const bool swaps = is_swap(trace, access) && aims[access.instruction];
      if (!swaps && access.kind != AccessKind::global_load) continue;
      for (uint32_t i = 0; i < access.sectors; ++i) {
        const auto place = seen.places.find(block.sectors[access.first_sector + i]);
        if (place == seen.places.end()) continue;
        double& most = lanes[place->first];
        most = std::max(most, lanes_at_one(access));
        if (!swaps) continue;
        place->second.holds += 1;
      }
    }
    for (const auto& [at, most] : lanes) {
      Place& place = seen.places[at];
      place.lanes += most;
      place.blocks += place.last != &block;
      place.last = &block;
    }
  });
  return seen;
}

}  // namespace

Retries retries_of(const Trace& trace, const Contenders& all) {
  const Seen seen = seen_in(trace);
  Retries most;
  if (seen.requests == 0) return most;
  const double times = std::max(1.0, all.requests / seen.requests);
  for (const auto& [sector, place] : seen.places) {
    // Where few of the traced blocks come, others go elsewhere.
    if (place.blocks < seen.blocks / 4) continue;
    const double holds = place.holds * times,
                 resident = std::max(1.0, place.lanes / seen.warps * all.warps);
    Retries here{.swap = place.swap, .sector = sector, .is_best = place.is_best};
    if (place.is_best) {
      // All that are there try once or twice. If each improves on the one before, on the emulator, half of those that are left do so later.
      // Who improves does so after the one before, at its distance.
      const double halves = std::log2(resident),
                   rounds = tries_for_best + halves / 2 * std::min(1.0, holds / resident);
      here.lanes = resident;
      here.cycles = here.alone =
          std::max(resident * rounds * of_try, std::min(holds, 2 * halves) * all.trip);
    } else {
      here.lanes = std::min(holds, resident);
      here.cycles = holds * std::max(all.trip, of_try * tries_of_each(here.lanes));
      here.alone = holds * all.trip;
    }
    if (std::pair(here.cycles, here.sector) > std::pair(most.cycles, most.sector)) most = here;
  }
  return most;
}

}  // namespace headroom
