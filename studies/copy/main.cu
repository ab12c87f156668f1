// The copy study: how many bytes must be in flight to fill the memory, and that threads are not the
// only way to get them there. Every rung is a file of its own, each at several occupancies, and
// cudaMemcpy between them.
//
//   copy --bytes 1G     on a GPU; the default size suits an executor
//
//   variant  occupancy, %  blocks/SM  dynamic shared  time by events, us  GB/s  of cudaMemcpy, %  …
//   1 float           3.1          1          232448                   …     …                 …
//
// Source: V. Volkov, "Better Performance at Lower Occupancy", 2010, p30-38 (experiment B).
#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "studies/common/measure.h"
#include "studies/common/options.h"
#include "studies/common/results.h"
#include "studies/copy/copy.h"
#include "studies/copy/memory.h"
#include "studies/copy/residency.h"

namespace {

constexpr const char* usage =
    "copy: bandwidth against occupancy and bytes in flight per thread\n\n"
    "  --bytes N         bytes to copy (default 1M); 64K, 4M, 1G are understood\n"
    "  --block N         threads per block: 32, 64, 128 or 256 (default 64)\n"
    "  --variant LIST    only these, with commas between; 'list' names them\n"
    "  --occupancy LIST  only these percentages of the threads that an SM can hold, with commas\n"
    "                    between (default 3.125,6.25,12.5,25,50,100)\n"
    "  --chunk LIST      bytes that a bulk copy moves, multiples of 128, with commas between\n"
    "                    (default: as tuned)\n"
    "  --seed N          the input (default: a fresh one)\n"
    "  --json FILE       write the table there too\n\n"
    "exit code: 0 every copy is right, 1 a copy is wrong or a CUDA call failed, 2 bad options,\n"
    "130 interrupted\n";

struct Settings {
  size_t bytes;
  int threads;
  std::vector<const copy::Variant*> variants;
  std::vector<double> occupancies;  // percent
  std::vector<int> chunks;          // bytes; 0: as tuned
  uint64_t seed;
  std::string json;
};

std::vector<const copy::Variant*> variants_of(const std::string& list,
                                              const study::Options& options) {
  std::vector<const copy::Variant*> chosen;
  for (const std::string& name : study::parts_of(list)) {
    const size_t before = chosen.size();
    for (const copy::Variant* variant : copy::variants) {
      if (name == variant->option) chosen.push_back(variant);
    }
    if (chosen.size() == before) options.reject("there is no variant '" + name + "'");
  }
  if (list.empty()) chosen.assign(std::begin(copy::variants), std::end(copy::variants));
  return chosen;
}

std::vector<double> occupancies_of(const std::string& list, const study::Options& options) {
  std::vector<double> chosen;
  for (const std::string& word : study::parts_of(list)) {
    char* rest = nullptr;
    const double percent = std::strtod(word.c_str(), &rest);
    if (word.empty() || *rest || !(percent > 0 && percent <= 100)) {
      options.reject("--occupancy must be percentages above 0, to 100, not '" + word + "'");
    }
    chosen.push_back(percent);
  }
  if (chosen.empty()) options.reject("--occupancy needs percentages");
  return chosen;
}

std::vector<int> chunks_of(const std::string& list, const study::Options& options) {
  std::vector<int> chosen;
  for (const std::string& word : study::parts_of(list)) {
    char* rest = nullptr;
    const long bytes = std::strtol(word.c_str(), &rest, 10);
    if (word.empty() || *rest || bytes < 0 || bytes > 1 << 20 || bytes % 128) {
      options.reject("--chunk must be multiples of 128 up to 1048576, or 0: as tuned; not '" +
                     word + "'");
    }
    chosen.push_back(int(bytes));
  }
  if (chosen.empty()) options.reject("--chunk needs bytes");
  return chosen;
}

Settings settings(study::Options& options) {
  Settings chosen;
  chosen.bytes = options.bytes("--bytes", 1 << 20);
  chosen.threads = int(options.integer("--block", 64, 32, 256));
  const std::string variants = options.text("--variant", "");
  if (variants == "list") {
    for (const copy::Variant* variant : copy::variants) std::puts(variant->option);
    std::exit(0);
  }
  chosen.variants = variants_of(variants, options);
  chosen.occupancies =
      occupancies_of(options.text("--occupancy", "3.125,6.25,12.5,25,50,100"), options);
  chosen.chunks = {0};
  if (options.given("--chunk")) {
    chosen.chunks = chunks_of(options.text("--chunk", ""), options);
    if (std::none_of(chosen.variants.begin(), chosen.variants.end(),
                     [](const copy::Variant* variant) { return variant->chunks; })) {
      options.reject("--chunk is heard by bulk only");
    }
  }
  chosen.seed = options.seed(study::fresh_seed());
  chosen.json = options.text("--json", "");
  if (chosen.threads & (chosen.threads - 1)) {
    options.reject("--block must be 32, 64, 128 or 256");
  }
  return chosen;
}

// A row without figures where the executor ran cudaMemcpy, which has no floor there.
struct Row {
  std::string name, rung;
  double occupancy;  // percent
  copy::Residency resident;
  int in_flight;  // bytes, on an SM
  bool timed;
  double seconds, spread;
  bool right;
  std::string refused;  // why it could not be launched; empty: it was
};

struct Note {
  const copy::Variant* variant;
  std::string why;  // it has no rows
};

// What there is so far: rows of the variants, and every cudaMemcpy between them.
struct Outcome {
  std::vector<Row> rows, between;
  std::vector<Note> notes;
  int out_of_reach = 0;
};

// Times `launch`, then lets it copy once more, onto poison.
template <typename Launch>
Row row_of(const std::string& name, const std::string& about, const Launch& launch,
           copy::Memory& memory, study::Measure& measure) {
  memory.poison();
  const study::Attempt attempt = measure(about, launch);
  const study::Timing& timing = attempt.timing;
  if (!attempt.refused.empty()) return {name, "", 0, {}, 0, false, 0, 0, false, attempt.refused};
  if (!timing.executor) {
    memory.poison();
    launch();
  }
  return {name, "", 0, {}, 0, true, timing.median(), timing.spread(), memory.right(), ""};
}

Row memcpy_row(copy::Memory& memory, study::Measure& measure) {
  Row row = row_of(
      "cudaMemcpy", "cudaMemcpy",
      [&] {
        CHECK(
            cudaMemcpyAsync(memory.to(), memory.from(), memory.bytes(), cudaMemcpyDeviceToDevice));
      },
      memory, measure);
  row.timed = !headroom::timing::on_executor();
  return row;
}

// The cudaMemcpy between the variants, as one row.
Row summary(std::vector<Row> rows) {
  const auto faster = [](const Row& a, const Row& b) { return a.seconds < b.seconds; };
  std::sort(rows.begin(), rows.end(), faster);
  Row row = rows[rows.size() / 2];
  row.spread = (rows.back().seconds - rows.front().seconds) / row.seconds;
  for (const Row& one : rows) row.right = row.right && one.right;
  return row;
}

// What a variant is run with: occupancy and chunk.
std::vector<std::pair<double, int>> shapes_of(const copy::Variant& variant,
                                              const Settings& chosen) {
  std::vector<std::pair<double, int>> shapes;
  for (const double occupancy : chosen.occupancies) {
    for (const int chunk : chosen.chunks) {
      if (variant.chunks || chunk == chosen.chunks.front()) shapes.push_back({occupancy, chunk});
    }
  }
  return shapes;
}

std::string what_is_needed(const copy::Variant& variant) {
  return "needs compute capability " + std::to_string(variant.capability / 10) + "." +
         std::to_string(variant.capability % 10);
}

// Why a variant has no rows; empty: it may have.
std::string why_not(const copy::Variant& variant, const Settings& chosen, int capability) {
  if (variant.capability > capability) return what_is_needed(variant);
  const int least = variant.least(chosen.threads);
  if (chosen.bytes >= size_t(least)) return "";
  return "moves " + std::to_string(least) + " bytes at least";
}

template <typename Add>
void add(const Add& to_outcome) {
  std::lock_guard adding(study::rows_lock);
  to_outcome();
}

void sweep(const Settings& chosen, const cudaDeviceProp& device, int capability,
           study::Measure& measure, Outcome& outcome) {
  copy::Memory memory(chosen.bytes, chosen.seed);
  for (const copy::Variant* variant : chosen.variants) {
    const std::string why = why_not(*variant, chosen, capability);
    if (!why.empty()) {
      add([&] { outcome.notes.push_back({variant, why}); });
      continue;
    }
    const Row between = memcpy_row(memory, measure);
    add([&] { outcome.between.push_back(between); });
    for (const auto& [occupancy, chunk] : shapes_of(*variant, chosen)) {
      const copy::Residency resident =
          copy::residency(*variant, chosen.threads, occupancy, chunk, device);
      if (!resident.blocks) {
        add([&] { ++outcome.out_of_reach; });
        continue;
      }
      const copy::Request request{memory.to(),
                                  memory.from(),
                                  chosen.bytes,
                                  chosen.threads,
                                  resident.blocks * device.multiProcessorCount,
                                  resident.dynamic_shared};
      const std::string name =
          variant->name + (chunk && variant->chunks ? " " + std::to_string(chunk) : "");
      const std::string about = name + " at " + study::number(occupancy, 1).text + " %";
      Row row = row_of(
          name, about, [&] { variant->launch(request); }, memory, measure);
      row.rung = variant->option;
      row.occupancy = occupancy;
      row.resident = resident;
      row.in_flight = resident.blocks * variant->in_flight(chosen.threads, resident.dynamic_shared);
      add([&] {
        if (row.refused.empty()) {
          outcome.rows.push_back(row);
        } else {
          outcome.notes.push_back({variant, row.refused});
        }
      });
    }
  }
}

study::Table table_of(const Outcome& outcome, size_t bytes) {
  study::Table table({"variant", "rung", "occupancy, %", "blocks/SM", "dynamic shared",
                      "in flight, KiB/SM", "time by events, us", "GB/s", "of cudaMemcpy, %",
                      "spread, %", "verified"});
  std::vector<Row> rows = outcome.rows;
  if (rows.empty()) return table;
  rows.push_back(summary(outcome.between));
  const Row reference = rows.back();
  for (const Row& row : rows) {
    const bool own = row.resident.blocks > 0;
    const auto figure = [&](bool there, double value, int decimals) {
      return there ? study::number(value, decimals) : study::nothing;
    };
    table.row({row.name, row.rung, figure(own, row.occupancy, 1),
               figure(own, row.resident.blocks, 0), figure(own, row.resident.dynamic_shared, 0),
               figure(own, row.in_flight / 1024.0, 1), figure(row.timed, row.seconds * 1e6, 2),
               figure(row.timed, 2.0 * bytes / row.seconds * 1e-9, 1),
               figure(reference.timed, 100 * reference.seconds / row.seconds, 1),
               figure(row.timed, row.spread * 100, 1), row.right ? "PASS" : "FAIL"});
  }
  for (const Note& note : outcome.notes) table.note(note.variant->name, note.why);
  return table;
}

// The compute capability that the loaded code was compiled for: 90 is 9.0.
__global__ void of_this_code() {}
int capability_of_code() {
  cudaFuncAttributes attributes;
  CHECK(cudaFuncGetAttributes(&attributes, of_this_code));
  return attributes.ptxVersion;
}

}  // namespace

int main(int argc, char** argv) {
  study::Options options(argc, argv, usage, study::measure_usage);
  const Settings chosen = settings(options);
  study::Measure measure(options);
  options.finish();
  options.require_writable(chosen.json);
  cudaDeviceProp device;
  CHECK(cudaGetDeviceProperties(&device, 0));
  const std::string title = "copy of " + std::to_string(chosen.bytes) + " bytes, " +
                            std::to_string(chosen.threads) + " threads per block, " + device.name;
  Outcome outcome;
  study::Results results(
      title, chosen.json, [&] { return table_of(outcome, chosen.bytes); },
      [&] {
        if (outcome.out_of_reach) {
          std::printf(
              "\nleft out: %d rows; blocks of this size do not make their occupancy, or their "
              "chunks "
              "have no room\n",
              outcome.out_of_reach);
        }
        measure.print_caveats();
      });
  std::printf("seed %llu\n", static_cast<unsigned long long>(chosen.seed));
  sweep(chosen, device, capability_of_code(), measure, outcome);
  if (outcome.rows.empty() && outcome.out_of_reach) {
    options.reject("this occupancy is out of reach for blocks of this size, or for such chunks");
  }
  if (outcome.rows.empty()) {
    options.reject(outcome.notes[0].variant->option + (" " + outcome.notes[0].why));
  }
  bool right = true;
  for (const Row& row : outcome.rows) right = right && row.right;
  for (const Row& row : outcome.between) right = right && row.right;
  return results.finish(right);
}
