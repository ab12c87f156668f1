// What the rungs near the limit share: tiles of 128 x 256 results, 256 threads with 8 x 16 of them
// each, and a ring of stages in shared memory that asynchronous copies fill while the threads
// multiply.
//
//   extern __shared__ Stage ring[];
//   Feed<aligned> feed(p, block_row, block_column, 0, ring);
//   float accumulators[8][16] = {};
//   block_add_product(accumulators, feed, ring, steps_of(p), add);     // add(accumulators, fragment), for every k
//   thread_store_wide<aligned>(p, block_row, block_column, accumulators);
//
// Steps of eight k lie at the end of K, so that the first may begin before 0: what lies there, and
// only that, is filled with zeros. Columns outside of B repeat the last one and rows outside of A
// are not copied: whoever multiplies by them stores nothing.
#pragma once
#include <cuda_pipeline.h>

#include <cstdint>

#include "studies/common/shared_memory.h"
#include "studies/sgemm/tile.h"

namespace sgemm {

constexpr int wide_rows = 128, wide_columns = 256, wide_depth = 8, wide_threads = 256;
constexpr int stages = 4;

// A lies transposed: a thread reads four rows of one k at once. The gap after every k turns what a
// warp copies, four rows of eight k, to 32 banks.
struct __align__(16) Stage {
  float a[wide_depth][wide_rows + 4];
  float b[wide_depth][wide_columns];
};
constexpr int ring_bytes = stages * sizeof(Stage);

__host__ __device__ inline int steps_of(const Problem& p) { return (p.k - 1) / wide_depth + 1; }

// A warp has 64 x 64 results, its lanes are 8 x 4. The bits of a lane's number go to its row and its
// column in turn, so that two lanes of four read the same four of A, two the same of B, and half
// the warp is served at once.
struct Place {
  int row, column;  // of the first result; the others lie where row_of and column_of say from there
  __device__ Place() {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    row = warp % 2 * 64 + 4 * ((lane >> 1 & 1) | (lane >> 2 & 6));
    column = warp / 2 * 64 + 4 * ((lane & 1) | (lane >> 1 & 2));
  }
  __device__ static constexpr int row_of(int i) { return i / 4 * 32 + i % 4; }
  __device__ static constexpr int column_of(int j) { return j / 4 * 16 + j % 4; }
};

// Where the last four of a row of B begins: rows of a Product may end within one.
__device__ inline int last_four_of_b(const Problem& p) { return p.n - 4; }
__device__ inline int last_four_of_b(const Product& p) { return (p.n - 1) / 4 * 4; }

// As an `if` around the copy this would be a branch, and products do not move across branches.
__device__ inline void copy_if(bool wanted, float* to, const float* from) {
  asm volatile(
      "{\n .reg .pred wanted;\n setp.ne.s32 wanted, %2, 0;\n"
      " @wanted cp.async.ca.shared.global [%0], [%1], 4;\n}" ::"r"(
          uint32_t(__cvta_generic_to_shared(to))),
      "l"(from), "r"(int(wanted))
      : "memory");
}

// Copies a step of A and B to a stage, in parts; then moves on to the next, and stays at the last.
template <bool aligned>
class Feed {
 public:
  static constexpr int b_parts = aligned ? 2 : 8, parts = b_parts + 4;

  template <typename AnyProblem>
  __device__ Feed(const AnyProblem& p, int block_row, int block_column, int step, Stage* ring)
      : to_a_(&ring->a[a_k()][a_row()]),
        to_b_(&ring->b[b_k()][b_column()]),
        n_(row_of_b(p)),
        rows_(p.m - block_row - a_row()),
        a_step_(32 * row_of_a(p)),
        k_((step - steps_of(p)) * wide_depth),
        before_(max(-p.k - k_, 0)) {
    a_ = p.a + int64_t(block_row + a_row() + 1) * row_of_a(p) + (p.k - row_of_a(p)) + k_ + a_k();
    const int column = min(block_column + b_column(), aligned ? last_four_of_b(p) : p.n - 1);
    b_ = p.b + int64_t(p.k + k_ + b_k()) * row_of_b(p) + column;
  }

  // `front`: this may be the step that begins before 0.
  template <bool front>
  __device__ void copy(int stage, int part) {
    const int place = stage * int(sizeof(Stage) / sizeof(float));
    if (part < b_parts) {
      const int k = part * b_step;
      __pipeline_memcpy_async(to_b_ + place + k * wide_columns, b_ + int64_t(k) * n_, b_bytes,
                              front && b_k() + k < before_ ? b_bytes : 0);
      return;
    }
    part -= b_parts;
    float* const to = to_a_ + place + part * 32;
    const float* const from = a_ + int64_t(part) * a_step_;
    const bool inside = part * 32 < rows_;
    if (front) {
      __pipeline_memcpy_async(to, from, 4, inside && a_k() >= before_ ? 0 : 4);
    } else {
      copy_if(inside, to, from);
    }
  }
  __device__ void move_on() {
    const int on = k_ < -wide_depth ? wide_depth : 0;
    a_ += on;
    b_ += on * n_;
    k_ += on;
    if (on) before_ = 0;
  }
  // Where all of K is less than a step, that step cannot be copied again as a whole: one element is.
  __device__ void stay_inside() {
    if (before_ == 0) return;
    a_ += before_ - a_k();
    b_ += int64_t(before_ - b_k()) * n_;
    n_ = 0;
  }

 private:
  static constexpr int b_bytes = aligned ? 16 : 4, b_step = aligned ? 4 : 1;
  __device__ static int a_k() { return threadIdx.x % 8; }
  __device__ static int a_row() { return threadIdx.x / 8; }
  __device__ static int b_k() { return aligned ? threadIdx.x / 64 : 0; }
  __device__ static int b_column() { return aligned ? threadIdx.x % 64 * 4 : threadIdx.x; }

  float *to_a_, *to_b_;
  const float *a_, *b_;
  int n_, rows_, a_step_;
  int k_;       // where the step begins, counted from the end of K
  int before_;  // how many of its k lie before 0
};

// What a thread multiplies of one k.
struct Fragment {
  float a[8], b[16];
  __device__ void load(const float* of_a, const float* of_b) {
#pragma unroll
    for (int j = 0; j < 16; j += 4) four_at(&b[j]) = four_at(of_b + Place::column_of(j));
#pragma unroll
    for (int i = 0; i < 8; i += 4) four_at(&a[i]) = four_at(of_a + Place::row_of(i));
  }
};

// One part of a copy goes before the loads of each k. It writes shared memory, which these read, so
// that the compiler keeps them after it: it would gather them otherwise, and wait for them at once.
template <bool aligned, typename Add>
__device__ inline void block_add_product(float (&accumulators)[8][16], Feed<aligned>& feed,
                                         Stage* ring, int steps, const Add& add) {
  constexpr int parts = Feed<aligned>::parts, last = wide_depth - 1;
  constexpr int at_once = (parts - 1) / last + 1;
  const Place place;
  for (int s = 0; s < stages - 1; ++s) {
    for (int part = 0; part < parts; ++part) feed.template copy<true>(s, part);
    __pipeline_commit();
    feed.move_on();
  }
  feed.stay_inside();
  __pipeline_wait_prior(stages - 2);
  __syncthreads();
  Fragment fragments[2];  // of this k and of the next
  const float *a = &ring->a[0][place.row], *b = &ring->b[0][place.column];
  fragments[0].load(a, b);
  int stage = 0;
#pragma unroll 1
  for (int step = 0; step < steps; ++step) {
    int now = stage * int(sizeof(Stage) / sizeof(float));
    const int free = stage == 0 ? stages - 1 : stage - 1;
#pragma unroll
    for (int k = 0; k < wide_depth; ++k) {
#pragma unroll
      for (int part = k * at_once; part < (k + 1) * at_once && part < parts; ++part) {
        feed.template copy<false>(free, part);
      }
      if (k == last) {
        __pipeline_commit();
        feed.move_on();
        __pipeline_wait_prior(stages - 2);
        __syncthreads();  // the next step is there for all, and nobody reads this one any more
        stage = stage + 1 == stages ? 0 : stage + 1;
        now = stage * int(sizeof(Stage) / sizeof(float));
      }
      const int next = (k + 1) % wide_depth;
      fragments[(k + 1) % 2].load(a + now + next * (wide_rows + 4), b + now + next * wide_columns);
      add(accumulators, fragments[k % 2]);
    }
  }
  __pipeline_wait_prior(0);
  __syncthreads();
}

template <bool aligned>
__device__ inline void thread_store_wide(const Problem& p, int block_row, int block_column,
                                         const float (&accumulators)[8][16]) {
  const Place place;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
#pragma unroll
    for (int j = 0; j < 16; j += 4) {
      thread_store_four<aligned>(p, block_row + place.row + Place::row_of(i),
                                 block_column + place.column + Place::column_of(j),
                                 &accumulators[i][j]);
    }
  }
}

template <typename AnyProblem>
void launch_on_ring(void (*kernel)(AnyProblem), dim3 grid, const AnyProblem& p) {
  study::allow_shared(kernel, ring_bytes);
  kernel<<<grid, wide_threads, ring_bytes>>>(p);
}

}  // namespace sgemm
