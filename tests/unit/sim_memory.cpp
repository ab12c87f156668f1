// Device memory of the executor: repeatable addresses, holes that are used again, and words for an
// address.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "sim/memory.h"

using headroom::sim::Memory;

namespace {

constexpr uint64_t mebibyte = 1 << 20;

// The place of a variable is not used again: until less than `left` bytes were never given out.
void use_up_addresses(Memory& memory, uint64_t left) {
  for (uint64_t bytes = mebibyte / 2; bytes >= left; bytes /= 2)
    while (const auto variable = memory.allocate_variable(bytes)) memory.free(*variable);
}

TEST(DeviceMemory, GivesTheSameAddressesInEveryRun) {
  std::vector<uint64_t> first, second;
  for (auto* addresses : {&first, &second}) {
    Memory memory(64 * mebibyte);
    for (uint64_t bytes : {1, 512, 513, 4096})
      addresses->push_back(*memory.allocate(bytes) - memory.base());
  }
  EXPECT_EQ(first, second);
  EXPECT_EQ(first, (std::vector<uint64_t>{0, 512, 1536, 2560}));
}

TEST(DeviceMemory, StartsAsZeros) {
  Memory memory(64 * mebibyte);
  const auto* bytes = reinterpret_cast<const char*>(*memory.allocate(4096));
  EXPECT_EQ(std::vector<char>(bytes, bytes + 4096), std::vector<char>(4096, 0));
}

TEST(DeviceMemory, EndsAnAllocationAtItsLastByteNotAtTheAlignment) {
  Memory memory(64 * mebibyte);
  uint64_t begin = *memory.allocate(100);
  EXPECT_NE(memory.find(begin + 99), nullptr);
  EXPECT_EQ(memory.find(begin + 100), nullptr);
  EXPECT_FALSE(memory.find(begin + 98)->contains(begin + 98, 4));
  EXPECT_EQ(
      memory.describe(begin + 112),
      "12 bytes past the end of an allocation of 100 bytes at 0x" + [&] {
        char text[20];
        snprintf(text, sizeof text, "%llx", (unsigned long long)begin);
        return std::string(text);
      }());
}

// A program that goes on where an array ends must not meet the next array.
TEST(DeviceMemory, LeavesAGapBehindEveryAllocation) {
  Memory memory(64 * mebibyte);
  for (const bool variable : {false, true}) {
    uint64_t last = 0;
    for (uint64_t bytes : {512, 4096, 1, 1024, 511}) {
      const uint64_t begin = variable ? *memory.allocate_variable(bytes) : *memory.allocate(bytes);
      EXPECT_EQ(begin % 512, 0u);
      EXPECT_EQ(memory.find(begin + bytes), nullptr);
      EXPECT_EQ(memory.find(begin + bytes + 255), nullptr);
      EXPECT_TRUE(memory.mapped(begin + bytes, 256, 0)) << "a GPU would let it pass";
      if (last) {
        EXPECT_EQ(memory.find(begin - 1), nullptr);
      }
      last = begin;
    }
  }
}

TEST(DeviceMemory, HasRoomForItsCapacityBesideTheGaps) {
  Memory memory(8 * mebibyte);
  for (int i = 0; i < 256; ++i) ASSERT_TRUE(memory.allocate(32 << 10)) << i;
  EXPECT_FALSE(memory.allocate(1));
  EXPECT_EQ(memory.used(), 8 * mebibyte);
}

TEST(DeviceMemory, UsesTheFirstHoleThatIsLargeEnoughOnceNothingElseIsLeft) {
  Memory memory(mebibyte);
  uint64_t a = *memory.allocate(1024), b = *memory.allocate(2048);
  memory.allocate(512);
  EXPECT_TRUE(memory.free(a));
  EXPECT_TRUE(memory.free(b));
  use_up_addresses(memory, 1);
  EXPECT_EQ(*memory.allocate(3072), a) << "neighbouring holes become one";
}

TEST(DeviceMemory, LeavesFreedMemoryAloneAndNamesIt) {
  Memory memory(64 * mebibyte);
  uint64_t a = *memory.allocate(1024);
  EXPECT_TRUE(memory.free(a));
  EXPECT_NE(*memory.allocate(1024), a);
  EXPECT_EQ(memory.find(a), nullptr);
  EXPECT_NE(memory.describe(a + 8).find("8 bytes into an allocation of 1024 bytes"),
            std::string::npos);
  EXPECT_NE(memory.describe(a + 8).find("that was freed"), std::string::npos);
}

TEST(DeviceMemory, KeepsVariablesAwayFromAllocations) {
  Memory memory(64 * mebibyte);
  uint64_t a = *memory.allocate(100), v = *memory.allocate_variable(16);
  EXPECT_GT(v, a + 32 * mebibyte);
  EXPECT_NE(memory.describe(a + 100).find("0 bytes past the end of an allocation of 100 bytes"),
            std::string::npos);
  EXPECT_TRUE(memory.free(v));
}

TEST(DeviceMemory, NamesPointersThatAreNone) {
  Memory memory(64 * mebibyte);
  memory.allocate(1024);
  int host = 0;
  EXPECT_EQ(memory.describe(0), "a null pointer");
  EXPECT_EQ(memory.describe(16), "a null pointer plus 16 bytes");
  EXPECT_NE(memory.describe(uint64_t(&host)).find("host"), std::string::npos);
  for (uint64_t bytes : {1ull, 4096ull, 1ull << 32})
    EXPECT_EQ(memory.describe(memory.base() - bytes)
                  .find(std::to_string(bytes) + " bytes before an allocation of 1024"),
              0u);
}

TEST(DeviceMemory, GrowsTheLastHoleIntoUntouchedMemory) {
  Memory memory(4 * mebibyte);
  uint64_t a = *memory.allocate(3 * mebibyte);
  for (int i = 0; i < 3; ++i) memory.free(*memory.allocate_variable(mebibyte));
  EXPECT_TRUE(memory.free(a));
  EXPECT_EQ(memory.allocate(4 * mebibyte), a);
}

TEST(DeviceMemory, SaysWhenItIsFull) {
  Memory memory(mebibyte);
  ASSERT_TRUE(memory.allocate(mebibyte - 512));
  EXPECT_FALSE(memory.allocate(513));
  EXPECT_TRUE(memory.allocate(512));
  EXPECT_FALSE(memory.allocate(UINT64_MAX));
  EXPECT_EQ(memory.used(), mebibyte);
}

TEST(DeviceMemory, FreesOnlyWhatWasAllocatedAndOnlyOnce) {
  Memory memory(mebibyte);
  uint64_t a = *memory.allocate(1024);
  EXPECT_FALSE(memory.free(a + 1));
  EXPECT_TRUE(memory.free(a));
  EXPECT_FALSE(memory.free(a));
  EXPECT_EQ(memory.find(a), nullptr);
  EXPECT_EQ(memory.used(), 0u);
}

TEST(DeviceMemory, KeepsAHeapForKernelsApart) {
  Memory memory(64 * mebibyte);
  const uint64_t plain = *memory.allocate(1024), limit = mebibyte;
  EXPECT_FALSE(memory.allocate_heap(mebibyte + 1, 0, limit));
  EXPECT_FALSE(memory.allocate_heap(UINT64_MAX, 0, limit));
  const auto first = memory.allocate_heap(mebibyte - 16, 0, limit);
  ASSERT_TRUE(first);
  EXPECT_FALSE(memory.allocate_heap(17, 0, limit));
  EXPECT_TRUE(memory.allocate_heap(17, 1, limit)) << "another device's";
  EXPECT_TRUE(memory.allocate_heap(1, 0, limit));
  EXPECT_FALSE(memory.free_heap(plain));
  EXPECT_NE(memory.find(plain), nullptr);
  EXPECT_TRUE(memory.free_heap(*first));
  EXPECT_FALSE(memory.free_heap(*first));
  EXPECT_TRUE(memory.allocate_heap(mebibyte / 2, 0, limit));
}

TEST(DeviceMemory, ForgetsTheContentsOfLargeFreedMemory) {
  Memory memory(8 * mebibyte);
  uint64_t a = *memory.allocate(2 * mebibyte);
  std::memset(reinterpret_cast<void*>(a), 7, 2 * mebibyte);
  memory.free(a);
  EXPECT_EQ(*reinterpret_cast<const char*>(*memory.allocate(2 * mebibyte)), 0);
}

TEST(DeviceMemory, MapsWholePagesAroundWhatIsAllocated) {
  using headroom::sim::page_size;
  Memory memory(8 * page_size);
  uint64_t a = *memory.allocate(100);
  EXPECT_TRUE(memory.mapped(a, 100, 0));
  EXPECT_TRUE(memory.mapped(a + 1000, 4, 0)) << "past the end, but in the same page";
  EXPECT_TRUE(memory.mapped(a + page_size - 4, 4, 0));
  EXPECT_FALSE(memory.mapped(a + page_size - 4, 8, 0)) << "reaches into the next page";
  EXPECT_FALSE(memory.mapped(a + page_size, 4, 0));
  EXPECT_TRUE(memory.mapped(a - 4096, 4, 0)) << "what an H200 let pass";
  EXPECT_TRUE(memory.mapped(a - page_size, 4, 0));
  EXPECT_FALSE(memory.mapped(a - page_size - 4, 8, 0));
  EXPECT_FALSE(memory.mapped(16, 4, 0));
  EXPECT_FALSE(memory.mapped(memory.base() + memory.capacity() - 2, 4, 0));
  memory.free(a);
  EXPECT_FALSE(memory.mapped(a, 4, 0));
}

TEST(DeviceMemory, LetsADeviceUseOnlyWhatItMay) {
  Memory memory(8 * mebibyte);
  const uint64_t own = *memory.allocate(100), others = *memory.allocate(100);
  memory.restrict_to(own, 0b01);
  memory.restrict_to(others, 0b10);
  EXPECT_NE(memory.find(own, 0), nullptr);
  EXPECT_EQ(memory.find(others, 0), nullptr);
  EXPECT_TRUE(memory.mapped(own + 100, 4, 0)) << "in a page of its own memory";
  EXPECT_FALSE(memory.mapped(others, 4, 0)) << "which no other device's is in";
  memory.restrict_to(others, 0b11);
  EXPECT_NE(memory.find(others, 0), nullptr);
  memory.restrict_to(others, 0b10);
  memory.free(own);
  EXPECT_FALSE(memory.mapped(others + 100, 4, 0)) << "nothing of it is left there";
  memory.free(others);
  EXPECT_FALSE(memory.mapped(others, 4, 1));
}

TEST(DeviceMemory, KnowsMappedHostMemoryUntilItIsUnmapped) {
  Memory memory(mebibyte);
  std::vector<char> host(100);
  auto address = uint64_t(host.data());
  uint64_t before = memory.version();
  memory.map_host(address, host.size());
  EXPECT_NE(memory.version(), before);
  EXPECT_NE(memory.find(address + 99), nullptr);
  EXPECT_FALSE(memory.free(address)) << "cudaFree of host memory is an error";
  EXPECT_TRUE(memory.unmap_host(address));
  EXPECT_EQ(memory.find(address), nullptr);
  EXPECT_EQ(memory.used(), 0u);
}

}  // namespace
