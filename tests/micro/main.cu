// Runs the micro-kernels, every one once, in the order of the topics.
#include <cstdio>
#include <fstream>

#include "studies/common/options.h"
#include "tests/micro/micro.cuh"

namespace {

using namespace micro;

constexpr char usage[] =
    "micro: kernels of one kind of access each, checked on the host, with what a profiler must "
    "count\n"
    "  --seed N      repeats the input of a run (default: a fresh one, printed)\n"
    "  --json FILE   what each launch must count and its resources\n";

struct Topic {
  const char* name;
  std::vector<Case> (*cases)();
};
const Topic topics[] = {
    {"strides", strides},
    {"shifts", shifts},
    {"widths", widths},
    {"lanes", lanes},
    {"permuted", permuted},
    {"shared reads", shared_reads},
    {"shared writes", shared_writes},
    {"tiles", tiles},
    {"atomics", atomics},
    {"local", local},
    {"uniform", uniform},
    {"cached", cached},
    {"flow", flow},
    {"pipes", pipes},
};

std::string json_row(const char* topic, const Case& each, const Result& result) {
  std::string counters;
  for (const auto& [name, value] : result.counters)
    counters += (counters.empty() ? "\"" : ", \"") + name + "\": " + std::to_string(value);
  return std::string("{\"topic\": \"") + topic + "\", \"name\": \"" + each.name +
         "\", \"verified\": " + (result.verified ? "true" : "false") +
         ", \"registers\": " + std::to_string(result.attributes.numRegs) +
         ", \"local_bytes\": " + std::to_string(result.attributes.localSizeBytes) +
         ", \"shared_bytes\": " + std::to_string(result.attributes.sharedSizeBytes) +
         ", \"counters\": {" + counters + "}}";
}

}  // namespace

int main(int argc, char** argv) {
  study::Options options(argc, argv, usage);
  const uint64_t seed = options.seed(study::fresh_seed() >> 1);
  const std::string json = options.text("--json", "");
  options.finish();

  std::printf("seed %llu\n", (unsigned long long)seed);
  std::string rows;
  int launches = 0, wrong = 0;
  for (const Topic& topic : topics) {
    for (const Case& each : topic.cases()) {
      Bench bench(seed + uint64_t(++launches) * 1000);
      each.run(bench);
      wrong += !bench.result.verified;
      std::printf("%-14s %-44s %s\n", topic.name, each.name,
                  bench.result.verified ? "PASS" : "FAIL");
      rows += (rows.empty() ? "" : ",\n ") + json_row(topic.name, each, bench.result);
    }
  }
  std::printf("\n%d micro-kernels, %d wrong: %s\n", launches, wrong, wrong ? "FAIL" : "PASS");
  if (!json.empty()) {
    std::ofstream file(json);
    file << "[" << rows << "]\n";
    if (!file.flush()) {
      std::fprintf(stderr, "micro: cannot write %s\n", json.c_str());
      return 2;
    }
  }
  return wrong ? 1 : 0;
}
