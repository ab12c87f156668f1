// The nbody study: the pull of all bodies on each, from one thread to what the hardware allows.
// Every rung is a file of its own with one idea; the list in nbody.h is the ladder.
//
//   nbody --bodies 100000             on a GPU; the default size suits an executor
//   nbody --bodies 4096 --steps 100   leap-frog, and whether energy and momentum stay
//
//   rung             precision  bodies  time, us  G interactions/s  GFLOP/s  …  verified
//   thread_per_body  single       1024         …
//
// An interaction counts as 20 operations, as in the source. Errors are relative to accelerations in
// double precision, see reference.h. Times are by events; those of the host's processor (--host) by
// its clock.
//
// Source: M. Burtscher, "CUDA Optimization Tutorial", slides, part I.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "studies/common/measure.h"
#include "studies/common/options.h"
#include "studies/common/precision.h"
#include "studies/common/results.h"
#include "studies/nbody/bodies.h"
#include "studies/nbody/host.h"
#include "studies/nbody/nbody.h"
#include "studies/nbody/plummer.h"
#include "studies/nbody/reference.h"
#include "studies/nbody/steps.h"

namespace {

constexpr const char* usage =
    "nbody: the accelerations of n bodies by all pairs, one rung of the ladder after the other\n\n"
    "  --bodies LIST          how many, several with commas between (default 1024)\n"
    "  --precision P          single, double or both (default both)\n"
    "  --masses M             random or equal (default random)\n"
    "  --softening X          length that softens close pairs, above 0 (default 0.01)\n"
    "  --rung LIST            only these, with commas between; 'list' names them\n"
    "  --host                 the host's processor, too: a loop on one core, vectors on all\n"
    "  --steps N              N steps of leap-frog, and what they keep, instead of times\n"
    "  --dt X                 the length of such a step (default 1/512)\n"
    "  --seed N               the bodies (default: fresh ones)\n"
    "  --json FILE            write the table there too\n\n"
    "exit code: 0 everything is right, 1 a result is wrong or a CUDA call failed, 2 bad options,\n"
    "130 interrupted\n";

struct Settings {
  std::vector<int> sizes;
  std::vector<const nbody::Rung*> rungs;
  bool single_precision, double_precision, host;
  nbody::Masses masses;
  double softening, dt;
  int steps;
  uint64_t seed;
  std::string json;
};

std::vector<const nbody::Rung*> rungs_of(const study::Options& options, const std::string& names) {
  std::vector<const nbody::Rung*> chosen;
  for (const std::string& name : study::parts_of(names)) {
    const size_t before = chosen.size();
    for (const nbody::Rung* rung : nbody::rungs) {
      if (name == rung->name) chosen.push_back(rung);
    }
    if (chosen.size() == before) options.reject("there is no rung '" + name + "'");
  }
  if (names.empty()) chosen.assign(std::begin(nbody::rungs), std::end(nbody::rungs));
  return chosen;
}

int size_of(const study::Options& options, const std::string& word) {
  constexpr int most = 1 << 24;
  const bool digits = !word.empty() && word.find_first_not_of("0123456789") == std::string::npos;
  const int size = digits && word.size() < 9 ? std::stoi(word) : 0;
  if (size < 1 || size > most) {
    options.reject("--bodies must be whole numbers from 1 to " + std::to_string(most) + ", not '" +
                   word + "'");
  }
  return size;
}

Settings settings(study::Options& options) {
  Settings chosen;
  for (const std::string& word : study::parts_of(options.text("--bodies", "1024"))) {
    chosen.sizes.push_back(size_of(options, word));
  }
  const std::string precision = options.text("--precision", "both");
  chosen.single_precision = precision != "double";
  chosen.double_precision = precision != "single";
  if (precision != "single" && precision != "double" && precision != "both") {
    options.reject("--precision must be single, double or both, not '" + precision + "'");
  }
  const std::string masses = options.text("--masses", "random");
  if (masses != "random" && masses != "equal") {
    options.reject("--masses must be random or equal, not '" + masses + "'");
  }
  chosen.masses = masses == "equal" ? nbody::Masses::equal : nbody::Masses::random;
  chosen.softening = options.real("--softening", 0.01);
  if (!(chosen.softening >= 1e-6 && chosen.softening <= 1)) {
    options.reject("--softening must lie between 1e-6 and 1");
  }
  chosen.host = options.flag("--host");
  chosen.steps = int(options.integer("--steps", 0, 0, 1 << 20));
  if (chosen.host && chosen.steps) options.reject("--host has no --steps: it shows times");
  if (!chosen.steps && options.given("--dt")) options.reject("--dt is of --steps");
  chosen.dt = options.real("--dt", 1.0 / 512);
  if (!(chosen.dt > 0 && chosen.dt <= 1e6)) {
    options.reject("--dt must be above 0 and at most 1e6");
  }
  const std::string names = options.text("--rung", "");
  if (names == "list") {
    for (const nbody::Rung* rung : nbody::rungs) std::puts(rung->name);
    std::exit(0);
  }
  chosen.rungs = rungs_of(options, names);
  chosen.seed = options.seed(study::fresh_seed());
  chosen.json = options.text("--json", "");
  return chosen;
}

using study::precision_of;
using study::scientific;
using study::unit_roundoff;

const std::vector<std::string> columns_of_forces = {
    "rung",    "precision",           "bodies",    "time, us",  "G interactions/s",
    "GFLOP/s", "over the one before", "spread, %", "max error", "rms error",
    "verified"};
const std::vector<std::string> columns_of_steps = {
    "rung", "precision", "bodies", "steps", "energy drift", "momentum drift", "verified"};

struct Outcome {
  study::Table table;
  int failures = 0;
};

bool left_out(const std::string& name, int n, int most, study::Table& table) {
  if (n <= most) return false;
  table.note(name, "left out above " + std::to_string(most) + " bodies");
  return true;
}

struct Row {
  std::string name;
  double seconds, spread, gain;  // gain: over the rung before; not a number where that did not run
  nbody::Answer answer;
};

template <typename Real>
void add_row(Outcome& outcome, size_t n, const Row& row) {
  const double interactions = double(n) * n / row.seconds * 1e-9;
  outcome.table.row(
      {row.name, precision_of<Real>, study::number(n, 0), study::number(row.seconds * 1e6, 2),
       study::number(interactions, interactions < 10 ? 4 : 1), study::number(20 * interactions, 1),
       std::isnan(row.gain) ? study::Cell("-") : study::number(row.gain, 3),
       study::number(row.spread * 100, 1), scientific(row.answer.most), scientific(row.answer.rms),
       row.answer.right ? "PASS" : "FAIL"});
  outcome.failures += !row.answer.right;
}

// By the host's clock, the least of three.
template <typename Real, typename Forces>
void host_row(Outcome& outcome, const std::string& name, const nbody::HostBodies<Real>& bodies,
              const nbody::Reference& reference, double softening, const Forces& forces) {
  const size_t n = bodies.size();
  constexpr int most = 20000;
  if (left_out(name, int(n), most, outcome.table)) return;
  std::vector<Real> accelerations(3 * n);
  double seconds = INFINITY;
  for (int again = 0; again < 3; ++again) {
    const auto began = std::chrono::steady_clock::now();
    forces(bodies, softening, size_t(0), n, accelerations);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    seconds = std::min(seconds, took.count());
  }
  add_row<Real>(outcome, n,
                {name, seconds, 0, NAN, reference.compare(accelerations, unit_roundoff<Real>)});
}

template <typename Real>
void forces(const Settings& chosen, int n, study::Measure& measure, Outcome& outcome) {
  const auto cluster = nbody::plummer(n, chosen.masses, chosen.seed);
  const nbody::HostBodies<Real> on_host(cluster);
  const nbody::Reference reference(on_host, chosen.softening, chosen.seed + 1);
  if (chosen.host) {
    host_row(outcome, "host, one core", on_host, reference, chosen.softening,
             nbody::by_scalars<Real>);
    host_row(outcome, "host, " + std::to_string(nbody::host_threads()) + " threads", on_host,
             reference, chosen.softening, nbody::by_vectors<Real>);
  }
  nbody::Bodies<Real> bodies(cluster, chosen.softening);
  std::map<const nbody::Rung*, double> took;
  for (const nbody::Rung* rung : chosen.rungs) {
    if (left_out(rung->name, n, rung->most, outcome.table)) continue;
    const std::string row =
        std::string(rung->name) + ", " + precision_of<Real> + ", " + std::to_string(n);
    const study::Attempt attempt = measure(
        row, [&] { rung->launch(bodies.problem()); }, [&] { bodies.poison(); });
    if (!attempt.refused.empty()) {
      outcome.table.note(row, attempt.refused);
      continue;
    }
    const study::Timing& timing = attempt.timing;
    took[rung] = timing.median();
    const auto before = took.find(nbody::before(rung));
    const double gain = before == took.end() ? NAN : before->second / timing.median();
    add_row<Real>(outcome, n,
                  {rung->name, timing.median(), timing.spread(), gain,
                   reference.compare(bodies.accelerations(*rung), unit_roundoff<Real>)});
  }
}

template <typename Real>
void steps(const Settings& chosen, int n, Outcome& outcome) {
  // What the step leaves undone of the energy, and rounding of the momentum.
  constexpr double energy_kept = 1e-3, momentum_kept = 256 * unit_roundoff<Real>;
  const auto cluster = nbody::plummer(n, chosen.masses, chosen.seed);
  for (const nbody::Rung* rung : chosen.rungs) {
    if (left_out(rung->name, n, rung->most, outcome.table)) continue;
    nbody::Bodies<Real> bodies(cluster, chosen.softening);
    bodies.poison();
    nbody::Kept kept;
    const std::string refused = study::refusal(
        [&] { kept = nbody::run_steps(*rung, bodies, chosen.softening, chosen.steps, chosen.dt); });
    if (!refused.empty()) {
      outcome.table.note(rung->name, refused);
      continue;
    }
    const bool right = kept.energy < energy_kept && kept.momentum < momentum_kept;
    outcome.failures += !right;
    outcome.table.row({rung->name, precision_of<Real>, study::number(n, 0),
                       study::number(chosen.steps, 0), scientific(kept.energy),
                       scientific(kept.momentum), right ? "PASS" : "FAIL"});
  }
}

}  // namespace

int main(int argc, char** argv) {
  study::Options options(argc, argv, usage, study::measure_usage);
  const Settings chosen = settings(options);
  study::Measure measure(options);
  options.finish();
  options.require_writable(chosen.json);
  for (const int n : chosen.sizes) {
    constexpr int most = 1 << 16;  // the energy is a sum over all pairs on the host
    if (chosen.steps && n > most) {
      options.reject("--steps is for " + std::to_string(most) + " bodies at most");
    }
  }

  cudaDeviceProp device;
  CHECK(cudaGetDeviceProperties(&device, 0));
  std::printf("seed %llu\n", static_cast<unsigned long long>(chosen.seed));
  Outcome outcome{study::Table(chosen.steps ? columns_of_steps : columns_of_forces)};
  study::Results results(
      std::string("nbody, ") + device.name, chosen.json, [&] { return outcome.table; },
      [&] { measure.print_caveats(); });
  for (const int n : chosen.sizes) {
    if (chosen.steps) {
      if (chosen.single_precision) steps<float>(chosen, n, outcome);
      if (chosen.double_precision) steps<double>(chosen, n, outcome);
    } else {
      if (chosen.single_precision) forces<float>(chosen, n, measure, outcome);
      if (chosen.double_precision) forces<double>(chosen, n, measure, outcome);
    }
  }
  return results.finish(!outcome.failures);
}
