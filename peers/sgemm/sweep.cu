// A sweep over kernels and cuts. A run: medians of three samples of at least 0.3 ms, one after the other. Passed over are tiles
// that would compute 3.5 times what the best fitting one does, splits of less than two steps or of more than three
// waves, and whatever takes more than 2.2 times the best so far.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>

#include "peers/common/pairs.h"
#include "peers/sgemm/cublas.h"
#include "peers/sgemm/sweep.h"
#include "studies/common/json.h"
#include "studies/common/random.h"
#include "studies/sgemm/tensor_any_shape.h"

namespace sgemm {
namespace {

constexpr double most_waste = 3.5, most_over_best = 2.2, sample_seconds = 3e-4;
constexpr int samples = 3;

__global__ void fill(float* to, size_t count, uint64_t seed) {
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < count;
       i += size_t(gridDim.x) * blockDim.x) {
    to[i] = float(int32_t(study::random_bits(seed, i) >> 40) - (1 << 23)) / (1 << 23);
  }
}
__global__ void count_far(const float* a, const float* b, size_t count, float allowed, int* far) {
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < count;
       i += size_t(gridDim.x) * blockDim.x) {
    if (!(fabsf(a[i] - b[i]) <= allowed)) atomicAdd(far, 1);
  }
}

struct Way {
  std::string name;
  size_t workspace;
  std::function<void(const Product&)> launch;
};

std::string name_of(const TileTimes& tile, const Cut& cut) {
  return std::to_string(tile.rows) + " x " + std::to_string(tile.columns) + " x " +
         std::to_string(tile.depth) + ", " + std::to_string(cut.splits) + "/" +
         std::to_string(cut.cluster);
}

// Every tile of a table that fits, and every cut of it.
template <size_t count, typename Add>
void each_tile(const TileTimes (&tiles)[count], const Product& p, int sms,
               bool (*fits)(const TileTimes&, int), const Add& add) {
  const auto computed = [&](const TileTimes& tile) {
    return double(parts_of(p.m, tile.rows)) * parts_of(p.n, tile.columns) * tile.rows *
           tile.columns;
  };
  double least = INFINITY;
  for (const TileTimes& tile : tiles) least = std::min(least, computed(tile));
  for (int i = 0; i < int(count); ++i) {
    const TileTimes& tile = tiles[i];
    if (computed(tile) > most_waste * least || !fits(tile, p.k)) continue;
    const int64_t blocks = parts_of(p.m, tile.rows) * parts_of(p.n, tile.columns);
    for (const Cut& cut : cuts) {
      const bool too_many = blocks * cut.splits > 3ll * sms * tile.resident;
      if (cut.splits > 1 && (too_many || p.k / cut.splits < 2 * tile.depth)) break;
      add(i, cut, name_of(tile, cut));
    }
  }
}

Way way_of(const Choice& choice, const std::string& name, const Product& p) {
  return {name, workspace_by(choice, p.m, p.n, p.k),
          [=](const Product& of) { sgemm_by(choice, of); }};
}
Way way_of(const TensorChoice& choice, const std::string& name, const Product& p) {
  return {name, tensor_workspace_by(choice, p),
          [=](const Product& of) { tensor_sgemm_by(choice, of); }};
}

std::vector<Way> ways_of_any_shape(const Product& p, int sms) {
  std::vector<Way> ways;
  if (p.n <= most_few_columns) {
    for (int splits : {1, 2, 3, 4, 6, 8, 12, 16}) {
      if (splits > 1 && p.k / splits < 512) break;
      ways.push_back(way_of(Choice{Kernel::few_columns, 0, {splits, 1}},
                            "few columns, " + std::to_string(splits), p));
    }
  }
  ways.push_back(way_of(Choice{Kernel::stream_k}, "stream_k", p));
  if (p.ldb % 4 != 0)
    ways.push_back(way_of(Choice{Kernel::stream_k_of_copy}, "stream_k of a copy", p));
  each_tile(
      tile_times, p, sms, [](const TileTimes&, int) { return true; },
      [&](int tile, const Cut& cut, const std::string& name) {
        ways.push_back(way_of(Choice{Kernel::tiles, tile, cut}, name, p));
      });
  return ways;
}

std::vector<Way> ways_of_tensor_any_shape(const Product& p, int sms) {
  std::vector<Way> ways;
  ways.push_back(way_of(TensorChoice{TensorKernel::any_shape}, "any_shape", p));
  ways.push_back(way_of(TensorChoice{TensorKernel::terms}, "terms", p));
  each_tile(tensor_tile_times, p, sms, suits,
            [&](int tile, const Cut& cut, const std::string& name) {
              ways.push_back(way_of(TensorChoice{TensorKernel::tiles, tile, cut}, name, p));
            });
  return ways;
}

std::string name_of(const Choice& choice) {
  if (choice.kernel == Kernel::few_columns)
    return "few columns, " + std::to_string(choice.cut.splits);
  if (choice.kernel == Kernel::stream_k) return "stream_k";
  if (choice.kernel == Kernel::stream_k_of_copy) return "stream_k of a copy";
  return name_of(tile_times[choice.tile], choice.cut);
}
std::string name_of(const TensorChoice& choice) {
  if (choice.kernel == TensorKernel::any_shape) return "any_shape";
  if (choice.kernel == TensorKernel::terms) return "terms";
  return name_of(tensor_tile_times[choice.tile], choice.cut);
}

struct Run {
  std::string name;
  double seconds;
};

class Trial {
 public:
  Trial(const Shape& shape, uint64_t seed)
      : a_(shape.elements_of_a()),
        b_(shape.elements_of_b()),
        c_(shape.elements_of_c()),
        theirs_(shape.elements_of_c()),
        far_(1),
        allowed_(8 * std::sqrt(shape.k + 3.f) / (1 << 24) * shape.k),
        product_(
            whole({shape.m, shape.n, shape.k, 1, 0, a_.data(), b_.data(), c_.data(), nullptr})) {
    fill<<<1024, 256>>>(a_.data(), shape.elements_of_a(), seed);
    fill<<<1024, 256>>>(b_.data(), shape.elements_of_b(), seed + 1);
  }

  const Product& product() const { return product_; }
  double library(const Cublas& cublas) {
    Problem p = product_;
    p.c = theirs_.data();
    return time([&] { cublas.multiply(p); }, INFINITY);
  }
  // Seconds; infinite where it takes too long to be worth a measurement. `far`: elements that are not cuBLAS's.
  double run(const Way& way, double best, int& far) {
    study::DeviceBuffer<char> workspace(way.workspace + 1);
    workspace.clear();
    Product p = product_;
    p.workspace = workspace.data();
    CHECK(cudaMemset(c_.data(), 0xff, c_.bytes()));
    way.launch(p);
    far_.clear();
    count_far<<<1024, 256>>>(c_.data(), theirs_.data(), c_.bytes() / sizeof(float), allowed_,
                             far_.data());
    CHECK(cudaGetLastError());
    std::vector<int> found;
    far_.read(found);
    far = found[0];
    return time([&] { way.launch(p); }, most_over_best * best);
  }

 private:
  template <typename Work>
  double time(const Work& work, double most) const {
    watch_.seconds(work, 1);
    const double once = watch_.seconds(work, 2);
    if (once > most) return INFINITY;
    std::vector<double> times;
    for (int i = 0; i < samples; ++i) {
      times.push_back(watch_.seconds(work, std::max(2, int(std::ceil(sample_seconds / once)))));
    }
    return peers::median(times);
  }

  study::DeviceBuffer<float> a_, b_, c_, theirs_;
  study::DeviceBuffer<int> far_;
  float allowed_;
  Product product_;
  peers::Stopwatch watch_;
};

}  // namespace

int sweep(const std::vector<Shape>& shapes, bool tensor, uint64_t seed, const std::string& title,
          const std::string& json_name) {
  std::FILE* const file = json_name.empty() ? stdout : std::fopen(json_name.c_str(), "w");
  if (!file) return 2;
  study::Json json(file);
  json.begin('{');
  json.pair("title", title);
  json.key("rows");
  json.begin('[');
  const Cublas cublas;
  int device, sms, wrong = 0;
  CHECK(cudaGetDevice(&device));
  CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device));
  for (const Shape& shape : shapes) {
    Trial trial(shape, seed);
    const Product& p = trial.product();
    const double library = trial.library(cublas);
    const std::vector<Way> ways =
        tensor ? ways_of_tensor_any_shape(p, sms) : ways_of_any_shape(p, sms);
    std::vector<Run> runs;
    double best = INFINITY;
    for (const Way& way : ways) {
      int far = 0;
      const double seconds = trial.run(way, best, far);
      if (far)
        std::printf("%s by %s: %d elements are wrong\n", shape.short_text().c_str(),
                    way.name.c_str(), far);
      wrong += far != 0;
      best = std::min(best, seconds);
      if (std::isfinite(seconds) && !far) runs.push_back({way.name, seconds});
    }
    const std::string chosen =
        tensor ? name_of(tensor_choice_for(p)) : name_of(choice_for(p.m, p.n, p.k, p.b, p.ldb));
    json.begin('{');
    json.pair("size", shape.short_text());
    json.pair("cuBLAS, us", std::round(library * 1e8) / 100);
    json.pair("chosen", chosen);
    json.key("runs");
    json.begin('{');
    for (const Run& run : runs) json.pair(run.name.c_str(), std::round(run.seconds * 1e8) / 100);
    json.end();
    json.end();
  }
  json.end();
  json.end();
  if (file != stdout) std::fclose(file);
  std::printf("%d wrong\n", wrong);
  return wrong ? 1 : 0;
}

}  // namespace sgemm
