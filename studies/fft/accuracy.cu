// Runs each rung once in each direction and sets its errors side by side.
#include "studies/common/results.h"
#include "studies/fft/accuracy.h"
#include "studies/fft/batch.h"
#include "studies/fft/choose.h"

namespace fft {

int accuracy(const std::vector<const Rung*>& rungs, const std::vector<int>& sizes, size_t bytes,
             uint64_t seed, const std::string& device, int capability, const std::string& json) {
  study::Table table({"rung", "n", "forward", "inverse", "limit", "verified"});
  study::Results results(
      "errors of fft in units of 2^-24, " + device, json, [&] { return table; }, [] {});
  bool all_right = true;
  for (const int n : sizes) {
    Batch batch(n, bytes, seed);
    for (const Rung* rung : rungs) {
      const std::string why = why_not(*rung, n, capability);
      if (!why.empty()) {
        table.note(rung->name, why);
        continue;
      }
      const study::DeviceBuffer<char> workspace(rung->workspace ? batch.bytes() : 0);
      const auto answer = [&](bool inverse) {
        batch.prepare(false);
        rung->launch(batch.request(false, inverse, reinterpret_cast<float2*>(workspace.data())));
        CHECK(cudaGetLastError());
        return batch.answer(inverse);
      };
      const Answer forward = answer(false), inverse = answer(true);
      const bool right = forward.right && inverse.right;
      all_right = all_right && right;
      table.row({rung->name, study::number(n, 0), study::number(forward.error, 3),
                 study::number(inverse.error, 3), study::number(batch.limit(), 0),
                 right ? "PASS" : "FAIL"});
    }
  }
  return results.finish(all_right);
}

}  // namespace fft
