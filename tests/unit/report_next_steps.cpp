// What a report says to do next, and of how many kernels at once.
#include <gtest/gtest.h>

#include "model/explanation.h"
#include "report/prediction_document.h"
#include "report/text.h"

namespace headroom {
namespace {

ExplainedLaunch kernel(const std::string& name, double gain, const std::string& obstacle) {
  ExplainedLaunch launch;
  launch.record.name = launch.record.shape.kernel = name;
  launch.record.state = State::ran;
  launch.record.prediction = Prediction{.seconds = 1};
  launch.record.prediction->advice = {{"x", gain, obstacle, "mend it", "", 0}};
  launch.occupancy = std::make_shared<Occupancy>();
  launch.bounds = std::make_shared<Bounds>();
  return launch;
}

std::vector<std::string> said_of(std::vector<ExplainedLaunch> launches) {
  return next_steps(explain({"./x"}, {}, {.name = "h200"}, {Record{}}, std::move(launches))).items;
}

TEST(NextSteps, kernels_of_which_the_same_is_said_share_a_sentence) {
  std::vector<ExplainedLaunch> launches;
  for (const char* name : {"one", "two", "three", "four"})
    launches.push_back(kernel(name, 2e-6, "small"));
  launches.push_back(kernel("other", 3e-6, "large"));
  EXPECT_EQ(said_of(launches),
            (std::vector<std::string>{"other: −3.00 µs: large; mend it",
                                      "one, two, three and 1 more: −2.00 µs: small; mend it"}));
  // … though they gain unlike much.
  launches.push_back(kernel("least", 1e-6, "small"));
  EXPECT_EQ(said_of(launches).back(),
            "one, two, three and 2 more: −2.00 µs … −1.00 µs: small; mend it");
}

// Nothing to advise of a launch that keeps DRAM busy; what must move takes 27.7 µs.
std::string said_of_dram(double seconds, double share, double bytes = 0) {
  ExplainedLaunch launch = kernel("k", 0, "");
  launch.record.prediction = Prediction{.seconds = seconds, .dram_share = share};
  launch.record.prediction->dram_bytes = bytes;
  Bounds bounds;
  bounds.floors = {{Resource::dram_cold, 27.7e-6, Basis::exact, ""}};
  bounds.limiter = 0;
  bounds.seconds = 27.7e-6;
  bounds.unique_bytes = 133e6;
  launch.bounds = std::make_shared<Bounds>(bounds);
  return next_steps(explain({"./x"}, {}, load_machine("h200"), {Record{}}, {launch})).items.at(0);
}

TEST(NextSteps, little_is_to_gain_only_beside_what_must_move) {
  EXPECT_EQ(said_of_dram(29e-6, 0.99), "k: at 96 % of what DRAM, L2 cold allows: little to gain");
  EXPECT_EQ(
      said_of_dram(47e-6, 0.98),
      "k: DRAM is busy 98 % of the time: some 210 MB, of which 133 MB are compulsory; the rest "
      "moves again after L2 has lost it: use what is used again sooner, or keep it in "
      "registers and shared memory");
  EXPECT_EQ(said_of_dram(35e-6, 0.8),
            "k: DRAM is busy 80 % of the time, with the 133 MB that must move where L2 holds "
            "nothing before");
  EXPECT_EQ(said_of_dram(11.5e-6, 0.8, 40e6),
            "k: DRAM is busy 80 % of the time: some 40 MB; the rest of the 133 MB that the launch "
            "needs lies in L2");
  EXPECT_EQ(said_of_dram(47e-6, 0.5), "k: the model finds no single obstacle");
  EXPECT_EQ(said_of_dram(47e-6, 0.98, 140e6),
            "k: DRAM is busy 98 % of the time: some 140 MB in sectors alone in their lines, which "
            "take as long as 210 MB in whole lines; 133 MB are compulsory");
}

TEST(NextSteps, a_floor_that_is_most_of_the_time_is_named_with_it) {
  ExplainedLaunch launch = kernel("k", 0, "");
  launch.record.prediction = Prediction{.seconds = 10e-6};
  Bounds bounds;
  bounds.floors = {{Resource::issue, 8e-6, Basis::exact, ""}};
  bounds.limiter = 0;
  bounds.seconds = 8e-6;
  launch.bounds = std::make_shared<Bounds>(bounds);
  EXPECT_EQ(said_of({launch}).at(0),
            "k: no single obstacle: 80 % of the time is the floor of issue slots, 8.00 µs");
}

TEST(NextSteps, unlike_launches_gain_what_the_longest_does) {
  ExplainedLaunch longest = kernel("k", 79e-6, "slow"), other = kernel("k", 79e-6, "slow");
  longest.record.prediction->seconds = 166e-6;
  other.record.prediction->seconds = 164e-6;
  EXPECT_EQ(said_of({other, longest}),
            (std::vector<std::string>{"k: −79.0 µs each of 2: slow; mend it"}));
  other.record.prediction->seconds = 80e-6;
  other.record.prediction->advice.clear();
  EXPECT_EQ(said_of({other, longest}),
            (std::vector<std::string>{"k: −79.0 µs of the longest of 2: slow; mend it"}));
  // What all launches gain goes first.
  EXPECT_EQ(said_of({other, longest, other, kernel("second", 80e-6, "small")}).front(),
            "second: −80.0 µs: small; mend it");
}

TEST(Advice, what_gains_more_once_the_first_is_done_stands_below_it) {
  ExplainedLaunch launch = kernel("k", 3e-6, "slow");
  Prediction& prediction = *launch.record.prediction;
  prediction.advice.front().then = {{"y", 2e-6, "hidden", "find it", "", 0}};
  const auto said = [&] {
    const Explanation report = explain({"./x"}, {}, {.name = "h200"}, {Record{}}, {launch});
    return draw_text(prediction_document(report, report.kernels.at(0)), {});
  };
  EXPECT_NE(said().find("−2.00  more, once that is done (next to nothing alone): hidden; find it"),
            std::string::npos)
      << said();
  prediction.advice.push_back({"y", 0.5e-6, "hidden", "find it", "", 0});
  EXPECT_NE(said().find("(0.500 alone): hidden"), std::string::npos) << said();
}

TEST(NextSteps, what_is_left_out_is_counted) {
  std::vector<ExplainedLaunch> launches;
  for (int i = 0; i < 11; ++i)
    launches.push_back(
        kernel("k" + std::to_string(i), 1e-6 * (20 - i), "slow " + std::to_string(i)));
  const auto said = said_of(launches);
  ASSERT_EQ(said.size(), 9u);
  EXPECT_EQ(said.front(), "k0: −20.0 µs: slow 0; mend it");
  EXPECT_EQ(said.back(), "… and 3 more kernels with less to gain: --kernel NAME tells");
}

}  // namespace
}  // namespace headroom
