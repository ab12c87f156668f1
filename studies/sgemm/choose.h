// Which rungs a command line asks for, and which of them the program's code can run.
//
//   --rung naive,tile_2d        these; without it all; 'list' prints their names and ends
#pragma once
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "studies/common/check.h"
#include "studies/common/options.h"
#include "studies/sgemm/sgemm.h"
#include "studies/sgemm/shapes.h"

namespace sgemm {

inline std::vector<const Rung*> chosen_rungs(study::Options& options) {
  const std::string names = options.text("--rung", "");
  if (names == "list") {
    for (const Rung* rung : rungs) std::puts(rung->name);
    std::exit(0);
  }
  std::vector<const Rung*> chosen;
  for (const std::string& name : study::parts_of(names)) {
    const size_t before = chosen.size();
    for (const Rung* rung : rungs) {
      if (name == rung->name) chosen.push_back(rung);
    }
    if (chosen.size() == before) options.reject("there is no rung '" + name + "'");
  }
  if (names.empty()) chosen.assign(std::begin(rungs), std::end(rungs));
  return chosen;
}

static __global__ void of_this_code() {}

// The compute capability that the loaded code was compiled for, whatever the device has: 90 is 9.0.
inline int capability_of_code() {
  cudaFuncAttributes attributes;
  CHECK(cudaFuncGetAttributes(&attributes, of_this_code));
  return attributes.ptxVersion;
}

inline std::vector<const Rung*> able(std::vector<const Rung*> rungs, int capability) {
  rungs.erase(std::remove_if(rungs.begin(), rungs.end(),
                             [=](const Rung* rung) { return rung->capability > capability; }),
              rungs.end());
  return rungs;
}

inline std::string capability_text(const Rung& rung) {
  return std::to_string(rung.capability / 10) + "." + std::to_string(rung.capability % 10);
}

}  // namespace sgemm
