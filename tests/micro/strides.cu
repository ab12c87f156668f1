// Lanes S elements apart: every lane that leaves the sector of the one before it costs one more, up
// to 32 of 4 bytes.
//
//   stride 1     lanes 0 … 7 share a sector       4 sectors a request
//   stride 2     lanes 0 … 3                      8
//   stride 8     none                            32
#include "tests/micro/gather.cuh"

namespace micro {
namespace {

template <int S>
struct LoadStride : Every {
  ANYWHERE int load(int i) { return S * i; }
};
template <int S>
struct StoreStride : Every {
  ANYWHERE int store(int i) { return S * i; }
};

}  // namespace

std::vector<Case> strides() {
  return {
      {"load 4 B, stride 1", gather_case<float, LoadStride<1>>},
      {"load 4 B, stride 2", gather_case<float, LoadStride<2>>},
      {"load 4 B, stride 3", gather_case<float, LoadStride<3>>},
      {"load 4 B, stride 5", gather_case<float, LoadStride<5>>},
      {"load 4 B, stride 7", gather_case<float, LoadStride<7>>},
      {"load 4 B, stride 8", gather_case<float, LoadStride<8>>},
      {"load 4 B, stride 9", gather_case<float, LoadStride<9>>},
      {"load 4 B, stride 32", gather_case<float, LoadStride<32>>},
      {"load 4 B, stride 33", gather_case<float, LoadStride<33>>},
      {"load 1 B, stride 3", gather_case<unsigned char, LoadStride<3>>},
      {"load 2 B, stride 5", gather_case<unsigned short, LoadStride<5>>},
      {"load 8 B, stride 3", gather_case<double, LoadStride<3>>},
      {"load 16 B, stride 3", gather_case<float4, LoadStride<3>>},
      {"store 4 B, stride 2", gather_case<float, StoreStride<2>>},
      {"store 4 B, stride 3", gather_case<float, StoreStride<3>>},
      {"store 4 B, stride 8", gather_case<float, StoreStride<8>>},
      {"store 4 B, stride 17", gather_case<float, StoreStride<17>>},
      {"store 1 B, stride 32: part of a sector each", gather_case<unsigned char, StoreStride<32>>},
      {"store 2 B, stride 3", gather_case<unsigned short, StoreStride<3>>},
      {"store 8 B, stride 2", gather_case<double, StoreStride<2>>},
      {"store 16 B, stride 5", gather_case<float4, StoreStride<5>>},
  };
}

}  // namespace micro
