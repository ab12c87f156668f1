// Where the bodies are at first: made here by name and seed, or read from a file (snapshots/).
//
//   Bodies bodies = start_of("plummer", 1000, nbody::Masses::random, seed);
//   require_finite<float>(bodies);       // throws Failure: body 17: x is not a number: …
//
// plummer is the study's model; the others are there to be hard on trees. The total mass is 1, and
// all but the clusters begin at rest.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>

#include "studies/barnes_hut/barnes_hut.h"
#include "studies/nbody/plummer.h"

namespace barnes_hut {

using nbody::Masses;
using nbody::Uniform;

// `place` says where a body is, from its number and its own random numbers.
template <typename Place>
Bodies at_rest(int n, Masses masses, uint64_t seed, const Place& place) {
  Bodies bodies(n);
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    Uniform uniform(seed, i);
    const nbody::Direction at = place(i, uniform);
    bodies[i] = {at.x, at.y, at.z, 1, 0, 0, 0, 0, 0, 0};
    if (masses == Masses::random) bodies[i].mass = 0.1 + 1.9 * uniform();
  }
  double total = 0;
  for (const auto& body : bodies) total += body.mass;
  for (auto& body : bodies) body.mass /= total;
  return bodies;
}

inline nbody::Direction in_cube(Uniform& uniform) {
  const double x = 2 * uniform() - 1, y = 2 * uniform() - 1;
  return {x, y, 2 * uniform() - 1};
}

// In a cube of edge 2.
inline Bodies uniform_cube(int n, Masses masses, uint64_t seed) {
  return at_rest(n, masses, seed, [](int, Uniform& uniform) { return in_cube(uniform); });
}

// On a sphere of radius 1: no body is anywhere else.
inline Bodies shell(int n, Masses masses, uint64_t seed) {
  return at_rest(n, masses, seed, [](int, Uniform& uniform) { return nbody::direction(uniform); });
}

// All at one place: no tree parts them.
inline Bodies coincident(int n, Masses masses, uint64_t seed) {
  return at_rest(n, masses, seed, [](int, Uniform&) { return nbody::Direction{0.3, -0.2, 0.1}; });
}

// Two at each place.
inline Bodies pairs(int n, Masses masses, uint64_t seed) {
  return at_rest(n, masses, seed, [=](int i, Uniform&) {
    Uniform shared(seed + 1, i / 2);
    return in_cube(shared);
  });
}

// On the x axis: the box has no height and no depth.
inline Bodies collinear(int n, Masses masses, uint64_t seed) {
  return at_rest(n, masses, seed, [](int, Uniform& uniform) {
    return nbody::Direction{2 * uniform() - 1, 0, 0};
  });
}

// Coordinates from 1e-20 to 1e10, evenly by their logarithm: 30 orders of magnitude, as far as a
// mass over the cube of a distance is a number in single precision.
inline Bodies huge(int n, Masses masses, uint64_t seed) {
  return at_rest(n, masses, seed, [](int, Uniform& uniform) {
    const auto coordinate = [&] {
      const double size = std::pow(10, 30 * uniform() - 20);
      return uniform() < 0.5 ? -size : size;
    };
    const double x = coordinate(), y = coordinate();
    return nbody::Direction{x, y, coordinate()};
  });
}

// Plummer's model, and an eighth of the bodies in a cluster of a thousandth of its size, far away.
inline Bodies clustered(int n, Masses masses, uint64_t seed) {
  const int small = n / 8;
  Bodies bodies = nbody::plummer(n - small, masses, seed);
  for (auto& body : bodies) body.mass *= double(n - small) / n;
  for (auto body : nbody::plummer(small, masses, seed + 1)) {
    body.x = body.x * 1e-3 + 1000, body.y *= 1e-3, body.z *= 1e-3;
    body.mass *= double(small) / n;
    bodies.push_back(body);
  }
  return bodies;
}

struct Start {
  const char* name;
  Bodies (*make)(int n, Masses masses, uint64_t seed);
};

constexpr Start starts[] = {
    {"plummer", nbody::plummer},
    {"uniform", uniform_cube},
    {"shell", shell},
    {"coincident", coincident},
    {"pairs", pairs},
    {"collinear", collinear},
    {"huge", huge},
    {"clustered", clustered},
};

// Null where there is none of this name.
inline const Start* find_start(const std::string& name) {
  for (const Start& start : starts) {
    if (name == start.name) return &start;
  }
  return nullptr;
}

inline Bodies start_of(const std::string& name, int n, Masses masses, uint64_t seed) {
  const Start* start = find_start(name);
  if (!start) throw Failure("there is no start '" + name + "'");
  return start->make(n, masses, seed);
}

// The most that a coordinate or the sum of the masses may be: squares of distances, and masses
// times coordinates, must be finite.
template <typename Real>
constexpr double greatest = sizeof(Real) == 4 ? 1e18 : 1e153;

// Softening that keeps a mass over its cube finite.
constexpr double min_softening = 1e-6, max_softening = 1e6;

template <typename Real>
void require_finite(const Bodies& bodies) {
  const auto refuse = [](size_t body, const std::string& what, const char* remedy) {
    throw Failure("body " + std::to_string(body) + ": " + what + ": " + remedy);
  };
  const auto digits = [](double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%g", value);
    return std::string(text);
  };
  const std::string name = sizeof(Real) == 4 ? "single" : "double";
  const char* mend = "mend what made it, or leave this body out";
  const char* scale =
      sizeof(Real) == 4 ? "choose larger units, or double precision" : "choose larger units";
  double total = 0;
  for (size_t i = 0; i < bodies.size(); ++i) {
    const auto& body = bodies[i];
    const auto check = [&](const char* what, double value, double most) {
      if (std::isnan(value)) refuse(i, std::string(what) + " is not a number", mend);
      if (std::isinf(value)) refuse(i, std::string(what) + " is infinite", mend);
      if (std::fabs(value) > most) {
        refuse(i,
               std::string(what) + " is " + digits(value) + ", too large for " + name +
                   " precision (" + digits(most) + ")",
               scale);
      }
    };
    check("x", body.x, greatest<Real>);
    check("y", body.y, greatest<Real>);
    check("z", body.z, greatest<Real>);
    check("its mass", body.mass, greatest<Real>);
    check("its velocity along x", body.velocity_x, std::numeric_limits<Real>::max());
    check("its velocity along y", body.velocity_y, std::numeric_limits<Real>::max());
    check("its velocity along z", body.velocity_z, std::numeric_limits<Real>::max());
    if (body.mass < 0) refuse(i, "its mass is negative, " + digits(body.mass), mend);
    total += body.mass;
    check("the sum of the masses up to it", total, greatest<Real>);
  }
}

}  // namespace barnes_hut
