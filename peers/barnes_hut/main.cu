// How far the accelerations that other programs found lie from all pairs in double precision: the
// judge of the study barnes_hut, on the very bodies that the study begins with.
//
//   barnes_hut_errors --bodies 5000 --seed 7 --write bodies.bin
//   barnes_hut_errors --bodies 5000 --seed 7 --accelerations theirs.bin
//
//   file        bodies  softening  median error  90 % error  99 % error  max error  RMS error
//   theirs.bin    5000       0.01      0.000145    0.000356    0.000875    0.00286   0.000266
//
// Of each body bodies.bin holds four floats, {x, y, z, mass}, and theirs.bin three, {x, y, z}.
// Errors are those of studies/barnes_hut/accuracy.h, over the same sample for every file. The mass
// of all bodies, and the gravitational constant, are 1.
#include <array>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "studies/barnes_hut/accuracy.h"
#include "studies/barnes_hut/start.h"
#include "studies/common/options.h"
#include "studies/common/table.h"

namespace {

using barnes_hut::Points;

constexpr const char* usage =
    "barnes_hut_errors: accelerations of other programs against all pairs in double precision\n\n"
    "  --bodies N             how many (default 1024)\n"
    "  --masses M             random or equal (default random)\n"
    "  --seed N               the bodies of the study barnes_hut with that seed (default 0)\n"
    "  --write FILE           write them there: four floats each, x, y, z and mass\n"
    "  --accelerations LIST   files to judge, with commas between: three floats a body, in the\n"
    "                         order of the bodies\n"
    "  --softening X          that the programs used, above 0 (default 0.01)\n"
    "  --sample N             bodies whose error is looked at (default 4096)\n"
    "  --json FILE            write the table there too\n\n"
    "exit code: 0 every file was judged, 1 one was not, 2 bad options\n";

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;
File open(const std::string& path, const char* how) {
  return {std::fopen(path.c_str(), how), std::fclose};
}

bool write(const std::string& path, const Points& bodies) {
  std::vector<std::array<float, 4>> points;
  for (const auto& body : bodies) {
    points.push_back({float(body.x), float(body.y), float(body.z), float(body.mass)});
  }
  const File file = open(path, "wb");
  const size_t bytes = points.size() * sizeof points[0];
  return file && std::fwrite(points.data(), 1, bytes, file.get()) == bytes &&
         std::fflush(file.get()) == 0;
}

// {x0, x1, …, y0, …, z0, …}; none where the file does not hold three floats a body.
std::vector<double> accelerations_in(const std::string& path, size_t bodies) {
  const File file = open(path, "rb");
  std::vector<std::array<float, 3>> found(bodies + 1);  // one more than there may be
  if (!file || std::fread(found.data(), 1, found.size() * sizeof found[0], file.get()) !=
                   bodies * sizeof found[0]) {
    return {};
  }
  std::vector<double> accelerations(3 * bodies);
  for (size_t i = 0; i < bodies; ++i) {
    for (int axis = 0; axis < 3; ++axis) accelerations[i + axis * bodies] = found[i][axis];
  }
  return accelerations;
}

study::Cell significant(double value, const char* format = "%.3g") {
  char digits[32];
  std::snprintf(digits, sizeof digits, format, value);
  return std::isfinite(value) ? study::Cell(digits, true) : study::Cell("none");
}

}  // namespace

int main(int argc, char** argv) {
  study::Options options(argc, argv, usage);
  const int n = int(options.integer("--bodies", 1024, 1, 1 << 27));
  const std::string masses = options.text("--masses", "random");
  if (masses != "random" && masses != "equal") options.reject("--masses must be random or equal");
  const uint64_t seed = options.seed(0);
  const std::string target = options.text("--write", "");
  const std::vector<std::string> files = study::parts_of(options.text("--accelerations", ""));
  const barnes_hut::Physics physics{0.5, options.real("--softening", 0.01)};
  if (!(physics.softening > 0)) options.reject("--softening must be above 0");
  const int sample = int(options.integer("--sample", 4096, 1, 1 << 20));
  const std::string json = options.text("--json", "");
  options.finish();
  options.require_writable(json);
  if (target.empty() && files.empty()) options.reject("nothing to do: --write or --accelerations");

  const Points bodies = barnes_hut::rounded<float>(barnes_hut::start_of(
      "plummer", n, masses == "equal" ? nbody::Masses::equal : nbody::Masses::random, seed));
  if (!target.empty() && !write(target, bodies)) options.reject("cannot write " + target);
  if (files.empty()) return 0;

  study::Table table({"file", "bodies", "softening", "median error", "90 % error", "99 % error",
                      "max error", "RMS error"});
  int refused = 0;
  try {
    const barnes_hut::Accuracy accuracy(bodies, physics, sample, seed + 1);
    for (const std::string& path : files) {
      const std::vector<double> found = accelerations_in(path, bodies.size());
      if (found.empty()) {
        table.note(path,
                   "is not there, or does not hold " + std::to_string(3 * size_t(n)) + " floats");
        ++refused;
        continue;
      }
      const barnes_hut::Errors errors = accuracy.of(found, 0x1p-24);
      table.row({path, study::number(n, 0), significant(physics.softening, "%g"),
                 significant(errors.median), significant(errors.p90), significant(errors.p99),
                 significant(errors.most), significant(errors.rms)});
    }
  } catch (const barnes_hut::Failure& failure) {
    std::fprintf(stderr, "%s\n", failure.what());
    return 1;
  }
  table.print();
  if (!json.empty() && !table.write_json(json, "barnes_hut_errors")) {
    options.reject("cannot write " + json);
  }
  return refused ? 1 : 0;
}
