// Which launches of equal counters did alike.
#include <gtest/gtest.h>

#include "model/pipeline/alike.h"
#include "played_kernel.h"

namespace headroom {
namespace {

uint64_t met_by(uint8_t same_address, uint64_t sector) {
  const sass::Instruction adds = instruction("ATOMS", {reg(1), reg(2)}, {});
  return access_hash(one_access(
      adds, {.kind = AccessKind::shared_atomic, .lanes = 32, .same_address = same_address},
      {sector}));
}

TEST(Alike, lanes_that_meet_at_an_address_count_and_where_it_lies_does_not) {
  EXPECT_EQ(met_by(4, 100), met_by(4, 200));
  EXPECT_NE(met_by(4, 100), met_by(5, 100));
}

}  // namespace
}  // namespace headroom
