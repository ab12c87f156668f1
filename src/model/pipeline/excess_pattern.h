// How the lanes of accesses that are not coalesced lie, and what to do about it.
//
//   for (i …) sum += a[row * n + i];         each thread goes along a row of its own
//   out[x * n + y] = in[y * n + x];          read along rows, written along columns
//
//   ExcessPattern pattern; pattern.add(access, sectors, …); pattern.next()
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <tuple>

#include "record/trace.h"

namespace headroom {

class ExcessPattern {
 public:
  // The accesses of a warp, one after the other.
  class OfWarp {
   public:
    explicit OfWarp(ExcessPattern& all) : all_(all) {}
    void add(const TracedAccess&, const uint64_t* sectors);

   private:
    ExcessPattern& all_;
    std::map<uint32_t, uint64_t> before_;  // where the instruction was the last time
    std::map<std::tuple<AccessKind, uint64_t, uint32_t>, TracedAccess> parts_;
  };

  std::string next() const;
  bool has_no_stride() const { return scattered_ > 0.5 * executions_; }

 private:
  // Of executions to more sectors than their lanes ask for: all; those of which the next time is a few bytes further;
  // those without a stride, as by random indices; those of whose sectors another instruction takes another part.
  double executions_ = 0, along_ = 0, scattered_ = 0, split_ = 0;
  double stores_ = 0, stores_along_ = 0;  // of them
  double by_16_bytes_ = 0;                // of all, lanes that lie a multiple of 16 bytes apart
  // Sectors that lanes ask for, by loads and by stores: where there are more than that, and where there are not.
  double excess_[2] = {}, whole_[2] = {};
};

}  // namespace headroom
