// Lifts the meaning of an instruction over one T to the 32 lanes of a warp: compute all, keep those
// that run.
//
//   Lift<&meaning::fma<float>>::row   a Row: handlers for full and partial warps, and the sorts
//                                     of its operands
//
// bool stands for a predicate (a bit a lane), any other type for a register of that width. A result
// struct {value, flag} gives two outputs, the second a predicate. No branch per lane; the loops
// vectorise.
//
// This folder is compiled once for every instruction set (HEADROOM_ISA names the namespace).
#pragma once
#include <cstring>
#include <utility>
#ifdef __AVX__
#include <immintrin.h>
#endif

#include "sim/engine.h"
#include "sim/program.h"

namespace headroom::sim::HEADROOM_ISA {

template <class T>
inline T* at(Warp& warp, uint32_t operand) {
  return reinterpret_cast<T*>(warp.base + operand);
}

// A register or predicate as input.
template <class T>
struct Input {
  const T* lane;
  Input(Warp& warp, uint32_t operand) : lane(at<T>(warp, operand)) {}
  T operator[](int i) const { return lane[i]; }
};
template <>
struct Input<bool> {
  uint32_t bits;
  Input(Warp& warp, uint32_t operand) : bits(*at<uint32_t>(warp, operand)) {}
  bool operator[](int i) const { return (bits >> i) & 1; }
};

// result -> register, for the lanes that run
template <bool Full, class T>
inline void keep(Warp& warp, uint32_t operand, const T* result) {
  T* out = at<T>(warp, operand);
  if constexpr (Full) {
    for (int i = 0; i < lanes; ++i) out[i] = result[i];
  } else {
    for (int i = 0; i < lanes; ++i) out[i] = warp.lane_mask[i] ? result[i] : out[i];
  }
}
template <bool Full>
inline void keep_bits(Warp& warp, uint32_t operand, uint32_t bits) {
  uint32_t* out = at<uint32_t>(warp, operand);
  *out = Full ? bits : (*out & ~warp.mask) | (bits & warp.mask);
}

// One word a lane, 0 or ~0, to one bit a lane.
inline uint32_t collect(const int32_t* flags) {
#if defined(__AVX512DQ__)
  return _mm512_movepi32_mask(_mm512_loadu_si512(flags)) |
         uint32_t(_mm512_movepi32_mask(_mm512_loadu_si512(flags + 16))) << 16;
#elif defined(__AVX__)
  uint32_t bits = 0;
  for (int i = 0; i < lanes; i += 8)
    bits |= uint32_t(_mm256_movemask_ps(_mm256_loadu_ps(reinterpret_cast<const float*>(flags + i))))
            << i;
  return bits;
#else
  uint32_t bits = 0;
  for (int i = 0; i < lanes; ++i) bits |= uint32_t(flags[i] & 1) << i;
  return bits;
#endif
}

template <class T>
constexpr uint8_t sort_of() {
  return sizeof(T);
}
template <>
constexpr uint8_t sort_of<bool>() {
  return predicate_sort;
}

template <class R>
concept Flagged = requires(R r) {
  r.value;
  r.flag;
};

template <auto F>
struct Lift;
template <class R, class... A, R (*F)(A...)>
struct Lift<F> {
  static constexpr int outs = Flagged<R> ? 2 : 1;

  template <bool Full, size_t... I>
  static inline void apply(Warp& warp, const Operation& operation, std::index_sequence<I...>) {
    auto run = [&](const Input<A>... in) __attribute__((always_inline)) {
      if constexpr (std::is_same_v<R, bool>) {
        alignas(64) int32_t flags[lanes];
        for (int i = 0; i < lanes; ++i) flags[i] = -int32_t(F(in[i]...));
        keep_bits<Full>(warp, operation.operand[0], collect(flags));
      } else if constexpr (Flagged<R>) {
        decltype(R::value) values[lanes];
        uint32_t bits = 0;
        for (int i = 0; i < lanes; ++i) {
          R r = F(in[i]...);
          values[i] = r.value;
          bits |= uint32_t(r.flag) << i;
        }
        keep<Full>(warp, operation.operand[0], values);
        keep_bits<Full>(warp, operation.operand[1], bits);
      } else if constexpr (Full) {
        R* out = at<R>(warp, operation.operand[0]);
#pragma GCC ivdep
        for (int i = 0; i < lanes; ++i) out[i] = F(in[i]...);
      } else {
        R* out = at<R>(warp, operation.operand[0]);
#pragma GCC ivdep
        for (int i = 0; i < lanes; ++i) {
          R r = F(in[i]...);
          out[i] = warp.lane_mask[i] ? r : out[i];
        }
      }
    };
    run(Input<A>(warp, operation.operand[outs + I])...);
  }
  // Straight line repeats itself (an unrolled loop of FMAs): it stays here while it does, and jumps
  // on without going back to the loop over operations.
  static void full(Warp& warp, const Operation& first) {
    const Operation* operation = &first;
    do {
      apply<true>(warp, *operation, std::index_sequence_for<A...>{});
      ++operation;
    } while (operation->full == &full);
    operation->full(warp, *operation);
  }
  static void part(Warp& warp, const Operation& operation) {
    apply<false>(warp, operation, std::index_sequence_for<A...>{});
  }
  static constexpr Row make(Handler for_full, bool chains) {
    Row row{for_full, &part, {}, outs, uint8_t(outs + sizeof...(A)), chains};
    int n = 0;
    if constexpr (Flagged<R>) {
      row.sort[n++] = sort_of<decltype(R::value)>();
      row.sort[n++] = predicate_sort;
    } else {
      row.sort[n++] = sort_of<R>();
    }
    ((row.sort[n++] = sort_of<A>()), ...);
    return row;
  }
  static constexpr Row row = make(&full, true);
  static constexpr Row seldom =
      make(&part, false);  // half the code, for what no hot loop is made of
};

// A function of the whole warp written by hand: `Run<Full>` is called with the warp and the
// operation.
template <auto Full, auto Part, uint8_t... Sorts>
constexpr Row whole(uint8_t outs) {
  return Row{Full, Part, {Sorts...}, outs, uint8_t(sizeof...(Sorts))};
}

// Which lanes run, as words: what blending reads.
inline void set_mask(Warp& warp, uint32_t mask) {
  warp.mask = mask;
  for (int i = 0; i < lanes; ++i) warp.lane_mask[i] = -((mask >> i) & 1u);
}

}  // namespace headroom::sim::HEADROOM_ISA
