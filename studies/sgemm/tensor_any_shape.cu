// rung    tensor_any_shape
// idea    tensor cores for every shape: terms of tf32 made in registers, small tiles, cuts along k
// expect  tensor_operations / 2 against tensor_bf16
// next    none: what is left is the rate of mma.sync, and passes over A and B for terms of f16
//
// Terms of f16 want passes over A and B, and a tile of 128 x 256 wants both sides long. Here a float is
// split into two terms of tf32 when a thread has it in a register (tensor_tile.h): no pass, any distance
// of rows, sixteen sizes of tiles, k cut over blocks of a cluster and over clusters as in any_shape.
// Where all sides are long, the terms of f16 still win; where there is little to multiply, any_shape
// may. A model of time chooses: tensor_choice.h. Tiny numbers lose bits, as in tensor_bf16.
#include <cuda_runtime.h>

#include "studies/common/check.h"
#include "studies/sgemm/tensor_any_shape.h"
#include "studies/sgemm/tensor_tiles.h"

namespace sgemm {
namespace {

constexpr LaunchTensorTile* launches[] = {
    launch_tensor_128x128,        launch_tensor_128x64,         launch_tensor_64x128,
    launch_tensor_64x64,          launch_tensor_32x128,         launch_tensor_128x32,
    launch_tensor_32x64,          launch_tensor_64x32,          launch_tensor_16x128,
    launch_tensor_128x16,         launch_tensor_128x8,          launch_tensor_128x24,
    launch_tensor_32x128_shallow, launch_tensor_64x128_shallow, launch_tensor_64x64_shallow,
    launch_tensor_128x32_shallow};
template <int at, typename Sizes>
constexpr bool is_tile =
    tensor_tile_times[at].rows == Sizes::rows&& tensor_tile_times[at].columns ==
    Sizes::columns&& tensor_tile_times[at].depth == Sizes::depth;
static_assert(std::size(launches) == std::size(tensor_tile_times) && is_tile<0, Tensor128x128> &&
              is_tile<1, Tensor128x64> && is_tile<2, Tensor64x128> && is_tile<3, Tensor64x64> &&
              is_tile<4, Tensor32x128> && is_tile<5, Tensor128x32> && is_tile<6, Tensor32x64> &&
              is_tile<7, Tensor64x32> && is_tile<8, Tensor16x128> && is_tile<9, Tensor128x16> &&
              is_tile<10, Tensor128x8> && is_tile<11, Tensor128x24> &&
              is_tile<12, Tensor32x128Shallow> && is_tile<13, Tensor64x128Shallow> &&
              is_tile<14, Tensor64x64Shallow> && is_tile<15, Tensor128x32Shallow>);

constexpr size_t boundary = 256;  // of the parts of a workspace
size_t rounded(size_t bytes) { return (bytes + boundary - 1) / boundary * boundary; }

bool at_sixteen(const float* matrix) { return reinterpret_cast<uintptr_t>(matrix) % 16 == 0; }

// Blocks of one tile in several clusters: counters, then sums.
struct Needs {
  size_t counters = 0, sums = 0;
};
Needs needs_of(const TensorChoice& choice, int m, int n) {
  const Cut& cut = choice.cut;
  if (cut.splits == cut.cluster) return {};
  const TileTimes& tile = tensor_tile_times[choice.tile];
  const size_t tiles = size_t(blocks_over(m, tile.rows)) * blocks_over(n, tile.columns);
  return {sizeof(int) * tiles * cut.cluster,
          sizeof(float) * tiles * tile.rows * tile.columns * (cut.splits / cut.cluster)};
}

}  // namespace

TensorChoice tensor_choice_for(const Product& p) {
  return choose_tensor(p.m, p.n, p.k, at_sixteen(p.b) && p.ldb % 4 == 0,
                       at_sixteen(p.a) && at_sixteen(p.b), sms_of_device());
}

size_t tensor_workspace_by(const TensorChoice& choice, const Product& p) {
  if (choice.kernel == TensorKernel::any_shape) return sgemm_workspace(p.m, p.n, p.k, p.b, p.ldb);
  if (choice.kernel == TensorKernel::terms) return workspace_of_terms(p);
  const Needs needs = needs_of(choice, p.m, p.n);
  return rounded(needs.counters) + needs.sums;
}

void tensor_sgemm_by(const TensorChoice& choice, const Product& of) {
  Product p = of;
  if (p.alpha == 0) p.k = 0;  // what A and B hold does not matter
  if (p.k == 0) {
    launches[0](p, {}, {});
  } else if (choice.kernel == TensorKernel::any_shape) {
    sgemm_by(choice_for(p.m, p.n, p.k, p.b, p.ldb), p);
  } else if (choice.kernel == TensorKernel::terms) {
    launch_terms(p);
  } else {
    const Needs needs = needs_of(choice, p.m, p.n);
    char* const sums = static_cast<char*>(p.workspace) + rounded(needs.counters);
    launches[choice.tile](p, choice.cut, {sums, static_cast<int*>(p.workspace)});
  }
}

size_t tensor_sgemm_workspace(int m, int n, int k, const float* a, int lda, const float* b,
                              int ldb) {
  if (m <= 0 || n <= 0) return 0;
  const Product p{{m, n, k, 1, 0, a, b, nullptr, nullptr}, lda, ldb, n};
  return tensor_workspace_by(tensor_choice_for(p), p);
}

void tensor_sgemm(int m, int n, int k, float alpha, const float* a, int lda, const float* b,
                  int ldb, float beta, float* c, int ldc, void* workspace) {
  if (m <= 0 || n <= 0) return;
  const Product p{{m, n, k, alpha, beta, a, b, c, workspace}, lda, ldb, ldc};
  tensor_sgemm_by(tensor_choice_for(p), p);
}

const Rung tensor_any_shape{
    "tensor_any_shape",
    [](const Problem& p) {
      tensor_sgemm(p.m, p.n, p.k, p.alpha, p.a, p.k, p.b, p.n, p.beta, p.c, p.n, p.workspace);
    },
    [](const Problem& p) { return tensor_sgemm_workspace(p.m, p.n, p.k, p.a, p.k, p.b, p.n); }, 90};

}  // namespace sgemm
