// rung    any_shape
// idea    one entry for every shape: few kernels of small tiles, cut along k, and a model that chooses
// expect  global_store_sectors / 2 against stream_k: sums that blocks share stay in shared memory
// next    none: what is left is the compiler's choice of registers; tensor_bf16 leaves the FP32 lanes
//
// A product of 341 x 222 x 2002 has six tiles of 128 x 256: 126 of 132 SMs would do nothing, or a part of
// k too short to begin. Tiles of 32 x 64 to 128 x 48, 24 x 256 and 128 x 16, several blocks on an SM, fill it
// better; where there are still few, up to eight blocks of a cluster share the k of a tile and add their
// sums through distributed shared memory, and several clusters through memory. A and B come by
// asynchronous copies whatever their alignment; C is stored in whole rows, through shared memory.
// With one or two columns, A goes straight to registers. Large products go to the kernel of stream_k;
// rows of B that do not begin at multiples of 16 bytes are copied before, where that costs less
// than it gains. Which of these is a question of time: any_choice.h.
#include <cuda_runtime.h>

#include "studies/common/check.h"
#include "studies/sgemm/any_shape.h"
#include "studies/sgemm/any_tiles.h"
#include "studies/sgemm/few_columns.h"

namespace sgemm {
namespace {

constexpr LaunchTile* launches[] = {launch_64x64,  launch_24x256, launch_128x32, launch_64x96,
                                    launch_16x256, launch_128x48, launch_48x128, launch_128x16,
                                    launch_32x64,  launch_32x128};
template <int at, typename Sizes>
constexpr bool is_tile = tile_times[at].rows == Sizes::rows&& tile_times[at].columns ==
                         Sizes::columns&& tile_times[at].depth == Sizes::depth;
static_assert(std::size(launches) == std::size(tile_times) && is_tile<0, Tile64x64> &&
              is_tile<1, Tile24x256> && is_tile<2, Tile128x32> && is_tile<3, Tile64x96> &&
              is_tile<4, Tile16x256> && is_tile<5, Tile128x48> && is_tile<6, Tile48x128> &&
              is_tile<7, Tile128x16> && is_tile<8, Tile32x64> && is_tile<9, Tile32x128>);

constexpr size_t boundary = 256;  // of the parts of a workspace
size_t rounded(size_t bytes) { return (bytes + boundary - 1) / boundary * boundary; }

bool has_fours(const float* matrix, int row) {
  return reinterpret_cast<uintptr_t>(matrix) % 16 == 0 && row % 4 == 0;
}

// How a product is done, and what it needs in memory: counters or the workspace of stream_k, then sums or a
// copy of B.
struct Needs {
  size_t first = 0, second = 0;
  int copied_row = 0;  // of the copy of B, in elements
};

Needs needs_of(const Choice& choice, int m, int n, int k) {
  Needs needs;
  const Cut& cut = choice.cut;
  if (choice.kernel == Kernel::stream_k || choice.kernel == Kernel::stream_k_of_copy) {
    needs.first = workspace_of_stream_k({m, n, k, 1, 0, nullptr, nullptr, nullptr, nullptr});
    if (choice.kernel == Kernel::stream_k_of_copy) {
      needs.copied_row = (n + 7) / 8 * 8;
      needs.second = sizeof(float) * k * needs.copied_row;
    }
  } else if (choice.kernel == Kernel::few_columns && cut.splits > 1) {
    const size_t blocks = blocks_over(m, FewColumns::rows);
    needs.first = sizeof(int) * blocks;
    needs.second = sizeof(float) * blocks * cut.splits * FewColumns::threads;
  } else if (cut.splits > cut.cluster) {
    const TileTimes& tile = tile_times[choice.tile];
    const size_t tiles = size_t(blocks_over(m, tile.rows)) * blocks_over(n, tile.columns);
    needs.first = sizeof(int) * tiles * cut.cluster;
    needs.second = sizeof(float) * tiles * tile.rows * tile.columns * (cut.splits / cut.cluster);
  }
  return needs;
}

__global__ void copy_rows(const float* from, int rows, int columns, int row_of_from, float* to,
                          int row_of_to) {
  for (int row = blockIdx.y; row < rows; row += gridDim.y) {
    for (int column = blockIdx.x * blockDim.x + threadIdx.x; column < columns;
         column += gridDim.x * blockDim.x) {
      to[int64_t(row) * row_of_to + column] = from[int64_t(row) * row_of_from + column];
    }
  }
}

void launch_copy(const Product& p, float* to, int row_of_to) {
  constexpr int threads = 256, most_across = 64, most_down = 2048;
  const dim3 grid(std::min(blocks_over(p.n, threads), most_across), std::min(p.k, most_down));
  copy_rows<<<grid, threads>>>(p.b, p.k, p.n, p.ldb, to, row_of_to);
}

void launch_few_columns(const Product& p, int splits, const Leftover& leftover) {
  const int blocks = blocks_over(p.m, FewColumns::rows) * splits;
  const auto kernel = p.n == 1 ? few_columns_kernel<1> : few_columns_kernel<2>;
  kernel<<<blocks, FewColumns::threads>>>(p, splits, leftover);
}

}  // namespace

Choice choice_for(int m, int n, int k, const float* b, int ldb) {
  return choose(m, n, k, has_fours(b, ldb), sms_of_device());
}

size_t workspace_by(const Choice& choice, int m, int n, int k) {
  const Needs needs = needs_of(choice, m, n, k);
  return rounded(needs.first) + needs.second;
}

void sgemm_by(const Choice& choice, const Product& of) {
  const Needs needs = needs_of(choice, of.m, of.n, of.k);
  Product p = of;
  if (p.alpha == 0) p.k = 0;  // what A and B hold does not matter
  const bool fours = has_fours(p.b, p.ldb);
  char* const second = static_cast<char*>(p.workspace) + rounded(needs.first);
  const Leftover leftover{second, static_cast<int*>(p.workspace)};
  if (p.k == 0 || choice.kernel == Kernel::tiles) {
    const Cut cut = p.k == 0 ? Cut{} : choice.cut;
    launches[choice.tile](p, fours, cut, leftover);
  } else if (choice.kernel == Kernel::few_columns) {
    launch_few_columns(p, choice.cut.splits, leftover);
  } else if (choice.kernel == Kernel::stream_k) {
    launch_stream_k(p, fours);
  } else {
    float* const copy = reinterpret_cast<float*>(second);
    launch_copy(p, copy, needs.copied_row);
    p.b = copy;
    p.ldb = needs.copied_row;
    launch_stream_k(p, true);
  }
}

size_t sgemm_workspace(int m, int n, int k, const float* b, int ldb) {
  if (m <= 0 || n <= 0) return 0;
  return workspace_by(choice_for(m, n, k, b, ldb), m, n, k);
}

void sgemm(int m, int n, int k, float alpha, const float* a, int lda, const float* b, int ldb,
           float beta, float* c, int ldc, void* workspace) {
  if (m <= 0 || n <= 0) return;
  sgemm_by(choice_for(m, n, k, b, ldb),
           {{m, n, k, alpha, beta, a, b, c, workspace}, lda, ldb, ldc});
}

const Rung any_shape{"any_shape",
                     [](const Problem& p) {
                       sgemm(p.m, p.n, p.k, p.alpha, p.a, p.k, p.b, p.n, p.beta, p.c, p.n,
                             p.workspace);
                     },
                     [](const Problem& p) { return sgemm_workspace(p.m, p.n, p.k, p.b, p.n); }, 90};

}  // namespace sgemm
