// A ring of stages in shared memory (sm_90): one thread fills them by bulk copies, many warps use them.
//
//   __shared__ Ring<3> ring;
//   ring.begin(users);                          // all threads; users: how many warps will release a stage
//
//   Turn turn;                                  // the producer
//   ring.wait_empty(turn);
//   ring.expect(turn, bytes);                   // copies then arrive at ring.filled(turn)
//   ring.next(turn);
//
//   Turn turn;                                  // a consumer
//   ring.wait_full(turn);
//   ring.release(turn);                         // one lane of each warp
//   ring.next(turn);
#pragma once
#include <cstdint>
#include <cuda/ptx>

namespace study {

struct Turn {
  int stage = 0;
  uint32_t round = 0;
};

template <int Stages>
struct Ring {
  uint64_t full[Stages], empty[Stages];

#if __CUDA_ARCH__ >= 900
  __device__ void begin(int users) {
    if (threadIdx.x == 0) {
      for (int stage = 0; stage < Stages; ++stage) {
        cuda::ptx::mbarrier_init(&full[stage], 1);
        cuda::ptx::mbarrier_init(&empty[stage], users);
      }
      cuda::ptx::fence_mbarrier_init(cuda::ptx::sem_release, cuda::ptx::scope_cluster);
      cuda::ptx::fence_proxy_async(cuda::ptx::space_shared);
    }
    __syncthreads();
  }
  // Nobody has used a stage of the first round: to wait for the round before it is not to wait.
  __device__ void wait_empty(Turn turn) { wait(&empty[turn.stage], turn.round % 2 ^ 1); }
  __device__ void wait_full(Turn turn) { wait(&full[turn.stage], turn.round % 2); }
  __device__ uint64_t* filled(Turn turn) { return &full[turn.stage]; }
  __device__ void expect(Turn turn, uint32_t bytes) {
    cuda::ptx::mbarrier_arrive_expect_tx(cuda::ptx::sem_release, cuda::ptx::scope_cta,
                                         cuda::ptx::space_shared, &full[turn.stage], bytes);
  }
  __device__ void release(Turn turn) { cuda::ptx::mbarrier_arrive(&empty[turn.stage]); }
  __device__ static void next(Turn& turn) {
    if (++turn.stage < Stages) return;
    turn.stage = 0;
    ++turn.round;
  }

 private:
  __device__ static void wait(uint64_t* barrier, uint32_t parity) {
    while (!cuda::ptx::mbarrier_try_wait_parity(barrier, parity)) {
    }
  }
#endif
};

}  // namespace study
