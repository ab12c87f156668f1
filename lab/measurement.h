// Steps carried out on a GPU: what is done is kept, so that an interrupted or repeated call does what is
// missing, and published where results are.
//
//   Measurement on({.gpu = gpu, .programs = {"bin"}, .kept = "build/measure/h200", .results = "results/h200"});
//   on.done(step)   ->  StepEnd{"done", 61 rows, 21.3 s, "results/h200/copy.json"}
//
//   build/measure/h200/copy.json     the result of a step, done
//   build/measure/h200/copy.0.part   a run of one that is not, with the program that made it
//   build/measure/h200/copy.log      what its programs printed
#pragma once
#include <filesystem>
#include <optional>
#include <string>

#include "lab/gpu_runs.h"
#include "lab/steps.h"

namespace headroom {

struct StepEnd {
  std::string result;  // "done", "kept", "left out", "FAILED", "interrupted"
  std::optional<size_t> rows;
  std::optional<double> seconds;
  std::string remark;  // where the result is, or why there is none
};

struct Measurement {
  Gpu gpu;
  Programs programs;
  std::filesystem::path kept, results;
  std::optional<double> limit;  // seconds, in place of each step's own

  StepEnd done(const Step&) const;
};

}  // namespace headroom
