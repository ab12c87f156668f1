// Questions about a launch: noted, then answered side by side, as they are one after the other.
#include <gtest/gtest.h>

#include "model/pipeline/answers.h"
#include "played_kernel.h"

namespace headroom {
namespace {

// 16 blocks of 8 warps, each of which loads sectors of its own and multiplies 64 times.
struct Launch {
  Machine machine = load_machine("h200");
  LaunchRecord record;
  Occupancy resident = occupancy(machine, {.threads = 256, .registers = 32});
  Played kernel;
  Trace trace;

  Launch() {
    for (uint32_t i = 0; i < 32; ++i) {
      const uint64_t sector = 64 * i;
      kernel.add(instruction("LDG", {reg(2, true)}, {.stall = 1, .write_barrier = 0}), Pipe::lsu);
      kernel.access(2 * i, {.kind = AccessKind::global_load, .bytes = 4, .lanes = 32},
                    {sector, sector + 8, sector + 16, sector + 24});
      kernel.fma(2, 4, 255, 4);
    }
    trace = kernel.trace(16, 8, 4);
    record.shape.grid = {16 * 132, 1, 1};
    record.shape.block = {256, 1, 1};
    record.state = State::ran;
    record.counters.warp_instructions = 16ull * 132 * 8 * 64 * 4;
    record.counters.unique_load_sectors = record.counters.unique_sectors = 128;
    record.counters.global_load_sectors = 16ull * 132 * 8 * 128 * 4;
    record.counters.global_load_bytes = 32 * record.counters.global_load_sectors;
  }
  PredictTask task(unsigned threads) const {
    return {.machine = machine,
            .record = record,
            .occupancy = resident,
            .trace = trace,
            .threads = threads};
  }
};

const std::vector<Question> questions = {{.relief = {.arithmetic = true}},
                                         {.relief = {.memory = true}},
                                         {.in_l2 = 1.0},
                                         {.resident = 1},
                                         {.relief = {.latency = 2}}};

TEST(Answers, are_what_the_model_says_and_meanwhile_the_first_time) {
  const Launch launch;
  const PredictTask task = launch.task(4);
  LaunchModel model(task);
  const LaunchTime first = first_time_of(model);
  Answers answers(model, first, 4);
  answers.prepare([&] {
    for (const Question& each : questions) EXPECT_EQ(answers.to(each).seconds, first.seconds);
  });
  bool other = false;
  for (const Question& each : questions) {
    const LaunchTime time = time_of(model, each);
    EXPECT_EQ(answers.to(each).seconds, time.seconds);
    EXPECT_EQ(answers.to(each).cycles, time.run.cycles);
    other |= time.seconds != first.seconds;
  }
  EXPECT_TRUE(other);
  EXPECT_EQ(answers.to({.in_l2 = 0.25}).seconds, time_of(model, {.in_l2 = 0.25}).seconds);
}

TEST(Answers, a_prediction_does_not_hang_on_how_many_threads_there_are) {
  const Launch launch;
  const Predicted one = predict(launch.task(1)), several = predict(launch.task(5));
  ASSERT_TRUE(one.prediction && several.prediction);
  EXPECT_FALSE(one.prediction->advice.empty());
  EXPECT_EQ(*one.prediction, *several.prediction);
}

}  // namespace
}  // namespace headroom
