// Races: two accesses of different threads to the same bytes, one of them a write, that nothing
// orders. Both sides are kept, a race once for each pair of instructions, and counted.
//
//   s[t] = x;  y = s[t + 1];     race_shared: the load and the store of the next thread
//
// No race: accesses that are both atomic or volatile, of a scope that has both threads; stores of
// the value that is there. Of the reads of a word since it was written two are remembered, of
// different threads.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "record/finding.h"
#include "sim/check/order.h"
#include "sim/check/past.h"
#include "sim/check/shadow.h"
#include "sim/observer.h"

namespace headroom::sim::check {

class Races {
 public:
  void runs(std::shared_ptr<const Program> program) { held_ = std::move(program); }
  void begin(const Program&, const LaunchShape&, bool lockstep);  // a launch
  void see(const Access&);
  void end();
  // fence.proxy.async: what threads of the block wrote until now is there for bulk copies and wgmma.
  void cross(const BlockState& block) { crossed_[&block] = {block.linear, order.now(block)}; }
  // One of these reads bytes of shared memory [begin, end), by host addresses.
  void see_crossing(const Warp&, uint32_t lane, uint32_t instruction, const char* use,
                    uint64_t begin, uint64_t end);
  void overwritten(uint64_t begin, uint64_t end) { shadow_.forget(begin, end); }
  void touch_range(PastRange);  // of the work of now
  std::vector<HostPage> host_pages(const std::vector<uint32_t>& work, uint64_t begin,
                                   uint64_t end) const;
  std::optional<Finding> host_access(const std::vector<uint32_t>& work, uint64_t address,
                                     bool writes) const;
  std::vector<Finding> finish();                  // in the order in which they were seen
  void forget(uint64_t address, uint64_t bytes);  // it is memory of somebody else now

  Order order;
  Past past;
  const Role& role(uint32_t instruction) const { return roles_[instruction].order; }

 private:
  struct Known {  // of an instruction, found once a program
    Role order;
    uint8_t element = 0, held = 0;  // store: bytes of each value, of the register that holds it
  };
  struct Side {  // what a lane does to one word
    const Access& access;
    uint32_t lane;
    uint64_t address;  // as the program sees it
    uint64_t host;     // key of the shadow, and where the bytes are
    uint32_t offset;   // of the word in the lane's bytes
    Record record;
  };
  Known look_at(const InstructionAt&) const;
  void mark_polled(const Program&);
  class Row;
  void touch(const Side&);
  void touch(Cell&, const Side&);
  bool conflicts(Record, const Side&);
  bool shares(uint64_t block,
              const Warp&) const;  // its memory with the warp's block: of one cluster
  bool orders(Record, const Side&);
  bool same_value(Record before, const Side&) const;
  bool value_of(const Side&, uint32_t lane, uint32_t& value) const;
  void add_read(Cell&, const Side&);
  void note(Record before, Use use_before, const Side&);
  // With work of other streams.
  void see_ranges(const Access&);
  void note_launch(Record before, const PastLaunch&, Use, Finding&, const Side&) const;
  void note_range(const PastRange&, const PastRange&);
  void note_range(Record, Use, const PastLaunch&, uint64_t address, const PastRange&);
  Finding* first(const void* program, uint32_t mine, uint32_t others, Use, Place);  // null: counted

  std::unordered_map<const BlockState*, Order::Moment> crossed_;
  const Program* program_ = nullptr;
  std::shared_ptr<const Program> held_;  // the same
  LaunchShape shape_;
  std::vector<Known> roles_;  // by instruction
  Shadow shadow_;
  bool lockstep_ = false, clustered_ = false;
  uint32_t last_epoch_ = 0;
  uint32_t first_of_use_ = 0;  // what earlier epochs left, no work of now or later can race with
  struct Seen {
    size_t number;
    Finding finding;
  };
  // By the other side's program, if that is another launch, both instructions, use and space.
  std::map<std::tuple<const void*, uint32_t, uint32_t, uint8_t, uint8_t>, Seen> seen_;
};

}  // namespace headroom::sim::check
