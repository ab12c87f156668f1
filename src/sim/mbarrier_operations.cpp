#include "sim/mbarrier_operations.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "sim/observer.h"
#include "sim/spaces.h"

namespace headroom::sim {
namespace {

template <class T>
T* at(const Warp& warp, uint32_t operand) {
  return reinterpret_cast<T*>(warp.base + operand);
}

uint64_t address_of(const Warp& warp, const Operation& operation, int lane) {
  const uint64_t base = operation.extra & wide_address
                            ? at<uint64_t>(warp, operation.operand[1])[lane]
                            : at<uint32_t>(warp, operation.operand[1])[lane];
  return base + uint64_t(operation.offset);
}

std::byte* place_of(const Warp& warp, int lane, uint64_t address, bool generic,
                    uint32_t instruction) {
  std::byte* bytes = generic ? resolve_generic(warp, lane, address, 8, "mbarrier", instruction)
                             : resolve_shared(warp, lane, address, 8, "mbarrier", instruction);
  if (address % 8) {
    throw Fault{"misaligned_mbarrier",
                "an mbarrier object at an address that is no multiple of 8",
                716,
                address,
                instruction,
                lane};
  }
  return bytes;
}

[[noreturn]] void refuse(Misuse misuse, BarrierWord word, uint64_t address, uint32_t instruction,
                         int lane) {
  std::string what;
  switch (misuse) {
    case Misuse::uninitialised:
      what = "no mbarrier.init made a barrier here, or something else was written over it since";
      break;
    case Misuse::count: what = "a barrier counts from 1 to 1048575 arrivals at once"; break;
    case Misuse::arrivals:
      what = fmt::format(
          "more arrivals than this phase waits for: {} of {} are pending, and {} transactions",
          word.pending(), word.expected(), word.transactions());
      break;
    case Misuse::transactions:
      what = fmt::format("the transactions pending are beyond ±1048575: there were {} before this",
                         word.transactions());
      break;
    default: what = "an arrival that says .noComplete completed the phase";
  }
  static constexpr const char* kinds[] = {"",
                                          "mbarrier_uninitialised",
                                          "mbarrier_count",
                                          "mbarrier_arrivals",
                                          "mbarrier_transactions",
                                          "mbarrier_completed"};
  throw Fault{kinds[int(misuse)], what, 719, address, instruction, lane};
}

// Calls `act` with the word of each lane's barrier, which it may change; it says what was wrong. The observer
// is told whether `is_over` of the word before and behind.
template <class Act, class IsOver>
void each_barrier(Warp& warp, const Operation& operation, Synchronised::What what, Act&& act,
                  IsOver&& is_over) {
  for (uint32_t left = warp.mask; left; left &= left - 1) {
    const int lane = std::countr_zero(left);
    const uint64_t address = address_of(warp, operation, lane);
    std::byte* bytes =
        place_of(warp, lane, address, operation.extra & generic_address, operation.instruction);
    BarrierWord word;
    std::memcpy(&word.bits, bytes, 8);
    const BarrierWord before = word;
    const Misuse misuse = act(word, lane);
    if (misuse != Misuse::none) refuse(misuse, word, address, operation.instruction, lane);
    std::memcpy(bytes, &word.bits, 8);
    observe(Synchronised{warp, operation, bytes, what, is_over(before, word, lane)});
  }
}

template <class Change>
void change_each(Warp& warp, const Operation& operation, Change&& change,
                 Synchronised::What what = Synchronised::arrives) {
  each_barrier(warp, operation, what, change, [](BarrierWord before, BarrierWord after, int) {
    return before.phase() != after.phase();
  });
}

template <class Holds>
void wait(Warp& warp, const Operation& operation, Holds&& holds) {
  uint32_t over = 0;
  each_barrier(
      warp, operation, Synchronised::waits,
      [&](const BarrierWord& word, int lane) {
        over |= uint32_t(holds(word, lane)) << lane;
        return word.initialised() ? Misuse::none : Misuse::uninitialised;
      },
      [&](BarrierWord, BarrierWord, int lane) { return bool(over >> lane & 1); });
  uint32_t* out = at<uint32_t>(warp, operation.operand[0]);
  *out = (*out & ~warp.mask) | over;
}

}  // namespace

void mbarrier_init(Warp& warp, const Operation& operation) {
  change_each(
      warp, operation,
      [&](BarrierWord& word, int lane) {
        return word.init(at<uint32_t>(warp, operation.operand[2])[lane]);
      },
      Synchronised::begins);
}

void mbarrier_inval(Warp& warp, const Operation& operation) {
  change_each(warp, operation, [&](BarrierWord& word, int) {
    if (!word.initialised()) return Misuse::uninitialised;
    word.bits = 0;
    return Misuse::none;
  });
}

void mbarrier_expect(Warp& warp, const Operation& operation) {
  change_each(warp, operation, [&](BarrierWord& word, int lane) {
    return word.expect(at<uint32_t>(warp, operation.operand[2])[lane]);
  });
}

void mbarrier_complete(Warp& warp, const Operation& operation) {
  change_each(warp, operation, [&](BarrierWord& word, int lane) {
    return word.complete(at<uint32_t>(warp, operation.operand[2])[lane]);
  });
}

void mbarrier_arrive(Warp& warp, const Operation& operation) {
  const unsigned how =
      (operation.extra & drops ? unsigned(BarrierWord::drop) : 0u) |
      (operation.extra & must_not_complete ? unsigned(BarrierWord::no_complete) : 0u);
  change_each(warp, operation, [&](BarrierWord& word, int lane) {
    const uint32_t value = at<uint32_t>(warp, operation.operand[2])[lane];
    if (operation.operand[0] != no_operand)
      at<uint64_t>(warp, operation.operand[0])[lane] = word.bits;
    return operation.extra & expects ? word.arrive(1, value, how) : word.arrive(value, 0, how);
  });
}

void mbarrier_state(Warp& warp, const Operation& operation) {
  wait(warp, operation, [&](const BarrierWord& word, int lane) {
    return word.passed(BarrierWord{at<uint64_t>(warp, operation.operand[2])[lane]}.phase());
  });
}

void mbarrier_parity(Warp& warp, const Operation& operation) {
  wait(warp, operation, [&](const BarrierWord& word, int lane) {
    return word.passed(at<uint32_t>(warp, operation.operand[2])[lane] & 1);
  });
}

void mbarrier_pending(Warp& warp, const Operation& operation) {
  for (uint32_t left = warp.mask; left; left &= left - 1) {
    const int lane = std::countr_zero(left);
    const BarrierWord state{at<uint64_t>(warp, operation.operand[1])[lane]};
    at<uint32_t>(warp, operation.operand[0])[lane] = uint32_t(state.pending());
  }
}

// Without .noinc one arrival more is pending from the instruction until its copies are done: now.
void mbarrier_copies(Warp& warp, const Operation& operation) {
  change_each(warp, operation, [&](BarrierWord& word, int) {
    if (!(operation.extra & awaited))
      return word.initialised() ? Misuse::none : Misuse::uninitialised;
    return word.arrive(1);
  });
}

bool tests_barrier(const Operation& operation) {
  return operation.part == &mbarrier_state || operation.part == &mbarrier_parity;
}

std::string describe_wait(const Warp& warp, const Operation& operation, int lane) {
  // The register may hold something else by now: it need not live until the loop's end.
  const uint64_t address = address_of(warp, operation, lane);
  const SpaceAddress at =
      operation.extra & generic_address ? space_of(address) : SpaceAddress{Place::shared, address};
  if (at.place != Place::shared || at.address % 8 != 0 ||
      judge(warp, Place::shared, at.address, 8) != Verdict::legal)
    return "an mbarrier";
  BarrierWord word;
  std::memcpy(
      &word.bits,
      place_of(warp, lane, address, operation.extra & generic_address, operation.instruction), 8);
  std::string words = fmt::format(
      "an mbarrier at offset {} of shared memory, where {} of {} arrivals {} pending",
      address & 0xffff'ffff, word.pending(), word.expected(), word.pending() == 1 ? "is" : "are");
  if (word.transactions() > 0)
    words += fmt::format(", and {} bytes of copies", word.transactions());
  if (word.transactions() < 0)
    words += fmt::format(", and {} bytes more came than it expects", -word.transactions());
  return words;
}

void complete_transactions(const Warp& warp, const Operation& operation, int lane, uint64_t barrier,
                           int64_t bytes) {
  std::byte* place = place_of(warp, lane, barrier, false, operation.instruction);
  BarrierWord word;
  std::memcpy(&word.bits, place, 8);
  const bool phase = word.phase();
  const Misuse misuse = word.complete(bytes);
  if (misuse != Misuse::none) refuse(misuse, word, barrier, operation.instruction, lane);
  std::memcpy(place, &word.bits, 8);
  observe(Synchronised{warp, operation, place, Synchronised::arrives, word.phase() != phase});
}

}  // namespace headroom::sim
