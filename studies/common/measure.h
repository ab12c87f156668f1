// How a study times a launch: headroom/timing.cuh, by these options of its command line, and what
// deserves doubt gathered for the end.
//
//   Measure measure(options);                          // before options.finish()
//   Attempt a = measure("naive", launch, prepare);     // both on the default stream
//   if (a.refused.empty()) table.row({"naive", number(a.timing.median() * 1e6, 2)});
//   else table.note("naive", a.refused);               // this machine cannot launch it
//   measure.print_caveats();
#pragma once
#include <cmath>
#include <headroom/timing.cuh>
#include <string>

#include "studies/common/caveats.h"
#include "studies/common/ending.h"
#include "studies/common/options.h"
#include "studies/common/refusal.h"

namespace study {

using headroom::timing::Timing;

constexpr const char* measure_usage =
    "\nhow it is timed (on headroom's emulator one launch, whatever is asked):\n"
    "  --target P        samples until the median is known to P percent (default 0.5)\n"
    "  --repeat N        exactly N samples; 1: one launch and no warm-up\n"
    "  --cold            flush the L2 before every sample\n";

struct Attempt {
  std::string refused;  // why; empty: it was timed
  Timing timing;
};

class Measure {
 public:
  explicit Measure(Options& options) {
    namespace timing = headroom::timing;
    if (options.flag("--cold")) plan_.cache = timing::Cache::cold;
    plan_.target = options.real("--target", plan_.target * 100) / 100;
    if (!(plan_.target >= 0)) options.reject("--target must be a percentage, 0 or more");
    if (!options.given("--repeat")) return;
    plan_.min_samples = plan_.max_samples = int(options.integer("--repeat", 1, 1, 100000));
    plan_.max_seconds = INFINITY;
    if (plan_.max_samples == 1) plan_.warm_up = plan_.gate = 0;
  }

  template <typename Launch, typename Prepare>
  Attempt operator()(const std::string& row, const Launch& launch, const Prepare& prepare) {
    try {
      Attempt attempt;
      attempt.refused = refusal([&] {
        attempt.timing = headroom::timing::measure(
            plan_, [&](cudaStream_t) { launch(); }, [&](cudaStream_t) { prepare(); });
      });
      std::lock_guard adding(rows_lock);
      if (attempt.refused.empty()) caveats_.add(row, attempt.timing.caveats);
      return attempt;
    } catch (const std::exception& failure) {  // of the timing, or of a launch box
      std::fflush(stdout);
      std::fprintf(stderr, "%s: %s\n", row.c_str(), failure.what());
      std::exit(1);
    }
  }
  template <typename Launch>
  Attempt operator()(const std::string& row, const Launch& launch) {
    return (*this)(row, launch, [] {});
  }

  void print_caveats() const { caveats_.print(); }

 private:
  headroom::timing::Plan plan_;
  Caveats caveats_;
};

}  // namespace study
