// Input of every kind, what it must become, and whether it has.
//
//   Input input(Kind::int32, true, n, "random", seed);
//   rung.sort(input.request());
//   input.right();          // bit by bit what std::stable_sort makes of it
#pragma once
#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "studies/common/buffer.h"
#include "studies/common/random.h"
#include "studies/merge_sort/kinds.h"

namespace merge_sort {

constexpr const char* inputs[] = {"random", "sorted", "reversed", "equal", "few", "nan"};

class Input {
 public:
  virtual ~Input() = default;
  virtual Request request() const = 0;
  virtual void poison() = 0;
  virtual bool right() = 0;
};

// By all cores of the host, where there is much to do: parts, then pairs of neighbours. All of it stable.
template <typename Record, typename Less>
void stable_sort_by_all(std::vector<Record>& records, const Less& less) {
  const size_t least = 1 << 16, cores = std::max(1u, std::thread::hardware_concurrency());
  size_t parts = 1;
  while (2 * parts <= cores && records.size() / (2 * parts) >= least) parts *= 2;
  const auto at = [&](size_t part) { return records.begin() + records.size() * part / parts; };
  const auto by_all = [](size_t count, const auto& work) {
    std::vector<std::thread> others;
    for (size_t i = 1; i < count; ++i) others.emplace_back(work, i);
    work(0);
    for (std::thread& other : others) other.join();
  };
  by_all(parts, [&](size_t p) { std::stable_sort(at(p), at(p + 1), less); });
  for (size_t step = 1; step < parts; step *= 2) {
    by_all(parts / (2 * step), [&](size_t p) {
      std::inplace_merge(at(2 * step * p), at(2 * step * p + step), at(2 * step * (p + 1)), less);
    });
  }
}

template <typename T>
class InputOf : public Input {
  using Key = typename T::Key;
  using Value = typename T::Value;

 public:
  InputOf(Kind kind, int n, const std::string& shape, uint64_t seed)
      : kind_(kind),
        n_(n),
        expected_(keys_of(n, shape, seed)),
        from_(expected_),
        sorted_(n),
        room_(n),
        values_from_(T::pairs ? numbers(n) : std::vector<Word>()),
        values_(T::pairs ? n : 0),
        values_room_(T::pairs ? n : 0),
        splits_(splits_for(n)) {
    struct Record {
      Key key;
      Value value;
    };
    if constexpr (T::pairs) {
      std::vector<Record> records(n);
      for (int i = 0; i < n; ++i) records[i] = {expected_[i], Value(i)};
      stable_sort_by_all(records,
                         [](const Record& a, const Record& b) { return T::less(a.key, b.key); });
      expected_values_.resize(n);
      for (int i = 0; i < n; ++i) {
        expected_[i] = records[i].key;
        expected_values_[i] = records[i].value;
      }
    } else {
      stable_sort_by_all(expected_, [](Key a, Key b) { return T::less(a, b); });
    }
  }

  Request request() const override {
    return {kind_,          T::pairs,       n_,           from_.data(),        values_from_.data(),
            sorted_.data(), values_.data(), room_.data(), values_room_.data(), splits_.data()};
  }
  void poison() override {
    CHECK(cudaMemsetAsync(sorted_.data(), 0xa5, sorted_.bytes()));
    CHECK(cudaMemsetAsync(values_.data(), 0xa5, values_.bytes()));
  }
  bool right() override {
    return same(sorted_, expected_, found_) && same(values_, expected_values_, found_values_);
  }

 private:
  using Word = std::conditional_t<T::pairs, Value, uint32_t>;

  template <typename U>
  static bool same(const study::DeviceBuffer<U>& on_device, const std::vector<U>& expected,
                   std::vector<U>& found) {
    on_device.read(found);
    return found.empty() ||
           std::memcmp(found.data(), expected.data(), found.size() * sizeof(U)) == 0;
  }
  static std::vector<Word> numbers(int n) {
    std::vector<Word> values(n);
    for (int i = 0; i < n; ++i) values[i] = Word(i);
    return values;
  }
  static Key key_of(uint64_t bits) {
    if constexpr (std::is_same_v<Key, float>) return float(int32_t(bits >> 32)) * 0x1p-16f;
    return Key(bits);
  }
  // Some NaNs of many payloads among random numbers, where there are NaNs.
  static Key with_nan(uint64_t bits) {
    if constexpr (std::is_same_v<Key, float>) {
      if (bits % 8 == 0) {
        const uint32_t pattern = 0x7fc00000u | uint32_t(bits >> 40 & 0x3fffff);
        float nan;
        std::memcpy(&nan, &pattern, sizeof nan);
        return nan;
      }
    }
    return key_of(bits);
  }
  static std::vector<Key> keys_of(int n, const std::string& shape, uint64_t seed) {
    std::vector<Key> keys(n);
    const auto fill = [&](const auto& key) {
      for (int i = 0; i < n; ++i) keys[i] = key(i);
    };
    const auto bits = [&](int i) { return study::random_bits(seed, i); };
    if (shape == "sorted") fill([](int i) { return Key(i); });
    if (shape == "reversed") fill([&](int i) { return Key(n - i); });
    if (shape == "equal") fill([](int) { return Key(42); });
    if (shape == "few") fill([&](int i) { return Key(bits(i) % 16); });
    if (shape == "nan") fill([&](int i) { return with_nan(bits(i)); });
    if (shape == "random") fill([&](int i) { return key_of(bits(i)); });
    return keys;
  }

  Kind kind_;
  int n_;
  std::vector<Key> expected_;  // the input until it is sorted
  study::DeviceBuffer<Key> from_, sorted_, room_;
  study::DeviceBuffer<Word> values_from_, values_, values_room_;
  study::DeviceBuffer<int4> splits_;
  std::vector<Key> found_;
  std::vector<Word> expected_values_, found_values_;
};

inline std::unique_ptr<Input> input_of(Kind kind, bool pairs, int n, const std::string& shape,
                                       uint64_t seed) {
  return for_kind(kind, pairs, [&](auto types) -> std::unique_ptr<Input> {
    return std::make_unique<InputOf<decltype(types)>>(kind, n, shape, seed);
  });
}

}  // namespace merge_sort
