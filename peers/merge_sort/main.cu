// The rungs of the study merge_sort beside CUB's merge sort, and moderngpu's where it was built with that, in turn
// in one run.
//
//   merge_sort_vs_cub --size 2^24,2^27 --json merge_sort_vs_cub.json
//
//   rung       keys  records          n  Mkeys/s    CUB  over CUB  spread, %  verified
//   four_way  int32     keys  134217728        …
//
// over CUB: the median over pairs of CUB's time by the rung's; spread: of the pairs, from the least to the
// most. moderngpu sorts in place: before each of its sorts the input is copied, which is not timed. All results are compared, bit by bit, with what std::stable_sort makes of the input.
#include <cstdio>
#include <string>
#include <vector>

#include "peers/common/pairs.h"
#include "peers/merge_sort/cub.h"
#include "peers/merge_sort/moderngpu.h"
#include "studies/common/options.h"
#include "studies/common/origin.h"
#include "studies/common/table.h"
#include "studies/merge_sort/choose.h"

namespace {

constexpr const char* usage =
    "merge_sort_vs_cub: the rungs of the study merge_sort beside CUB's merge sort, in turn\n\n"
    "  --size LIST     keys to sort, with commas between (default 2^24,2^27)\n"
    "  --keys LIST     int32,int64 (the default)\n"
    "  --records LIST  keys (the default), pairs\n"
    "  --input LIST    random (the default), sorted, reversed, equal, few\n"
    "  --rung LIST     only these, with commas between\n"
    "  --name TEXT     what the rungs are called in the table, where there is one of them\n"
    "  --pairs N       of samples, at most (default 15; at least 3)\n"
    "  --seed N        the input (default: a fresh one)\n"
    "  --json FILE     write the table there too\n\n"
    "exit code: 0 every result is right, 1 one is wrong or a call failed, 2 bad options\n";

template <typename Work>
bool right(merge_sort::Input& input, const Work& work) {
  input.poison();
  work();
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  return input.right();
}

}  // namespace

int main(int argc, char** argv) {
  namespace ms = merge_sort;
  study::Options options(argc, argv, usage);
  const std::vector<int> sizes = ms::chosen_sizes(options, "2^24,2^27");
  const std::vector<ms::NamedKind> whole(ms::kinds, ms::kinds + 2);
  const auto kinds = ms::chosen_of(options, "--keys", "int32,int64", whole,
                                   [](const ms::NamedKind& kind) { return kind.name; });
  const std::string both[] = {"keys", "pairs"};
  const auto of_records = ms::chosen_of(options, "--records", "keys", both,
                                        [](const std::string& name) { return name; });
  const auto inputs = ms::chosen_of(options, "--input", "random", ms::inputs,
                                    [](const char* name) { return name; });
  const std::vector<const ms::Rung*> rungs = ms::chosen_rungs(options);
  const std::string called = options.text("--name", "");
  const int max_pairs = int(options.integer("--pairs", 15, 3, 1000));
  const uint64_t seed = options.seed(study::fresh_seed());
  const std::string json = options.text("--json", "");
  options.finish();
  options.require_writable(json);

  const std::string library = ms::Cub::version();
  std::printf("seed %llu\n%s, driver %s\n\n", static_cast<unsigned long long>(seed),
              library.c_str(), study::driver(true).c_str());
  std::vector<std::string> columns = {"rung",    "keys", "records",  "n",        "input",
                                      "Mkeys/s", "CUB",  "over CUB", "spread, %"};
  if (ms::Moderngpu::is_here) columns.insert(columns.end(), {"moderngpu", "over moderngpu"});
  columns.push_back("verified");
  study::Table table(columns);
  const ms::Moderngpu moderngpu;
  bool all_right = true;
  for (const ms::NamedKind& kind : kinds) {
    for (const std::string& records : of_records) {
      for (const int n : sizes) {
        for (const char* shape : inputs) {
          const auto input = ms::input_of(kind.kind, records == "pairs", n, shape, seed);
          const ms::Request request = input->request();
          const ms::Cub cub(request);
          const auto in_place = [&] {
            moderngpu.prepare(request);
            moderngpu.sort(request);
          };
          const bool theirs = right(*input, [&] { cub.sort(request); }) &&
                              (!ms::Moderngpu::is_here || right(*input, in_place));
          for (const ms::Rung* rung : rungs) {
            const bool ours = right(*input, [&] { rung->sort(request); });
            all_right = all_right && ours && theirs;
            const peers::Pairs pairs = peers::timed_in_turn([&] { rung->sort(request); },
                                                            [&] { cub.sort(request); }, max_pairs);
            const auto rate = [&](const std::vector<double>& seconds) {
              return study::number(n / peers::median(seconds) * 1e-6, 0);
            };
            std::vector<study::Cell> row = {called.empty() ? rung->name : called,
                                            kind.name,
                                            records,
                                            study::number(n, 0),
                                            shape,
                                            rate(pairs.ours),
                                            rate(pairs.theirs),
                                            study::number(pairs.ratio(), 3),
                                            study::number(pairs.spread() * 100, 1)};
            if (ms::Moderngpu::is_here) {
              const peers::Pairs beside = peers::timed_in_turn(
                  [&] { rung->sort(request); }, [&] { moderngpu.sort(request); }, max_pairs,
                  [&] { moderngpu.prepare(request); }, 1);
              row.push_back(rate(beside.theirs));
              row.push_back(study::number(beside.ratio(), 3));
            }
            row.push_back(ours && theirs ? "PASS" : "FAIL");
            table.row(row);
          }
        }
      }
    }
  }
  table.print();
  std::printf("\n%s\n", all_right ? "PASS" : "FAIL");
  const std::string title = "the rungs of merge_sort beside " + library + ", in turn in one run";
  if (!json.empty() && !table.write_json(json, title)) options.reject("cannot write " + json);
  return all_right ? 0 : 1;
}
