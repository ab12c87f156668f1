// The rungs of the study sgemm beside cuBLAS, in turn in one run: how fast, and how far from the
// product in double precision.
//
//   sgemm_vs_cublas --json sgemm_vs_cublas.json
//
//   rung          m     n     k  GFLOP/s  cuBLAS  over cuBLAS  spread, %  error  …  verified
//   warp_tile  4096  4096  4096        …
//
// over cuBLAS: the median over pairs of cuBLAS's time by the rung's; spread: of the pairs, from the
// least to the most. error: the largest |C - C64| / (2^-24 sum |a b|), see
// studies/sgemm/reference.h.
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "peers/common/pairs.h"
#include "peers/sgemm/cublas.h"
#include "peers/sgemm/sweep.h"
#include "studies/common/json.h"
#include "studies/common/options.h"
#include "studies/common/origin.h"
#include "studies/common/table.h"
#include "studies/sgemm/accuracy.h"
#include "studies/sgemm/choose.h"
#include "studies/sgemm/matrices.h"

namespace {

constexpr const char* usage =
    "sgemm_vs_cublas: the rungs of the study sgemm beside cuBLAS, in turn\n\n"
    "  --size LIST            M = N = K, or MxNxK; several with commas between\n"
    "  --rung LIST            only these, with commas between\n"
    "  --accuracy             errors by input instead of times; inputs that are hard, too\n"
    "  --sweep NAME           instead: every kernel and every cut of any_shape or "
    "tensor_any_shape\n"
    "  --pairs N              of samples, at most (default 15; at least 3)\n"
    "  --alpha X --beta X     the factors (default 1 and 0)\n"
    "  --seed N               the input (default: a fresh one)\n"
    "  --json FILE            write the table there too\n\n"
    "exit code: 0 every product is right, 1 one is wrong or a call failed, 2 bad options\n";

constexpr const char* sizes =
    "1024,2048,4096,8192,1000,2049,4095x4097x4099,8192x8192x64,64x8192x8192";
constexpr double min_speed = 0.02;  // of cuBLAS: slower rungs take more time than they tell

struct Row {
  std::string rung;
  sgemm::Shape shape;
  peers::Pairs pairs;
  sgemm::Answer ours, theirs;

  double rate(const std::vector<double>& seconds) const {
    return shape.operations() / peers::median(seconds) * 1e-9;
  }
  bool right() const { return ours.right && theirs.right; }
};

// cuBLAS itself, from its samples beside all rungs.
Row library_row(const std::vector<Row>& rows, const sgemm::Shape& shape,
                const sgemm::Answer& answer) {
  std::vector<double> seconds;
  for (const Row& row : rows) {
    if (row.shape.text("") != shape.text("")) continue;
    seconds.insert(seconds.end(), row.pairs.theirs.begin(), row.pairs.theirs.end());
  }
  return {"cublas", shape, {seconds, seconds}, answer, answer};
}

void print(const std::vector<Row>& rows) {
  study::Table table({"rung", "m", "n", "k", "GFLOP/s", "cuBLAS", "over cuBLAS", "spread, %",
                      "error", "error of cuBLAS", "verified"});
  for (const Row& row : rows) {
    table.row({row.rung, study::number(row.shape.m, 0), study::number(row.shape.n, 0),
               study::number(row.shape.k, 0), study::number(row.rate(row.pairs.ours), 0),
               study::number(row.rate(row.pairs.theirs), 0), study::number(row.pairs.ratio(), 3),
               study::number(row.pairs.spread() * 100, 1), study::number(row.ours.error, 2),
               study::number(row.theirs.error, 2), row.right() ? "PASS" : "FAIL"});
  }
  table.print();
}

bool write_json(const std::string& path, const std::vector<Row>& rows, const std::string& library) {
  std::FILE* file = std::fopen(path.c_str(), "w");
  if (!file) return false;
  study::Json json(file);
  json.begin('{');
  json.pair("schema", "headroom-results/1");
  json.pair("study", "sgemm_vs_cublas");
  json.pair("title", "the rungs of sgemm beside " + library + ", in turn in one run");
  json.pair("method",
            "A row: pairs of samples in turn, a sample of at least 2 ms, medians; cuBLAS in its "
            "default mathematics (no TF32) with 64 MiB of workspace");
  json.key("rows");
  json.begin('[');
  for (const Row& row : rows) {
    json.begin('{');
    json.pair("rung", row.rung);
    json.pair("size", row.shape.short_text());
    json.pair("m", row.shape.m);
    json.pair("n", row.shape.n);
    json.pair("k", row.shape.k);
    json.pair("GFLOP/s", std::round(row.rate(row.pairs.ours)));
    json.pair("cuBLAS, GFLOP/s", std::round(row.rate(row.pairs.theirs)));
    json.pair("over cuBLAS", std::round(row.pairs.ratio() * 1e3) / 1e3);
    json.pair("spread, %", std::round(row.pairs.spread() * 1e4) / 1e2);
    json.pair("pairs", row.pairs.ours.size());
    json.pair("error", std::round(row.ours.error * 1e3) / 1e3);
    json.pair("error of cuBLAS", std::round(row.theirs.error * 1e3) / 1e3);
    json.pair("verified", row.right() ? "PASS" : "FAIL");
    json.end();
  }
  json.end();
  json.end();
  return std::fclose(file) == 0;
}

// The library among the rungs.
const sgemm::Cublas* library = nullptr;
const sgemm::Rung library_rung{"cublas",
                               [](const sgemm::Problem& problem) { library->multiply(problem); }};

}  // namespace

int main(int argc, char** argv) {
  study::Options options(argc, argv, usage);
  const std::vector<sgemm::Shape> shapes = sgemm::shapes(options, sizes);
  const std::vector<const sgemm::Rung*> rungs = sgemm::chosen_rungs(options);
  const bool only_accuracy = options.flag("--accuracy");
  const std::string swept = options.text("--sweep", "");
  if (!swept.empty() && swept != "any_shape" && swept != "tensor_any_shape") {
    options.reject("--sweep must be any_shape or tensor_any_shape, not '" + swept + "'");
  }
  const int max_pairs = int(options.integer("--pairs", 15, 3, 1000));
  const float alpha = float(options.real("--alpha", 1)), beta = float(options.real("--beta", 0));
  const uint64_t seed = options.seed(study::fresh_seed());
  const std::string json = options.text("--json", "");
  options.finish();
  options.require_writable(json);

  const sgemm::Cublas cublas;
  const int capability = sgemm::capability_of_code();
  std::printf("seed %llu\n%s, driver %s\n\n", static_cast<unsigned long long>(seed),
              cublas.version().c_str(), study::driver(true).c_str());
  if (!swept.empty()) {
    const std::string title = "every kernel of " + swept + " beside " + cublas.version();
    return sgemm::sweep(shapes, swept != "any_shape", seed, title, json);
  }
  if (only_accuracy) {
    library = &cublas;
    std::vector<const sgemm::Rung*> all{&library_rung};
    for (const sgemm::Rung* rung : sgemm::able(rungs, capability)) all.push_back(rung);
    const std::string title = "errors of the rungs of sgemm and of " + cublas.version();
    return sgemm::accuracy(all, shapes, seed, title, json);
  }
  std::vector<Row> rows;
  bool right = true;
  for (const sgemm::Shape& shape : shapes) {
    sgemm::Matrices matrices(shape, alpha, beta, seed);
    const sgemm::Problem problem = matrices.on_device(nullptr);
    const peers::Stopwatch watch;
    matrices.restore_c();
    cublas.multiply(problem);
    const sgemm::Answer theirs = matrices.answer();
    const double their_time = watch.seconds([&] { cublas.multiply(problem); }, 3);
    for (const sgemm::Rung* rung : rungs) {
      if (rung->capability > capability) continue;
      const sgemm::Workspace workspace(*rung, problem);
      const sgemm::Problem ours = matrices.on_device(workspace.data());
      matrices.restore_c();
      const double our_time = watch.seconds([&] { rung->launch(ours); }, 1);
      const sgemm::Answer answer = matrices.answer();
      right = right && answer.right && theirs.right;
      if (their_time < min_speed * our_time && answer.right) continue;
      rows.push_back({rung->name, shape,
                      peers::timed_in_turn([&] { rung->launch(ours); },
                                           [&] { cublas.multiply(problem); }, max_pairs),
                      answer, theirs});
    }
    const bool compared = !rows.empty() && rows.back().shape.text("") == shape.text("");
    if (compared) rows.push_back(library_row(rows, shape, theirs));
  }
  print(rows);
  std::printf("\n%s\n", right ? "PASS" : "FAIL");
  if (!json.empty() && !write_json(json, rows, cublas.version())) {
    options.reject("cannot write " + json);
  }
  return right ? 0 : 1;
}
