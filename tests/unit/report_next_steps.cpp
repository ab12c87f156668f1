// What a report says to do next, and of how many kernels at once.
#include <gtest/gtest.h>

#include "model/explanation.h"
#include "report/prediction_document.h"

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
