// Formulas of floors: put in numbers for the names of counters and facts, and each gives the floor that the model says.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

#include "model/equations.h"

namespace headroom {
namespace {

// "(a + b) · 32 / max(0, c − d)", with names looked up.
class Formula {
 public:
  Formula(std::string text, const Machine& machine, const Counters& counters, double sms)
      : text_(std::move(text)), machine_(machine), counters_(counters), sms_(sms) {}
  double value() {
    const double result = sum();
    EXPECT_TRUE(rest().empty()) << text_ << ": " << rest();
    return result;
  }

 private:
  std::string_view rest() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return std::string_view(text_).substr(at_);
  }
  bool take(std::string_view word) {
    if (!rest().starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  double sum() {
    double result = product();
    for (;;) {
      if (take("+"))
        result += product();
      else if (take("−"))
        result -= product();
      else
        return result;
    }
  }
  double product() {
    double result = one();
    for (;;) {
      if (take("·"))
        result *= one();
      else if (take("/"))
        result /= one();
      else
        return result;
    }
  }
  double one() {
    for (const bool most : {true, false})
      if (take(most ? "max(" : "min(")) {
        const double a = sum();
        EXPECT_TRUE(take(","));
        const double b = sum();
        EXPECT_TRUE(take(")"));
        return most ? std::max(a, b) : std::min(a, b);
      }
    if (take("(")) {
      const double result = sum();
      EXPECT_TRUE(take(")"));
      return result;
    }
    const std::string_view from = rest();
    size_t end = 0;
    while (end < from.size() &&
           (std::isalnum(static_cast<unsigned char>(from[end])) || from[end] == '_'))
      ++end;
    at_ += end;
    return named(from.substr(0, end));
  }
  // In instructions, bytes and seconds.
  double named(std::string_view name) {
    if (name == "SMs") return sms_;
    for (const CounterField& field : counter_fields())
      if (field.name == name) return double(counters_.*field.value);
    for (const MachineField& field : machine_fields())
      if (field.name == name)
        return *(machine_.*field.fact) * (field.unit == "MHz"    ? 1e6
                                          : field.unit == "GB/s" ? 1e9
                                          : field.unit == "KiB"  ? 1024
                                                                 : 1);
    if (!name.empty() && std::isdigit(static_cast<unsigned char>(name[0])))
      return std::stod(std::string(name));
    ADD_FAILURE() << "nothing is called '" << name << "' in " << text_;
    return NAN;
  }

  std::string text_;
  const Machine& machine_;
  const Counters& counters_;
  double sms_;
  size_t at_ = 0;
};

LaunchRecord random_launch(Engine engine, unsigned seed) {
  std::mt19937 random(seed);
  LaunchRecord record;
  record.state = State::ran;
  record.engine = engine;
  record.shape.grid = {unsigned(64 + random() % 300), 1, 1};
  record.shape.block = {256, 1, 1};
  record.resources.accesses_kept = true;
  for (const CounterField& field : counter_fields())
    record.counters.*field.value = 1 + random() % 100'000'000;
  Counters& c = record.counters;
  c.unique_sectors = std::max(c.unique_load_sectors, c.unique_store_sectors) + random() % 1000;
  c.move_instructions = c.warp_instructions / 3;
  return record;
}

class Formulas : public testing::TestWithParam<const char*> {};

TEST_P(Formulas, GiveTheFloors) {
  const Machine machine = load_machine(GetParam());
  for (const Engine engine : {Engine::ptx, Engine::machine})
    for (unsigned seed = 0; seed < 20; ++seed) {
      LaunchRecord record = random_launch(engine, seed);
      if (seed % 2) record.counters.local_load_requests = record.counters.local_store_requests = 0;
      const Bounds bounds = bound(machine, record, occupancy(machine, {256, 32, 0, 0, {}}));
      const double sms = std::min(*machine.sm_count, double(record.shape.grid.count()));
      ASSERT_GT(bounds.floors.size(), 5u);
      for (const Floor& floor : bounds.floors) {
        const std::string formula = floor_formula(floor.resource, engine == Engine::machine);
        EXPECT_NEAR(Formula(formula, machine, record.counters, sms).value(), floor.seconds,
                    1e-9 * floor.seconds)
            << name_of(floor.resource) << ": " << formula;
      }
    }
}

INSTANTIATE_TEST_SUITE_P(Machines, Formulas,
                         testing::Values("h200", "a100", "rtx2080ti", "gtx480"));

TEST(Equations, NameTheConstantsThatTheyUse) {
  const Machine machine = load_machine("h200");
  ExplainedLaunch launch;
  launch.record = random_launch(Engine::machine, 1);
  launch.occupancy = std::make_shared<Occupancy>(occupancy(machine, {256, 32, 0, 0, {}}));
  launch.bounds = std::make_shared<Bounds>(bound(machine, launch.record, *launch.occupancy));
  const Equations equations = equations_of(machine, launch);
  ASSERT_EQ(equations.groups.size(), 3u) << "floors, waves, hiding; it has no prediction";
  EXPECT_EQ(equations.groups[0].equations.size(), launch.bounds->floors.size());
  const auto has = [&](std::string_view name) {
    return std::ranges::any_of(equations.constants,
                               [&](const MachineField* field) { return field->name == name; });
  };
  EXPECT_TRUE(has("sm_clock") && has("dram_bandwidth") && has("dram_latency") && has("sm_count"));
  EXPECT_FALSE(has("special_latency") || has("memory_size"));
}

}  // namespace
}  // namespace headroom
