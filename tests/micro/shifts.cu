// Consecutive elements that begin N elements past a sector's edge: one sector more, unless N fills
// whole sectors.
//
//   4 bytes, shift 1     32 lanes in 5 sectors
//   4 bytes, shift 8     in 4
#include "tests/micro/gather.cuh"

namespace micro {
namespace {

template <int N>
struct LoadShift : Every {
  ANYWHERE int load(int i) { return i + N; }
};
template <int N>
struct StoreShift : Every {
  ANYWHERE int store(int i) { return i + N; }
};

}  // namespace

std::vector<Case> shifts() {
  return {
      {"load 4 B, shift 1", gather_case<float, LoadShift<1>>},
      {"load 4 B, shift 4", gather_case<float, LoadShift<4>>},
      {"load 4 B, shift 7", gather_case<float, LoadShift<7>>},
      {"load 4 B, shift 8", gather_case<float, LoadShift<8>>},
      {"load 4 B, shift 31", gather_case<float, LoadShift<31>>},
      {"load 1 B, shift 1", gather_case<unsigned char, LoadShift<1>>},
      {"load 1 B, shift 31", gather_case<unsigned char, LoadShift<31>>},
      {"load 2 B, shift 3", gather_case<unsigned short, LoadShift<3>>},
      {"load 8 B, shift 1", gather_case<double, LoadShift<1>>},
      {"load 8 B, shift 3", gather_case<double, LoadShift<3>>},
      {"load 16 B, shift 1", gather_case<float4, LoadShift<1>>},
      {"store 4 B, shift 1", gather_case<float, StoreShift<1>>},
      {"store 4 B, shift 7", gather_case<float, StoreShift<7>>},
      {"store 1 B, shift 5", gather_case<unsigned char, StoreShift<5>>},
      {"store 8 B, shift 1", gather_case<double, StoreShift<1>>},
      {"store 16 B, shift 1", gather_case<float4, StoreShift<1>>},
  };
}

}  // namespace micro
