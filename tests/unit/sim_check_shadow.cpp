// The memory of who touched a word: a column of a page for each kind of record, once one is needed,
// taken from what is over where there is such.
//
//   one record of each kind, stored in two words      loaded as stored; their neighbour has none
#include <gtest/gtest.h>

#include "sim/check/shadow.h"

namespace headroom::sim::check {
namespace {

constexpr uint64_t place = 0x10'0000'0040;

Record record_of(uint32_t epoch) { return Record::of(epoch, 1, 2, 15, Scope::none, 3); }

TEST(Shadow, KeepsTheFourRecordsOfAWordApart) {
  Shadow shadow;
  shadow.word(place).store({record_of(1), record_of(2), record_of(3), record_of(4)}, 0);
  const Cell cell = shadow.word(place).load();
  EXPECT_EQ(cell.write.epoch(), 1u);
  EXPECT_EQ(cell.strong_write.epoch(), 2u);
  EXPECT_EQ(cell.read.epoch(), 3u);
  EXPECT_EQ(cell.other_read.epoch(), 4u);
  EXPECT_EQ(shadow.word(place + 4).load().read.epoch(), 0u);
}

TEST(Shadow, TakesAColumnOfLaunchesThatAreOver) {
  Shadow shadow;
  shadow.word(place).store({record_of(5), {}, {}, {}}, 0);
  shadow.word(place + 4).store({{}, {}, record_of(9), {}}, 6);
  EXPECT_EQ(shadow.word(place).load().write.epoch(), 0u);  // 5 is over
  EXPECT_EQ(shadow.word(place).load().read.epoch(), 0u);   // and is no read
  EXPECT_EQ(shadow.word(place + 4).load().read.epoch(), 9u);
}

TEST(Shadow, TakesNoColumnWithARecordOfUse) {
  Shadow shadow;
  shadow.word(place).store({record_of(5), {}, {}, {}}, 0);
  shadow.word(place + 8).store({record_of(6), {}, {}, {}}, 0);
  shadow.word(place + 4).store({{}, {}, record_of(9), {}}, 6);
  EXPECT_EQ(shadow.word(place + 8).load().write.epoch(), 6u);
  EXPECT_EQ(shadow.word(place).load().write.epoch(), 5u);
}

TEST(Shadow, ForgetsARangeAndNoMore) {
  Shadow shadow;
  const uint64_t page = place & ~uint64_t(4095);
  for (uint64_t at : {page - 4, page, page + 4092, page + 4096, page + 4100})
    shadow.word(at).store({record_of(5), {}, record_of(6), {}}, 0);
  shadow.word(page + 4096).split();
  shadow.forget(page, page + 4100);
  for (uint64_t at : {page, page + 4092, page + 4096}) {
    EXPECT_EQ(shadow.word(at).load().write.epoch(), 0u);
    EXPECT_EQ(shadow.word(at).bytes(), nullptr);
  }
  for (uint64_t at : {page - 4, page + 4100}) EXPECT_EQ(shadow.word(at).load().read.epoch(), 6u);
}

// With the program's own, below four times its memory: of words that one launch stores and the next,
// which nobody waited for, reads and stores elsewhere.
TEST(Shadow, TakesLessThanThreeTimesTheMemoryThatIsWrittenAndRead) {
  Shadow shadow;
  constexpr uint64_t bytes = 4 << 20, warp_bytes = 128;
  for (uint64_t at = 0; at < bytes; at += 4) {
    const auto record = [&](uint32_t launch, uint32_t instruction) {
      const uint32_t warp = uint32_t(at / warp_bytes);
      return Record::of(1 + launch * 10000 + warp / 8, warp % 8, uint32_t(at / 4) % 32, 15,
                        Scope::none, instruction);
    };
    shadow.word(place + at).store({record(0, 7), {}, {}, {}}, 0);
    shadow.word(place + at).store({record(0, 7), {}, record(1, 9), {}}, 0);
    shadow.word(place + at).store({record(0, 7), {}, record(1, 9), record(1, 12)}, 0);
  }
  EXPECT_LT(shadow.bytes(), 3 * bytes + bytes / 4);
  EXPECT_GT(shadow.bytes(), 3 * bytes);  // it counts what it has
}

// Each word by another instruction at another time: nothing of theirs is shared.
TEST(Shadow, KeepsRecordsThatShareNothing) {
  Shadow shadow;
  const auto record = [](uint32_t n) {
    return Record::of(1 + n, n % 32, n / 32 % 32, 1 + n % 15, Scope::none, n % 5000);
  };
  for (uint32_t round = 0; round < 3; ++round)
    for (uint32_t n = 0; n < 1024; ++n)
      shadow.word(4 * n).store({record(n + round), {}, record(7 * n + round), {}}, 0);
  for (uint32_t n = 0; n < 1024; ++n) {
    EXPECT_EQ(shadow.word(4 * n).load().write.bits, record(n + 2).bits);
    EXPECT_EQ(shadow.word(4 * n).load().read.bits, record(7 * n + 2).bits);
  }
}

}  // namespace
}  // namespace headroom::sim::check
