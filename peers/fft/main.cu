// The rungs of the study fft beside cuFFT and cudaMemcpy, in turn in one run: how fast, and how far from
// the transform in double precision.
//
//   fft_vs_cufft --bytes 2G --json fft_vs_cufft.json
//
//   rung     n  …  blocks  stages  occupancy, %  GB/s  cuFFT  over cuFFT  of cudaMemcpy, %  …  verified
//   bulk  1024  …       4       3          12.5     …
//
// over cuFFT: the median over pairs of cuFFT's time by the rung's; spread: of the pairs, from the least to
// the most. GB/s: the batch, read and written once. error: see studies/fft/batch.h.
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "peers/common/pairs.h"
#include "peers/fft/cufft.h"
#include "studies/common/options.h"
#include "studies/common/origin.h"
#include "studies/common/refusal.h"
#include "studies/common/table.h"
#include "studies/fft/batch.h"
#include "studies/fft/choose.h"
#include "studies/fft/residency.h"

namespace {

constexpr const char* usage =
    "fft_vs_cufft: the rungs of the study fft beside cuFFT, in turn\n\n"
    "  --size LIST       points of a transform (default 256,512,1024,2048,4096)\n"
    "  --bytes N         of the batch (default 2G)\n"
    "  --rung LIST       only these, with commas between\n"
    "  --direction LIST  forward (the default), inverse\n"
    "  --place LIST      out (the default), in\n"
    "  --blocks LIST     that stay on a multiprocessor, of rungs whose blocks stay; 0: as tuned\n"
    "  --stages LIST     tiles of a block in a ring; 0: as tuned\n"
    "  --pairs N         of samples, at most (default 15; at least 3)\n"
    "  --seed N          the input (default: a fresh one)\n"
    "  --json FILE       write the table there too\n\n"
    "exit code: 0 every transform is right, 1 one is wrong or a call failed, 2 bad options\n";

struct Settings {
  std::vector<int> sizes, blocks, stages;
  std::vector<const fft::Rung*> rungs;
  std::vector<bool> inverse, in_place;
  size_t bytes;
  int max_pairs;
};

std::vector<int> numbers(study::Options& options, const std::string& option) {
  std::vector<int> chosen;
  for (const std::string& word : study::parts_of(options.text(option, "0"))) {
    char* rest = nullptr;
    const long number = std::strtol(word.c_str(), &rest, 10);
    if (word.empty() || *rest || number < 0 || number > 32) {
      options.reject(option + " must be numbers up to 32, not '" + word + "'");
    }
    chosen.push_back(int(number));
  }
  return chosen;
}

// What a rung is run with; a rung whose blocks come and go hears neither number.
struct Shot {
  int blocks, stages;
};
std::vector<Shot> shots_of(const fft::Rung& rung, const fft::Request& request,
                           const Settings& chosen) {
  if (!rung.shape(request).blocks) return {{0, 0}};
  std::vector<Shot> shots;
  for (const int blocks : chosen.blocks) {
    for (const int stages : chosen.stages) {
      if (rung.capability || stages == chosen.stages.front()) shots.push_back({blocks, stages});
    }
  }
  return shots;
}

// One size, direction and place: cudaMemcpy, then all rungs.
class Comparison {
 public:
  Comparison(const Settings& chosen, fft::Batch& batch, const fft::Request& request,
             study::Table& table)
      : chosen_(chosen),
        batch_(batch),
        request_(request),
        table_(table),
        in_place_(request.from == request.to),
        cufft_(request.n, request.batch) {
    theirs_ = answer_of([&] { cufft_.transform(request_); });
    copy_ = pairs_of([&] {
      CHECK(cudaMemcpyAsync(const_cast<float2*>(request_.to), batch_.request(false, false).from,
                            batch_.bytes(), cudaMemcpyDeviceToDevice));
    });
    row("cudaMemcpy", copy_, nullptr, {0, 0, 0}, 0);
  }

  bool right() const { return theirs_.right; }

  // False: a wrong answer.
  bool add(const fft::Rung& rung, const Shot& shot) {
    fft::Request request = request_;
    request.blocks = shot.blocks;
    request.stages = shot.stages;
    fft::Answer ours{};
    const std::string why =
        study::refusal([&] { ours = answer_of([&] { rung.launch(request); }); });
    if (!why.empty()) {
      table_.note(rung.name, why);
      return true;
    }
    row(rung.name, pairs_of([&] { rung.launch(request); }), &ours,
        fft::residency(rung.shape(request)), shot.stages);
    return ours.right;
  }

 private:
  template <typename Work>
  fft::Answer answer_of(const Work& work) {
    batch_.prepare(in_place_);
    work();
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    return batch_.answer(request_.inverse);
  }
  // In place what is transformed again and again leaves the floats: every sample begins afresh.
  template <typename Work>
  peers::Pairs pairs_of(const Work& work) {
    return peers::timed_in_turn(
        work, [&] { cufft_.transform(request_); }, chosen_.max_pairs,
        [&] {
          if (in_place_) batch_.prepare(true);
        });
  }
  double rate(const std::vector<double>& seconds) const {
    return 2.0 * double(batch_.bytes()) / peers::median(seconds) * 1e-9;
  }
  void row(const std::string& name, const peers::Pairs& pairs, const fft::Answer* ours,
           const fft::Residency& resident, int stages) {
    const double speed = rate(pairs.ours);
    const bool right = theirs_.right && (!ours || ours->right);
    const auto figure = [](bool there, double value, int decimals) {
      return there ? study::number(value, decimals) : study::nothing;
    };
    table_.row(
        {name, study::number(request_.n, 0), request_.inverse ? "inverse" : "forward",
         in_place_ ? "in" : "out", figure(ours, resident.threads, 0),
         figure(ours, resident.blocks, 0), figure(stages > 0, stages, 0),
         figure(ours, resident.occupancy, 1), study::number(speed, 0),
         study::number(rate(pairs.theirs), 0), study::number(pairs.ratio(), 3),
         study::number(100 * speed / rate(copy_.ours), 1),
         study::number(
             fft::operations(request_.n, request_.batch) / peers::median(pairs.ours) * 1e-9, 0),
         study::number(pairs.spread() * 100, 1), figure(ours, ours ? ours->error : 0, 2),
         study::number(theirs_.error, 2), right ? "PASS" : "FAIL"});
  }

  const Settings& chosen_;
  fft::Batch& batch_;
  fft::Request request_;
  study::Table& table_;
  bool in_place_;
  fft::Cufft cufft_;
  fft::Answer theirs_{};
  peers::Pairs copy_;
};

}  // namespace

int main(int argc, char** argv) {
  study::Options options(argc, argv, usage);
  Settings chosen;
  chosen.sizes = fft::chosen_sizes(options, "256,512,1024,2048,4096");
  chosen.rungs = fft::chosen_rungs(options);
  chosen.inverse = fft::chosen_of(options, "--direction", "forward", "inverse");
  chosen.in_place = fft::chosen_of(options, "--place", "out", "in");
  chosen.blocks = numbers(options, "--blocks");
  chosen.stages = numbers(options, "--stages");
  chosen.bytes = size_t(options.bytes("--bytes", int64_t(2) << 30));
  chosen.max_pairs = int(options.integer("--pairs", 15, 3, 1000));
  const uint64_t seed = options.seed(study::fresh_seed());
  const std::string json = options.text("--json", "");
  options.finish();
  options.require_writable(json);

  const int capability = fft::capability_of_code();
  const std::string library = fft::Cufft::version();
  std::printf("seed %llu\n%s, driver %s\n\n", static_cast<unsigned long long>(seed),
              library.c_str(), study::driver(true).c_str());
  study::Table table({"rung", "n", "direction", "place", "threads", "blocks", "stages",
                      "occupancy, %", "GB/s", "cuFFT", "over cuFFT", "of cudaMemcpy, %", "GFLOP/s",
                      "spread, %", "error", "error of cuFFT", "verified"});
  bool right = true;
  for (const int n : chosen.sizes) {
    fft::Batch batch(n, chosen.bytes, seed);
    const study::DeviceBuffer<char> workspace(batch.bytes());
    float2* const room = reinterpret_cast<float2*>(workspace.data());
    for (const bool inverse : chosen.inverse) {
      for (const bool in_place : chosen.in_place) {
        Comparison comparison(chosen, batch, batch.request(in_place, inverse, room), table);
        right = right && comparison.right();
        for (const fft::Rung* rung : chosen.rungs) {
          if (!fft::why_not(*rung, n, capability).empty()) continue;
          for (const Shot& shot : shots_of(*rung, batch.request(in_place, inverse, room), chosen)) {
            right = comparison.add(*rung, shot) && right;
          }
        }
      }
    }
  }
  table.print();
  std::printf("\n%s\n", right ? "PASS" : "FAIL");
  const std::string title = "the rungs of fft beside " + library + ", in turn in one run";
  if (!json.empty() && !table.write_json(json, title)) options.reject("cannot write " + json);
  return right ? 0 : 1;
}
