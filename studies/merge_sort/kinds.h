// The kinds of keys, their orders, and records: a key, or a key and its value.
//
//   for_kind(request, [&](auto types) { using T = decltype(types); … });
//
//   T::Key, T::Value     int32_t and uint32_t; None where there are no values
//   T::less(a, b)        whether a comes before b: any strict weak order
//
// NaNs come last, all of them equal. `low_byte` orders numbers by their last eight bits, so that equal
// keys are not the same key, and an order that is not stable shows without values.
#pragma once
#include <cstdint>
#include <type_traits>

#include "studies/merge_sort/merge_sort.h"

namespace merge_sort {

struct Int32 {
  using Key = int32_t;
  __host__ __device__ static bool less(Key a, Key b) { return a < b; }
};
struct Int64 {
  using Key = int64_t;
  __host__ __device__ static bool less(Key a, Key b) { return a < b; }
};
struct Float32 {
  using Key = float;
  __host__ __device__ static bool less(Key a, Key b) { return a < b || (a == a && b != b); }
};
struct LowByte {
  using Key = int32_t;
  __host__ __device__ static bool less(Key a, Key b) { return (a & 255) < (b & 255); }
};

struct None {};

template <typename Order, bool Pairs>
struct Types : Order {
  using Key = typename Order::Key;
  using Value =
      std::conditional_t<!Pairs, None, std::conditional_t<sizeof(Key) == 4, uint32_t, uint64_t>>;
  using Keys = Key*;
  static constexpr bool pairs = Pairs;
  static constexpr int key_size = sizeof(Key);
};

// Where records lie.
template <typename T>
struct Records {
  typename T::Keys keys;
  typename T::Value* values;
};

template <typename T>
Records<T> records(const void* keys, const void* values) {
  return {static_cast<typename T::Key*>(const_cast<void*>(keys)),
          static_cast<typename T::Value*>(const_cast<void*>(values))};
}

// Values are sorted along with whole numbers only: they are moved, whatever the order.
template <typename Use>
auto for_kind(Kind kind, bool pairs, const Use& use) {
  switch (kind) {
    case Kind::int32: return pairs ? use(Types<Int32, true>()) : use(Types<Int32, false>());
    case Kind::int64: return pairs ? use(Types<Int64, true>()) : use(Types<Int64, false>());
    case Kind::float32: return use(Types<Float32, false>());
    default: return use(Types<LowByte, false>());
  }
}

}  // namespace merge_sort
