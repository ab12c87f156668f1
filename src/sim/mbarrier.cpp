#include "sim/mbarrier.h"

namespace headroom::sim {

// Writes the word; a phase that has nothing to wait for is over, and the next begins.
Misuse BarrierWord::set(bool phase, int64_t transactions, uint64_t expected, uint64_t pending) {
  if (transactions > max_count || transactions < -max_count) return Misuse::transactions;
  if (pending == 0 && transactions == 0) {
    phase = !phase;
    pending = expected;
  }
  bits = 2ull << 62 | uint64_t(phase) << 61 | (uint64_t(transactions) & 0x1fffff) << 40 |
         expected << 20 | pending;
  return Misuse::none;
}

Misuse BarrierWord::init(uint64_t count) {
  if (count == 0 || count > max_count) return Misuse::count;
  return set(false, 0, count, count);
}

Misuse BarrierWord::arrive(uint64_t count, int64_t expected_transactions, unsigned how) {
  if (!initialised()) return Misuse::uninitialised;
  if (count == 0 || count > max_count) return Misuse::count;
  if (count > pending() || ((how & drop) && count > expected())) return Misuse::arrivals;
  const int64_t owed = transactions() + expected_transactions;
  if ((how & no_complete) && count == pending() && owed == 0) return Misuse::completed;
  return set(phase(), owed, expected() - (how & drop ? count : 0), pending() - count);
}

Misuse BarrierWord::expect(int64_t added) {
  if (!initialised()) return Misuse::uninitialised;
  const int64_t owed = transactions() + added;
  // Nothing is pending only while transactions are: this adds to them and completes nothing.
  return set(phase(), owed, expected(), pending());
}

Misuse BarrierWord::complete(int64_t done) { return expect(-done); }

}  // namespace headroom::sim
