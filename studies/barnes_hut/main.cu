// The barnes_hut study: n bodies by a tree, from the six kernels that the source published to the
// tree that one would write for today's GPUs, beside all pairs and the host's cores.
//
//   barnes_hut --bodies 50000,500000          on a GPU; the default size suits an executor
//
//   method        precision  bodies  step, ms  force, ms  median error  99 %  …  verified
//   six_kernels   single       1024      …
//
// Errors are relative to accelerations by all pairs in double precision, see accuracy.h. Times are
// by events; those of the host's processor by its clock.
//
// Source: M. Burtscher, "CUDA Optimization Tutorial", slides, part II.
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "studies/barnes_hut/accuracy.h"
#include "studies/barnes_hut/barnes_hut.h"
#include "studies/barnes_hut/start.h"
#include "studies/common/options.h"
#include "studies/common/table.h"

namespace barnes_hut {

constexpr const Method* methods[] = {
    &all_pairs,
};

}  // namespace barnes_hut

namespace {

using namespace barnes_hut;

constexpr const char* usage =
    "barnes_hut: n bodies under their own gravity, by a tree\n\n"
    "  --bodies LIST          how many, several with commas between (default 1024)\n"
    "  --precision P          single, double or both (default single)\n"
    "  --masses M             random or equal (default random)\n"
    "  --theta X              a cell of size l counts as one beyond l / X (default 0.5); 0: none "
    "does\n"
    "  --softening X          length that softens close pairs, above 0 (default 0.01)\n"
    "  --method LIST          only these, with commas between; 'list' names them\n"
    "  --repeat N             steps that are timed after the first (default 3)\n"
    "  --sample N             bodies whose error is looked at (default 4096)\n"
    "  --seed N               the bodies (default: fresh ones)\n"
    "  --json FILE            write the table there too\n\n"
    "exit code: 0 everything is right, 1 a result is wrong or a CUDA call failed, 2 bad options\n";

struct Settings {
  std::vector<int> sizes;
  std::vector<const Method*> methods;
  bool single_precision, double_precision;
  nbody::Masses masses;
  Physics physics;
  int repeat, sample;
  uint64_t seed;
  std::string json;
};

std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> parts;
  for (size_t begin = 0; !text.empty() && begin <= text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

int size_of(const study::Options& options, const std::string& word) {
  constexpr int most = 1 << 27;
  const bool digits = !word.empty() && word.find_first_not_of("0123456789") == std::string::npos;
  const int size = digits && word.size() < 10 ? std::stoi(word) : 0;
  if (size < 1 || size > most) {
    options.reject("--bodies must be whole numbers from 1 to " + std::to_string(most) + ", not '" +
                   word + "'");
  }
  return size;
}

Settings settings(study::Options& options) {
  Settings chosen;
  for (const std::string& word : parts_of(options.text("--bodies", "1024"))) {
    chosen.sizes.push_back(size_of(options, word));
  }
  const std::string precision = options.text("--precision", "single");
  chosen.single_precision = precision != "double";
  chosen.double_precision = precision != "single";
  const std::string masses = options.text("--masses", "random");
  chosen.masses = masses == "equal" ? nbody::Masses::equal : nbody::Masses::random;
  chosen.physics.theta = options.real("--theta", 0.5);
  chosen.physics.softening = options.real("--softening", 0.01);
  chosen.repeat = int(options.integer("--repeat", 3, 1, 1000));
  chosen.sample = int(options.integer("--sample", 4096, 1, 1 << 20));
  const std::string names = options.text("--method", "");
  for (const Method* method : barnes_hut::methods) {
    if (names == "list") std::puts(method->name);
    const auto parts = parts_of(names);
    if (names.empty() || std::count(parts.begin(), parts.end(), method->name)) {
      chosen.methods.push_back(method);
    }
  }
  if (names == "list") std::exit(0);
  if (chosen.methods.empty()) options.reject("there is no method '" + names + "'");
  chosen.seed = options.seed(study::fresh_seed());
  chosen.json = options.text("--json", "");
  return chosen;
}

template <typename Real>
constexpr const char* precision_of = sizeof(Real) == 4 ? "single" : "double";
template <typename Real>
constexpr double unit_roundoff = sizeof(Real) == 4 ? 0x1p-24 : 0x1p-53;

study::Cell scientific(double value) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.2g", value);
  return std::isfinite(value) ? study::Cell(digits, true) : study::Cell("none");
}

// The least time of some steps, kernel by kernel of that step.
Clock::Laps best_of(Solver& solver, const Method& method, int repeat) {
  Clock::Laps best;
  double least = INFINITY;
  Clock clock(method.on_host ? Clock::host : Clock::device);
  for (int again = 0; again < repeat; ++again) {
    clock.start();
    solver.accelerate(clock);
    solver.advance(0, 0, clock);
    solver.check();
    double sum = 0;
    const Clock::Laps laps = clock.laps();
    for (const auto& lap : laps) sum += lap.second;
    if (sum < least) least = sum, best = laps;
  }
  return best;
}

template <typename Real>
int steps_table(const Settings& chosen, const Bodies& bodies, study::Table& table) {
  int failures = 0;
  const Accuracy accuracy(rounded<Real>(bodies), chosen.physics, chosen.sample, chosen.seed + 1);
  for (const Method* method : chosen.methods) {
    if (int64_t(bodies.size()) > method->most) {
      table.note(method->name, "left out above " + std::to_string(method->most) + " bodies");
      continue;
    }
    const auto make = [&] {
      if constexpr (sizeof(Real) == 4)
        return method->single_precision(bodies, chosen.physics);
      else
        return method->double_precision(bodies, chosen.physics);
    };
    const std::unique_ptr<Solver> solver = make();
    Clock off(Clock::off);
    solver->accelerate(off);
    solver->check();
    const Errors errors = accuracy.of(solver->accelerations(), unit_roundoff<Real>);
    double sum = 0, force = 0;
    for (const auto& [name, seconds] : best_of(*solver, *method, chosen.repeat)) {
      sum += seconds;
      if (name == "force") force += seconds;
    }
    table.row({method->name, precision_of<Real>, study::number(double(bodies.size()), 0),
               study::number(sum * 1e3, 4), study::number(force * 1e3, 4),
               scientific(errors.median), scientific(errors.p90), scientific(errors.p99),
               scientific(errors.most), errors.right ? "PASS" : "FAIL"});
    failures += !errors.right;
  }
  return failures;
}

}  // namespace

int main(int argc, char** argv) {
  study::Options options(argc, argv, usage);
  const Settings chosen = settings(options);
  options.finish();
  options.require_writable(chosen.json);
  std::printf("seed %llu\n", static_cast<unsigned long long>(chosen.seed));
  study::Table table({"method", "precision", "bodies", "step, ms", "force, ms", "median error",
                      "90 % error", "99 % error", "max error", "verified"});
  int failures = 0;
  try {
    for (const int n : chosen.sizes) {
      const Bodies bodies = start_of("plummer", n, chosen.masses, chosen.seed);
      if (chosen.single_precision) failures += steps_table<float>(chosen, bodies, table);
      if (chosen.double_precision) failures += steps_table<double>(chosen, bodies, table);
    }
  } catch (const Failure& failure) {
    std::fflush(stdout);
    std::fprintf(stderr, "%s\n", failure.what());
    return 1;
  }
  cudaDeviceProp device;
  CHECK(cudaGetDeviceProperties(&device, 0));
  const std::string title = std::string("barnes_hut, ") + device.name;
  std::printf("%s\n\n", title.c_str());
  table.print();
  std::printf("\n%s\n", failures ? "FAIL" : "PASS");
  if (!chosen.json.empty() && !table.write_json(chosen.json, title)) {
    options.reject("cannot write " + chosen.json);
  }
  return failures ? 1 : 0;
}
