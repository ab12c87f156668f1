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

}  // namespace
}  // namespace headroom::sim::check
