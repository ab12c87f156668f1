// Tiles in the order in which they are asked for: whoever is ready takes the next one.
//
//   __device__ study::Queue queue;                          // zeros, before and after every launch
//   for (unsigned tile; (tile = queue.take()) < tiles;) …  // by one thread of each taker
//   queue.leave(takers);                                   // once, by each of them
#pragma once

namespace study {

struct Queue {
  unsigned next, left;

  // Adds 1: no queue is so long that it begins again. Of atomicAdd the compiler would make one for a
  // whole warp, and wait for it on the spot.
  __device__ unsigned take() { return atomicInc(&next, 0x7fffffffu); }

  // The last to leave makes it ready for the next launch.
  __device__ void leave(unsigned takers) {
    __threadfence();
    if (atomicAdd(&left, 1u) + 1 < takers) return;
    atomicExch(&next, 0u);
    atomicExch(&left, 0u);
  }
};

// A warp asks with its first lane. The answer is on its way while the warp does something else, until
// of_first_lane() hands it to all lanes.
__device__ inline unsigned lane_take(Queue& queue) {
  return threadIdx.x % 32 == 0 ? queue.take() : 0;
}
__device__ inline unsigned of_first_lane(unsigned taken) { return __shfl_sync(~0u, taken, 0); }
__device__ inline unsigned warp_take(Queue& queue) { return of_first_lane(lane_take(queue)); }

}  // namespace study
