// Observers look on while a launch runs; the execution body does not know who looks. It is compiled
// once for each (lanes/body.h), and tells it what happens as values:
//
//   Entered   a basic block begins, for these lanes      Access   lanes read, write or modify memory
//   Guarded   an operation behind a predicate            Copied   an asynchronous copy moved bytes
//   Taken     a branch, an exit or a return: who goes    Arrived  lanes are at a barrier
//   Diverged  a branch sent lanes both ways              Ended    lanes have left the kernel
//   Reissued  an instruction runs once more              Synchronised  a lane used an mbarrier
//
// An observer is any struct with a member on(event) for each of them. One that wants a few inherits
// the rest from Ignore:
//
//   struct Requests : Ignore {
//     using Ignore::on;
//     uint64_t count = 0;
//     void on(const Access&) { ++count; }
//   };
//
// `Silent` (below) ignores all and compiles to nothing; `Count` (observers/count.h) makes Counters.
#pragma once
#include <concepts>
#include <cstdint>
#include <type_traits>

#include "sim/access_pattern.h"
#include "sim/program.h"

namespace headroom::sim {

struct Entered {
  const Warp& warp;
  uint32_t basic_block;  // index into Program::basic_blocks
  [[gnu::always_inline]] uint32_t lanes() const { return uint32_t(__builtin_popcount(warp.mask)); }
};

struct Guarded {
  const Warp& warp;
  const Operation& operation;
  uint32_t mask;  // lanes whose predicate holds
  [[gnu::always_inline]] uint32_t lanes() const { return uint32_t(__builtin_popcount(mask)); }
};

struct Taken {
  const Warp& warp;
  const BasicBlock& basic_block;  // the one that ends with it
  uint32_t mask;                  // lanes that do not go on behind it
  [[gnu::always_inline]] uint32_t lanes() const { return uint32_t(__builtin_popcount(mask)); }
};

struct Diverged {
  const Warp& warp;
  const BasicBlock& basic_block;  // the one that ends with the branch
};

// Machine code: BSYNC runs once for every group of lanes that comes to it; a jump through a register
// that sends lanes to several targets once more for each of them, for its lanes (as Nsight Compute
// counts on an H200). Their basic block has counted them once.
struct Reissued {
  const Warp& warp;
  uint32_t instruction;  // index into Program::instructions
  uint32_t times, lanes;
};

// A warp's lanes access memory together: loads, stores and atomics, of matrices and textures too.
// Of the pattern, sectors are known for global and local memory, wavefronts for shared memory.
struct Access {
  const Warp& warp;
  const Operation& operation;
  Place space;  // what a generic address turned out to mean
  Use use;
  const AccessPattern& pattern;
  uint64_t first;  // address of the first active lane, as its space counts: shared and local from 0
  const uint32_t* lane_bytes = nullptr;  // where lanes differ in it: the bytes of each
  bool rest = false;                     // of a request, of which another event has told already
  const BlockState* peer = nullptr;      // whose shared memory, where it is not the warp's block's

  const BlockState& owner() const { return peer ? *peer : *warp.block; }
  [[gnu::always_inline]] uint64_t bytes() const {
    if (!lane_bytes) return uint64_t(pattern.bytes) * uint64_t(__builtin_popcount(pattern.mask));
    uint64_t sum = 0;
    for (int i = 0; i < lanes; ++i) sum += pattern.mask >> i & 1 ? lane_bytes[i] : 0;
    return sum;
  }
  // Calls body(lane, address, bytes) for every lane that takes part.
  template <class Body>
  void each(Body&& body) const {
    for (uint32_t left = pattern.mask; left; left &= left - 1) {
      const int lane = __builtin_ctz(left);
      body(lane, first + pattern.delta[lane],
           uint64_t(lane_bytes ? lane_bytes[lane] : pattern.bytes));
    }
  }
};

// One side of an asynchronous copy that a lane began (cp.async.bulk, of tensors row by row,
// st.async): neighbouring bytes.
struct Copied {
  const Warp& warp;
  const Operation& operation;
  int lane;
  Place space;
  Use use;  // atomic: reduced into
  uint64_t address, bytes;
  const BlockState* peer = nullptr;  // as in Access

  const BlockState& owner() const { return peer ? *peer : *warp.block; }
  template <class Body>
  void each(Body&& body) const {
    body(lane, address, bytes);
  }
};

// A lane's operation at a barrier in shared memory, or the end of a copy for which one waits.
struct Synchronised {
  enum What : uint8_t { begins, arrives, waits };
  const Warp& warp;
  const Operation& operation;
  const std::byte* barrier;  // the host's address: no two of blocks that run have the same
  What what;
  bool is_over;  // the phase: ended by this arrival, or before this wait
};

struct Arrived {  // at a barrier of the block
  const Warp& warp;
  uint32_t barrier;
  bool waits;
};

struct Ended {
  const Warp& warp;
  uint32_t mask;
};

template <class O>
concept Observer = requires(O& observer, const Entered& entered, const Guarded& guarded,
                            const Taken& taken, const Diverged& diverged, const Reissued& reissued,
                            const Access& access, const Copied& copied,
                            const Synchronised& synchronised, const Arrived& arrived,
                            const Ended& ended) {
  observer.on(entered);
  observer.on(guarded);
  observer.on(taken);
  observer.on(diverged);
  observer.on(reissued);
  observer.on(access);
  observer.on(copied);
  observer.on(synchronised);
  observer.on(arrived);
  observer.on(ended);
};

struct Ignore {
  template <class Event>
  [[gnu::always_inline]] void on(const Event&) {}
};

struct Silent : Ignore {};

// Of Guarded it wants no more than the sums that compiled code can make (Warp::guarded).
template <class O>
inline constexpr bool counts_guarded = std::is_same_v<O, Silent>;

// Several that look on side by side.
template <Observer... Parts>
struct Together : Parts... {
  template <class Event>
  [[gnu::always_inline]] void on(const Event& event) {
    (static_cast<Parts&>(*this).Parts::on(event), ...);
  }
};

// An observer whose type is forgotten. Code that is compiled once for all of them (matrices, copies,
// textures, mbarriers) tells it of accesses by a pointer, and makes no event where nobody looks.
class AnyObserver {
 public:
  AnyObserver() = default;  // nobody
  template <Observer O>
  explicit AnyObserver(O& observer)
      : object_(&observer),
        access_([](void* object, const Access& event) { static_cast<O*>(object)->on(event); }),
        copied_([](void* object, const Copied& event) { static_cast<O*>(object)->on(event); }),
        synchronised_(
            [](void* object, const Synchronised& event) { static_cast<O*>(object)->on(event); }) {}

  explicit operator bool() const { return object_ != nullptr; }
  void on(const Access& event) const { access_(object_, event); }
  void on(const Copied& event) const { copied_(object_, event); }
  void on(const Synchronised& event) const { synchronised_(object_, event); }
  void* object() const { return object_; }

 private:
  void* object_ = nullptr;
  void (*access_)(void*, const Access&) = nullptr;
  void (*copied_)(void*, const Copied&) = nullptr;
  void (*synchronised_)(void*, const Synchronised&) = nullptr;
};

// An access whose lanes' addresses are known, for code that is compiled once for all observers.
struct LaneAccess {
  Place space;
  Use use;
  uint32_t mask;
  uint8_t bytes;                         // a lane
  bool matrix_rows = false;              // ldmatrix, stmatrix: a pass for every eight lanes
  const uint32_t* lane_bytes = nullptr;  // as in Access
  bool rest = false;
  const BlockState* peer = nullptr;
};
// Tells the observer of the launch, if it has one.
void observe(const Warp&, const Operation&, const LaneAccess&, const uint64_t* address);
void observe(const Copied&);
void observe(const Synchronised&);

}  // namespace headroom::sim
