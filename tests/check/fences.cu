// Data that a flag announces, locks and barriers of the grid: fences on either side.
#include "tests/check/cases.h"

namespace check {
namespace {

// A word is written, then the flag: no fence between them.
template <bool Mended>
__global__ void published(Memory m) {
  volatile int* flag = m.flags;
  if (blockIdx.x == 0) {
    m.out[1] = 42;  // here: published
    if (Mended) __threadfence();
    *flag = 1;
  } else {
    while (*flag == 0) {
    }
    __threadfence();
    m.out[2] = m.out[1];  // here: published
  }
}

// The reader has no fence behind the flag.
template <bool Mended>
__global__ void read_early(Memory m) {
  volatile int* flag = m.flags;
  if (blockIdx.x == 0) {
    m.out[1] = 42;  // here: read_early
    __threadfence();
    *flag = 1;
  } else {
    while (*flag == 0) {
    }
    if (Mended) __threadfence();
    m.out[2] = m.out[1];  // here: read_early
  }
}

// A fence of the block's scope, for another block.
template <bool Mended>
__global__ void narrow_fence(Memory m) {
  volatile int* flag = m.flags;
  if (blockIdx.x == 0) {
    m.out[1] = 42;  // here: narrow_fence
    if (Mended)
      __threadfence();
    else
      __threadfence_block();
    *flag = 1;
  } else {
    while (*flag == 0) {
    }
    __threadfence();
    m.out[2] = m.out[1];  // here: narrow_fence
  }
}

// Between the warps of a block, by a flag in shared memory.
template <bool Mended>
__global__ void shared_flag(Memory m) {
  __shared__ int word;
  __shared__ int flag_word;
  volatile int* flag = &flag_word;
  const int t = threadIdx.x;
  if (t == 0) *flag = 0;
  __syncthreads();
  if (t == 0) {
    word = m.data[5];  // here: shared_flag
    if (Mended) __threadfence_block();
    *flag = 1;
  } else if (t == 32) {
    while (*flag == 0) {
    }
    if (Mended) __threadfence_block();
    m.out[0] = word;  // here: shared_flag
  }
}

// The last block sums up what the others left.
template <bool Mended>
__global__ void last_block(Memory m) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    m.out[blockIdx.x] = m.data[blockIdx.x];  // here: last_block
    if (Mended) __threadfence();
    last = atomicAdd(m.flags, 1) == int(gridDim.x) - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    int sum = 0;
#pragma unroll 1
    for (int i = 0; i < int(gridDim.x); ++i) sum += m.out[i];  // here: last_block
    m.out[words - 1] = sum;
  }
}

// Decoupled look-back: a block waits for the sum of all before it.
template <bool Mended>
__global__ void look_back(Memory m) {
  volatile int* ready = m.flags;
  if (threadIdx.x) return;
  const int b = blockIdx.x;
  int before = 0;
  if (b > 0) {
    while (ready[b - 1] == 0) {
    }
    __threadfence();
    before = m.out[b - 1];  // here: look_back
  }
  m.out[b] = before + m.data[b];  // here: look_back
  if (Mended) __threadfence();
  ready[b] = 1;
}

__device__ void lock(int* word) {
  while (atomicCAS(word, 0, 1) != 0) {
  }
}

// A lock without a fence when it is taken.
template <bool Mended>
__global__ void lock_taken(Memory m) {
  if (threadIdx.x) return;
  lock(m.flags);
  if (Mended) __threadfence();
  m.out[0] += 1;  // here: lock_taken
  __threadfence();
  atomicExch(m.flags, 0);
}

// A lock without a fence when it is given back.
template <bool Mended>
__global__ void lock_given(Memory m) {
  if (threadIdx.x) return;
  lock(m.flags);
  __threadfence();
  m.out[0] += 1;  // here: lock_given
  if (Mended) __threadfence();
  atomicExch(m.flags, 0);
}

// Two locks for one word.
template <bool Mended>
__global__ void other_lock(Memory m) {
  if (threadIdx.x) return;
  int* word = m.flags + (Mended ? 0 : blockIdx.x % 2);
  lock(word);
  __threadfence();
  m.out[0] += 1;  // here: other_lock
  __threadfence();
  atomicExch(word, 0);
}

// A barrier of the grid made by hand.
template <bool Mended>
__global__ void grid_barrier(Memory m) {
  const int b = blockIdx.x;
  m.out[b * 32 + threadIdx.x] = m.data[b];  // here: grid_barrier
  __syncthreads();
  if (threadIdx.x == 0) {
    if (Mended) __threadfence();
    atomicAdd(m.flags, 1);
    while (atomicAdd(m.flags, 0) < int(gridDim.x)) {
    }
    if (Mended) __threadfence();
  }
  __syncthreads();
  m.data[words / 2 + b * 32 + threadIdx.x] =
      m.out[(b + 1) % int(gridDim.x) * 32 + threadIdx.x];  // here: grid_barrier
}

// A flag that is an ordinary word.
template <bool Mended>
__global__ void plain_flag(Memory m) {
  if (blockIdx.x == 0) {
    if (Mended)
      atomicExch(m.flags, 1);
    else
      m.flags[0] = 1;  // here: plain_flag
  } else {
    m.out[0] = atomicAdd(m.flags, 0);  // here: plain_flag
  }
}

// A release at the block's scope, seen by another block.
template <bool Mended>
__global__ void narrow_release(Memory m) {
  if (blockIdx.x == 0) {
    m.out[1] = 7;  // here: narrow_release
    if (Mended)
      asm volatile("st.release.gpu.global.s32 [%0], 1;" ::"l"(m.flags) : "memory");
    else
      asm volatile("fence.acq_rel.cta; st.relaxed.gpu.global.s32 [%0], 1;" ::"l"(m.flags)
                   : "memory");
  } else {
    int seen = 0;
    while (seen == 0)
      asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(seen) : "l"(m.flags) : "memory");
    m.out[2] = m.out[1];  // here: narrow_release
  }
}

constexpr Case cases[] = {
    CHECK_CASE(published, "race_global", 2, 1),      CHECK_CASE(read_early, "race_global", 2, 1),
    CHECK_CASE(narrow_fence, "race_global", 2, 1),   CHECK_CASE(last_block, "race_global", 8, 32),
    CHECK_CASE(look_back, "race_global", 8, 32),     CHECK_CASE(lock_taken, "race_global", 4, 32),
    CHECK_CASE(lock_given, "race_global", 4, 32),    CHECK_CASE(other_lock, "race_global", 4, 32),
    CHECK_CASE(grid_barrier, "race_global", 4, 32),  CHECK_CASE(plain_flag, "race_global", 2, 1),
    CHECK_CASE(narrow_release, "race_global", 2, 1), CHECK_CASE(shared_flag, "race_shared", 1, 64),
};

}  // namespace

Cases fence_cases() { return {cases, int(sizeof cases / sizeof *cases)}; }

}  // namespace check
