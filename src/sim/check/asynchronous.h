// What goes on beside the threads of a block: bulk copies (cp.async.bulk, of tensors too) and what
// wgmma reads of shared memory, and stores that an mbarrier counts (st.async, red.async). The executor
// does all at once; on a GPU they are done when a wait says so, at an mbarrier or for a group.
//
//   cp.async.bulk.shared::cta.global… [tile], [from], 512, [full];
//   y = tile[t];            race_async_copy: no mbarrier.test_wait of this phase comes before
//
// A lane knows that one is over if it waited itself, or if one that waited comes before it.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "record/finding.h"
#include "sim/check/order.h"
#include "sim/observer.h"

namespace headroom::sim::check {

class Asynchronous {
 public:
  explicit Asynchronous(Order& order) : order_(order) {}
  void begin(const Program&);  // a launch

  // Who waits for what: an mbarrier, by its offset in shared memory; the groups of a lane's bulk
  // copies, all of them or what they read; those of a warp's wgmma.
  enum class Groups : uint8_t { copies = 1, copies_read = 2, products = 3 };
  void met(const BlockState&, uint64_t barrier);                                // before it changes
  void begins(const Warp&, const Operation&, uint32_t lane, uint64_t barrier);  // or ends
  void passed(const Warp&, uint32_t lane, uint64_t barrier);  // a wait has seen a phase end
  void committed(const Warp&, Groups);
  void waited(const Warp&, Groups, uint32_t groups_left);

  void copied(const Copied&);  // one side of a bulk copy, in shared memory; st.async, red.async
  void see(const Access&);     // any other access to shared memory
  // Bytes of shared memory that a product of this warp reads, in units of 16; what it does to the
  // order of the rest is as for one lane.
  void product(const Warp&, const Operation&, std::vector<uint32_t> units);
  std::vector<Finding> finish();

 private:
  struct Seen {
    uint32_t number = 0;
    Record when;  // epoch 0: never
  };
  struct Source {
    uint32_t number = 1;  // of the phase, or group, that is not over
    bool parity = false;
    std::unordered_map<uint32_t, std::array<Seen, 4>> seen;  // by thread; the latest first
  };
  struct Pending {
    uint64_t begin = 0, end = 0;  // offsets in shared memory
    std::vector<uint32_t> units;  // of a product: which of them, sorted
    bool writes = false, reduces = false, stored = false;
    uint64_t source = 0;
    uint32_t number = 0, thread = 0, instruction = 0;
    uint64_t block = 0;           // of the thread: another one of the cluster may copy
    std::vector<uint32_t> known;  // lanes that are known to come after it, by warp
    bool has(uint64_t from, uint64_t to) const;
  };
  struct OfBlock {
    uint64_t linear = ~0ull;
    std::unordered_map<uint64_t, Source> sources;
    std::vector<Pending> writes, reads;
  };
  static const char* name_of(const Pending&);
  OfBlock& of(const BlockState&);
  OfBlock* find(const BlockState&);
  void see_phase(const BlockState&, Source&, uint64_t barrier);
  void observe(const Warp&, uint32_t lane, Source&, uint32_t number);
  bool is_over(OfBlock&, Pending&, const Warp&, uint32_t lane);
  void look(OfBlock&, const Warp&, uint32_t lane, uint32_t instruction, const char* use, Use,
            uint64_t begin, uint64_t end);
  void add(OfBlock&, Pending);
  void note_begun_again(const Warp&, uint32_t instruction, uint32_t lane, uint64_t barrier);
  void note(const Warp&, uint32_t lane, uint32_t instruction, const char* use, uint64_t address,
            const Pending&);

  Order& order_;
  const Program* program_ = nullptr;
  std::unordered_map<const BlockState*, OfBlock> blocks_;
  const BlockState* recent_ = nullptr;
  OfBlock* recent_block_ = nullptr;
  struct Told {
    size_t number;
    Finding finding;
  };
  std::map<std::pair<uint32_t, uint32_t>, Told> told_;  // by both instructions
};

}  // namespace headroom::sim::check
