// How much declared work was done a second, with the unit said: 10^9 bytes are a GB, 2^30 a GiB.
//
//   rate(bytes, timing)                  {1234.5, "GB/s"}
//   rate(bytes, timing, GiB_per_second)  {1149.7, "GiB/s"}
//   rate(Flops{2.0 * m * n * k}, timing) {957.8, "GFLOP/s"}; an FMA is two
//
// Bytes in FLOP/s, or the other way round, do not compile.
#pragma once
#include "headroom/timing/timing.h"

namespace headroom::timing {

struct Bytes {
  constexpr Bytes(double count) : count(count) {}  // a plain number is a number of bytes
  double count;
};
struct Flops {
  constexpr explicit Flops(double count) : count(count) {}
  double count;
};

template <typename Work>
struct Unit {
  double size;
  const char* name;
};
constexpr Unit<Bytes> GB_per_second{1e9, "GB/s"}, GiB_per_second{1073741824.0, "GiB/s"},
    TB_per_second{1e12, "TB/s"};
constexpr Unit<Flops> GFLOP_per_second{1e9, "GFLOP/s"}, TFLOP_per_second{1e12, "TFLOP/s"};

struct Rate {
  double value;
  const char* unit;
};

inline std::string text(const Rate& rate) { return printed("%.4g %s", rate.value, rate.unit); }

inline Rate rate(Bytes bytes, double seconds, Unit<Bytes> unit = GB_per_second) {
  return {bytes.count / seconds / unit.size, unit.name};
}
inline Rate rate(Flops flops, double seconds, Unit<Flops> unit = GFLOP_per_second) {
  return {flops.count / seconds / unit.size, unit.name};
}
inline Rate rate(Bytes bytes, const Timing& timing, Unit<Bytes> unit = GB_per_second) {
  return rate(bytes, timing.median(), unit);
}
inline Rate rate(Flops flops, const Timing& timing, Unit<Flops> unit = GFLOP_per_second) {
  return rate(flops, timing.median(), unit);
}

}  // namespace headroom::timing
