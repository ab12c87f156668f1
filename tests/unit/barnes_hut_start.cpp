// Bodies that no solver could compute with are refused by number, and what is wrong with them said.
#include <gtest/gtest.h>

#include "studies/barnes_hut/start.h"

namespace {

using namespace barnes_hut;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinite = std::numeric_limits<double>::infinity();

template <typename Real>
std::string refusal(const Bodies& bodies) {
  try {
    require_finite<Real>(bodies);
  } catch (const Failure& failure) {
    return failure.what();
  }
  return "";
}

template <typename Real = float>
std::string refusal_after(double nbody::Body<double>::*field, double value) {
  Bodies bodies = start_of("plummer", 30, Masses::random, 7);
  bodies[17].*field = value;
  return refusal<Real>(bodies);
}

using Body = nbody::Body<double>;

TEST(BarnesHutStart, every_start_can_be_computed_with) {
  for (const Start& start : starts) {
    for (const int n : {1, 2, 3, 1000}) {
      for (const Masses masses : {Masses::equal, Masses::random}) {
        const Bodies bodies = start.make(n, masses, 7);
        ASSERT_EQ(bodies.size(), size_t(n)) << start.name;
        EXPECT_EQ(refusal<float>(bodies), "") << start.name;
        double total = 0;
        for (const Body& body : bodies) total += body.mass;
        EXPECT_NEAR(total, 1, 1e-12) << start.name;
      }
    }
  }
}

TEST(BarnesHutStart, what_is_no_number_is_refused_by_its_index) {
  EXPECT_EQ(refusal_after(&Body::x, nan),
            "body 17: x is not a number: mend what made it, or leave this body out");
  EXPECT_EQ(refusal_after(&Body::y, -infinite),
            "body 17: y is infinite: mend what made it, or leave this body out");
  EXPECT_NE(refusal_after(&Body::z, nan).find("body 17: z "), std::string::npos);
  EXPECT_NE(refusal_after(&Body::mass, nan).find("body 17: its mass "), std::string::npos);
  for (const auto velocity : {&Body::velocity_x, &Body::velocity_y, &Body::velocity_z}) {
    EXPECT_NE(refusal_after(velocity, infinite).find("body 17: its velocity "), std::string::npos);
  }
}

TEST(BarnesHutStart, a_mass_may_be_nothing_but_not_less) {
  EXPECT_EQ(refusal_after(&Body::mass, 0), "");
  EXPECT_EQ(refusal_after(&Body::mass, -1),
            "body 17: its mass is negative, -1: mend what made it, or leave this body out");
}

TEST(BarnesHutStart, what_single_precision_cannot_square_double_can) {
  EXPECT_EQ(refusal_after(&Body::x, 1e18), "");
  EXPECT_EQ(refusal_after(&Body::x, 1e19),
            "body 17: x is 1e+19, too large for single precision (1e+18): choose larger units, or "
            "double precision");
  EXPECT_EQ(refusal_after<double>(&Body::x, 1e19), "");
  EXPECT_NE(refusal_after<double>(&Body::x, 1e154), "");
  EXPECT_NE(refusal_after(&Body::velocity_y, 1e39), "");
  EXPECT_EQ(refusal_after<double>(&Body::velocity_y, 1e39), "");
}

TEST(BarnesHutStart, masses_that_add_up_to_too_much_are_refused) {
  Bodies bodies = start_of("uniform", 3, Masses::equal, 7);
  for (Body& body : bodies) body.mass = 0.6e18;
  EXPECT_NE(refusal<float>(bodies).find("body 1: the sum of the masses"), std::string::npos);
  EXPECT_EQ(refusal<double>(bodies), "");
}

}  // namespace
