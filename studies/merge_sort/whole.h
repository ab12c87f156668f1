// Records that travel whole: a key with its value at its side, in registers and in shared memory. In memory
// keys and values lie in arrays of their own, as ever.
//
//   using W = Whole<T>;                            // T itself where there are no values
//   Records<W> to = whole<T>(records<T>(keys, values));
//   to.keys[i] = to.keys[j];                       // the key and its value
#pragma once
#include "studies/merge_sort/kinds.h"

namespace merge_sort {

template <typename T>
struct alignas(2 * sizeof(typename T::Key)) WholeRecord {
  typename T::Key key;
  typename T::Value value;
};

// Two arrays as one of whole records.
template <typename T>
struct Columns {
  using Record = WholeRecord<T>;
  typename T::Key* keys;
  typename T::Value* values;

  struct Place {
    typename T::Key& key;
    typename T::Value& value;
    __device__ operator Record() const { return {key, value}; }
    __device__ void operator=(const Record& record) const {
      key = record.key;
      value = record.value;
    }
  };
  __device__ Place operator[](int64_t i) const { return {keys[i], values[i]}; }
  __device__ Columns operator+(int64_t i) const { return {keys + i, values + i}; }
};

template <typename T>
struct WholePair {
  using Key = WholeRecord<T>;
  using Value = None;
  using Keys = Columns<T>;
  static constexpr bool pairs = false;
  static constexpr int key_size = sizeof(Key);
  __host__ __device__ static bool less(const Key& a, const Key& b) { return T::less(a.key, b.key); }
};

template <typename T>
using Whole = std::conditional_t<T::pairs, WholePair<T>, T>;

template <typename T>
Records<Whole<T>> whole(Records<T> from) {
  if constexpr (T::pairs) {
    return {{from.keys, from.values}, nullptr};
  } else {
    return from;
  }
}
template <typename T>
const typename T::Key* keys_of(const Records<Whole<T>>& of) {
  if constexpr (T::pairs) {
    return of.keys.keys;
  } else {
    return of.keys;
  }
}

}  // namespace merge_sort
