// What a profiler must count of a kernel whose addresses are known, by the rules of NVIDIA GPUs
// since Volta, on nothing but sets of numbers. It shares no line with the executor: the two are
// held against each other.
//
//   Traffic traffic(4, 64);                                     // 4 blocks of 64 threads: 8 warps
//   traffic.global_load(4, [](Thread t) { return 8 * t.at; });  // 4 bytes a lane, 8 apart
//   traffic.counters()
//
//   {"global_load_requests": 8, "global_load_sectors": 64, "global_load_bytes": 1024}
//
// A place is a byte offset from an aligned base, or `idle` for a thread that takes no part.
#pragma once
#include <vector_types.h>

#include <functional>
#include <map>
#include <string>

namespace micro {

struct Thread {
  int at;                 // blocks before this one, times their threads, and `index`
  int index, warp, lane;  // in its block, x first
  int x, y, z;            // threadIdx
  int block;              // blockIdx.x; the grids here have no other
};

constexpr long idle = -1;

class Traffic {
 public:
  using Where = std::function<long(Thread)>;

  Traffic(int blocks, dim3 block) : blocks_(blocks), block_(block) {}

  // One instruction that every warp comes to.
  void global_load(int bytes, const Where& where);
  void global_store(int bytes, const Where& where);
  void global_atomic(int bytes, const Where& where);
  void local_load(int bytes, const Where& where);
  void local_store(int bytes, const Where& where);
  void shared_load(int bytes, const Where& where);
  void shared_store(int bytes, const Where& where);
  void shared_atomic(const Where& where);

  int blocks() const { return blocks_; }
  dim3 block() const { return block_; }
  int threads_of_block() const { return int(block_.x * block_.y * block_.z); }
  int threads() const { return blocks_ * threads_of_block(); }
  const std::map<std::string, long>& counters() const { return counters_; }

  template <class Use>
  void each_thread(Use use) const {
    for (int at = 0; at < threads(); ++at) use(thread(at));
  }

 private:
  struct Lanes;  // where each of the 32 of a warp wants to be

  Thread thread(int at) const;
  void each_warp(const Where& where, const std::function<void(const Lanes&)>& count) const;
  void global(const std::string& kind, int bytes, const Where& where);
  void local(const std::string& kind, int bytes, const Where& where);
  void shared(const std::string& kind, int bytes, const Where& where);

  int blocks_;
  dim3 block_;
  std::map<std::string, long> counters_;
};

}  // namespace micro
