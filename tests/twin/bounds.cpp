#include "twin/bounds.h"

#include <algorithm>
#include <cstring>

#include "forms/spellings.h"

namespace headroom::golden {
namespace {

struct Bound {
  std::string_view spelling, text;
};
constexpr Bound bounds[] = {{"div.approx", "2 ulp for 2^-126 <= |b| <= 2^126"},
                            {"div.full", "2 ulp"},
                            {"rcp.approx.ftz.f64", "its 20 leading bits"},
                            {"rcp.approx", "1 ulp"},
                            {"sqrt.approx", "2^-23 relative"},
                            {"rsqrt.approx.f64", "2^-22 relative"},
                            {"rsqrt.approx.ftz.f64", "its 20 leading bits"},
                            {"rsqrt.approx", "2^-22.9 relative"},
                            {"sin.approx", "2^-20.5 absolute in [-2 pi, 2 pi]"},
                            {"cos.approx", "2^-20.5 absolute in [-2 pi, 2 pi]"},
                            {"lg2.approx", "2^-22.6"},
                            {"ex2.approx.f16", "2^-9.9 relative"},
                            {"ex2.approx.ftz.bf16", "2^-7 relative"},
                            {"ex2.approx", "2 ulp"},
                            {"tanh.approx.f16", "2^-10.987 absolute"},
                            {"tanh.approx.bf16", "2^-8 absolute"},
                            {"tanh.approx", "2^-11 relative"}};

// Floats in the order of the numbers they stand for.
int64_t ordered(uint64_t bits, int width) {
  const uint64_t sign = 1ull << (width - 1);
  return bits & sign ? -int64_t(bits & (sign - 1)) : int64_t(bits);
}

}  // namespace

std::string_view bound_of(const std::string& spelling) {
  for (const Bound& bound : bounds)
    if (spelling.starts_with(bound.spelling)) return bound.text;
  return "";
}

uint64_t units_apart(const uint8_t* a, const uint8_t* b, const std::string& spelling) {
  const auto types = split(spelling).types();
  const std::string type = types.empty() ? "f32" : types[0];
  const int width = type == "f64"   ? 64
                    : type == "f32" ? 32
                                    : 16,
            parts = type.ends_with("x2") ? 2 : 1;
  uint64_t most = 0;
  for (int p = 0; p < parts; ++p) {
    uint64_t x = 0, y = 0;
    std::memcpy(&x, a + p * width / 8, size_t(width / 8));
    std::memcpy(&y, b + p * width / 8, size_t(width / 8));
    const int64_t far = ordered(x, width) - ordered(y, width);
    most = std::max(most, uint64_t(far < 0 ? -far : far));
  }
  return most;
}

}  // namespace headroom::golden
