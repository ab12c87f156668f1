// rung    bulk
// idea    one thread asks for 16 KiB at a time; the SM's copy engine moves them, both ways
// expect  global_load_requests = 0, global_store_requests = 0: threads neither load nor store
// next    none: this is what the memory gives
//
// cp.async.bulk takes the place of all loads and stores by threads: four chunks of shared memory
// take turns, three being filled while one is written back. A barrier in memory says that a chunk
// has come, a group of stores that one has been read; the queue hands out chunks. A single thread
// of an SM does it all, and its other warps have nothing to do. Needs sm_90.
#include <algorithm>
#include <cuda/ptx>
#include <headroom/launch_box.cuh>

#include "studies/common/queue.h"
#include "studies/copy/copy.h"
#include "studies/copy/rest.h"

namespace {

namespace ptx = cuda::ptx;

// The only row there is, so host code names it too.
struct Row : headroom::Row<90, 64> {
  static constexpr int stages = 4;        // chunks that are on their way or have arrived
  static constexpr int behind = 1;        // of these, chunks whose store may still read them
  static constexpr int chunk = 16 << 10;  // bytes
};
using Tuning = headroom::LaunchBox<Row>;
constexpr int barriers = 128;  // bytes of shared memory for them, before the chunks

[[maybe_unused]] __device__ study::Queue queue;

template <typename Tuning>
__global__ void __launch_bounds__(256)
    copy_bulk(char* to, const char* from, size_t bytes, unsigned chunk) {
#if __CUDA_ARCH__ >= 900
  using here = typename Tuning::here;
  extern __shared__ __align__(128) char shared[];
  uint64_t* full = reinterpret_cast<uint64_t*>(shared);
  if (threadIdx.x != 0) return;
  for (int stage = 0; stage < here::stages; ++stage) ptx::mbarrier_init(&full[stage], 1);
  ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  ptx::fence_proxy_async(ptx::space_shared);

  const unsigned chunks = unsigned((bytes + chunk - 1) / chunk);
  const auto slot = [&](int stage) { return shared + barriers + stage * chunk; };
  const auto size_of = [&](unsigned index) {
    const size_t left = bytes - size_t(index) * chunk;
    return left < chunk ? unsigned(left) : chunk;
  };
  const auto load = [&](int stage, unsigned index) {
    const unsigned size = size_of(index);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                   &full[stage], size);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, slot(stage),
                       from + size_t(index) * chunk, size, &full[stage]);
  };
  const auto store = [&](int stage, unsigned index) {
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, to + size_t(index) * chunk,
                       slot(stage), size_of(index));
    ptx::cp_async_bulk_commit_group();
  };

  unsigned held[here::stages];
#pragma unroll
  for (int stage = 0; stage < here::stages; ++stage) {
    held[stage] = queue.take();
    if (held[stage] < chunks) load(stage, held[stage]);
  }
  bool more = true;
  for (unsigned round = 0; more; ++round) {
#pragma unroll
    for (int stage = 0; stage < here::stages; ++stage) {
      more = held[stage] < chunks;
      if (!more) break;
      while (!ptx::mbarrier_try_wait_parity(&full[stage], round & 1)) {
      }
      store(stage, held[stage]);
      ptx::cp_async_bulk_wait_group_read(ptx::n32_t<here::behind>());
      if (round == 0 && stage < here::behind) continue;
      const int free = (stage + here::stages - here::behind) % here::stages;
      held[free] = queue.take();
      if (held[free] < chunks) load(free, held[free]);
    }
  }
  ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
  queue.leave(gridDim.x);
#endif
}

// The stages share what there is.
int chunk_in(int dynamic_shared) { return (dynamic_shared - barriers) / Row::stages / 128 * 128; }

int in_flight(int, int dynamic_shared) {
  return (Row::stages - Row::behind) * chunk_in(dynamic_shared);
}
int shared_wanted(const copy::Room& room) {
  const int wanted = room.chunk ? room.chunk : Row::chunk;
  const int chunk = std::min(chunk_in(room.dynamic_shared), wanted);
  return chunk > 0 && (!room.chunk || chunk == wanted) ? barriers + Row::stages * chunk : -1;
}

void launch(const copy::Request& request) {
  const size_t whole = request.bytes / 16 * 16;  // a bulk copy moves multiples of 16 bytes
  if (whole) {
    copy_bulk<Tuning><<<request.blocks, request.threads, request.dynamic_shared>>>(
        static_cast<char*>(request.to), static_cast<const char*>(request.from), whole,
        unsigned(chunk_in(request.dynamic_shared)));
  }
  launch_rest(request, whole);
}

}  // namespace

const copy::Variant copy::bulk = {
    "bulk",        "bulk",    reinterpret_cast<const void*>(copy_bulk<Tuning>),
    launch,        in_flight, true,
    shared_wanted, 90,        true};
