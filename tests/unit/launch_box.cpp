// Which row an architecture uses: at compile time, at run time, as text. No GPU and no nvcc.
#include <gtest/gtest.h>

#include <string>

#include "headroom/launch_box/text.h"

namespace {

using namespace headroom;

struct own_30 : Row<30, 64> {
  static constexpr int P1 = 30;
  using Type = short;
};
struct own_35 : Row<35, 96, 3> {
  static constexpr int P1 = 35;
  using Type = double;
};

using One = LaunchBox<Row<80, 128, 7, 4>>;
using Two = LaunchBox<Row<80, 128, 7, 4>, Row<90, 256, 11, 2>>;
using Many = LaunchBox<Row<20, 32>, Row<21, 64>, Row<75, 96>, Row<100, 128>, Row<120, 160>>;
using Own = LaunchBox<own_30, own_35>;

// Compile time and run time are the same function.
static_assert(std::is_same_v<Two::At<80>, Row<80, 128, 7, 4>>);
static_assert(std::is_same_v<Two::At<89>, Row<80, 128, 7, 4>>);
static_assert(std::is_same_v<Two::At<90>, Row<90, 256, 11, 2>>);
static_assert(std::is_same_v<Two::At<1000>, Row<90, 256, 11, 2>>);
static_assert(!Two::find(79));
static_assert(Two::find(80) == Choice{80, 80, 128, 7, 4});
static_assert(Two::find(120) == Choice{120, 90, 256, 11, 2});
static_assert(Two::find(120)->inherited() && !Two::find(90)->inherited());
static_assert(std::is_same_v<Own::At<120>::Type, double>);

static_assert(TuningRow<own_30> && TuningRow<Row<80, 1>> && TuningRow<Row<80, 1024>>);
static_assert(!TuningRow<Row<80, 0>> && !TuningRow<Row<80, 1025>> && !TuningRow<Row<0, 32>> &&
              !TuningRow<Row<80, 32, 0>> && !TuningRow<Row<80, 32, 1, -1>> && !TuningRow<int>);

// The nearest earlier row, by its definition.
template <typename Tuning>
void expect_nearest_earlier_row() {
  for (int architecture = -1; architecture <= 3000; ++architecture) {
    int nearest = 0;
    Tuning::for_each([&](auto row) {
      if (row.architecture <= architecture) nearest = std::max(nearest, row.architecture);
    });
    const std::optional<Choice> found = Tuning::find(architecture);
    ASSERT_EQ(found.has_value(), nearest > 0) << architecture;
    if (!found) continue;
    ASSERT_EQ(found->architecture, architecture);
    ASSERT_EQ(found->row, nearest);
    ASSERT_EQ(found->inherited(), nearest != architecture);
    Tuning::for_each([&](auto row) {
      if (row.architecture != nearest) return;
      ASSERT_EQ(*found, (Choice{architecture, nearest, row.NT, row.VT, row.OCC}));
    });
    ASSERT_EQ(Tuning::visit(architecture, [](auto row) { return row.architecture; }), nearest);
  }
}

TEST(LaunchBox, EveryArchitectureUsesTheNearestEarlierRow) {
  expect_nearest_earlier_row<One>();
  expect_nearest_earlier_row<Two>();
  expect_nearest_earlier_row<Many>();
  expect_nearest_earlier_row<Own>();
}

TEST(LaunchBox, ParametersOfOnesOwnComeWithTheRow) {
  const auto p1 = [](auto row) { return row.P1; };
  const auto bytes = [](auto row) { return sizeof(typename decltype(row)::Type); };
  EXPECT_EQ(Own::visit(30, p1), 30);
  EXPECT_EQ(Own::visit(34, bytes), sizeof(short));
  EXPECT_EQ(Own::visit(90, p1), 35);
  EXPECT_EQ(Own::visit(90, bytes), sizeof(double));
}

TEST(LaunchBox, AnArchitectureBeforeTheFirstRowIsNamed) {
  try {
    Two::visit(75, [](auto) {});
    FAIL();
  } catch (const std::out_of_range& error) {
    EXPECT_STREQ(error.what(), "launch box: there is no row for sm_75: the first is that of sm_80");
  }
}

TEST(Choice, HasBlocksForEveryValue) {
  constexpr Choice foo = *One::find(80);
  static_assert(foo.NV() == 896 && foo.blocks(1'000'000) == 1117);
  EXPECT_EQ(foo.blocks(0), 0u);
  EXPECT_EQ(foo.blocks(1), 1u);
  EXPECT_EQ(foo.blocks(896), 1u);
  EXPECT_EQ(foo.blocks(897), 2u);
  EXPECT_EQ(foo.blocks(896ll * INT32_MAX), unsigned(INT32_MAX));
  EXPECT_THROW(foo.blocks(896ll * INT32_MAX + 1), std::invalid_argument);
  EXPECT_THROW(foo.blocks(INT64_MAX), std::invalid_argument);
  EXPECT_THROW(foo.blocks(-1), std::invalid_argument);
}

TEST(Choice, SaysWhoseRowItIs) {
  EXPECT_EQ(text(*Two::find(90)), "NT=256 VT=11 OCC=2");
  EXPECT_EQ(text(*Two::find(103)), "NT=256 VT=11 OCC=2 (sm_103 uses the row of sm_90)");
}

TEST(RowsText, NamesWhoUsesWhat) {
  EXPECT_EQ(rows_text<Two>(),
            "architectures  row     NT  VT  OCC    NV\n"
            "before sm_80   none\n"
            "sm_80 … sm_89  sm_80  128   7    4   896\n"
            "from sm_90     sm_90  256  11    2  2816\n");
  EXPECT_EQ(rows_text<Many>(),
            "architectures    row      NT  VT  OCC   NV\n"
            "before sm_20     none\n"
            "sm_20            sm_20    32   1    0   32\n"
            "sm_21 … sm_74    sm_21    64   1    0   64\n"
            "sm_75 … sm_99    sm_75    96   1    0   96\n"
            "sm_100 … sm_119  sm_100  128   1    0  128\n"
            "from sm_120      sm_120  160   1    0  160\n");
}

TEST(RowsText, HasColumnsOfOnesOwn) {
  const Column p1{"P1", [](auto row) { return row.P1; }};
  const Column word{"word", [](auto row) { return row.VT == 1 ? "one" : "more"; }};
  EXPECT_EQ(rows_text<Own>(p1, word),
            "architectures  row    NT  VT  OCC   NV  P1  word\n"
            "before sm_30   none\n"
            "sm_30 … sm_34  sm_30  64   1    0   64  30   one\n"
            "from sm_35     sm_35  96   3    0  288  35  more\n");
}

}  // namespace
