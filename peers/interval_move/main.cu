// The rungs of the study interval_move beside moderngpu's functions, in turn in one run.
//
//   interval_move_vs_moderngpu --size 2^27 --average 4,16,64,1024 --json interval_move_vs_moderngpu.json
//
//   rung      kind  average  elements  Melements/s  moderngpu  over moderngpu  spread, %  verified
//   balanced  move       16     …
//
// over moderngpu: the median over pairs of its time by the rung's; spread: of the pairs, from the least to the
// most. Both results are compared, bit by bit, with a loop on the host.
#include <cstdio>
#include <moderngpu/kernel_intervalmove.hxx>
#include <string>
#include <vector>

#include "peers/common/moderngpu.h"
#include "peers/common/pairs.h"
#include "studies/common/origin.h"
#include "studies/common/table.h"
#include "studies/interval_move/choose.h"
#include "studies/interval_move/problem.h"

namespace {

constexpr const char* usage =
    "interval_move_vs_moderngpu: the rungs of interval_move beside moderngpu, in turn\n\n"
    "  --size N         elements, up to 2^29 (default 2^27)\n"
    "  --average LIST   lengths of an interval, in the mean (default 4,16,64,1024)\n"
    "  --kind LIST      expand, gather, scatter, move (default: move)\n"
    "  --rung LIST      only these, with commas between\n"
    "  --pairs N        of samples, at most (default 15; at least 3)\n"
    "  --seed N         the input (default: a fresh one)\n"
    "  --json FILE      write the table there too\n\n"
    "exit code: 0 every result is right, 1 one is wrong or a call failed, 2 bad options\n";

using namespace interval_move;

void theirs(const Request& r, mgpu::context_t& context) {
  switch (r.kind) {
    case Kind::expand:
      return mgpu::interval_expand(r.from, r.elements, r.begin, r.intervals, r.to, context);
    case Kind::gather:
      return mgpu::interval_gather(r.from, r.elements, r.begin, r.intervals, r.from_at, r.to,
                                   context);
    case Kind::scatter:
      return mgpu::interval_scatter(r.from, r.elements, r.begin, r.intervals, r.to_at, r.to,
                                    context);
    case Kind::move:
      return mgpu::interval_move(r.from, r.elements, r.begin, r.intervals, r.to_at, r.from_at, r.to,
                                 context);
  }
}

template <typename Work>
bool right(Problem& problem, const Work& work) {
  problem.poison();
  work();
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  return problem.right();
}

}  // namespace

int main(int argc, char** argv) {
  study::Options options(argc, argv, usage);
  const Choice chosen(options, "2^27", "4,16,64,1024");
  const int max_pairs = int(options.integer("--pairs", 15, 3, 1000));
  const uint64_t seed = options.seed(study::fresh_seed());
  const std::string json = options.text("--json", "");
  options.finish();
  options.require_writable(json);

  std::printf("seed %llu\nmoderngpu, driver %s\n\n", static_cast<unsigned long long>(seed),
              study::driver(true).c_str());
  study::Table table({"rung", "kind", "average", "elements", "Melements/s", "moderngpu",
                      "over moderngpu", "spread, %", "verified"});
  peers::ModerngpuContext context;
  bool all_right = true;
  for (const NamedKind& kind : chosen.kinds) {
    for (const int average : chosen.averages) {
      Problem problem(kind.kind, chosen.elements, average, seed);
      const Request request = problem.request();
      const bool their_right = right(problem, [&] { theirs(request, context); });
      for (const Rung* rung : chosen.rungs) {
        const study::DeviceBuffer<int> workspace(problem.workspace(*rung));
        const Request ours = problem.request(workspace.data());
        const bool is_right = right(problem, [&] { rung->launch(ours); }) && their_right;
        all_right = all_right && is_right;
        const peers::Pairs pairs = peers::timed_in_turn(
            [&] { rung->launch(ours); }, [&] { theirs(request, context); }, max_pairs);
        const auto rate = [&](const std::vector<double>& seconds) {
          return study::number(chosen.elements / peers::median(seconds) * 1e-6, 0);
        };
        table.row({rung->name, kind.name, study::number(average, 0),
                   study::number(chosen.elements, 0), rate(pairs.ours), rate(pairs.theirs),
                   study::number(pairs.ratio(), 3), study::number(pairs.spread() * 100, 1),
                   is_right ? "PASS" : "FAIL"});
      }
    }
  }
  table.print();
  std::printf("\n%s\n", all_right ? "PASS" : "FAIL");
  const char* title = "the rungs of interval_move beside moderngpu, in turn in one run";
  if (!json.empty() && !table.write_json(json, title)) options.reject("cannot write " + json);
  return all_right ? 0 : 1;
}
