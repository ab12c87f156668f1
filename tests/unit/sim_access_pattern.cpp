// Sectors and wavefronts of single accesses: counted by hand, and random ones against a second
// count.
//
//     32 lanes of 4 bytes, 8 bytes apart   global: 8 sectors   shared: 2 wavefronts, 1 a conflict
//     32 lanes of 8 bytes, 8 bytes apart   global: 8 sectors   shared: 2 wavefronts, no conflict
//
// The second count follows the rules in src/sim/access_pattern.cpp word by word, with sets and
// maps, byte by byte. What an H200 counts of whole programs is in results/corpus_vs_profiler.json.
#include <gtest/gtest.h>

#include <bit>
#include <functional>
#include <map>
#include <numeric>
#include <ostream>
#include <random>
#include <set>
#include <vector>

#include "base/host.h"
#include "fewer.h"
#include "sim/access_pattern.h"
#include "sim/lanes/pattern.h"

namespace headroom::sim {
namespace {

using Where = std::function<uint64_t(int lane)>;

struct Access {
  uint64_t address[lanes];
  uint32_t mask;
  int bytes;
};

Access access(int bytes, const Where& where, uint32_t mask = all_lanes) {
  Access made{{}, mask, bytes};
  for (int lane = 0; lane < lanes; ++lane) made.address[lane] = where(lane);
  return made;
}

bool runs(const Access& access, int lane) { return access.mask >> lane & 1; }

AccessPattern pattern_of(const Access& access) {
  AccessPattern pattern{};
  uint64_t first = 0;
  for (int lane = lanes - 1; lane >= 0; --lane) {
    if (runs(access, lane)) first = access.address[lane];
  }
  for (int lane = 0; lane < lanes; ++lane)
    pattern.delta[lane] = runs(access, lane) ? access.address[lane] - first : 0;
  pattern.mask = access.mask;
  pattern.phase = uint32_t(first % 32);
  pattern.bytes = uint8_t(access.bytes);
  return pattern;
}

int global_sectors(const Access& access) {
  AccessPattern pattern = pattern_of(access);
  analyse_global(pattern);
  return pattern.sectors;
}

int local_sectors(const Access& access) {
  AccessPattern pattern = pattern_of(access);
  analyse_local(pattern);
  return pattern.sectors;
}

struct Passes {
  int wavefronts, conflicts;
  bool operator==(const Passes&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Passes& passes) {
  return out << passes.wavefronts << " wavefronts, " << passes.conflicts << " conflicts";
}

Passes shared_passes(const Access& access) {
  AccessPattern pattern = pattern_of(access);
  analyse_shared(pattern);
  return {pattern.wavefronts, pattern.conflicts};
}

// The second count.

int slow_global_sectors(const Access& access) {
  std::set<uint64_t> sectors;
  for (int lane = 0; lane < lanes; ++lane) {
    for (int byte = 0; runs(access, lane) && byte < access.bytes; ++byte) {
      sectors.insert((access.address[lane] + uint64_t(byte)) / 32);
    }
  }
  return int(sectors.size());
}

int slow_local_sectors(const Access& access) {
  std::set<uint64_t> sectors;  // word w of lane l lies at word 32 w + l
  for (int lane = 0; lane < lanes; ++lane) {
    for (int byte = 0; runs(access, lane) && byte < access.bytes; ++byte) {
      sectors.insert(((access.address[lane] + uint64_t(byte)) / 4 * 32 + uint64_t(lane)) * 4 / 32);
    }
  }
  return int(sectors.size());
}

// One pass over some lanes: the distinct words of each bank.
Passes slow_pass(const Access& access, const std::vector<int>& served) {
  std::map<uint64_t, std::set<uint64_t>> words_of_bank;
  for (int lane : served) {
    for (int byte = 0; runs(access, lane) && byte < access.bytes; ++byte) {
      const uint64_t word = (access.address[lane] + uint64_t(byte)) / 4;
      words_of_bank[word % 32].insert(word);
    }
  }
  int most = 0;
  for (const auto& [bank, words] : words_of_bank) most = std::max(most, int(words.size()));
  return {most, std::max(0, most - 1)};
}

bool pairs_agree(const Access& access, const std::vector<int>& served, int neighbour) {
  for (int lane : served) {
    const int other = lane ^ neighbour;
    if (runs(access, lane) && runs(access, other) && access.address[lane] != access.address[other])
      return false;
  }
  return true;
}

Passes slow_shared_passes(const Access& access) {
  auto range = [](int from, int to) {
    std::vector<int> served;
    for (int lane = from; lane < to; ++lane) served.push_back(lane);
    return served;
  };
  // Lanes that may be served in one pass, and how many each pass serves if they may not.
  const int together = access.bytes == 16 ? 16 : 32, apart = access.bytes <= 4   ? 32
                                                             : access.bytes == 8 ? 16
                                                                                 : 8;
  const auto all = range(0, lanes);
  const bool merged = pairs_agree(access, all, 1) || pairs_agree(access, all, 2);
  Passes sum{0, 0};
  for (int from = 0; from < lanes; from += together) {
    const int step = merged ? together : apart;
    for (int part = from; part < from + together; part += step) {
      const Passes passes = slow_pass(access, range(part, part + step));
      sum.wavefronts += passes.wavefronts;
      sum.conflicts += passes.conflicts;
    }
  }
  return sum;
}

TEST(GlobalSectors, of_strides_and_widths_by_hand) {
  for (int bytes : {1, 2, 4, 8, 16}) {
    EXPECT_EQ(global_sectors(access(bytes, [=](int lane) { return uint64_t(lane * bytes); })),
              bytes)
        << bytes;
  }
  for (uint64_t stride = 1; stride <= 64;
       ++stride) {  // of 4-byte elements: 32 lanes span (31 stride + 1) · 4 bytes
    const int expected = stride < 8 ? int((31 * stride * 4) / 32 + 1) : 32;
    EXPECT_EQ(global_sectors(access(4, [=](int lane) { return uint64_t(lane) * stride * 4; })),
              expected)
        << stride;
  }
}

TEST(GlobalSectors, one_more_when_the_first_lane_is_inside_a_sector) {
  for (uint64_t offset = 0; offset < 64; offset += 4) {
    EXPECT_EQ(
        global_sectors(access(4, [=](int lane) { return 4096 + offset + uint64_t(lane) * 4; })),
        offset % 32 == 0 ? 4 : 5)
        << offset;
  }
}

TEST(GlobalSectors, of_a_broadcast_is_one_and_of_partial_warps_only_theirs) {
  EXPECT_EQ(global_sectors(access(4, [](int) { return 512ull; })), 1);
  EXPECT_EQ(global_sectors(access(
                4, [](int lane) { return uint64_t(lane) * 4; }, 0x1)),
            1);
  EXPECT_EQ(global_sectors(access(
                4, [](int lane) { return uint64_t(lane) * 4; }, 0x80000001)),
            2);
  EXPECT_EQ(global_sectors(access(
                4, [](int lane) { return uint64_t(lane) * 4; }, 0x0000ff00)),
            1);
  EXPECT_EQ(global_sectors(access(4, [](int lane) { return uint64_t(31 - lane) * 4; })),
            4);  // backwards
  EXPECT_EQ(global_sectors(access(4, [](int lane) { return uint64_t(lane ^ 21) * 4; })),
            4);  // permuted
}

TEST(GlobalSectors, are_listed_in_order_relative_to_the_first_lane) {
  AccessPattern pattern =
      pattern_of(access(4, [](int lane) { return 4096 + uint64_t(31 - lane) * 4; }));
  analyse_global(pattern);
  ASSERT_EQ(pattern.sectors, 4);
  EXPECT_TRUE(pattern.consecutive);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(pattern.sector[i], i - 3);
  pattern = pattern_of(access(4, [](int lane) { return uint64_t(lane % 2) * 64; }));
  analyse_global(pattern);
  ASSERT_EQ(pattern.sectors, 2);
  EXPECT_FALSE(pattern.consecutive);
}

// Against a set, for lanes that lie anywhere: near, far, in order or not, some of them idle.
TEST(GlobalSectors, are_those_of_a_set) {
  std::mt19937_64 random(20261121);
  for (int trial = 0; trial < 4000; ++trial) {
    const uint64_t range = uint64_t(1) << (2 + random() % 45);
    Access any = access(4, [&](int) { return (random() % range) * 4; });
    any.mask = trial % 3 ? uint32_t(random()) | 1u << random() % 32 : ~0u;
    if (trial % 2) std::sort(any.address, any.address + lanes);
    AccessPattern pattern = pattern_of(any);
    analyse_global(pattern);
    std::set<int64_t> expected;
    for (int lane = 0; lane < lanes; ++lane) {
      if (runs(any, lane)) expected.insert(int64_t(pattern.phase + pattern.delta[lane]) >> 5);
    }
    const std::set<int64_t> listed(pattern.sector, pattern.sector + pattern.sectors);
    EXPECT_EQ(listed, expected);
    EXPECT_EQ(pattern.sectors, expected.size());
    EXPECT_EQ(pattern.consecutive,
              *expected.rbegin() - *expected.begin() == int64_t(expected.size()) - 1);
  }
}

TEST(LocalSectors, hold_one_word_of_eight_lanes) {
  EXPECT_EQ(local_sectors(access(4, [](int) { return 0ull; })), 4);
  EXPECT_EQ(local_sectors(access(1, [](int) { return 3ull; })), 4);
  EXPECT_EQ(local_sectors(access(8, [](int) { return 8ull; })), 8);
  EXPECT_EQ(local_sectors(access(16, [](int) { return 16ull; })), 16);
  EXPECT_EQ(local_sectors(access(
                4, [](int) { return 0ull; }, 0xff)),
            1);
  EXPECT_EQ(local_sectors(access(4, [](int lane) { return uint64_t(lane) * 4; })), 32);
}

TEST(SharedPasses, of_4_byte_strides_are_the_common_divisor_with_32) {
  for (int stride = 1; stride <= 64; ++stride) {
    const int ways = std::gcd(stride, 32);
    EXPECT_EQ(shared_passes(access(4, [=](int lane) { return uint64_t(lane * stride) * 4; })),
              (Passes{ways, ways - 1}))
        << stride;
  }
}

TEST(SharedPasses, of_lanes_that_want_the_same_word_are_one) {
  EXPECT_EQ(shared_passes(access(4, [](int) { return 64ull; })), (Passes{1, 0}));
  EXPECT_EQ(shared_passes(access(1, [](int lane) { return uint64_t(lane); })),
            (Passes{1, 0}));  // four a word
  EXPECT_EQ(shared_passes(access(2, [](int lane) { return uint64_t(lane) * 2; })), (Passes{1, 0}));
  EXPECT_EQ(shared_passes(access(4, [](int lane) { return uint64_t(lane % 2) * 128; })),
            (Passes{2, 1}));
  EXPECT_EQ(shared_passes(access(
                4, [](int lane) { return uint64_t(lane) * 128; }, 0xf)),
            (Passes{4, 3}));
}

TEST(SharedPasses, of_8_bytes_take_two_halves_unless_neighbours_agree) {
  EXPECT_EQ(shared_passes(access(8, [](int lane) { return uint64_t(lane) * 8; })), (Passes{2, 0}));
  EXPECT_EQ(shared_passes(access(8, [](int) { return 8ull; })), (Passes{1, 0}));
  EXPECT_EQ(shared_passes(access(8, [](int lane) { return uint64_t(lane / 2) * 8; })),
            (Passes{1, 0}));  // i ^ 1
  EXPECT_EQ(
      shared_passes(access(8, [](int lane) { return uint64_t(lane % 2 + lane / 4 * 2) * 8; })),
      (Passes{1, 0}));  // i ^ 2
  EXPECT_EQ(
      shared_passes(access(8, [](int lane) { return uint64_t(lane / 4 + lane % 4 * 8) * 8; })),
      (Passes{4, 2}));
  EXPECT_EQ(shared_passes(access(
                8, [](int lane) { return uint64_t(lane) * 8; }, 0x55555555)),
            (Passes{2, 1}));  // one pass
  EXPECT_EQ(shared_passes(access(
                8, [](int lane) { return uint64_t(lane) * 8; }, 0x0000ffff)),
            (Passes{1, 0}));
  EXPECT_EQ(shared_passes(access(8, [](int lane) { return uint64_t(lane) * 16; })), (Passes{4, 2}));
  // neighbours agree in the first half only: nothing merges
  EXPECT_EQ(
      shared_passes(access(8, [](int lane) { return uint64_t(lane < 16 ? lane / 2 : lane) * 8; })),
      (Passes{2, 0}));
}

TEST(SharedPasses, of_16_bytes_take_four_quarters_or_two_halves) {
  EXPECT_EQ(shared_passes(access(16, [](int lane) { return uint64_t(lane) * 16; })),
            (Passes{4, 0}));
  EXPECT_EQ(shared_passes(access(16, [](int) { return 0ull; })), (Passes{2, 0}));  // never one
  EXPECT_EQ(shared_passes(access(16, [](int lane) { return uint64_t(lane / 2) * 16; })),
            (Passes{2, 0}));
  // neighbours agree in the first half only: an H200 counts four
  EXPECT_EQ(shared_passes(
                access(16, [](int lane) { return uint64_t(lane < 16 ? lane / 2 : lane) * 16; })),
            (Passes{4, 0}));
  EXPECT_EQ(shared_passes(access(
                16, [](int lane) { return uint64_t(lane) * 16; }, 0x000000ff)),
            (Passes{1, 0}));
  EXPECT_EQ(shared_passes(access(16, [](int lane) { return uint64_t(lane) * 32; })),
            (Passes{8, 4}));
}

// Access patterns like programs make them: strided, in rows, gathered, with lanes that idle or
// share.
Access random_access(std::mt19937& random) {
  auto below = [&](int bound) { return int(random() % unsigned(bound)); };
  const int bytes = 1 << below(5), kind = below(4), stride = below(70), row = 1 + below(32),
            range = 1 + below(256);
  const uint64_t base = 4096 + uint64_t(below(64)) * uint64_t(bytes);
  uint64_t gathered[lanes];
  for (uint64_t& each : gathered) each = uint64_t(below(range));
  const int share = 1 << below(3);
  Access made = access(bytes, [&](int lane) -> uint64_t {
    const int who = lane / share;
    const uint64_t element = kind == 0   ? uint64_t(who * stride)
                             : kind == 1 ? uint64_t(who % row + who / row * stride)
                             : kind == 2 ? gathered[who]
                                         : gathered[lane & ~2];
    return base + element * uint64_t(bytes);
  });
  made.mask = below(2) ? all_lanes : random() & random();
  if (made.mask == 0) made.mask = 1u << below(32);
  return made;
}

TEST(AccessPatterns, of_random_accesses_agree_with_the_second_count) {
  std::mt19937 random(7);
  int merged = 0;
  for (int round = 0; round < fewer(30'000); ++round) {
    const Access made = random_access(random);
    ASSERT_EQ(global_sectors(made), slow_global_sectors(made)) << "round " << round;
    ASSERT_EQ(local_sectors(made), slow_local_sectors(made)) << "round " << round;
    ASSERT_EQ(shared_passes(made), slow_shared_passes(made))
        << "round " << round << ", " << made.bytes << " bytes";
    if (made.bytes == 8 && made.mask == all_lanes && shared_passes(made).wavefronts == 1) ++merged;
  }
  EXPECT_GT(merged, fewer(100)) << "the draw should reach accesses that merge";
}

// As the best engine does it, by vectors.
AccessPattern of_engine(const Access& access, Place place) {
  AccessPattern pattern{};
  uint64_t settled[lanes];
  const int first = std::countr_zero(access.mask);
  for (int lane = 0; lane < lanes; ++lane)
    settled[lane] = access.address[runs(access, lane) ? lane : first];
  EXPECT_TRUE(HEADROOM_ISA::take_pattern(access.mask, uint8_t(access.bytes), settled, pattern));
  pattern.place = place;
  HEADROOM_ISA::analyse(pattern);
  return pattern;
}

void expect_the_same_lie(const AccessPattern& got, const AccessPattern& plain) {
  int64_t low = 0, high = 0;
  for (int lane = 0; lane < lanes; ++lane) {
    ASSERT_EQ(got.delta[lane], plain.delta[lane]) << lane;
    ASSERT_EQ(got.delta32[lane], uint32_t(plain.delta[lane])) << lane;
    low = std::min(low, int64_t(plain.delta[lane]));
    high = std::max(high, int64_t(plain.delta[lane]));
  }
  ASSERT_EQ(got.low, low);
  ASSERT_EQ(got.high, high);
}

TEST(AccessPatterns, of_the_engine_are_the_plain_ones) {
  if (!host_runs(HEADROOM_ISA_NAME)) GTEST_SKIP() << "another processor";
  std::mt19937 random(20261126);
  for (int round = 0; round < fewer(30'000); ++round) {
    Access made = random_access(random);
    if (round % 5 == 0)  // as far apart as memory is
      for (uint64_t& address : made.address)
        address += uint64_t(random()) % (uint64_t(1) << (round % 32)) * uint64_t(made.bytes);
    AccessPattern plain = pattern_of(made);
    analyse_global(plain);
    const AccessPattern global = of_engine(made, Place::global);
    expect_the_same_lie(global, plain);
    ASSERT_EQ(global.sectors, plain.sectors) << "round " << round;
    ASSERT_EQ(global.consecutive, plain.consecutive) << "round " << round;
    for (int i = 0; i < plain.sectors; ++i)
      ASSERT_EQ(global.sector[i], plain.sector[i]) << "round " << round << ", sector " << i;
    ASSERT_EQ(of_engine(made, Place::local).sectors, local_sectors(made)) << "round " << round;
    const AccessPattern shared = of_engine(made, Place::shared);
    ASSERT_EQ((Passes{shared.wavefronts, shared.conflicts}), shared_passes(made))
        << "round " << round << ", " << made.bytes << " bytes, lanes " << made.mask;
  }
}

TEST(AccessPatterns, of_the_engine_know_how_the_lanes_lie) {
  if (!host_runs(HEADROOM_ISA_NAME)) GTEST_SKIP() << "another processor";
  const auto layout = [](const Access& made) { return of_engine(made, Place::global).layout; };
  const auto row = [](int lane) { return 4096 + uint64_t(lane) * 4; };
  EXPECT_EQ(layout(access(4, row)), HostAddresses::contiguous);
  EXPECT_EQ(layout(access(4, row, 0x7fffffff)), HostAddresses::window);
  EXPECT_EQ(layout(access(4, [](int) { return 4096ull; })), HostAddresses::uniform);
  EXPECT_EQ(layout(access(4, [](int lane) { return 4096 + uint64_t(lane) * 8; })),
            HostAddresses::spread);
  const auto eights = [](uint64_t step) {
    return
        [step](int lane) { return 65536 + uint64_t(lane / 8) * 640 + uint64_t(lane % 8) * step; };
  };
  EXPECT_EQ(layout(access(4, eights(4))), HostAddresses::rows);
  EXPECT_EQ(layout(access(4, eights(4), 0x7fffffff)), HostAddresses::spread);
  EXPECT_EQ(layout(access(8, eights(8))), HostAddresses::spread);
  EXPECT_EQ(layout(access(4, eights(0))), HostAddresses::steps);
  EXPECT_EQ(layout(access(4, [](int lane) { return uint64_t(lane) << 31; })),
            HostAddresses::scattered);
  AccessPattern odd{};
  uint64_t address[lanes];
  for (int lane = 0; lane < lanes; ++lane) address[lane] = 4096 + 8 * uint64_t(lane);
  EXPECT_TRUE(HEADROOM_ISA::take_pattern(all_lanes, 8, address, odd));
  address[30] += 4;
  EXPECT_FALSE(HEADROOM_ISA::take_pattern(all_lanes, 8, address, odd));
}

}  // namespace
}  // namespace headroom::sim
