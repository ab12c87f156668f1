// What texture reads give, bit by bit, against what an H200 gave (tests/golden/texture_reads.txt):
//
//   texture_reads FILE        compares; HEADROOM_REBASE=1 writes FILE instead, to be done on a GPU
//
// A case is a format, a way of reading and some places; FILE has a line for each:
//
//   linear 2d floats: 40d3c1f2 c2a0b0c0 …        the bits of the channels, read after read
//
// Signed bytes and sRGB colours between elements may differ by one step of their kind.
#include <cuda_fp16.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "tests/programs/expect.cuh"

struct Place {
  float x, y, z;
  int whole;  // an index, or a layer
};
enum Kind { line, plane, volume, lines, planes, cube, gathered, fetched };

struct Case {
  std::string name;
  Kind kind = line;
  int bits = 32, channels = 1;
  cudaChannelFormatKind format = cudaChannelFormatKindFloat;
  int width = 8, height = 0, depth = 0;
  bool normalised = false, linear = false, as_float = false, srgb = false;
  cudaTextureAddressMode modes[3] = {cudaAddressModeClamp, cudaAddressModeClamp,
                                     cudaAddressModeClamp};
  float border[4] = {1.5f, -2.25f, 0.7f, 0.3f};
  double allowed = 0;  // difference

  std::vector<unsigned char> data;
  std::vector<Place> places;
};

__global__ void read(Kind kind, bool integers, cudaTextureObject_t t, const Place* at, uint4* out) {
  Place p = at[threadIdx.x];
  if (integers) {
    out[threadIdx.x] = tex1D<uint4>(t, p.x);
    return;
  }
  float4 v = {};
  switch (kind) {
    case line: v = tex1D<float4>(t, p.x); break;
    case plane: v = tex2D<float4>(t, p.x, p.y); break;
    case volume: v = tex3D<float4>(t, p.x, p.y, p.z); break;
    case lines: v = tex1DLayered<float4>(t, p.x, p.whole); break;
    case planes: v = tex2DLayered<float4>(t, p.x, p.y, p.whole); break;
    case cube: v = texCubemap<float4>(t, p.x, p.y, p.z); break;
    case gathered: v = tex2Dgather<float4>(t, p.x, p.y, 0); break;
    case fetched: v = tex1Dfetch<float4>(t, p.whole); break;
  }
  out[threadIdx.x] = make_uint4(__float_as_uint(v.x), __float_as_uint(v.y), __float_as_uint(v.z),
                                __float_as_uint(v.w));
}

// --- what is read, and where: made up, the same everywhere ---

static uint64_t state = 1;
static uint32_t next() {
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  return uint32_t(state >> 33) ^ uint32_t(state >> 20);
}
static double part() { return next() / 4294967296.0; }

static void fill(Case& c) {
  size_t count = size_t(c.width) * std::max(c.height, 1) * std::max(c.depth, 1) * c.channels;
  c.data.resize(count * c.bits / 8);
  for (size_t i = 0; i < count; ++i) {
    float number = float((part() * 2 - 1) * 100);
    __half half = __float2half(number);
    uint32_t bits = next();
    if (c.format == cudaChannelFormatKindFloat)
      std::memcpy(&bits, c.bits == 16 ? (void*)&half : (void*)&number, c.bits / 8);
    std::memcpy(&c.data[i * c.bits / 8], &bits, c.bits / 8);
  }
}

static void scatter(Case& c, int count, double from, double to, double steps) {
  auto one = [&](int size) {
    double v = (from + (to - from) * part()) * (c.normalised && c.kind != cube ? 1 : size);
    return float(steps > 0 ? std::round(v * steps) / steps : v);
  };
  for (int i = 0; i < count; ++i)
    c.places.push_back({one(c.width), one(c.height), one(c.depth), i % 9 - 2});
}

static std::vector<Case> cases;
static Case& add(const std::string& name, Kind kind, int w, int h = 0, int d = 0) {
  Case c;
  c.name = name, c.kind = kind, c.width = w, c.height = h, c.depth = d;
  cases.push_back(c);
  return cases.back();
}

static void filters() {
  struct {
    const char* name;
    int bits, channels;
    cudaChannelFormatKind format;
    bool srgb;
    double allowed;
  } const formats[] = {{"floats", 32, 1, cudaChannelFormatKindFloat, false, 0},
                       {"halves", 16, 1, cudaChannelFormatKindFloat, false, 0},
                       {"bytes", 8, 4, cudaChannelFormatKindUnsigned, false, 0},
                       {"signed bytes", 8, 2, cudaChannelFormatKindSigned, false, 1.01 / 32767},
                       {"shorts", 16, 1, cudaChannelFormatKindUnsigned, false, 0},
                       {"signed shorts", 16, 1, cudaChannelFormatKindSigned, false, 0},
                       {"srgb", 8, 4, cudaChannelFormatKindUnsigned, true, 1.1 / 256}};
  for (auto f : formats) {
    for (int n = 1; n <= 3; ++n) {
      for (bool linear : {false, true}) {
        Case& c =
            add(std::string(linear ? "linear " : "point ") + std::to_string(n) + "d " + f.name,
                Kind(n - 1), 8, n > 1 ? 8 : 0, n > 2 ? 8 : 0);
        c.bits = f.bits, c.channels = f.channels, c.format = f.format, c.srgb = f.srgb,
        c.linear = linear;
        c.as_float = f.format != cudaChannelFormatKindFloat;
        c.allowed = linear ? f.allowed : 0;
        scatter(c, 24, -0.2, 1.2, 256);
      }
    }
  }
}

static void modes() {
  const char* names[] = {"wrap", "clamp", "mirror", "border"};
  for (int mode = 0; mode < 4; ++mode)
    for (bool normalised : {false, true})
      for (bool linear : {false, true})
        for (int width : {8, 13}) {
          Case& c = add(std::string(names[mode]) + (normalised ? " normalised" : "") +
                            (linear ? " linear " : " point ") + std::to_string(width),
                        line, width);
          c.normalised = normalised, c.linear = linear, c.modes[0] = cudaTextureAddressMode(mode);
          scatter(c, 24, -2.5, 3.5, 0);
          for (float special :
               {0.0f, -0.0f, -1e-40f, 1.0f, -1.0f, 1e6f, -1e10f, 1e30f, INFINITY, -INFINITY, NAN,
                0.99999994f, -5.9604645e-8f, 0.07692308f, 0.30769232f, 32767.99f, 8388607.5f})
            c.places.push_back({special, 0, 0, 0});
        }
  for (bool linear : {false, true}) {
    Case& c = add(std::string("mixed modes ") + (linear ? "linear" : "point"), volume, 13, 7, 5);
    c.normalised = true, c.linear = linear;
    c.modes[0] = cudaAddressModeWrap, c.modes[1] = cudaAddressModeMirror,
    c.modes[2] = cudaAddressModeBorder;
    scatter(c, 48, -1.5, 2.5, 0);
  }
}

static void borders() {
  struct {
    const char* name;
    int bits;
    cudaChannelFormatKind format;
    bool as_float;
  } const formats[] = {{"floats", 32, cudaChannelFormatKindFloat, false},
                       {"halves", 16, cudaChannelFormatKindFloat, false},
                       {"bytes", 8, cudaChannelFormatKindUnsigned, true},
                       {"signed bytes", 8, cudaChannelFormatKindSigned, true},
                       {"whole bytes", 8, cudaChannelFormatKindUnsigned, false},
                       {"whole signed bytes", 8, cudaChannelFormatKindSigned, false},
                       {"whole words", 32, cudaChannelFormatKindUnsigned, false}};
  for (auto f : formats) {
    Case& c = add(std::string("border of ") + f.name, line, 8);
    c.bits = f.bits, c.channels = 4, c.format = f.format, c.as_float = f.as_float;
    c.modes[0] = cudaAddressModeBorder;
    scatter(c, 16, -0.5, 1.5, 0);
  }
}

static void shapes() {
  for (bool linear : {false, true}) {
    const char* how = linear ? "linear" : "point";
    Case* c = &add(std::string("layers of lines ") + how, lines, 8, 0, 5);
    c->linear = linear;
    scatter(*c, 24, -0.5, 1.5, 256);
    c = &add(std::string("layers of planes ") + how, planes, 8, 4, 5);
    c->linear = linear;
    scatter(*c, 24, -0.5, 1.5, 256);
    c = &add(std::string("cube ") + how, cube, 4, 4, 6);
    c->linear = linear, c->normalised = true;
    scatter(*c, 64, -0.5, 0.5, 0);
    for (int i = 0; i < 27; ++i)
      c->places.push_back({float(i % 3 - 1), float(i / 3 % 3 - 1), float(i / 9 - 1), 0});
  }
  for (bool normalised : {false, true}) {
    Case& c = add(normalised ? "gathered, normalised" : "gathered", gathered, 8, 8);
    c.normalised = normalised;
    c.modes[0] = normalised ? cudaAddressModeWrap : cudaAddressModeClamp,
    c.modes[1] = cudaAddressModeBorder;
    scatter(c, 24, -1, 2, 0);
  }
  Case& c = add("fetched", fetched, 24);
  for (int i = -4; i < 32; ++i) c.places.push_back({0, 0, 0, i});
}

// --- reading and comparing ---

static cudaResourceDesc resource_of(const Case& c) {
  int n = c.channels, b = c.bits;
  auto format = cudaCreateChannelDesc(b, n > 1 ? b : 0, n > 2 ? b : 0, n > 3 ? b : 0, c.format);
  cudaResourceDesc resource = {};
  if (c.kind == fetched) {
    void* memory;
    EXPECT_OK(cudaMalloc(&memory, c.data.size()));
    EXPECT_OK(cudaMemcpy(memory, c.data.data(), c.data.size(), cudaMemcpyHostToDevice));
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = memory, resource.res.linear.desc = format,
    resource.res.linear.sizeInBytes = c.data.size();
    return resource;
  }
  unsigned flags = c.kind == lines || c.kind == planes ? cudaArrayLayered
                   : c.kind == cube                    ? cudaArrayCubemap
                   : c.kind == gathered                ? cudaArrayTextureGather
                                                       : 0;
  cudaArray_t array;
  EXPECT_OK(cudaMalloc3DArray(&array, &format, make_cudaExtent(c.width, c.height, c.depth), flags));
  int h = std::max(c.height, 1), d = std::max(c.depth, 1);
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr((void*)c.data.data(), c.width * n * b / 8, c.width, h);
  copy.dstArray = array, copy.kind = cudaMemcpyHostToDevice,
  copy.extent = make_cudaExtent(c.width, h, d);
  EXPECT_OK(cudaMemcpy3D(&copy));
  resource.resType = cudaResourceTypeArray, resource.res.array.array = array;
  return resource;
}

static std::vector<uint32_t> results(const Case& c) {
  cudaResourceDesc resource = resource_of(c);
  cudaTextureDesc how = {};
  std::memcpy(how.addressMode, c.modes, sizeof c.modes);
  std::memcpy(how.borderColor, c.border, sizeof c.border);
  how.filterMode = c.linear ? cudaFilterModeLinear : cudaFilterModePoint;
  how.readMode = c.as_float ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
  how.normalizedCoords = c.normalised, how.sRGB = c.srgb;
  cudaTextureObject_t t;
  EXPECT_OK(cudaCreateTextureObject(&t, &resource, &how, nullptr));
  size_t n = c.places.size();
  Place* at;
  uint4* out;
  EXPECT_OK(cudaMalloc(&at, n * sizeof *at));
  EXPECT_OK(cudaMalloc(&out, n * sizeof *out));
  EXPECT_OK(cudaMemcpy(at, c.places.data(), n * sizeof *at, cudaMemcpyHostToDevice));
  bool integers = c.format != cudaChannelFormatKindFloat && !c.as_float;
  read<<<1, unsigned(n)>>>(c.kind, integers, t, at, out);
  std::vector<uint32_t> all(n * 4), kept;
  EXPECT_OK(cudaMemcpy(all.data(), out, n * sizeof *out, cudaMemcpyDeviceToHost));
  int channels = c.kind == gathered ? 4 : std::min(4, c.channels + 1);  // one that is not there
  for (size_t i = 0; i < all.size(); ++i)
    if (int(i % 4) < channels) kept.push_back(all[i]);
  EXPECT_OK(cudaDestroyTextureObject(t));
  EXPECT_OK(cudaFree(at));
  EXPECT_OK(cudaFree(out));
  return kept;
}

static bool agree(uint32_t got, uint32_t wanted, double allowed) {
  if (got == wanted) return true;
  float a, b;
  std::memcpy(&a, &got, 4), std::memcpy(&b, &wanted, 4);
  return std::fabs(double(a) - b) <= allowed;
}

static void compare(const Case& c, const std::vector<uint32_t>& got, const std::string& wanted) {
  std::istringstream words(wanted);
  std::string word;
  size_t i = 0;
  for (; words >> word; ++i) {
    uint32_t value = uint32_t(std::stoul(word, nullptr, 16));
    if (i < got.size() && agree(got[i], value, c.allowed)) continue;
    std::printf("%s: value %zu is %08x, an H200 gave %08x\n", c.name.c_str(), i,
                i < got.size() ? got[i] : 0, value);
    ++failures;
  }
  EXPECT(i == got.size());
}

int main(int, char** arguments) {
  filters();
  modes();
  borders();
  shapes();
  const char* path = arguments[1];
  std::ofstream out;
  std::ifstream in;
  const bool writes = std::getenv("HEADROOM_REBASE");
  writes ? out.open(path) : in.open(path);
  EXPECT(writes ? bool(out) : bool(in));
  for (Case& c : cases) {
    fill(c);
    std::vector<uint32_t> got = results(c);
    std::string line;
    if (writes) {
      out << c.name << ":";
      for (uint32_t value : got) {
        char text[16];
        std::snprintf(text, sizeof text, " %x", value);
        out << text;
      }
      out << "\n";
    } else if (std::getline(in, line) && line.rfind(c.name + ":", 0) == 0) {
      compare(c, got, line.substr(c.name.size() + 1));
    } else {
      std::printf("%s: no such case in %s\n", c.name.c_str(), path);
      ++failures;
    }
  }
  return failures != 0;
}
