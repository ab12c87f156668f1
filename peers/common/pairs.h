// Two works timed in turn, A B A B …, so that clocks and temperature are the same for both.
//
//   const Pairs pairs = timed_in_turn(rung, library);
//   pairs.ratio();        // the median of time(library) / time(rung): above 1 the rung is faster
//
// A sample is as many launches as fill two milliseconds, between two events.
#pragma once
#include <headroom/timing/samples.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "studies/common/check.h"

namespace peers {

using headroom::timing::median;

struct Pairs {
  std::vector<double> ours, theirs;  // seconds of a launch; the same number of each

  double ratio() const { return median(ratios()); }
  // From the least to the most of the pairs, as a part of the median.
  double spread() const {
    const std::vector<double> all = ratios();
    const auto [least, most] = std::minmax_element(all.begin(), all.end());
    return (*most - *least) / median(all);
  }

 private:
  std::vector<double> ratios() const {
    std::vector<double> all;
    for (size_t i = 0; i < ours.size(); ++i) all.push_back(theirs[i] / ours[i]);
    return all;
  }
};

class Stopwatch {
 public:
  Stopwatch() {
    CHECK(cudaEventCreate(&begin_));
    CHECK(cudaEventCreate(&end_));
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;
  ~Stopwatch() {
    cudaEventDestroy(begin_);
    cudaEventDestroy(end_);
  }

  template <typename Work>
  double seconds(const Work& work, int launches) const {
    CHECK(cudaEventRecord(begin_));
    for (int i = 0; i < launches; ++i) work();
    CHECK(cudaEventRecord(end_));
    CHECK(cudaEventSynchronize(end_));
    CHECK(cudaGetLastError());
    float milliseconds = 0;
    CHECK(cudaEventElapsedTime(&milliseconds, begin_, end_));
    return milliseconds * 1e-3 / launches;
  }

 private:
  cudaEvent_t begin_, end_;
};

struct Nothing {
  void operator()() const {}
};

// `prepare` comes before every sample and is not timed; what may be launched only once after it says so.
template <typename Ours, typename Theirs, typename Prepare = Nothing>
Pairs timed_in_turn(const Ours& ours, const Theirs& theirs, int max_pairs,
                    const Prepare& prepare = {}, int most_launches = 1 << 20) {
  constexpr double sample_seconds = 2e-3, all_seconds = 0.5;
  const Stopwatch watch;
  watch.seconds(ours, 1);  // loads the code
  watch.seconds(theirs, 1);
  const auto launches = [&](double seconds) {
    return std::clamp(int(std::ceil(sample_seconds / seconds)), 1, most_launches);
  };
  const double our_time = watch.seconds(ours, 2), their_time = watch.seconds(theirs, 2);
  const double pair = std::max(our_time, sample_seconds) + std::max(their_time, sample_seconds);
  const int count = std::clamp(int(all_seconds / pair), 3, std::max(3, max_pairs));
  Pairs pairs;
  for (int i = 0; i < count; ++i) {
    prepare();
    pairs.ours.push_back(watch.seconds(ours, launches(our_time)));
    prepare();
    pairs.theirs.push_back(watch.seconds(theirs, launches(their_time)));
  }
  return pairs;
}

}  // namespace peers
