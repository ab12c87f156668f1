// Textures and surfaces against a reference in double. Coordinates of linear filters are multiples
// of 1/256, so that the weights' 8 bits of fraction hold them; in two and three dimensions each
// weight is rounded to those 8 bits, too. What an H200 reads bit by bit: texture_reads.cu.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "tests/programs/expect.cuh"

constexpr int width = 13, height = 7, depth = 5, samples = 256;

__global__ void fetch_1d(cudaTextureObject_t t, float* out) {
  out[threadIdx.x] = tex1Dfetch<float>(t, int(threadIdx.x) - 4);
}
__global__ void fetch_ints(cudaTextureObject_t t, int4* out) {
  char4 c = tex1Dfetch<char4>(t, threadIdx.x);
  out[threadIdx.x] = make_int4(c.x, c.y, c.z, c.w);
}
__global__ void read_1d(cudaTextureObject_t t, const float3* at, float* out) {
  out[threadIdx.x] = tex1D<float>(t, at[threadIdx.x].x);
}
__global__ void read_2d(cudaTextureObject_t t, const float3* at, float* out) {
  float3 p = at[threadIdx.x];
  out[threadIdx.x] = tex2D<float>(t, p.x, p.y);
}
__global__ void read_2d_level(cudaTextureObject_t t, const float3* at, float* out) {
  float3 p = at[threadIdx.x];
  out[threadIdx.x] = tex2DLod<float>(t, p.x, p.y, 0.0f);
}
__global__ void read_3d(cudaTextureObject_t t, const float3* at, float* out) {
  float3 p = at[threadIdx.x];
  out[threadIdx.x] = tex3D<float>(t, p.x, p.y, p.z);
}
__global__ void read_layer(cudaTextureObject_t t, const float3* at, float* out) {
  float3 p = at[threadIdx.x];
  out[threadIdx.x] = tex2DLayered<float>(t, p.x, p.y, threadIdx.x % depth);
}
__global__ void read_four(cudaTextureObject_t t, const float3* at, float4* out) {
  out[threadIdx.x] = tex2D<float4>(t, at[threadIdx.x].x, at[threadIdx.x].y);
}
__global__ void read_slopes(cudaTextureObject_t t, const float3* at, float* out) {
  float3 p = at[threadIdx.x];
  out[threadIdx.x] = tex2DGrad<float>(t, p.x, p.y, make_float2(0.25f, 0), make_float2(0, 0.25f));
}
__global__ void read_base(cudaTextureObject_t t, const float3* at, float* out) {
  float3 p = at[threadIdx.x];
  float4 texel;
  asm("tex.base.2d.v4.f32.f32 {%0, %1, %2, %3}, [%4, {%5, %6}];"
      : "=f"(texel.x), "=f"(texel.y), "=f"(texel.z), "=f"(texel.w)
      : "l"(t), "f"(p.x), "f"(p.y));
  out[threadIdx.x] = texel.x;
}
__global__ void gather(cudaTextureObject_t t, float4* out) {
  out[0] = tex2Dgather<float4>(t, 3.0f, 2.0f, 0);
}

struct Grid {  // the reference's elements
  std::vector<double> values;
  int w, h, d;
  double at(int x, int y, int z) const { return values[(z * h + y) * w + x]; }
};

static int place(int i, int n, cudaTextureAddressMode mode) {
  if (mode == cudaAddressModeClamp) return i < 0 ? 0 : i >= n ? n - 1 : i;
  if (mode == cudaAddressModeWrap) return ((i % n) + n) % n;
  if (mode == cudaAddressModeMirror) {
    int m = ((i % (2 * n)) + 2 * n) % (2 * n);
    return m < n ? m : 2 * n - 1 - m;
  }
  return i < 0 || i >= n ? -1 : i;
}

static double element(const Grid& g, int x, int y, int z, cudaTextureAddressMode mode) {
  x = place(x, g.w, mode), y = place(y, g.h, mode), z = place(z, g.d, mode);
  return x < 0 || y < 0 || z < 0 ? 0.0 : g.at(x, y, z);
}

static double nearest(const Grid& g, double x, double y, double z, cudaTextureAddressMode mode) {
  return element(g, int(std::floor(x)), int(std::floor(y)), int(std::floor(z)), mode);
}

static double between(const Grid& g, double x, double y, double z, int dimensions,
                      cudaTextureAddressMode mode) {
  x -= 0.5;
  y = dimensions > 1 ? y - 0.5 : 0, z = dimensions > 2 ? z - 0.5 : 0;
  double fx = std::floor(x), fy = std::floor(y), fz = std::floor(z), a = x - fx, b = y - fy,
         c = z - fz, sum = 0;
  for (int k = 0; k < 2; ++k)
    for (int j = 0; j < 2; ++j)
      for (int i = 0; i < 2; ++i) {
        double weight = (i ? a : 1 - a) * (j ? b : 1 - b) * (k ? c : 1 - c);
        if (weight > 0) sum += weight * element(g, int(fx) + i, int(fy) + j, int(fz) + k, mode);
      }
  return sum;
}

static cudaTextureObject_t object(cudaArray_t array, cudaTextureAddressMode mode,
                                  cudaTextureFilterMode filter, bool normalised,
                                  cudaTextureReadMode read = cudaReadModeElementType,
                                  int dimensions = 3) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray, resource.res.array.array = array;
  cudaTextureDesc how = {};
  for (int i = 0; i < 3; ++i) how.addressMode[i] = i < dimensions ? mode : cudaAddressModeClamp;
  how.filterMode = filter, how.normalizedCoords = normalised, how.readMode = read;
  cudaTextureObject_t made = 0;
  EXPECT_OK(cudaCreateTextureObject(&made, &resource, &how, nullptr));
  return made;
}

template <class Element>
static cudaArray_t filled(Grid& g, unsigned flags, cudaExtent extent, int channels = 1) {
  cudaArray_t array;
  auto format = channels == 4 ? cudaCreateChannelDesc(8, 8, 8, 8, cudaChannelFormatKindUnsigned)
                              : cudaCreateChannelDesc<Element>();
  EXPECT_OK(cudaMalloc3DArray(&array, &format, extent, flags));
  g.w = int(extent.width), g.h = extent.height ? int(extent.height) : 1,
  g.d = extent.depth ? int(extent.depth) : 1;
  std::vector<Element> elements(size_t(g.w * g.h * g.d) * channels);
  for (auto& one : elements) one = Element(std::rand() % 200);
  g.values.assign(elements.begin(), elements.end());
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(elements.data(), g.w * sizeof(Element) * channels, g.w, g.h);
  copy.dstArray = array, copy.kind = cudaMemcpyHostToDevice;
  copy.extent = make_cudaExtent(g.w, g.h, g.d);
  EXPECT_OK(cudaMemcpy3D(&copy));
  return array;
}

static float3 points[samples], *device_points;
static float *device_out, out[samples * 4];

// Random ones from -1.5 to 2.5 times the size, in steps of 1/256 element.
static void scatter(const Grid& g, bool normalised) {
  for (float3& p : points) {
    auto one = [&](int n) { return float((std::rand() % (n * 1024)) - n * 384) / 256; };
    p = make_float3(one(g.w), one(g.h), one(g.d));
    if (normalised) p.x /= float(g.w), p.y /= float(g.h), p.z /= float(g.d);
  }
  EXPECT_OK(cudaMemcpy(device_points, points, sizeof points, cudaMemcpyHostToDevice));
}

static void run(void (*kernel)(cudaTextureObject_t, const float3*, float*), cudaTextureObject_t t) {
  kernel<<<1, samples>>>(t, device_points, device_out);
  EXPECT_OK(cudaMemcpy(out, device_out, sizeof(float) * samples, cudaMemcpyDeviceToHost));
  EXPECT_OK(cudaDestroyTextureObject(t));
}

// Elements are below 200, and weights are off by half of 1/256 in two dimensions, by one in three.
static bool close(float got, double wanted, int dimensions) {
  return std::fabs(got - wanted) <= 200.0 / 256 * dimensions;
}

// Sizes are powers of two where coordinates are from 0 to 1, so that they stay exact.
static void filters_and_borders() {
  struct {
    cudaTextureAddressMode mode;
    bool normalised;
  } const ways[] = {{cudaAddressModeClamp, false}, {cudaAddressModeBorder, false},
                    {cudaAddressModeClamp, true},  {cudaAddressModeBorder, true},
                    {cudaAddressModeWrap, true},   {cudaAddressModeMirror, true}};
  for (auto [mode, normalised] : ways) {
    Grid one, two, three;
    size_t w = normalised ? 16 : width, h = normalised ? 8 : height, d = normalised ? 4 : depth;
    cudaArray_t a1 = filled<float>(one, 0, make_cudaExtent(w, 0, 0)),
                a2 = filled<float>(two, 0, make_cudaExtent(w, h, 0)),
                a3 = filled<float>(three, 0, make_cudaExtent(w, h, d));
    scatter(three, normalised);
    double sx = normalised ? double(w) : 1, sy = normalised ? double(h) : 1,
           sz = normalised ? double(d) : 1;
    int wrong = 0;
    run(read_1d, object(a1, mode, cudaFilterModeLinear, normalised, cudaReadModeElementType, 1));
    for (int i = 0; i < samples; ++i)
      wrong += !close(out[i], between(one, points[i].x * sx, 0, 0, 1, mode), 1);
    EXPECT(wrong == 0);
    run(read_2d, object(a2, mode, cudaFilterModeLinear, normalised));
    for (int i = 0; i < samples; ++i)
      wrong += !close(out[i], between(two, points[i].x * sx, points[i].y * sy, 0, 2, mode), 2);
    EXPECT(wrong == 0);
    run(read_2d_level, object(a2, mode, cudaFilterModePoint, normalised));
    for (int i = 0; i < samples; ++i)
      wrong += out[i] != nearest(two, points[i].x * sx, points[i].y * sy, 0, mode);
    EXPECT(wrong == 0);
    for (auto way : {read_slopes, read_base}) {  // there is one level only
      run(way, object(a2, mode, cudaFilterModeLinear, normalised));
      for (int i = 0; i < samples; ++i)
        wrong += !close(out[i], between(two, points[i].x * sx, points[i].y * sy, 0, 2, mode), 2);
      EXPECT(wrong == 0);
    }
    run(read_3d, object(a3, mode, cudaFilterModeLinear, normalised));
    for (int i = 0; i < samples; ++i)
      wrong += !close(
          out[i], between(three, points[i].x * sx, points[i].y * sy, points[i].z * sz, 3, mode), 3);
    EXPECT(wrong == 0);
    run(read_3d, object(a3, mode, cudaFilterModePoint, normalised));
    for (int i = 0; i < samples; ++i)
      wrong += out[i] != nearest(three, points[i].x * sx, points[i].y * sy, points[i].z * sz, mode);
    EXPECT(wrong == 0);
    EXPECT_OK(cudaFreeArray(a1));
    EXPECT_OK(cudaFreeArray(a2));
    EXPECT_OK(cudaFreeArray(a3));
  }
}

// The border of the dimension that a line lacks is beside it all the same (seen on an H200).
static void border_beside_a_line() {
  cudaArray_t array;
  auto format = cudaCreateChannelDesc<float>();
  const float elements[2] = {17, 109};
  EXPECT_OK(cudaMallocArray(&array, &format, 2));
  EXPECT_OK(cudaMemcpy2DToArray(array, 0, 0, elements, sizeof elements, sizeof elements, 1,
                                cudaMemcpyHostToDevice));
  points[0].x = 0.96484375f, points[1].x = 0.875f;
  EXPECT_OK(cudaMemcpy(device_points, points, sizeof points, cudaMemcpyHostToDevice));
  run(read_1d, object(array, cudaAddressModeBorder, cudaFilterModeLinear, false));
  EXPECT(out[0] == 30.0625f && out[1] == 25.75f);
  EXPECT_OK(cudaFreeArray(array));
}

__global__ void read_cube(cudaTextureObject_t t, const float3* to, float* out) {
  float3 p = to[threadIdx.x];
  out[threadIdx.x] = texCubemap<float>(t, p.x, p.y, p.z);
}

// The middles of the elements of every face, seen from the middle of the cube.
static void cubes() {
  Grid g;
  constexpr int side = 4;
  cudaArray_t cube = filled<float>(g, cudaArrayCubemap, make_cudaExtent(side, side, 6));
  for (int i = 0; i < 6 * side * side; ++i) {
    float s = (i % side + 0.5f) / side * 2 - 1, t = (i / side % side + 0.5f) / side * 2 - 1;
    float3 faces[] = {{1, -t, -s}, {-1, -t, s}, {s, 1, t}, {s, -1, -t}, {s, -t, 1}, {-s, -t, -1}};
    points[i] = faces[i / (side * side)];
  }
  EXPECT_OK(cudaMemcpy(device_points, points, sizeof points, cudaMemcpyHostToDevice));
  run(read_cube, object(cube, cudaAddressModeClamp, cudaFilterModePoint, true));
  int wrong = 0;
  for (int i = 0; i < 6 * side * side; ++i) wrong += out[i] != g.values[i];
  EXPECT(wrong == 0);
  EXPECT_OK(cudaFreeArray(cube));
}

static void layers_and_channels() {
  Grid g;
  cudaArray_t layered = filled<float>(g, cudaArrayLayered, make_cudaExtent(width, height, depth));
  scatter(g, false);
  run(read_layer, object(layered, cudaAddressModeClamp, cudaFilterModeLinear, false));
  int wrong = 0;
  for (int i = 0; i < samples; ++i) {
    Grid layer{{g.values.begin() + i % depth * width * height,
                g.values.begin() + (i % depth + 1) * width * height},
               width,
               height,
               1};
    wrong +=
        !close(out[i], between(layer, points[i].x, points[i].y, 0, 2, cudaAddressModeClamp), 2);
  }
  EXPECT(wrong == 0);
  EXPECT_OK(cudaFreeArray(layered));

  cudaArray_t bytes = filled<unsigned char>(g, 0, make_cudaExtent(width, height, 0), 4);
  cudaTextureObject_t t =
      object(bytes, cudaAddressModeClamp, cudaFilterModePoint, false, cudaReadModeNormalizedFloat);
  read_four<<<1, samples>>>(t, device_points, reinterpret_cast<float4*>(device_out));
  EXPECT_OK(cudaMemcpy(out, device_out, sizeof out, cudaMemcpyDeviceToHost));
  for (int i = 0; i < samples * 4; ++i) {
    int x = place(int(std::floor(points[i / 4].x)), width, cudaAddressModeClamp);
    int y = place(int(std::floor(points[i / 4].y)), height, cudaAddressModeClamp);
    wrong += std::fabs(out[i] - g.values[(y * width + x) * 4 + i % 4] / 255) > 1e-7;
  }
  EXPECT(wrong == 0);
  EXPECT_OK(cudaDestroyTextureObject(t));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray, resource.res.array.array = bytes;
  cudaTextureDesc how = {};
  how.filterMode = cudaFilterModeLinear;  // between integers there is nothing
  EXPECT_CODE(cudaErrorInvalidFilterSetting, cudaCreateTextureObject(&t, &resource, &how, nullptr));
  EXPECT_OK(cudaFreeArray(bytes));

  cudaArray_t gathered =
      filled<float>(g, cudaArrayTextureGather, make_cudaExtent(width, height, 0));
  t = object(gathered, cudaAddressModeClamp, cudaFilterModePoint, false);
  gather<<<1, 1>>>(t, reinterpret_cast<float4*>(device_out));
  EXPECT_OK(cudaMemcpy(out, device_out, 16, cudaMemcpyDeviceToHost));
  EXPECT(out[0] == g.at(2, 2, 0) && out[1] == g.at(3, 2, 0) && out[2] == g.at(3, 1, 0) &&
         out[3] == g.at(2, 1, 0));
  EXPECT_OK(cudaDestroyTextureObject(t));
  EXPECT_OK(cudaFreeArray(gathered));
}

static void linear_memory() {
  float host[24], *memory;
  for (int i = 0; i < 24; ++i) host[i] = float(i) + 0.5f;
  EXPECT_OK(cudaMalloc(&memory, sizeof host));
  EXPECT_OK(cudaMemcpy(memory, host, sizeof host, cudaMemcpyHostToDevice));
  cudaResourceDesc resource = {}, seen = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = memory, resource.res.linear.sizeInBytes = sizeof host;
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  cudaTextureDesc how = {};
  cudaTextureObject_t t;
  EXPECT_OK(cudaCreateTextureObject(&t, &resource, &how, nullptr));
  EXPECT_OK(cudaGetTextureObjectResourceDesc(&seen, t));
  EXPECT(seen.resType == cudaResourceTypeLinear && seen.res.linear.devPtr == memory);
  fetch_1d<<<1, 32>>>(t, device_out);
  EXPECT_OK(cudaMemcpy(out, device_out, 128, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; ++i) EXPECT(out[i] == (i < 4 || i >= 28 ? 0.0f : host[i - 4]));
  EXPECT_OK(cudaDestroyTextureObject(t));
  EXPECT_OK(cudaMemset(memory, 0xfe, sizeof host));
  resource.res.linear.desc = cudaCreateChannelDesc<char4>();
  EXPECT_OK(cudaCreateTextureObject(&t, &resource, &how, nullptr));
  fetch_ints<<<1, 8>>>(t, reinterpret_cast<int4*>(device_out));
  EXPECT_OK(cudaMemcpy(out, device_out, 128, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; ++i) EXPECT(reinterpret_cast<int*>(out)[i] == -2);
  EXPECT_OK(cudaDestroyTextureObject(t));
  EXPECT_OK(cudaFree(memory));

  char* rows;
  size_t pitch;
  Grid g{{}, width, height, 1};
  std::vector<float> values(width * height);
  for (auto& one : values) one = float(std::rand() % 100);
  g.values.assign(values.begin(), values.end());
  EXPECT_OK(cudaMallocPitch(&rows, &pitch, width * 4, height));
  EXPECT_OK(cudaMemcpy2D(rows, pitch, values.data(), width * 4, width * 4, height,
                         cudaMemcpyHostToDevice));
  resource = {};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D = {rows, cudaCreateChannelDesc<float>(), width, height, pitch};
  for (auto& one : how.addressMode) one = cudaAddressModeClamp;
  how.filterMode = cudaFilterModeLinear;
  EXPECT_OK(cudaCreateTextureObject(&t, &resource, &how, nullptr));
  scatter(g, false);
  run(read_2d, t);
  int wrong = 0;
  for (int i = 0; i < samples; ++i)
    wrong += !close(out[i], between(g, points[i].x, points[i].y, 0, 2, cudaAddressModeClamp), 2);
  EXPECT(wrong == 0);
  EXPECT_OK(cudaFree(rows));
}

__global__ void turn(cudaSurfaceObject_t from, cudaSurfaceObject_t to) {
  int x = threadIdx.x, y = threadIdx.y;
  float value;
  surf2Dread(&value, from, x * 4, y, cudaBoundaryModeTrap);
  surf2Dwrite(value + 1, to, x * 4, height - 1 - y);
}
__global__ void outside(cudaSurfaceObject_t s, float* out) {
  surf2Dread(&out[0], s, -4, 0, cudaBoundaryModeClamp);
  surf2Dread(&out[1], s, width * 4, height + 3, cudaBoundaryModeClamp);
  surf2Dread(&out[2], s, width * 4, 0, cudaBoundaryModeZero);
  surf2Dwrite(99.0f, s, 0, height, cudaBoundaryModeZero);
  surf2Dread(&out[3], s, 0, height - 1, cudaBoundaryModeZero);
}

static void surfaces() {
  Grid g;
  cudaArray_t from = filled<float>(g, cudaArraySurfaceLoadStore, make_cudaExtent(width, height, 0)),
              to, plain;
  auto format = cudaCreateChannelDesc<float>();
  EXPECT_OK(cudaMallocArray(&to, &format, width, height, cudaArraySurfaceLoadStore));
  EXPECT_OK(cudaMallocArray(&plain, &format, width, height));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray, resource.res.array.array = from;
  cudaSurfaceObject_t a, b;
  EXPECT_OK(cudaCreateSurfaceObject(&a, &resource));
  resource.res.array.array = to;
  EXPECT_OK(cudaCreateSurfaceObject(&b, &resource));
  resource.res.array.array = plain;
  cudaSurfaceObject_t unflagged;
  EXPECT_OK(cudaCreateSurfaceObject(&unflagged, &resource));  // made for it or not
  EXPECT_OK(cudaDestroySurfaceObject(unflagged));
  EXPECT_OK(cudaDestroySurfaceObject(unflagged));  // none is one more that is gone
  turn<<<1, dim3(width, height)>>>(a, b);
  float back[height][width];
  EXPECT_OK(cudaMemcpy2DFromArray(back, sizeof back[0], to, 0, 0, sizeof back[0], height,
                                  cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) wrong += back[y][x] != g.at(x, height - 1 - y, 0) + 1;
  EXPECT(wrong == 0);
  outside<<<1, 1>>>(a, device_out);
  EXPECT_OK(cudaMemcpy(out, device_out, 16, cudaMemcpyDeviceToHost));
  EXPECT(out[0] == g.at(0, 0, 0) && out[1] == g.at(width - 1, height - 1, 0) && out[2] == 0);
  EXPECT(out[3] == g.at(0, height - 1, 0));
  EXPECT_OK(cudaMemcpy2DArrayToArray(plain, 0, 0, to, 4, 1, 8, 2));
  EXPECT_OK(cudaMemcpy2DFromArray(back, sizeof back[0], plain, 0, 0, 8, 2, cudaMemcpyDeviceToHost));
  EXPECT(back[1][1] == g.at(2, height - 3, 0) + 1);
  EXPECT_OK(cudaDestroySurfaceObject(a));
  EXPECT_OK(cudaDestroySurfaceObject(b));

  cudaChannelFormatDesc seen;
  cudaExtent extent;
  unsigned flags;
  EXPECT_OK(cudaArrayGetInfo(&seen, &extent, &flags, to));
  EXPECT(seen.x == 32 && seen.f == cudaChannelFormatKindFloat && extent.width == width &&
         extent.height == height);
  EXPECT(flags == cudaArraySurfaceLoadStore);
  EXPECT_CODE(cudaErrorInvalidValue, cudaMallocArray(&plain, &format, 0));
  EXPECT_OK(cudaFreeArray(from));
  EXPECT_OK(cudaFreeArray(to));
  EXPECT_OK(cudaFreeArray(plain));
}

__global__ void ask(cudaTextureObject_t t, cudaSurfaceObject_t s, unsigned* out) {
  asm("txq.width.b32 %0, [%1];" : "=r"(out[0]) : "l"(t));
  asm("txq.level.height.b32 %0, [%1], 0;" : "=r"(out[1]) : "l"(t));
  asm("txq.normalized_coords.b32 %0, [%1];" : "=r"(out[2]) : "l"(t));
  asm("suq.width.b32 %0, [%1];" : "=r"(out[3]) : "l"(s));
  asm("suq.height.b32 %0, [%1];" : "=r"(out[4]) : "l"(s));
}
// Each row by an operation of its own; x counts bytes in the upper rows, elements in the lower ones.
__global__ void reduce(cudaSurfaceObject_t s) {
  const int x = threadIdx.x % width, bytes = x * 4, value = int(threadIdx.x) - 20;
  asm volatile("sured.b.add.2d.u32.trap [%0, {%1, 0}], %2;" ::"l"(s), "r"(bytes), "r"(value));
  asm volatile("sured.b.min.2d.s32.zero [%0, {%1, 1}], %2;" ::"l"(s), "r"(bytes), "r"(value));
  asm volatile("sured.b.max.2d.u32.clamp [%0, {%1, 2}], %2;" ::"l"(s), "r"(bytes), "r"(value));
  asm volatile("sured.b.or.2d.b32.trap [%0, {%1, 3}], %2;" ::"l"(s), "r"(bytes),
               "r"(value & 0xf00));
  asm volatile("sured.p.add.2d.b32.trap [%0, {%1, 4}], %2;" ::"l"(s), "r"(x), "r"(value));
  asm volatile("sured.p.max.2d.b32.trap [%0, {%1, 5}], %2;" ::"l"(s), "r"(x), "r"(value));
  if (threadIdx.x < width)
    asm volatile("sust.p.2d.b32.trap [%0, {%1, 6}], {%2};" ::"l"(s), "r"(x), "r"(value));
  asm volatile("sured.b.add.2d.u32.zero [%0, {%1, 7}], %2;" ::"l"(s), "r"(bytes),
               "r"(value));  // outside: nothing happens
}

static void reductions_and_questions() {
  Grid g;
  cudaArray_t array = filled<int>(g, cudaArraySurfaceLoadStore, make_cudaExtent(width, height, 0));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray, resource.res.array.array = array;
  cudaSurfaceObject_t s;
  EXPECT_OK(cudaCreateSurfaceObject(&s, &resource));
  cudaTextureObject_t t = object(array, cudaAddressModeClamp, cudaFilterModePoint, true);
  unsigned answers[5];
  ask<<<1, 1>>>(t, s, reinterpret_cast<unsigned*>(device_out));
  EXPECT_OK(cudaMemcpy(answers, device_out, sizeof answers, cudaMemcpyDeviceToHost));
  EXPECT(answers[0] == width && answers[1] == height && answers[2] == 1 && answers[3] == width &&
         answers[4] == height);

  constexpr int threads = 4 * width;
  reduce<<<1, threads>>>(s);
  int back[height][width], expected[height][width], wrong = 0;
  EXPECT_OK(cudaMemcpy2DFromArray(back, sizeof back[0], array, 0, 0, sizeof back[0], height,
                                  cudaMemcpyDeviceToHost));
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) expected[y][x] = int(g.at(x, y, 0));
  for (int i = 0; i < threads; ++i) {
    const int x = i % width, value = i - 20;
    expected[0][x] += value;
    expected[1][x] = std::min(expected[1][x], value);
    expected[2][x] = int(std::max(unsigned(expected[2][x]), unsigned(value)));
    expected[3][x] |= value & 0xf00;
    expected[4][x] += value;
    expected[5][x] = std::max(expected[5][x], value);
    if (i < width) expected[6][x] = value;
  }
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) wrong += back[y][x] != expected[y][x];
  EXPECT(wrong == 0);
  EXPECT_OK(cudaDestroySurfaceObject(s));
  EXPECT_OK(cudaDestroyTextureObject(t));
  EXPECT_OK(cudaFreeArray(array));
}

// Descriptors are told as they were given.
static void descriptors_come_back() {
  cudaArray_t array;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar2>();
  EXPECT_OK(cudaMallocArray(&array, &format, 16, 8));
  cudaResourceDesc resource = {}, same = {};
  resource.resType = cudaResourceTypeArray, resource.res.array.array = array;
  cudaTextureDesc how = {}, again = {};
  how.addressMode[0] = cudaAddressModeBorder, how.addressMode[1] = cudaAddressModeMirror;
  how.filterMode = cudaFilterModeLinear, how.readMode = cudaReadModeNormalizedFloat;
  how.normalizedCoords = 1, how.borderColor[2] = 0.25f, how.maxAnisotropy = 2;
  cudaTextureObject_t t;
  EXPECT_OK(cudaCreateTextureObject(&t, &resource, &how, nullptr));
  EXPECT_OK(cudaGetTextureObjectResourceDesc(&same, t));
  EXPECT(same.resType == cudaResourceTypeArray && same.res.array.array == array);
  EXPECT_OK(cudaGetTextureObjectTextureDesc(&again, t));
  EXPECT(again.addressMode[0] == cudaAddressModeBorder);
  EXPECT(again.addressMode[1] == cudaAddressModeMirror);
  EXPECT(again.filterMode == cudaFilterModeLinear && again.normalizedCoords == 1);
  EXPECT(again.readMode ==
         cudaReadModeNormalizedFloat);  // the border's colour does not come back on a GPU
  EXPECT(again.maxAnisotropy == 2);
  EXPECT_CODE(cudaErrorInvalidValue, cudaGetSurfaceObjectResourceDesc(&same, t));
  EXPECT_OK(cudaDestroyTextureObject(t));
  EXPECT_OK(cudaFreeArray(array));
}

int main() {
  EXPECT_OK(cudaMalloc(&device_points, sizeof points));
  EXPECT_OK(cudaMalloc(&device_out, sizeof out));
  filters_and_borders();
  border_beside_a_line();
  layers_and_channels();
  cubes();
  linear_memory();
  surfaces();
  reductions_and_questions();
  descriptors_come_back();
  return failures != 0;
}
