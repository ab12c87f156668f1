// The list of counters is complete, and docs/counters.md is written from it (HEADROOM_REBASE=1
// writes it anew).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <set>

#include "base/read_file.h"
#include "record/counters.h"
#include "record/instruction_class.h"
#include "record/json.h"
#include "record/pipe.h"

namespace headroom {
namespace {

TEST(Counters, every_field_has_one_row_with_all_its_words) {
  std::set<std::string_view> names;
  Counters counters{};
  for (const CounterField& field : counter_fields()) {
    EXPECT_TRUE(names.insert(field.name).second) << field.name;
    EXPECT_FALSE(field.unit.empty() || field.meaning.empty()) << field.name;
    EXPECT_EQ(counters.*field.value, 0u) << field.name << " shares its place with another row";
    counters.*field.value = 1;
  }
  EXPECT_EQ(sizeof(Counters), names.size() * sizeof(uint64_t));
}

TEST(Counters, a_profilers_name_stands_only_where_the_number_is_the_same_thing) {
  for (const CounterField& field : counter_fields())
    if (!field.profiler.empty()) {
      EXPECT_EQ(field.basis, Basis::exact) << field.name;
      EXPECT_TRUE(field.profiler.ends_with(".sum")) << field.name;
      EXPECT_TRUE(field.of_machine_code.empty()) << field.name;
    } else if (!field.of_machine_code.empty()) {
      EXPECT_TRUE(field.of_machine_code.ends_with(".sum")) << field.name;
    }
}

TEST(InstructionClasses, each_has_a_counter_of_the_list_and_a_title_of_its_own) {
  std::set<std::string_view> titles;
  std::set<uint64_t> places;
  Counters counters{};
  uint64_t place = 0;
  for (const CounterField& field : counter_fields()) counters.*field.value = ++place;
  for (const InstructionClassRow& row : instruction_classes) {
    EXPECT_EQ(&row_of(row.kind), &row);
    EXPECT_TRUE(titles.insert(row.title).second) << row.title;
    EXPECT_TRUE(row.counter.name.ends_with("_instructions")) << row.counter.name;
    const uint64_t here = counters.*row.counter.value;
    EXPECT_TRUE(places.insert(here).second) << row.title << " shares its counter";
    EXPECT_EQ(counter_fields()[here - 1].name, row.counter.name);
  }
  EXPECT_FALSE(places.contains(counters.warp_instructions));
}

TEST(Pipes, each_has_a_counter_of_machine_code_alone) {
  std::set<uint64_t> places;
  Counters counters{};
  uint64_t place = 0;
  for (const CounterField& field : counter_fields()) counters.*field.value = ++place;
  for (const PipeRow& row : pipes) {
    EXPECT_EQ(&row_of(row.pipe), &row);
    const uint64_t here = counters.*row.counter.value;
    EXPECT_TRUE(places.insert(here).second) << row.title << " shares its counter";
    EXPECT_EQ(counter_fields()[here - 1].name, row.counter.name);
  }
  for (const CounterField& field : counter_fields())
    EXPECT_EQ(field.machine_code_alone,
              field.name.starts_with("pipe_") || field.name.starts_with("register_"))
        << field.name;
  const auto of_ptx = to_json(counters, Engine::ptx),
             of_machine_code = to_json(counters, Engine::machine);
  EXPECT_FALSE(of_ptx.contains("pipe_alu"));
  EXPECT_EQ(counters_from(of_ptx).pipe_alu, 0u);
  EXPECT_EQ(counters_from(of_ptx).barriers, counters.barriers);
  EXPECT_EQ(counters_from(of_machine_code), counters);
}

TEST(Counters, mean_active_lanes_is_zero_when_nothing_ran) {
  Counters counters{};
  EXPECT_EQ(mean_active_lanes(counters), 0);
  counters.warp_instructions = 2;
  counters.thread_instructions = 48;
  EXPECT_EQ(mean_active_lanes(counters), 24);
}

std::string page() {
  std::string text =
      "# Counters\n\n"
      "What headroom counts in every launch, by executing the machine code that a GPU runs or, "
      "where "
      "that cannot be or with\n"
      "`--engine ptx`, the PTX. Written from the list in `src/record/counters.cpp`.\n\n"
      "*Of PTX*, exact: where machine code keeps the access, the profiler's counter of that name "
      "shows the same number;\n"
      "without a name, a fact of the execution that no profiler reports. Estimate: machine code "
      "differs from PTX, and the\n"
      "number is not comparable one to one. The compiler below PTX may remove, merge or widen "
      "accesses.\n\n"
      "*Of machine code* every number is exact, and instructions are counted by pipe too; what "
      "registers cost is a model of the\n"
      "register file (`src/sass/register_port.h`). Compared with Nsight Compute on an H200, launch "
      "by launch:\n"
      "[machine_vs_profiler.json](../results/h200/machine_vs_profiler.json).\n\n"
      "| counter | unit | meaning | of PTX | Nsight Compute |\n|---|---|---|---|---|\n";
  for (const CounterField& field : counter_fields()) {
    const bool only = field.profiler.empty() && !field.of_machine_code.empty();
    const std::string_view name = only ? field.of_machine_code : field.profiler;
    text +=
        fmt::format("| `{}` | {} | {} | {} | {}{} |\n", field.name, field.unit, field.meaning,
                    field.machine_code_alone      ? "–"
                    : field.basis == Basis::exact ? "exact"
                                                  : "estimate",
                    name.empty() ? "" : fmt::format("`{}`", name), only ? ", of machine code" : "");
  }
  return text;
}

TEST(Counters, the_page_in_docs_is_what_the_list_says) {
  const std::string path = HEADROOM_SOURCE "/docs/counters.md";
  if (std::getenv("HEADROOM_REBASE")) std::ofstream(path) << page();
  EXPECT_EQ(page(), load_file(path))
      << "run this test with HEADROOM_REBASE=1 to write the page anew";
}

}  // namespace
}  // namespace headroom
