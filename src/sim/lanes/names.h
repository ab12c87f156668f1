// PTX names of the types meanings are written over.
#pragma once
#include <string_view>

#include "sim/meaning/types.h"

namespace headroom::sim::HEADROOM_ISA {

template <class T>
inline constexpr std::string_view name = "";
template <>
inline constexpr std::string_view name<uint8_t> = "u8";
template <>
inline constexpr std::string_view name<uint16_t> = "u16";
template <>
inline constexpr std::string_view name<uint32_t> = "u32";
template <>
inline constexpr std::string_view name<uint64_t> = "u64";
template <>
inline constexpr std::string_view name<int8_t> = "s8";
template <>
inline constexpr std::string_view name<int16_t> = "s16";
template <>
inline constexpr std::string_view name<int32_t> = "s32";
template <>
inline constexpr std::string_view name<int64_t> = "s64";
template <>
inline constexpr std::string_view name<float> = "f32";
template <>
inline constexpr std::string_view name<double> = "f64";
template <>
inline constexpr std::string_view name<meaning::half> = "f16";
template <>
inline constexpr std::string_view name<meaning::bfloat> = "bf16";

// A list of types to go through: each<uint16_t, int16_t>([&]<class T>() { … }).
template <class... T, class F>
inline void each(F&& f) {
  (f.template operator()<T>(), ...);
}

}  // namespace headroom::sim::HEADROOM_ISA
