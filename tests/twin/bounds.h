// What the manual promises of approximations, whose last bits may differ.
//
//   bound_of("ex2.approx.ftz.f32")                    "2 ulp"; "" where PTX says every bit
//   units_apart(theirs, ours, "ex2.approx.f32")       1: how many floats lie between, at most over a pair
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace headroom::golden {

std::string_view bound_of(const std::string& spelling);
uint64_t units_apart(const uint8_t* a, const uint8_t* b, const std::string& spelling);

}  // namespace headroom::golden
