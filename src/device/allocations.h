// What the device handed out, by address, with the bytes that each device has given away counted along:
// neither a look-up nor an allocation takes longer where there are many.
//
//   allocations.add({begin, 100, Place::device, 0});   used(0) is 100
//   allocations.holding(begin + 99)                    that allocation
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

namespace headroom::device {

struct Pool;          // pool.h
struct MemoryAdvice;  // advice.h

// In an order that the checks use: up to `managed` a free takes it back, from `pinned` on it is
// the host's. A managed variable is loaded with its module; what is mapped is the device's (virtual_memory.h).
enum class Place { device, managed, variable, mapped, pinned, registered };

struct Allocation {
  uint64_t begin = 0, bytes = 0;
  Place place = Place::device;
  int device = 0;
  unsigned flags = 0;
  std::shared_ptr<void> addresses;       // kept by a graph's node too; null: given back when freed
  std::shared_ptr<Pool> pool;            // of ordered allocation; null: none
  std::shared_ptr<MemoryAdvice> advice;  // of managed memory, once there is any
  uint64_t readers = 0;  // of a graph's memory: a bit for each other device that has access; of
                         // what is mapped, for each device
  const void* context = nullptr;  // the created context that frees it; null: none
  std::string site = {};          // who allocated it (host_frames.h), where leaks are looked for
};

class Allocations {
 public:
  bool keeps_sites = false;
  Allocation& add(Allocation);  // replaces one that begins at the same address
  void remove(uint64_t begin);
  void remove_if(const std::function<bool(const Allocation&)>&);
  Allocation* at(uint64_t begin);         // null: none begins there
  Allocation* holding(uint64_t address);  // null: none holds the address
  const Allocation* at(uint64_t begin) const;
  const Allocation* holding(uint64_t address) const;
  bool overlaps(uint64_t begin, uint64_t bytes) const;
  uint64_t used(int device) const;                     // bytes of a device's memory
  void count(int device, uint64_t bytes, bool taken);  // … that have no address yet, or several
  const std::map<uint64_t, Allocation>& all() const { return by_begin_; }

 private:
  void count(const Allocation&, bool added);
  std::map<uint64_t, Allocation> by_begin_;
  std::map<int, uint64_t> used_;
};

}  // namespace headroom::device
