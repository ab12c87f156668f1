// Values to try a meaning with: the awkward ones of a type among random ones of every magnitude.
//
//   for_pairs<float>([](float a, float b) { … });   150 000 pairs, the same ones each time
#pragma once
#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>
#include <random>
#include <vector>

#include "sim/meaning/types.h"

namespace headroom::sim::meaning {

inline constexpr int tries = 150'000;

template <class T>
std::vector<T> awkward() {
  std::vector<T> values;
  if constexpr (std::integral<T>) {
    int width = 8 * sizeof(T);
    for (int bit = 0; bit < width; ++bit)
      for (int near = -1; near <= 1; ++near)
        values.push_back(T((uint64_t(1) << bit) + uint64_t(near)));
    for (int i = -33; i < 70; ++i) values.push_back(T(i));
    values.push_back(T(~(uint64_t(1) << (width - 1))));
  } else {
    using F = Format<T>;
    uint64_t significant[] = {0,
                              1,
                              2,
                              F::normal - 1u,
                              F::normal,
                              F::normal + 1u,
                              F::one - 1u,
                              F::one,
                              F::one + 1u,
                              F::infinity - 1u,
                              F::infinity,
                              F::infinity + 1u,
                              F::infinity | F::infinity >> 1,
                              F::one + F::normal,
                              F::one - F::normal,
                              uint64_t(F::sign) - 1};
    for (uint64_t b : significant) {
      values.push_back(float_of<T>(Bits<T>(b)));
      values.push_back(float_of<T>(Bits<T>(b | F::sign)));
    }
    if constexpr (Float<T>)
      for (int e = -130; e <= 130; ++e)
        for (T near : {T(0), T(1), T(-1), T(0.5), T(-0.5)})
          values.push_back(std::ldexp(T(1), e) + near);
  }
  return values;
}

template <class T>
class Values {
 public:
  explicit Values(uint64_t seed) : random_(seed) {}
  T next() {
    uint64_t x = random_();
    if (random_() % 3 == 0) return awkward_[x % awkward_.size()];
    if constexpr (std::integral<T>) {
      return T(x >> random_() % (8 * sizeof(T)));
    } else {
      Bits<T> b = Bits<T>(x);
      if (random_() % 2) {  // near one, few significant bits: ties and cancellation
        Bits<T> exponent = Bits<T>(F::one / F::normal - 12 + random_() % 24);
        Bits<T> fraction = b & Bits<T>(F::normal - 1);
        if (random_() % 2) fraction &= Bits<T>(~Bits<T>(0)) << (random_() % (8 * sizeof(T) - 6));
        b = (b & Bits<T>(F::sign)) | Bits<T>(exponent * F::normal) |
            (fraction & Bits<T>(F::normal - 1));
      }
      return float_of<T>(b);
    }
  }

 private:
  using F = Format<std::conditional_t<std::integral<T>, float, T>>;
  std::mt19937_64 random_;
  std::vector<T> awkward_ = awkward<T>();
};

template <class T, class Check>
void for_each(Check check) {
  Values<T> a(1);
  for (int i = 0; i < tries && !testing::Test::HasFailure(); ++i) check(a.next());
}
template <class A, class B, class Check>
void for_pairs(Check check) {
  Values<A> a(1);
  Values<B> b(2);
  for (int i = 0; i < tries && !testing::Test::HasFailure(); ++i) check(a.next(), b.next());
}
template <class A, class B, class C, class Check>
void for_triples(Check check) {
  Values<A> a(1);
  Values<B> b(2);
  Values<C> c(3);
  for (int i = 0; i < tries && !testing::Test::HasFailure(); ++i)
    check(a.next(), b.next(), c.next());
}

// The same number: bit for bit, except that any NaN is as good as another.
template <AnyFloat T>
bool same(T a, T b) {
  return bits_of(a) == bits_of(b) || (is_nan(a) && is_nan(b));
}

struct HostRounding {  // for as long as it lives
  explicit HostRounding(Round r) {
    std::fesetround(r == rn   ? FE_TONEAREST
                    : r == rz ? FE_TOWARDZERO
                    : r == rm ? FE_DOWNWARD
                              : FE_UPWARD);
  }
  ~HostRounding() { std::fesetround(FE_TONEAREST); }
};
template <class T>
T opaque(T x) {  // keeps the compiler from computing ahead of the rounding mode
  asm volatile("" : "+m"(x));
  return x;
}

}  // namespace headroom::sim::meaning
