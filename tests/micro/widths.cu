// One value a thread of every width and make. PTX takes what is aligned to its size in one access,
// and everything else in the parts that its alignment allows.
//
//   float4     one load of 16 bytes: 16 sectors, 4 of them useful to each 8 lanes
//   float3     three loads of 4 bytes, 12 apart: 12 sectors each
#include "tests/micro/gather.cuh"

namespace micro {
namespace {

struct Twelve {
  float x;
  int y;
  unsigned z;
};
struct Twenty {
  int value[5];
};
struct alignas(16) ThirtyTwo {
  float value[8];
};
struct Mixed {  // 16 bytes, aligned to 8
  double x;
  float y;
  short z;
  char w, unused;
};

template <class T>
__global__ void copy(T* out, const T* in) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  out[i] = in[i];
}

// Copies whose values PTX moves in parts of Bytes.
template <class T, int Bytes>
void copy_case(Bench& bench) {
  Traffic traffic(4, 128);
  const auto in = bench.random<T>(size_t(traffic.threads()));
  const auto before = Bench::unwritten<T>(in.size());
  for (int part = 0; part < int(sizeof(T)); part += Bytes) {
    traffic.global_load(Bytes, [&](Thread t) { return long(sizeof(T)) * t.at + part; });
    traffic.global_store(Bytes, [&](Thread t) { return long(sizeof(T)) * t.at + part; });
  }
  bench.check(copy<T>, traffic, before, in, in);
}

// Its members one by one.
__global__ void members(Mixed* out, const Mixed* in) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  out[i].x = in[i].x;
  out[i].y = in[i].y;
  out[i].z = in[i].z;
  out[i].w = in[i].w;
}
void members_case(Bench& bench) {
  Traffic traffic(4, 128);
  const auto in = bench.random<Mixed>(size_t(traffic.threads()));
  const auto before = Bench::unwritten<Mixed>(in.size());
  auto after = in;
  for (size_t i = 0; i < in.size(); ++i) after[i].unused = before[i].unused;
  const std::pair<int, int> parts[] = {{0, 8}, {8, 4}, {12, 2}, {14, 1}};
  for (const auto& [part, bytes] : parts) {
    const int at = part;
    traffic.global_load(bytes, [=](Thread t) { return 16 * t.at + at; });
    traffic.global_store(bytes, [=](Thread t) { return 16 * t.at + at; });
  }
  bench.check(members, traffic, before, after, in);
}

// One member of each structure.
__global__ void one_member(float* out, const Twelve* in) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  out[i] = in[i].x;
}
void one_member_case(Bench& bench) {
  Traffic traffic(4, 128);
  const auto in = bench.random<Twelve>(size_t(traffic.threads()));
  std::vector<float> after;
  for (const Twelve& each : in) after.push_back(each.x);
  traffic.global_load(4, [](Thread t) { return 12 * t.at; });
  traffic.global_store(4, [](Thread t) { return 4 * t.at; });
  bench.check(one_member, traffic, Bench::unwritten<float>(in.size()), after, in);
}

}  // namespace

std::vector<Case> widths() {
  return {
      {"char", copy_case<char, 1>},
      {"short", copy_case<short, 2>},
      {"float", copy_case<float, 4>},
      {"long long", copy_case<long long, 8>},
      {"float4", copy_case<float4, 16>},
      {"uchar4", copy_case<uchar4, 4>},
      {"char2", copy_case<char2, 2>},
      {"short4", copy_case<short4, 8>},
      {"float2", copy_case<float2, 8>},
      {"int4", copy_case<int4, 16>},
      {"double2", copy_case<double2, 16>},
      {"longlong2", copy_case<longlong2, 16>},
      {"float3: 3 times 4 B", copy_case<float3, 4>},
      {"double3: 3 times 8 B", copy_case<double3, 8>},
      {"uchar3: 3 times 1 B", copy_case<uchar3, 1>},
      {"structure of 12 B", copy_case<Twelve, 4>},
      {"structure of 20 B", copy_case<Twenty, 4>},
      {"structure of 32 B, aligned to 16", copy_case<ThirtyTwo, 16>},
      {"structure of four widths", members_case},
      {"one member of a structure of 12 B", one_member_case},
  };
}

}  // namespace micro
