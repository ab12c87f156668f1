// What is said to do about accesses that are not coalesced, by how their lanes lie.
#include <gtest/gtest.h>

#include <vector>

#include "model/pipeline/excess_pattern.h"

namespace headroom {
namespace {

struct Made {
  uint32_t instruction;
  AccessKind kind;
  std::vector<uint64_t> addresses;  // of its lanes, 4 bytes each
};

std::string next(const std::vector<Made>& accesses) {
  ExcessPattern pattern;
  ExcessPattern::OfWarp warp(pattern);
  for (const Made& made : accesses) {
    std::vector<uint64_t> sectors;
    for (const uint64_t address : made.addresses)
      if (sectors.empty() || sectors.back() != address / 32) sectors.push_back(address / 32);
    warp.add({.instruction = made.instruction,
              .kind = made.kind,
              .bytes = 4,
              .offset = uint8_t(made.addresses[0] % 32),
              .lanes = uint8_t(made.addresses.size()),
              .sectors = uint32_t(sectors.size())},
             sectors.data());
  }
  return pattern.next();
}

std::vector<uint64_t> lanes(uint64_t first, uint64_t apart) {
  std::vector<uint64_t> made;
  for (uint64_t lane = 0; lane < 32; ++lane) made.push_back(first + lane * apart);
  return made;
}

constexpr AccessKind load = AccessKind::global_load, store = AccessKind::global_store;

TEST(ExcessPattern, threads_that_go_along_rows_of_their_own_share_them) {
  std::vector<Made> accesses;
  for (uint64_t i = 0; i < 16; ++i) accesses.push_back({0, load, lanes(4 * i, 4096)});
  EXPECT_NE(next(accesses).find("a row or a list of its own"), std::string::npos);
}

// A naive product of matrices: the lanes' rows lie side by side, and so do not their results.
TEST(ExcessPattern, who_puts_its_result_rows_away_swaps_indices) {
  std::vector<Made> accesses;
  for (uint64_t i = 0; i < 16; ++i) accesses.push_back({0, load, lanes(4 * i, 4096)});
  accesses.push_back({1, store, lanes(1 << 20, 4096)});
  EXPECT_NE(next(accesses).find("swap the indices"), std::string::npos);
}

TEST(ExcessPattern, what_goes_along_rows_on_one_side_only_needs_a_tile) {
  const Made row{0, load, lanes(0, 4)}, column{1, store, lanes(1 << 20, 4096)};
  EXPECT_NE(next({row, column}).find("written along columns"), std::string::npos);
  const Made from_column{0, load, lanes(0, 4096)}, to_row{1, store, lanes(1 << 20, 4)};
  EXPECT_NE(next({from_column, to_row}).find("read along columns"), std::string::npos);
  // Both along columns: neighbouring lanes for both.
  EXPECT_NE(next({from_column, column}).find("swap the indices"), std::string::npos);
}

TEST(ExcessPattern, structures_of_whole_vectors_are_loaded_by_them) {
  const auto fields = [](uint64_t size) {
    std::vector<Made> accesses;
    for (uint32_t field = 0; field < 4; ++field)
      accesses.push_back({field, load, lanes((1 << 20) + 4 * field, size)});
    return next(accesses);
  };
  EXPECT_NE(fields(32).find("float4"), std::string::npos);
  EXPECT_EQ(fields(28).find("float4"), std::string::npos);
  EXPECT_EQ(fields(uint64_t(-72)).find("float4"), std::string::npos);  // lanes that go down
  EXPECT_NE(fields(28).find("arrays of fields"), std::string::npos);
}

TEST(ExcessPattern, random_places_are_sorted) {
  EXPECT_NE(next({{0, load, {96, 544, 576, 1632, 3168, 5120, 5472}}}).find("no stride"),
            std::string::npos);
}

}  // namespace
}  // namespace headroom
