// Races in global memory: of threads of a block, and of blocks, which run in any order.
#include <cstdint>

#include "tests/check/cases.h"

namespace check {
namespace {

__device__ int index_of_thread() { return int(blockIdx.x * blockDim.x + threadIdx.x); }

// A counter without an atomic.
template <bool Mended>
__global__ void counter(Memory m) {
  if (Mended)
    atomicAdd(m.out, 1);
  else
    m.out[0] += 1;  // here: counter
}

// A stencil in place.
template <bool Mended>
__global__ void stencil(Memory m) {
  const int i = index_of_thread() + 1;
  (Mended ? m.out : m.data)[i] = m.data[i - 1] + m.data[i + 1];  // here: stencil
}

// Threads of a block exchange without a barrier.
template <bool Mended>
__global__ void exchange(Memory m) {
  const int t = threadIdx.x, first = blockIdx.x * blockDim.x;
  m.out[first + t] = m.data[t];  // here: exchange
  if (Mended) __syncthreads();
  m.flags[first + t] = m.out[first + (t + 32) % blockDim.x];  // here: exchange
}

// A barrier of the block does not order blocks.
template <bool Mended>
__global__ void across_blocks(Memory m) {
  const int i = index_of_thread();
  m.out[i] = m.data[i];  // here: across_blocks
  __syncthreads();
  m.flags[i] = m.out[Mended ? i ^ 1 : (i + 64) % (gridDim.x * blockDim.x)];  // here: across_blocks
}

// Counting without atomics.
template <bool Mended>
__global__ void bins(Memory m) {
  int* bin = &m.out[m.data[index_of_thread()] % 64];
  if (Mended)
    atomicAdd(bin, 1);
  else
    *bin += 1;  // here: bins
}

// Distances are lowered by whoever comes.
template <bool Mended>
__global__ void relax(Memory m) {
  const int i = index_of_thread(), distance = m.data[i] + 1;
  if (Mended)
    atomicMin(&m.out[i / 4], -distance);
  else if (m.out[i / 4] > -distance)  // here: relax
    m.out[i / 4] = -distance;         // here: relax
}

// A list's end is taken without an atomic.
template <bool Mended>
__global__ void append(Memory m) {
  const int at = Mended ? atomicAdd(m.flags, 1) : m.flags[0]++;  // here: append
  m.out[at] = m.data[index_of_thread()];                         // here: append
}

// A maximum is looked at without an atomic, and stored.
template <bool Mended>
__global__ void maximum(Memory m) {
  const int value = m.data[index_of_thread()];
  if (Mended)
    atomicMax(m.out, value);
  else if (value > m.out[0])  // here: maximum
    m.out[0] = value;         // here: maximum
}

// Blocks write the border that they share.
template <bool Mended>
__global__ void borders(Memory m) {
  const int i = int(blockIdx.x * (Mended ? blockDim.x : blockDim.x - 1) + threadIdx.x);
  m.out[i] = int(blockIdx.x) + 5;  // here: borders
}

// An atomic of the block's scope, used by several blocks.
template <bool Mended>
__global__ void block_scope(Memory m) {
  if (Mended)
    atomicAdd(m.out, 1);
  else
    atomicAdd_block(m.out, 1);  // here: block_scope
}

// Some add by atomics, one just stores.
template <bool Mended>
__global__ void mixed(Memory m) {
  if (index_of_thread() == 0 && !Mended) m.out[0] = 100;  // here: mixed
  atomicAdd(m.out, 1);                                    // here: mixed
}

// An atomic's word is read without one.
template <bool Mended>
__global__ void looked_at(Memory m) {
  atomicAdd(m.flags, 1);                               // here: looked_at
  if (!Mended) m.out[index_of_thread()] = m.flags[0];  // here: looked_at
}

// Bytes: rows of an image that overlap by one.
template <bool Mended>
__global__ void image(Memory m) {
  auto* bytes = reinterpret_cast<uint8_t*>(m.out);
  const int width = 61, i = int(blockIdx.x) * (Mended ? width : width - 1) + int(threadIdx.x);
  if (threadIdx.x < width) bytes[i] = uint8_t(threadIdx.x + blockIdx.x);  // here: image
}

// The sum of a block is added to what other blocks add to.
template <bool Mended>
__global__ void block_sum(Memory m) {
  __shared__ int sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, m.data[index_of_thread()]);
  __syncthreads();
  if (threadIdx.x) return;
  if (Mended)
    atomicAdd(m.out, sum);
  else
    *m.out += sum;  // here: block_sum
}

// A transpose in place.
template <bool Mended>
__global__ void transpose(Memory m) {
  const int row = blockIdx.x, column = threadIdx.x, n = blockDim.x;
  if (Mended) {
    m.out[column * n + row] = m.data[row * n + column];
  } else {
    m.data[column * n + row] = m.data[row * n + column];  // here: transpose
  }
}

constexpr Case cases[] = {
    CHECK_CASE(counter, "race_global", 4, 1),     CHECK_CASE(stencil, "race_global", 4, 64),
    CHECK_CASE(exchange, "race_global", 2, 64),   CHECK_CASE(across_blocks, "race_global", 2, 64),
    CHECK_CASE(bins, "race_global", 2, 128),      CHECK_CASE(relax, "race_global", 2, 64),
    CHECK_CASE(append, "race_global", 2, 32),     CHECK_CASE(maximum, "race_global", 4, 32),
    CHECK_CASE(borders, "race_global", 3, 64),    CHECK_CASE(block_scope, "race_global", 2, 32),
    CHECK_CASE(mixed, "race_global", 2, 32),      CHECK_CASE(looked_at, "race_global", 2, 32),
    CHECK_CASE(image, "race_global", 3, 64),      CHECK_CASE(block_sum, "race_global", 3, 64),
    CHECK_CASE(transpose, "race_global", 32, 32),
};

}  // namespace

Cases global_cases() { return {cases, int(sizeof cases / sizeof *cases)}; }

}  // namespace check
