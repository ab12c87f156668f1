// Allocation inside the reserved range: from the high water on, and from holes (first fit) only
// once much has been freed, so that a pointer used after its memory was freed is noticed. The same
// calls give the same addresses in every run.
#include "sim/memory.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/error.h"

namespace headroom::sim {
namespace {

constexpr uint64_t alignment = 512;         // cudaMalloc's
constexpr uint64_t gap = 256;               // behind every allocation, at least
constexpr uint64_t give_back = 64 << 10;    // freed memory of this size goes back to the system
constexpr uint64_t quarantine = 256 << 20;  // freed bytes that are left alone
// From this size on the system may map an allocation in pages of 2 MiB: where lanes read all over it,
// a page of 4 KiB is looked up for almost each of them.
constexpr uint64_t in_large_pages = 8 << 20;

uint64_t rounded(uint64_t bytes) { return (bytes + alignment - 1) & ~(alignment - 1); }

// Addresses that an allocation takes. One that is no allocation's size gives 0.
uint64_t with_gap(uint64_t bytes) {
  return bytes > UINT64_MAX / 2 ? 0 : rounded(std::max<uint64_t>(bytes, 1) + gap);
}

// Where the usual base is taken (by another memory, or an address sanitizer's shadow or heap), the
// next is as good: repeatable too. A thread sanitizer leaves those below 0x80'0000'0000.
constexpr uint64_t bases[] = {memory_base,      0x2000'0000'0000, 0x6000'0000'0000,
                              0x3000'0000'0000, 0x4000'0000'0000, 0x5000'0000'0000,
                              0x40'0000'0000};

// With a page in front of it.
uint64_t reserve_all(uint64_t bytes) {
  for (uint64_t base : bases) {
    void* const begin = reinterpret_cast<void*>(base - page_size);
    void* got = mmap(begin, bytes + page_size, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (got == begin) return base;
    if (got != MAP_FAILED)
      munmap(got, bytes + page_size);  // kernels before 4.17 take the address as a hint
  }
  throw Error{
      "device memory",
      fmt::format("cannot reserve {} MiB of addresses: {}", bytes >> 20, std::strerror(errno)),
      "lift the limit on address space (ulimit -v, vm.overcommit_memory), or choose a machine with "
      "less memory"};
}

void map_in_large_pages(uint64_t begin, uint64_t bytes) {
  if (bytes < in_large_pages) return;
  const uint64_t first = (begin + page_size - 1) & ~(page_size - 1),
                 last = (begin + bytes) & ~(page_size - 1);
  madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
}

}  // namespace

// An eighth more than the capacity has room for the gaps, and for what first fit cannot use.
Memory::Memory(uint64_t capacity)
    : capacity_(rounded(capacity)), addresses_(rounded(capacity + capacity / 8) + 2 * page_size) {
  base_ = high_water_ = reserve_all(addresses_);
  variables_ = base_ + addresses_;
}

Memory::~Memory() { munmap(reinterpret_cast<void*>(base_ - page_size), addresses_ + page_size); }

std::optional<uint64_t> Memory::allocate(uint64_t bytes) {
  const uint64_t need = with_gap(bytes), size = rounded(std::max<uint64_t>(bytes, 1));
  if (need == 0 || size > capacity_ - used_) return std::nullopt;
  auto hole = holes_.begin();
  if (in_holes_ <= quarantine && need <= variables_ - high_water_) hole = holes_.end();
  while (hole != holes_.end() && hole->second - hole->first < need && hole->second != high_water_)
    ++hole;
  uint64_t begin = hole != holes_.end() ? hole->first : high_water_;
  if (need > variables_ - begin) return std::nullopt;
  if (hole != holes_.end()) {
    uint64_t end = hole->second;
    holes_.erase(hole);
    in_holes_ -= std::min(need, end - begin);
    if (begin + need < end) holes_[begin + need] = end;
    freed_.erase(freed_.lower_bound(begin), freed_.lower_bound(begin + need));
  }
  high_water_ = std::max(high_water_, begin + need);
  blocks_[begin] = {begin, begin + bytes};
  used_ += size;
  ++version_;
  map_in_large_pages(begin, bytes);
  return begin;
}

std::optional<uint64_t> Memory::allocate_variable(uint64_t bytes) {
  const uint64_t need = with_gap(bytes), size = rounded(std::max<uint64_t>(bytes, 1));
  if (need == 0 || need > variables_ - high_water_ || size > capacity_ - used_) return std::nullopt;
  variables_ -= need;
  blocks_[variables_] = {variables_, variables_ + bytes};
  used_ += size;
  ++version_;
  return variables_;
}

std::optional<uint64_t> Memory::grid_workspace() {
  if (!workspace_) workspace_ = allocate_variable(alignment);
  if (workspace_) std::memset(reinterpret_cast<void*>(*workspace_), 0, alignment);
  return workspace_;
}

bool Memory::free(uint64_t address) {
  auto found = blocks_.find(address);
  if (found == blocks_.end() || address < base_ || address >= base_ + addresses_) return false;
  uint64_t begin = address;
  const uint64_t bytes = found->second.end - begin, size = rounded(std::max<uint64_t>(bytes, 1));
  uint64_t end = begin + with_gap(bytes);
  if (begin < variables_) freed_[begin] = found->second;
  blocks_.erase(found);
  users_.erase(address);
  used_ -= size;
  ++version_;
  if (size >= give_back) {
    uint64_t page = 4096, first = (begin + page - 1) & ~(page - 1), last = end & ~(page - 1);
    madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);
  }
  if (begin >= variables_) return true;  // a variable's place is not used again
  in_holes_ += end - begin;
  auto after = holes_.lower_bound(begin);
  if (after != holes_.end() && after->first == end) {
    end = after->second;
    after = holes_.erase(after);
  }
  if (after != holes_.begin() && std::prev(after)->second == begin)
    std::prev(after)->second = end;
  else
    holes_[begin] = end;
  return true;
}

std::optional<uint64_t> Memory::allocate_heap(uint64_t bytes, int device, uint64_t limit) {
  constexpr uint64_t unit = 16;  // malloc's alignment
  if (bytes > limit) return std::nullopt;
  const uint64_t need = (std::max<uint64_t>(bytes, 1) + unit - 1) / unit * unit;
  uint64_t& used = heap_used_[device];
  if (used + need > limit) return std::nullopt;
  const auto address = allocate(bytes);
  if (!address) return std::nullopt;
  used += need;
  heap_[*address] = {device, need};
  return address;
}

bool Memory::free_heap(uint64_t address) {
  const auto piece = heap_.find(address);
  if (piece == heap_.end()) return false;
  heap_used_[piece->second.device] -= piece->second.bytes;
  heap_.erase(piece);
  return free(address);
}

void Memory::map_host(uint64_t address, uint64_t bytes) {
  blocks_[address] = {address, address + bytes};
  ++version_;
}

bool Memory::unmap_host(uint64_t address) {
  if (address >= base_ && address < base_ + addresses_) return false;
  if (!blocks_.erase(address)) return false;
  ++version_;
  return true;
}

std::optional<uint64_t> Memory::reserve(uint64_t bytes, uint64_t alignment) {
  if (bytes > variables_ - high_water_) return std::nullopt;
  const uint64_t begin = (variables_ - bytes) & ~(alignment - 1);
  if (begin < high_water_) return std::nullopt;
  return variables_ = begin;
}

void Memory::show(uint64_t begin, uint64_t bytes) { map_host(begin, bytes); }

void Memory::hide(uint64_t begin) {
  blocks_.erase(begin);
  users_.erase(begin);
  ++version_;
}

void Memory::pass(const Time& now) {
  time_ = {std::max(time_.clocks, now.clocks), std::max(time_.leapt, now.leapt)};
}

const Memory::Block* Memory::find(uint64_t address) const {
  auto after = blocks_.upper_bound(address);
  if (after == blocks_.begin()) return nullptr;
  const Block& before = std::prev(after)->second;
  return address < before.end ? &before : nullptr;
}

void Memory::restrict_to(uint64_t begin, uint64_t devices) {
  if (!blocks_.count(begin)) return;
  users_[begin] = devices;
  ++version_;
}

bool Memory::may_use(const Block& block, int device) const {
  const auto users = users_.find(block.begin);
  return users == users_.end() || users->second >> device & 1;
}

const Memory::Block* Memory::find(uint64_t address, int device) const {
  const Block* block = find(address);
  return block && (users_.empty() || may_use(*block, device)) ? block : nullptr;
}

// Devices share the range, but no page of it.
bool Memory::mapped(uint64_t address, uint64_t bytes, int device) const {
  const Block* block = find(address);
  if (block && !may_use(*block, device)) return false;
  if (block && block->contains(address, bytes)) return true;
  if (address < base_ - page_size || bytes > addresses_ || address > base_ + addresses_ - bytes)
    return false;
  for (uint64_t page = address & ~(page_size - 1); page < address + bytes; page += page_size) {
    const uint64_t holder = std::max(page, base_);
    auto held = blocks_.lower_bound(holder + page_size);
    bool found = false;
    while (!found && held != blocks_.begin() && (--held)->second.end > holder)
      found = may_use(held->second, device);
    if (!found) return false;
  }
  return true;
}

std::string Memory::describe(uint64_t address) const {
  if (address < 4096)
    return address == 0 ? "a null pointer" : fmt::format("a null pointer plus {} bytes", address);
  constexpr uint64_t near = 8ull << 30;  // an index of 32 bits reaches as far
  if (address < base_ - near || address >= base_ + addresses_ + near)
    return "no address of device memory; perhaps a pointer of the host";
  if (const Block* block = find(address))
    return fmt::format("{} bytes into an allocation of {} bytes at {:#x}", address - block->begin,
                       block->end - block->begin, block->begin);
  auto old = freed_.upper_bound(address);
  if (old != freed_.begin() && address < std::prev(old)->second.end) {
    const Block& block = std::prev(old)->second;
    return fmt::format("{} bytes into an allocation of {} bytes at {:#x} that was freed",
                       address - block.begin, block.end - block.begin, block.begin);
  }
  auto after = blocks_.upper_bound(address);
  const Block* left = after == blocks_.begin() ? nullptr : &std::prev(after)->second;
  const Block* right = after == blocks_.end() ? nullptr : &after->second;
  if (left && (left->begin < base_ || left->begin >= base_ + addresses_))
    left = nullptr;  // the host's
  if (right && (right->begin >= variables_ || right->begin >= base_ + addresses_)) right = nullptr;
  uint64_t past = left ? address - left->end : UINT64_MAX;
  uint64_t before = right ? right->begin - address : UINT64_MAX;
  if (!left && !right) return "no memory is allocated";
  if (past <= before)
    return fmt::format("{} bytes past the end of an allocation of {} bytes at {:#x}", past,
                       left->end - left->begin, left->begin);
  return fmt::format("{} bytes before an allocation of {} bytes at {:#x}", before,
                     right->end - right->begin, right->begin);
}

}  // namespace headroom::sim
