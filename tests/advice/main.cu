// Runs the pairs in their order: every kernel --repeat times, each launch checked on the host.
//
//   $ advice --seed 7 --only k01
//   seed 7
//   k01_a  uncoalesced                    (512, 1, 1) x (256, 1, 1)    PASS
//   …
#include <cctype>
#include <cstdio>
#include <fstream>
#include <regex>

#include "studies/common/options.h"
#include "tests/advice/pairs.h"

namespace {

using namespace advice;

constexpr char usage[] =
    "advice: kernels with a planted problem (kNN_a) and their mended twins (kNN_b)\n\n"
    "  --seed N      repeats the input of a run (default: a fresh one, printed)\n"
    "  --only WHAT   the number of a pair, or a regular expression found in its name or problem\n"
    "  --repeat N    launches of each kernel (default 1)\n"
    "  --list        the pairs, and no launch\n"
    "  --json FILE   what was launched\n\n"
    "exit code: 0 everything is right, 1 a result is wrong or a CUDA call failed, 2 bad options\n";

bool chosen(const Pair& pair, const std::string& only) {
  if (only.empty()) return true;
  const bool number = only.size() < 4 && std::all_of(only.begin(), only.end(), [](char letter) {
                        return std::isdigit((unsigned char)letter);
                      });
  if (number) return std::stoi(only) == std::stoi(pair.name + 1);
  const std::regex expression(only);
  return std::regex_search(pair.name, expression) || std::regex_search(pair.problem, expression);
}

std::string text(dim3 extent) {
  return std::to_string(extent.x) + ", " + std::to_string(extent.y) + ", " +
         std::to_string(extent.z);
}

std::string json_row(const Pair& pair, const Row& row) {
  return std::string("{\"pair\": \"") + pair.name + "\", \"problem\": \"" + pair.problem +
         "\", \"file\": \"tests/advice/" + pair.file + "\", \"kernel\": \"" + row.kernel +
         "\", \"verified\": " + (row.verified ? "true" : "false") + ", \"grid\": [" +
         text(row.shape.grid) + "], \"block\": [" + text(row.shape.block) +
         "], \"dynamic_shared\": " + std::to_string(row.shape.dynamic_shared) + "}";
}

}  // namespace

int main(int argc, char** argv) {
  study::Options options(argc, argv, usage);
  const bool list = options.flag("--list");
  const std::string only = options.text("--only", "");
  const int repeat = int(options.integer("--repeat", 1, 1, 100000));
  const uint64_t seed = options.seed(study::fresh_seed() >> 1);
  const std::string json = options.text("--json", "");
  options.finish();

  std::vector<const Pair*> some;
  try {
    for (const Pair& pair : pairs) {
      if (chosen(pair, only)) some.push_back(&pair);
    }
  } catch (const std::regex_error&) {
    options.reject("--only is no regular expression: '" + only + "'");
  }
  if (some.empty()) options.reject("there is no pair '" + only + "'");
  if (list) {
    for (const Pair* pair : some) {
      std::printf("%s  %-30s %-14s %s\n", pair->name, pair->problem, pair->file, pair->words);
    }
    return 0;
  }
  options.require_writable(json);

  std::printf("seed %llu\n", (unsigned long long)seed);
  std::string rows;
  int kernels = 0, wrong = 0;
  for (const Pair* pair : some) {
    Bench bench(seed + 1000 * uint64_t(std::stoi(pair->name + 1)), repeat);
    pair->run(bench);
    for (const Row& row : bench.rows) {
      ++kernels;
      wrong += !row.verified;
      const std::string shape = "(" + text(row.shape.grid) + ") x (" + text(row.shape.block) + ")";
      std::printf("%s  %-30s %-28s %s\n", row.kernel.c_str(), pair->problem, shape.c_str(),
                  row.verified ? "PASS" : "FAIL");
      rows += (rows.empty() ? "" : ",\n ") + json_row(*pair, row);
    }
  }
  std::printf("\n%d kernels, %d wrong: %s\n", kernels, wrong, wrong ? "FAIL" : "PASS");
  if (!json.empty()) {
    std::ofstream file(json);
    file << "[" << rows << "]\n";
    if (!file.flush()) {
      std::fprintf(stderr, "advice: cannot write %s\n", json.c_str());
      return 2;
    }
  }
  return wrong ? 1 : 0;
}
