// Products of small shapes by every kernel of sgemm and several cuts, with distances between rows.
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "studies/common/buffer.h"
#include "studies/common/random.h"
#include "studies/common/results.h"
#include "studies/sgemm/apart.h"
#include "studies/sgemm/reference.h"
#include "studies/sgemm/tensor_any_shape.h"

namespace sgemm {
namespace {

struct Case {
  int m, n, k;
  int apart_a, apart_b, apart_c;  // elements between the end of a row and the next
  float alpha, beta;
};
constexpr Case cases[] = {
    {70, 1, 700, 0, 0, 0, 1, 0},   {33, 2, 600, 5, 3, 1, -1.5f, .5f},
    {130, 70, 100, 0, 2, 2, 1, 0}, {130, 71, 100, 3, 0, 0, 2, 1},
    {17, 300, 90, 1, 0, 4, 1, -1}, {257, 34, 40, 0, 6, 2, .25f, 0},
    {49, 97, 515, 2, 1, 3, 1, 0},  {5, 3, 1, 0, 0, 0, 1, 1},
    {40, 60, 0, 4, 0, 0, 1, .5f},  {40, 60, 30, 0, 0, 0, 0, 2},
};
constexpr Cut some_cuts[] = {{1, 1}, {3, 1}, {4, 4}, {16, 8}};

// Between the rows, where nothing may be read or written, lie no numbers.
std::vector<float> with_gaps(int rows, int columns, int apart, uint64_t seed) {
  const std::vector<float> numbers = study::random_floats(size_t(rows) * columns, seed);
  std::vector<float> found(size_t(rows) * (columns + apart) + 8,
                           std::numeric_limits<float>::quiet_NaN());
  for (size_t i = 0; i < numbers.size(); ++i) {
    found[i / columns * (columns + apart) + i % columns] = numbers[i];
  }
  return found;
}

class Trial {
 public:
  Trial(const Case& of, uint64_t seed)
      : of_(of),
        lda_(of.k + of.apart_a),
        ldb_(of.n + of.apart_b),
        ldc_(of.n + of.apart_c),
        host_a_(with_gaps(of.m, of.k, of.apart_a, seed)),
        host_b_(with_gaps(of.k, of.n, of.apart_b, seed + 1)),
        before_(with_gaps(of.m, of.n, of.apart_c, seed + 2)),
        a_(host_a_),
        b_(host_b_),
        c_(before_) {}

  Product product() const {
    return {{of_.m, of_.n, of_.k, of_.alpha, of_.beta, a_.data(), b_.data(), c_.data(), nullptr},
            lda_,
            ldb_,
            ldc_};
  }

  bool right(const Choice& choice) {
    return right(workspace_by(choice, of_.m, of_.n, of_.k),
                 [&](const Product& p) { sgemm_by(choice, p); });
  }
  bool right(const TensorChoice& choice) {
    return right(tensor_workspace_by(choice, product()),
                 [&](const Product& p) { tensor_sgemm_by(choice, p); });
  }

 private:
  // Twice, since the first launch leaves a workspace to the second.
  template <typename Launch>
  bool right(size_t workspace_bytes, const Launch& launch) {
    study::DeviceBuffer<char> workspace(workspace_bytes + 1);
    workspace.clear();
    Product p = product();
    p.workspace = workspace.data();
    for (int again = 0; again < 2; ++again) {
      c_.write(before_);
      launch(p);
      CHECK(cudaGetLastError());
      c_.read(after_);
      if (!as_expected()) return false;
    }
    return true;
  }

  bool as_expected() const {
    for (size_t i = 0; i < after_.size(); ++i) {
      const int row = int(i / ldc_), column = int(i % ldc_);
      if (row >= of_.m || column >= of_.n) {
        if (std::memcmp(&after_[i], &before_[i], sizeof(float)) != 0) return false;
        continue;
      }
      double sum = 0, magnitude = 0;
      for (int k = 0; k < of_.k && of_.alpha != 0; ++k) {
        const double product =
            double(host_a_[size_t(row) * lda_ + k]) * host_b_[size_t(k) * ldb_ + column];
        sum += product;
        magnitude += std::fabs(product);
      }
      const double added = of_.beta == 0 ? 0 : double(of_.beta) * before_[i];
      const double scale = std::fabs(of_.alpha) * magnitude + std::fabs(added);
      const double allowed = 8 * std::sqrt(of_.k + 3.0) / (1 << 24) * scale;  // see reference.h
      if (!(std::fabs(after_[i] - (of_.alpha * sum + added)) <= allowed)) return false;
    }
    return true;
  }

  Case of_;
  int lda_, ldb_, ldc_;
  std::vector<float> host_a_, host_b_, before_, after_;
  study::DeviceBuffer<float> a_, b_, c_;
};

struct Tried {
  std::string kernel;
  int products = 0, wrong = 0;
  void count(bool right) { ++products, wrong += !right; }
};

std::string text(const TileTimes& tile) {
  return std::to_string(tile.rows) + " x " + std::to_string(tile.columns);
}

}  // namespace

int rows_apart(uint64_t seed, const std::string& title, const std::string& json) {
  std::vector<Tried> tried{
      {"as sgemm chooses"},        {"few columns"}, {"stream_k"}, {"stream_k of a copy of B"},
      {"as tensor_sgemm chooses"}, {"terms of f16"}};
  constexpr int others = 6, tensor_others = others + int(std::size(tile_times));
  for (const TileTimes& tile : tile_times) tried.push_back({"tiles of " + text(tile)});
  for (const TileTimes& tile : tensor_tile_times)
    tried.push_back({"tensor tiles of " + text(tile) + " x " + std::to_string(tile.depth)});
  study::Results results(
      title, json,
      [&] {
        study::Table table({"kernel", "products", "wrong", "verified"});
        for (const Tried& one : tried) {
          table.row({one.kernel, study::number(one.products, 0), study::number(one.wrong, 0),
                     one.wrong ? "FAIL" : "PASS"});
        }
        return table;
      },
      [] {});
  for (const Case& of : cases) {
    Trial trial(of, seed += 3);
    const Product p = trial.product();
    tried[0].count(trial.right(choice_for(p.m, p.n, p.k, p.b, p.ldb)));
    if (p.n <= most_few_columns) {
      for (int splits : {1, 3}) {
        tried[1].count(trial.right(Choice{Kernel::few_columns, 0, {splits, 1}}));
      }
    }
    if (p.k > 0) {
      tried[2].count(trial.right(Choice{Kernel::stream_k}));
      tried[3].count(trial.right(Choice{Kernel::stream_k_of_copy}));
      tried[5].count(trial.right(TensorChoice{TensorKernel::terms}));
    }
    tried[4].count(trial.right(tensor_choice_for(p)));
    for (int tile = 0; tile < int(std::size(tile_times)); ++tile) {
      for (const Cut& cut : some_cuts) {
        tried[others + tile].count(trial.right(Choice{Kernel::tiles, tile, cut}));
      }
    }
    for (int tile = 0; tile < int(std::size(tensor_tile_times)); ++tile) {
      if (!suits(tensor_tile_times[tile], p.k)) continue;
      for (const Cut& cut : some_cuts) {
        tried[tensor_others + tile].count(
            trial.right(TensorChoice{TensorKernel::tiles, tile, cut}));
      }
    }
  }
  int wrong = 0;
  for (const Tried& one : tried) wrong += one.wrong;
  return results.finish(wrong == 0);
}

}  // namespace sgemm
