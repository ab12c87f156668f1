// Device memory of the executor: one reserved range of addresses at a fixed base, so that addresses
// repeat from run to run. A device pointer is a host address inside the range; an access is legal
// inside an allocation.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "base/saturate.h"

namespace headroom::sim {

// Generic addresses outside the range: windows for what has no address of its own in device memory.
inline constexpr uint64_t shared_window = 0x1'0000'0000, window_size = 0x1'0000'0000,
                          local_window = 0x2'0000'0000, param_window = 0x3'0000'0000,
                          function_window = 0x4'0000'0000;
inline constexpr uint64_t memory_base = 0x10'0000'0000;
// What cudaMalloc maps at least (seen on an H200).
inline constexpr uint64_t page_size = uint64_t(2) << 20;

class Memory {
 public:
  // Bytes a machine has; throws Error when the range cannot be reserved.
  explicit Memory(uint64_t capacity);
  ~Memory();
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  // 512-byte aligned, uninitialised contents (zero the first time), with a gap behind it that
  // belongs to no allocation; nullopt when the capacity is used up.
  std::optional<uint64_t> allocate(uint64_t bytes);
  // The same for a module's variables: from the other end of the range, so that a program that
  // leaves its own allocations does not land on them.
  std::optional<uint64_t> allocate_variable(uint64_t bytes);
  // Where blocks of a cooperative grid meet: what the driver gives such a launch in %envreg1 and 2.
  // The same place for all launches, zeroed.
  std::optional<uint64_t> grid_workspace();
  bool free(uint64_t address);  // false: not the start of a live allocation
  // malloc and free of kernels: a device's heap, of which no more than `limit` bytes are in use.
  std::optional<uint64_t> allocate_heap(uint64_t bytes, int device, uint64_t limit);
  bool free_heap(uint64_t address);  // false: not from there
  // Memory of the host that kernels may touch (cudaMallocHost, cudaHostRegister, managed).
  void map_host(uint64_t address, uint64_t bytes);
  // Until this is said of an allocation, every device may use it; `devices` has a bit for each.
  void restrict_to(uint64_t begin, uint64_t devices);
  bool unmap_host(uint64_t address);
  // Addresses alone, which take none of the capacity and are not used again: what of them is an
  // allocation, of memory that somebody else puts there, is said piece by piece.
  std::optional<uint64_t> reserve(uint64_t bytes, uint64_t alignment);
  void show(uint64_t begin, uint64_t bytes);
  void hide(uint64_t begin);

  struct Block {
    uint64_t begin = 0, end = 0;
    bool contains(uint64_t address, uint64_t bytes) const {
      return is_within(address, bytes, begin, end);
    }
  };
  const Block* find(uint64_t address) const;  // the allocation that holds the address; null if none
  const Block* find(uint64_t address, int device) const;  // null also if the device may not use it
  // A GPU maps device memory in pages: an access beside every allocation, but in pages that hold
  // one, does not fault there. True for such bytes and for allocated ones; host memory has no such
  // slack here. The page before the first allocation often holds what the driver needs: it counts.
  bool mapped(uint64_t address, uint64_t bytes, int device) const;
  // "12 bytes past the end of an allocation of 4096 bytes at 0x…"
  std::string describe(uint64_t address) const;

  uint64_t base() const { return base_; }
  uint64_t capacity() const { return capacity_; }
  // Bytes of addresses from base() on: more than the capacity, for the gaps.
  uint64_t addresses() const { return addresses_; }
  uint64_t used() const { return used_; }
  // What its clocks show: of all launches so far, so that they never go back.
  struct Time {
    uint64_t clocks = 0;
    uint64_t leapt = 0;  // that passed while all only waited (hang.h)
    Time operator+(const Time& more) const { return {clocks + more.clocks, leapt + more.leapt}; }
    Time operator-(const Time& from) const { return {clocks - from.clocks, leapt - from.leapt}; }
  };
  const Time& time() const { return time_; }
  void pass(const Time& now);
  uint64_t version() const { return version_; }  // changes whenever an allocation appears or goes
 private:
  uint64_t base_ = memory_base, capacity_ = 0, addresses_ = 0, used_ = 0, high_water_ = memory_base,
           version_ = 0;
  bool may_use(const Block&, int device) const;
  std::map<uint64_t, Block> blocks_;    // live, device and host
  std::map<uint64_t, uint64_t> users_;  // of those that not every device may use, by begin
  std::map<uint64_t, uint64_t> holes_;  // free ranges below the high water, begin -> end
  std::map<uint64_t, Block> freed_;     // what lay in them, for messages
  uint64_t in_holes_ = 0;               // bytes
  uint64_t variables_ = 0;              // lowest address given to a variable
  std::optional<uint64_t> workspace_;
  Time time_;
  struct Piece {
    int device;
    uint64_t bytes;
  };
  std::map<uint64_t, Piece> heap_;     // what kernels allocated
  std::map<int, uint64_t> heap_used_;  // bytes of it, by device
};

}  // namespace headroom::sim
