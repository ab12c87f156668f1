// Every reason to doubt a measurement that its samples and clocks themselves give.
//
//   add_doubts(timing, limits);    appends to timing.caveats
//
//   the samples fall into two groups, 40 at 10.1 µs and 60 at 12.3 µs; …
//
// Sources: drift by H. B. Mann, "Nonparametric Tests Against Trend", Econometrica 13, 1945;
// outliers by the modified z-score of B. Iglewicz, D. Hoaglin, "How to Detect and Handle Outliers",
// 1993; two groups by the split of least variance (N. Otsu, "A Threshold Selection Method from
// Gray-Level Histograms", 1979) where Ashman's distance D is large (K. Ashman, C. Bird, S. Zepf,
// "Detecting Bimodality in Astronomical Datasets", 1994).
#pragma once
#include <optional>

#include "headroom/timing/collect.h"

namespace headroom::timing {

// How the samples rise or fall over time: Mann's statistic in standard deviations, above 0 when
// they rise. Of more than 1000 samples, every so-manieth is looked at.
inline double trend(const std::vector<double>& seconds) {
  const size_t step = seconds.size() / 1000 + 1;
  std::vector<double> x;
  for (size_t i = 0; i < seconds.size(); i += step) x.push_back(seconds[i]);
  const double n = double(x.size());
  if (n < 8) return 0;
  double rises = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    for (size_t j = i + 1; j < x.size(); ++j) rises += (x[j] > x[i]) - (x[j] < x[i]);
  }
  const std::vector<double> ordered = sorted(x);  // ties leave less to vary
  double variance = n * (n - 1) * (2 * n + 5);
  for (size_t i = 0; i < ordered.size();) {
    size_t end = i;
    while (end < ordered.size() && ordered[end] == ordered[i]) ++end;
    const double same = double(end - i);
    variance -= same * (same - 1) * (2 * same + 5);
    i = end;
  }
  return variance > 0 ? rises / std::sqrt(variance / 18) : 0;
}

// The two groups that the samples fall into, if they do.
struct Groups {
  size_t fewer_count, more_count;  // below and above
  double below, above;             // their means
};

inline std::optional<Groups> groups(const std::vector<double>& seconds, double resolution) {
  constexpr size_t fewest = 20;
  constexpr double min_distance = 6, min_share = 0.1, min_step = 0.01;
  const size_t n = seconds.size();
  if (n < fewest) return {};
  const std::vector<double> x = sorted(seconds);
  const double origin = x.front();  // keeps the sums of squares small
  double sum = 0, squares = 0;
  for (double value : x) {
    sum += value - origin;
    squares += (value - origin) * (value - origin);
  }
  const size_t min_count = size_t(min_share * double(n)) + 1;
  std::optional<Groups> best;
  double best_within = std::numeric_limits<double>::infinity(), best_distance = 0;
  double sum_below = 0, squares_below = 0;
  for (size_t k = 1; k < n; ++k) {  // k samples below the split
    const double added = x[k - 1] - origin;
    sum_below += added;
    squares_below += added * added;
    if (k < min_count || n - k < min_count || x[k] == x[k - 1]) continue;
    const double below = sum_below / double(k), above = (sum - sum_below) / double(n - k);
    const double within_below = std::max(0.0, squares_below - double(k) * below * below);
    const double within_above =
        std::max(0.0, squares - squares_below - double(n - k) * above * above);
    if (within_below + within_above >= best_within) continue;
    best_within = within_below + within_above;
    const double deviation =
        std::sqrt((within_below / double(k) + within_above / double(n - k)) / 2);
    best_distance =
        deviation > 0 ? (above - below) / deviation : std::numeric_limits<double>::infinity();
    best = Groups{k, n - k, origin + below, origin + above};
  }
  if (!best || best_distance < min_distance) return {};
  const double step = best->above - best->below;
  if (step < min_step * middle_of(x) || step < 2 * resolution) return {};
  return best;
}

// Numbers of the samples that lie far off: more than 3.5 by the modified z-score, and by 10 %.
inline std::vector<size_t> outliers(const std::vector<double>& seconds, double resolution) {
  constexpr double max_score = 3.5, min_step = 0.1;
  std::vector<size_t> found;
  if (seconds.size() < 5) return found;
  const double middle = median(seconds);
  std::vector<double> away;
  for (double value : seconds) away.push_back(std::abs(value - middle));
  const double spread = median(away);
  for (size_t i = 0; i < seconds.size(); ++i) {
    if (0.6745 * away[i] > max_score * spread && away[i] > min_step * middle &&
        away[i] > 2 * resolution) {
      found.push_back(i);
    }
  }
  return found;
}

// Seconds between two different readings of the clock: as documented, or less if the samples show
// it.
inline double finest_step(const Timing& timing, double documented) {
  constexpr double rounding = 2e-7;  // events are read as float
  const std::vector<double> x = sorted(timing.seconds);
  double step = documented;
  for (size_t i = 1; i < x.size(); ++i) {
    const double between = (x[i] - x[i - 1]) * timing.batch;
    if (between > rounding * x[i] * timing.batch) step = std::min(step, between);
  }
  return step;
}

inline void doubt_samples(Timing& timing, const Limits& limits) {
  const auto doubt = [&](std::string what, std::string cause, std::string advice) {
    timing.caveats.push_back({std::move(what), std::move(cause), std::move(advice)});
  };
  const std::vector<double>& seconds = timing.seconds;
  const size_t count = seconds.size();
  const double middle = timing.median(), error = relative_error(seconds);
  const double resolution = timing.resolution / timing.batch;
  if (error > limits.target) {
    const std::string cause =
        timing.stop == Stop::time
            ? "the time allowed was over after " + duration(limits.max_seconds)
            : printed("%zu samples are all that were allowed", count);
    if (std::isinf(error)) {
      doubt(printed("%zu samples say nothing of how well the median is known", count), cause,
            "allow at least 6");
    } else {
      doubt("the median is known to " + percent(error) + ", not to " + percent(limits.target),
            cause, "allow more samples or time, or find what disturbs them");
    }
  }
  constexpr double max_empty = 0.01;
  if (timing.empty && *timing.empty > std::max(limits.target, max_empty) * middle) {
    doubt(
        "of the " + duration(middle) + " an empty kernel takes " + duration(*timing.empty) + " too",
        "so much is launching and timing, not work",
        timing.batch > 1 ? "more work in a launch" : "more work in a launch, or a batch of them");
  }
  if (const double finest = std::max(limits.target, 0.001); resolution > finest * middle) {
    doubt("a sample lasts " + duration(middle * timing.batch) +
              ", and the clock moves in steps of " + duration(timing.resolution),
          "too little work between its readings",
          middle > 0 ? printed("a batch of %.0f launches or more",
                               std::ceil(timing.resolution / (finest * middle)))
                     : "more launches in a batch");
  }
  const std::vector<size_t> far = outliers(seconds, resolution);
  size_t first = 0;  // how many slow ones stand at the beginning
  while (first < far.size() && far[first] == first && seconds[first] > middle) ++first;
  if (first > 0) {
    doubt(printed("the first %s up to %.2g times the median",
                  first == 1 ? "sample took" : printed("%zu samples took", first).c_str(),
                  *std::max_element(seconds.begin(), seconds.begin() + long(first)) / middle),
          "caches, clocks or the code's loading were not warm", "more warm-up");
  }
  if ((far.size() - first) * 50 > count) {
    double worst = 0;
    for (size_t i : far) worst = std::max(worst, std::abs(seconds[i] / middle - 1));
    doubt(printed("%zu of %zu samples lie far off, up to %s from the median", far.size() - first,
                  count, percent(worst).c_str()),
          "something else used the GPU or the host meanwhile",
          "run it alone; the median holds as long as they are few");
  }
  if (const std::optional<Groups> two = groups(seconds, resolution)) {
    doubt(printed("the samples fall into two groups, %zu at %s and %zu at %s", two->fewer_count,
                  duration(two->below).c_str(), two->more_count, duration(two->above).c_str()),
          "the clocks, where data lies in memory, or two ways through the program",
          "look at the samples; the median names one group only");
  }
  const size_t quarter = count / 4;
  if (quarter >= 2 && std::abs(trend(seconds)) > 3.3) {  // by chance once in a thousand
    const double early = median({seconds.begin(), seconds.begin() + long(quarter)});
    const double late = median({seconds.end() - long(quarter), seconds.end()});
    const double change = late / early - 1;
    if (std::abs(change) > std::max(limits.target, 0.002) &&
        std::abs(late - early) > 2 * resolution) {
      doubt(printed("the samples drift: the last quarter takes %s %s than the first",
                    percent(std::abs(change)).c_str(), change > 0 ? "more" : "less"),
            "the GPU warms up or throttles, or the work changes from launch to launch",
            change > 0 ? "look at clocks and temperature, or prepare each sample alike"
                       : "more warm-up, or prepare each sample alike");
    }
  }
}

inline void doubt_clocks(Timing& timing) {
  constexpr double max_change = 0.01;
  unsigned long long reasons = 0;
  std::optional<unsigned> processes;
  std::optional<unsigned> low[2], high[2];
  for (const Clocks& seen : timing.clocks) {
    reasons |= seen.reasons.value_or(0);
    processes = std::max(processes, seen.processes);
    const std::optional<unsigned> clocks[2] = {seen.sm_mhz, seen.memory_mhz};
    for (int i = 0; i < 2; ++i) {
      if (!clocks[i]) continue;
      low[i] = low[i] ? std::min(*low[i], *clocks[i]) : *clocks[i];
      high[i] = high[i] ? std::max(*high[i], *clocks[i]) : *clocks[i];
    }
  }
  std::string held;
  for (const Reason& reason : throttle_reasons) {
    if (reasons & reason.bit) held += (held.empty() ? "" : ", ") + std::string(reason.name);
  }
  if (!held.empty()) {
    timing.caveats.push_back({"the GPU's clocks were held down", held,
                              "cool it, let it rest or lock lower clocks, and measure again"});
  }
  const char* names[2] = {"SM", "memory"};
  for (int i = 0; i < 2; ++i) {
    if (!low[i] || *high[i] - *low[i] <= max_change * *high[i]) continue;
    timing.caveats.push_back(
        {printed("the %s clock moved between %u and %u MHz", names[i], *low[i], *high[i]),
         "the GPU was idle before, or power or temperature took its clock down",
         "more warm-up, or lock the clocks (nvidia-smi -lgc) where that is yours to do"});
  }
  if (processes && *processes > 1) {
    timing.caveats.push_back({printed("%u processes compute on this GPU", *processes),
                              "others use it too", "measure when the GPU is yours alone"});
  }
}

inline void add_doubts(Timing& timing, const Limits& limits) {
  if (timing.executor) return;
  doubt_samples(timing, limits);
  doubt_clocks(timing);
}

}  // namespace headroom::timing
