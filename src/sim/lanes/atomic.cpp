// Atomics: read, modify, write, a lane at a time in lane order. The address and the counting are
// access.h's.
//
//   atom.global.add.u32 %r1, [%rd1], %r2;   operand[0] = %r1 (the old value), operand[1] = %r2,
//                                           operand[2] = b of cas
#include <cstring>
#include <string_view>

#include "sim/lanes/isa.h"
#include "sim/lanes/lift.h"
#include "sim/machinery.h"
#include "sim/meaning/half.h"

namespace headroom::sim::HEADROOM_ISA {
namespace {

template <class T>
T exchange(T, T a) {
  return a;
}
template <class T>
T add(T old, T a) {
  return T(std::make_unsigned_t<T>(old) + std::make_unsigned_t<T>(a));
}
// Where the L2 cache adds, subnormals are zero and an f64 NaN stays as it is; where code does, as
// in shared memory, it is an add like any other (H200).
float add_in_cache(float old, float a) {
  return meaning::flush(meaning::add(meaning::flush(old), meaning::flush(a)));
}
double add_in_cache(double old, double a) { return a != a ? a : old != old ? old : old + a; }
template <class T>
T minimum(T old, T a) {
  return a < old ? a : old;
}
template <class T>
T maximum(T old, T a) {
  return a > old ? a : old;
}
template <class T>
T conjunction(T old, T a) {
  return old & a;
}
template <class T>
T disjunction(T old, T a) {
  return old | a;
}
template <class T>
T difference(T old, T a) {
  return old ^ a;
}
template <class T>
T increment(T old, T a) {
  return old >= a ? T(0) : T(old + 1);
}
template <class T>
T decrement(T old, T a) {
  return old == 0 || old > a ? a : T(old - 1);
}

// Shared memory is its block's alone, and a block runs on one host thread.
inline bool contended(const Warp& warp) {
  const Machinery& machinery = *warp.block->machinery;
  const uint64_t at = warp.addresses.host[__builtin_ctz(warp.mask)];
  return machinery.host_threads > 1 &&
         at - reinterpret_cast<uint64_t>(warp.block->shared) >= machinery.shared_bytes;
}

// Other host threads modify the same memory. The order does not show: nobody looks at the old
// value.
template <class T, T (*F)(T, T)>
void modify_contended(Warp& warp, const Operation& operation) {
  const T* a = at<T>(warp, operation.operand[1]);
  for (uint32_t left = warp.mask; left; left &= left - 1) {
    const int i = __builtin_ctz(left);
    T* memory = reinterpret_cast<T*>(warp.addresses.host[i]);
    T old = __atomic_load_n(memory, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(memory, &old, F(old, a[i]), true, __ATOMIC_SEQ_CST,
                                        __ATOMIC_RELAXED)) {
    }
  }
  warp.unstable = true;
}

// Who only waits and changes nothing may wait for ever (hang.h).
template <class T>
inline bool differ(T old, T now) {
  // Of bits: a NaN that stays is no change. NOLINTNEXTLINE(bugprone-suspicious-memory-comparison)
  return std::memcmp(&old, &now, sizeof(T)) != 0;
}

template <class T, T (*F)(T, T), bool Result>
void modify(Warp& warp, const Operation& operation) {
  if constexpr (std::is_integral_v<T> && !Result) {
    if (contended(warp)) return modify_contended<T, F>(warp, operation);
  }
  const T* a = at<T>(warp, operation.operand[1]);
  bool changes = false;
  for (uint32_t left = warp.mask; left; left &= left - 1) {
    const int i = __builtin_ctz(left);
    T* memory = reinterpret_cast<T*>(warp.addresses.host[i]);
    const T old = *memory, now = F(old, a[i]);
    *memory = now;
    changes |= differ(old, now);
    if constexpr (Result) at<T>(warp, operation.operand[0])[i] = old;
  }
  warp.unstable |= changes;
}

template <class T, bool Result>
void add_floats(Warp& warp, const Operation& operation) {
  const T* a = at<T>(warp, operation.operand[1]);
  const Memory& device = *warp.block->machinery->memory;
  const uint64_t base = device.base(), bytes = device.addresses();
  bool changes = false;
  for (uint32_t left = warp.mask; left; left &= left - 1) {
    const int i = __builtin_ctz(left);
    T* memory = reinterpret_cast<T*>(warp.addresses.host[i]);
    const T old = *memory;
    const bool in_cache = warp.addresses.host[i] - base < bytes;
    const T now = in_cache ? add_in_cache(old, a[i]) : meaning::add(a[i], old);
    *memory = now;
    changes |= differ(old, now);
    if constexpr (Result) at<T>(warp, operation.operand[0])[i] = old;
  }
  warp.unstable |= changes;
}

struct Wide {  // 128 bits
  uint64_t low, high;
  bool operator==(const Wide&) const = default;
};

// Test: the result is 1 where it swapped, else 0 (CAST of machine code).
template <class T, bool Result, bool Test = false>
void compare_and_swap(Warp& warp, const Operation& operation) {
  const T* expected = at<T>(warp, operation.operand[1]);
  const T* desired = at<T>(warp, operation.operand[2]);
  bool changes = false;
  for (uint32_t left = warp.mask; left; left &= left - 1) {
    const int i = __builtin_ctz(left);
    T* memory = reinterpret_cast<T*>(warp.addresses.host[i]);
    const T old = *memory, wanted = desired[i];
    const bool swaps = old == expected[i];
    if (swaps) *memory = wanted;
    changes |= swaps && differ(old, wanted);
    if constexpr (Result) {
      if constexpr (Test)
        at<T>(warp, operation.operand[0])[i] = T(swaps);
      else
        at<T>(warp, operation.operand[0])[i] = old;
    }
  }
  warp.unstable |= changes;
}

struct AtomicEntry {
  std::string_view operation, type;
  Handler with_result, without;
};
template <class T, T (*F)(T, T)>
constexpr AtomicEntry entry(std::string_view operation, std::string_view type) {
  return {operation, type, &modify<T, F, true>, &modify<T, F, false>};
}
template <class T>
constexpr AtomicEntry test_entry(std::string_view type) {
  return {"cast", type, &compare_and_swap<T, true, true>, &compare_and_swap<T, false>};
}
template <class T>
constexpr AtomicEntry swap_entry(std::string_view type) {
  return {"cas", type, &compare_and_swap<T, true>, &compare_and_swap<T, false>};
}

using meaning::bfloat;
using meaning::bfloat2;
using meaning::half;
using meaning::half2;

constexpr AtomicEntry entries[] = {
    entry<uint32_t, add<uint32_t>>("add", "u32"),
    entry<int32_t, add<int32_t>>("add", "s32"),
    entry<uint64_t, add<uint64_t>>("add", "u64"),
    entry<uint64_t, add<uint64_t>>("add", "s64"),
    {"add", "f32", &add_floats<float, true>, &add_floats<float, false>},
    entry<float, meaning::add<float>>("add", "f32 with subnormals"),  // bulk copies (H200)
    {"add", "f64", &add_floats<double, true>, &add_floats<double, false>},
    entry<half, meaning::add<half>>("add", "f16"),
    entry<half2, meaning::packed<&meaning::add<half>>>("add", "f16x2"),
    entry<bfloat, meaning::add<bfloat>>("add", "bf16"),
    entry<bfloat2, meaning::packed<&meaning::add<bfloat>>>("add", "bf16x2"),
    entry<uint32_t, minimum<uint32_t>>("min", "u32"),
    entry<int32_t, minimum<int32_t>>("min", "s32"),
    entry<uint64_t, minimum<uint64_t>>("min", "u64"),
    entry<int64_t, minimum<int64_t>>("min", "s64"),
    entry<uint32_t, maximum<uint32_t>>("max", "u32"),
    entry<int32_t, maximum<int32_t>>("max", "s32"),
    entry<uint64_t, maximum<uint64_t>>("max", "u64"),
    entry<int64_t, maximum<int64_t>>("max", "s64"),
    entry<uint32_t, conjunction<uint32_t>>("and", "b32"),
    entry<uint64_t, conjunction<uint64_t>>("and", "b64"),
    entry<uint32_t, disjunction<uint32_t>>("or", "b32"),
    entry<uint64_t, disjunction<uint64_t>>("or", "b64"),
    entry<uint32_t, difference<uint32_t>>("xor", "b32"),
    entry<uint64_t, difference<uint64_t>>("xor", "b64"),
    entry<uint32_t, exchange<uint32_t>>("exch", "b32"),
    entry<uint64_t, exchange<uint64_t>>("exch", "b64"),
    entry<uint32_t, increment<uint32_t>>("inc", "u32"),
    entry<uint32_t, decrement<uint32_t>>("dec", "u32"),
    swap_entry<uint16_t>("b16"),
    swap_entry<uint32_t>("b32"),
    swap_entry<uint64_t>("b64"),
    swap_entry<Wide>("b128"),
    test_entry<uint32_t>("b32"),
    test_entry<uint64_t>("b64"),
    entry<Wide, exchange<Wide>>("exch", "b128"),
    entry<half, meaning::min<half>>("min", "f16"),
    entry<half2, meaning::packed<&meaning::min<half>>>("min", "f16x2"),
    entry<bfloat, meaning::min<bfloat>>("min", "bf16"),
    entry<bfloat2, meaning::packed<&meaning::min<bfloat>>>("min", "bf16x2"),
    entry<half, meaning::max<half>>("max", "f16"),
    entry<half2, meaning::packed<&meaning::max<half>>>("max", "f16x2"),
    entry<bfloat, meaning::max<bfloat>>("max", "bf16"),
    entry<bfloat2, meaning::packed<&meaning::max<bfloat>>>("max", "bf16x2"),
};

}  // namespace

Handler choose_atomic(std::string_view operation, std::string_view type, bool wants_result) {
  for (const AtomicEntry& entry : entries) {
    if (entry.operation == operation && entry.type == type)
      return wants_result ? entry.with_result : entry.without;
  }
  return nullptr;
}

}  // namespace headroom::sim::HEADROOM_ISA
