// A barrier in shared memory: the 64-bit word that mbarrier.* works on, and what each operation
// does to it. By the manual's section 9.7.13.15.
//
//   | 63 62 | 61    | 60 … 40              | 39 … 20  | 19 … 0  |
//   |  1 0  | phase | transactions, signed | expected | pending |
//
// A phase is complete when nothing is pending, neither arrivals nor transactions (bytes, mostly). A
// program may not rely on the layout; ours marks words that mbarrier.init wrote, so that others are
// noticed. The state that an arrival returns is the word before it.
#pragma once
#include <cstdint>

namespace headroom::sim {

// What a program does wrong with a barrier.
enum class Misuse : uint8_t {
  none,
  uninitialised,  // no mbarrier.init before, or memory written by other means since
  count,          // of arrivals: 0, or beyond 2^20 - 1
  arrivals,       // more than are pending in this phase
  transactions,   // beyond ±(2^20 - 1)
  completed,      // by an arrival that says .noComplete
};

struct BarrierWord {
  uint64_t bits = 0;
  static constexpr int64_t max_count = (1 << 20) - 1;  // of each count

  Misuse init(uint64_t count);
  bool initialised() const { return bits >> 62 == 2; }
  bool phase() const { return bits >> 61 & 1; }
  int64_t transactions() const { return int64_t(bits << 3) >> 43; }
  uint64_t expected() const { return bits >> 20 & max_count; }
  uint64_t pending() const { return bits & max_count; }

  enum Arrival : uint8_t { plain = 0, drop = 1, no_complete = 2 };  // or-ed together
  // `expected_transactions` are added before the arrival.
  Misuse arrive(uint64_t count, int64_t expected_transactions = 0, unsigned how = plain);
  Misuse expect(int64_t transactions);    // mbarrier.expect_tx
  Misuse complete(int64_t transactions);  // mbarrier.complete_tx, and copies that end

  // The phase of that parity, or in which that state was, is over.
  bool passed(bool parity) const { return phase() != parity; }

 private:
  Misuse set(bool phase, int64_t transactions, uint64_t expected, uint64_t pending);
};

}  // namespace headroom::sim
