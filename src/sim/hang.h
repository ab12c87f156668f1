// Notices that a launch will never end, and says why: every thread that is left waits, and nothing
// changes that any of them waits for.
//
//   HangWatch watch(10'000'000'000);
//   …  each time a block gives way:
//   if (!quiet) watch.worked(rounds);          // it did something
//   else if (watch.waited(residents, warps, rounds)) …   // a look is due
//     if (auto hang = watch.look({blocks, unstarted}, clock)) throw hang->fault;
//
// Proof of a hang is that all registers of all blocks are what they were some rounds before, while
// every warp only went round loops that wait, no such loop stores, and no atomic changed anything.
// What a loop makes of a clock does not count: where nothing else changes, time leaps, twice as far
// every time, and a loop that waits until a time ends; one that a century does not end hangs. The
// low words of clocks wrap meanwhile and show values all over their range. A loop that counts gives no such proof,
// and may have an end: there is a limit, far beyond what such loops do. A loop that writes memory, passes barriers,
// or that nobody takes for waiting has a limit only where one was asked for (--hang-after): what it does
// may be the program's work, however long. Asked for, it is the rounds of all loops since a block
// began or ended.
#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/program.h"

namespace headroom::sim {

struct Waiting {  // all that is left of a launch
  std::vector<const BlockState*> blocks;
  uint64_t not_begun = 0;  // blocks for which there is no room
};

struct Hang {
  Fault fault;
  const Warp* warp;
};

class HangWatch {
 public:
  explicit HangWatch(std::optional<uint64_t> asked_for)
      : limit_(asked_for.value_or(patience_with_waiting)), asked_for_(asked_for.has_value()) {}

  // A block began or ended.
  void changed() {
    moved();
    ran_ = 0;
  }
  // One did more than wait; true if that went on for longer than asked for.
  bool worked(double rounds) {
    moved();
    ran_ += rounds;
    return asked_for_ && ran_ >= double(limit_);
  }
  // One of so many blocks only waited, so many of its warps for so many rounds each; true if look()
  // shall be called.
  bool waited(uint64_t residents, uint64_t warps, uint64_t rounds);
  // Where a clock could end the waiting, `leapt` grows.
  std::optional<Hang> look(const Waiting&, uint64_t& leapt);
  static Hang give_up(const Waiting&);  // without a proof
  // That a host thread has to change what is waited for in its memory.
  static constexpr std::chrono::seconds time_to_answer{2};

 private:
  using Clock = std::chrono::steady_clock;
  // Rounds of waiting loops: one that waits until a time may go round for long.
  static constexpr uint64_t patience_with_waiting = 10'000'000'000;
  // Clocks leap by 2^first_leap, then by twice as much, …, so many times.
  static constexpr uint32_t first_leap = 10, max_leaps = 52;
  // And once that would no longer move a low word, by this too: 2^32 by the golden ratio, whose
  // multiples leave no wide gap (a loop may wait while 32 bits of a difference are less than
  // 4 200 000 000).
  static constexpr uint64_t low_word_leap = 0x9E37'79B9;
  // Rounds after the last of them in which only low words leap and nothing may change: a loop may
  // wait for a lucky clock.
  static constexpr uint64_t still_rounds = 256;
  uint64_t leap();
  bool host_may_answer(const Waiting&);
  void moved() {
    waited_ = rounds_ = spun_ = leaps_ = still_ = 0;
    answer_by_.reset();
  }

  uint64_t limit_;
  bool asked_for_;
  double ran_ = 0;  // rounds since a block began or ended
  // Since something moved: rounds of a warp of each block, most_rounds of these, rounds of all warps.
  uint64_t waited_ = 0, rounds_ = 0, spun_ = 0;
  uint64_t leaps_ = 0;                          // of the clocks, since then
  uint64_t still_ = 0;                          // rounds since the last of them
  std::optional<Clock::time_point> answer_by_;  // set once it is proved but for the host
  uint64_t before_ = 0;                         // state of the round that is a power of two
};

}  // namespace headroom::sim
