// What the command line asks of a run through time, and of files.
//
//   const Evolution evolution = evolution_of(options);     // exit code 2 where an option is wrong
//   if (evolution.in) …                                    the bodies of a file, instead of made ones
#pragma once
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "studies/barnes_hut/snapshots/energy_plot.h"
#include "studies/barnes_hut/snapshots/picture.h"
#include "studies/barnes_hut/snapshots/snapshot.h"
#include "studies/common/options.h"

namespace barnes_hut {

constexpr const char* evolution_usage =
    "\nbodies from a file, for any table:\n"
    "  --in FILE              a snapshot: HDF5 as of Gadget or SWIFT, Tipsy, or CSV\n"
    "  --gravity G            the gravitational constant in its units (default: what it says)\n\n"
    "through time, instead of those tables:\n"
    "  --steps N              N steps of leap-frog, and what they keep\n"
    "  --dt X                 the length of a step (default 1/512)\n"
    "  --out FILE             the bodies then: .hdf5, .csv or, in 32 bits, .tipsy; --in goes on\n"
    "  --out-every K          after every K steps, too, each over the one before\n"
    "  --energy FILE          the energy after every step: .csv, or a drawing, .svg\n"
    "  --energy-every K       after every K steps (default 1)\n"
    "  --picture FILE         the bodies after them, as seen along the z axis: .png\n"
    "  --picture-every K      before them and after every K steps, too: FILE_0000.png, …\n"
    "  --picture-size WxH     in pixels (default 1024x1024)\n"
    "  --picture-extent X     half the picture's shorter side, in lengths (default: most bodies)\n"
    "Ctrl-C ends such a run after the step that it is at, with all files written: exit code 130.\n";

struct Evolution {
  std::string in_name, out, energy, picture;
  std::optional<Snapshot> in;
  std::optional<int> steps;
  double dt;
  int out_every, energy_every, picture_every;  // 0: at the end
  Film film;
};

// galaxy.hdf5: 7 bodies at time 0.5, gravitational constant 43021.9; 2 are gas, here without pressure
inline std::string description_of(const std::string& path, const Snapshot& snapshot) {
  char text[128];
  std::snprintf(text, sizeof text, ": %zu bodies at time %g, gravitational constant %g",
                snapshot.bodies.size(), snapshot.time, snapshot.gravity.value_or(1));
  std::string words = path + text;
  const auto of_gas = std::count(snapshot.kind.begin(), snapshot.kind.end(), gas);
  if (of_gas) words += "; " + std::to_string(of_gas) + " are gas, here without pressure";
  if (snapshot.comoving) words += "; places as they are in coordinates that grow";
  return words;
}

inline Film film_of(study::Options& options) {
  Film film;
  const std::string size = options.text("--picture-size", "1024x1024");
  char rest;
  if (std::sscanf(size.c_str(), "%5dx%5d%c", &film.width, &film.height, &rest) != 2 ||
      std::min(film.width, film.height) < 16 || std::max(film.width, film.height) > 16384) {
    options.reject("--picture-size must be such as 640x480, both from 16 to 16384, not '" + size +
                   "'");
  }
  film.extent = options.real("--picture-extent", 0);
  if (!(film.extent >= 0 && std::isfinite(film.extent))) {
    options.reject("--picture-extent must be above 0");
  }
  return film;
}

inline std::optional<Snapshot> bodies_in(study::Options& options, const std::string& path) {
  const bool given = options.given("--gravity");
  const double gravity = options.real("--gravity", 1);
  if (!(gravity > 0 && std::isfinite(gravity))) options.reject("--gravity must be above 0");
  if (path.empty()) {
    if (given) options.reject("--gravity is for bodies from a file, --in");
    return std::nullopt;
  }
  if (options.given("--bodies") || options.given("--start") || options.given("--masses")) {
    options.reject("--in has its own bodies: leave out --bodies, --start and --masses");
  }
  Snapshot snapshot = read_snapshot(path);
  if (given) snapshot.gravity = gravity;
  if (!snapshot.gravity) {
    options.reject(path +
                   ": says neither its units nor its gravitational constant: give --gravity " +
                   "(43007.1 for kpc, 10^10 solar masses and km/s; 1 for units of the model)");
  }
  return snapshot;
}

inline Evolution evolution_of(study::Options& options) {
  Evolution chosen;
  const auto file = [&](const char* name, auto require) {
    const std::string path = options.text(name, "");
    if (path.empty()) return path;
    if (!chosen.steps) options.reject(std::string(name) + " needs --steps; 0 are some, too");
    require(path);
    return path;
  };
  const auto every = [&](const char* name, int otherwise) {
    return int(options.integer(name, otherwise, 1, 1 << 30));
  };
  try {
    chosen.in_name = options.text("--in", "");
    chosen.in = bodies_in(options, chosen.in_name);
    if (options.given("--steps")) chosen.steps = int(options.integer("--steps", 0, 0, 1 << 30));
    chosen.out = file("--out", require_writable_snapshot);
    chosen.energy = file("--energy", require_energy_file);
    chosen.picture = file("--picture", require_picture);
  } catch (const Refused& refused) {
    options.reject(refused.what());
  }
  const auto needs = [&](const char* option, const char* other, bool there) {
    if (options.given(option) && !there) options.reject(std::string(option) + " needs " + other);
  };
  needs("--dt", "--steps", chosen.steps.has_value());
  needs("--out-every", "--out", !chosen.out.empty());
  needs("--energy-every", "--energy", !chosen.energy.empty());
  for (const char* option : {"--picture-every", "--picture-size", "--picture-extent"}) {
    needs(option, "--picture", !chosen.picture.empty());
  }
  chosen.dt = options.real("--dt", 1.0 / 512);
  if (!(chosen.dt > 0 && std::isfinite(chosen.dt)))
    options.reject("--dt must be above 0, and finite");
  chosen.out_every = every("--out-every", 1 << 30);
  chosen.energy_every = every("--energy-every", 1);
  chosen.picture_every = options.given("--picture-every") ? every("--picture-every", 1) : 0;
  chosen.film = film_of(options);
  if (chosen.steps && chosen.in && chosen.in->comoving) {
    options.reject(chosen.in_name + ": its coordinates grow with the universe, which --steps " +
                   "does not know; the other tables take the places as they are");
  }
  return chosen;
}

}  // namespace barnes_hut
