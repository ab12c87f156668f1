// Memory of other kinds through the driver API: addresses and memory apart, arrays, textures and surfaces.
#include <cstring>
#include <vector>

#include "tests/programs/driver.cuh"

namespace {

// p[0] = tex(x, y);  p[1] = surf(x), then surf(x) = 9
const char* const reader = R"(
.version 8.0
.target sm_80
.address_size 64
.visible .entry look(.param .u64 p, .param .u64 texture, .param .f32 x, .param .f32 y)
{
  .reg .f32 %f<7>;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [p];
  ld.param.u64 %rd2, [texture];
  ld.param.f32 %f5, [x];
  ld.param.f32 %f6, [y];
  tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd2, {%f5, %f6}];
  st.global.f32 [%rd1], %f1;
  ret;
}
.visible .entry swap(.param .u64 p, .param .u64 surface, .param .u32 x)
{
  .reg .b32 %r<4>;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [p];
  ld.param.u64 %rd2, [surface];
  ld.param.u32 %r1, [x];
  mov.u32 %r3, 9;
  suld.b.1d.b32.trap {%r2}, [%rd2, {%r1}];
  st.global.u32 [%rd1], %r2;
  sust.b.1d.b32.trap [%rd2, {%r1}], {%r3};
  ret;
}
)";

void apart() {
  const Module code;
  CUmemAllocationProp what{};
  what.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  what.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  size_t unit = 0, before = 0, after = 0, all = 0;
  EXPECT_OK(cuMemGetAllocationGranularity(&unit, &what, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  EXPECT(unit == 2 << 20);
  CUdeviceptr at = 0;
  CUmemGenericAllocationHandle first = 0, second = 0, same = 0;
  EXPECT_CODE(CUDA_ERROR_INVALID_VALUE, cuMemAddressReserve(&at, 4096, 0, 0, 0));
  EXPECT_OK(cuMemAddressReserve(&at, 4 * unit, 0, 0, 0));
  EXPECT(at % unit == 0);
  EXPECT_OK(cuMemGetInfo(&before, &all));
  EXPECT_CODE(CUDA_ERROR_INVALID_VALUE, cuMemCreate(&first, unit + 1, &what, 0));
  EXPECT_OK(cuMemCreate(&first, unit, &what, 0));
  EXPECT_OK(cuMemCreate(&second, 2 * unit, &what, 0));
  EXPECT_OK(cuMemGetInfo(&after, &all));
  EXPECT(before - after == 3 * unit);
  EXPECT_OK(cuMemMap(at, unit, 0, first, 0));
  EXPECT_CODE(CUDA_ERROR_NOT_SUPPORTED, cuMemMap(at + unit, unit, 0, second, 0));  // a part
  EXPECT_CODE(CUDA_ERROR_INVALID_VALUE, cuMemMap(at, unit, 0, first, 0));  // something is there
  EXPECT_OK(cuMemMap(at + unit, 2 * unit, 0, second, 0));
  EXPECT_OK(cuMemMap(at + 3 * unit, unit, 0, first, 0));  // a second time
  unsigned long long flags = 9;
  const CUmemAccessDesc may{what.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  EXPECT_OK(cuMemGetAccess(&flags, &what.location, at));
  EXPECT(flags == CU_MEM_ACCESS_FLAGS_PROT_NONE);
  EXPECT_CODE(CUDA_ERROR_INVALID_VALUE, cuMemSetAccess(at, 5 * unit, &may, 1));
  EXPECT_OK(cuMemSetAccess(at, 4 * unit, &may, 1));
  EXPECT_OK(cuMemGetAccess(&flags, &what.location, at + unit));
  EXPECT(flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  // One copy over all of them, and a kernel at a seam.
  std::vector<unsigned> values(4 * unit / 4), back(values.size());
  for (size_t i = 0; i < values.size(); ++i) values[i] = unsigned(i);
  EXPECT_OK(cuMemcpyHtoD(at, values.data(), 3 * unit));
  EXPECT_OK(cuMemcpyDtoH(back.data(), at, 4 * unit));
  EXPECT(back[3 * unit / 4 - 1] == 3 * unit / 4 - 1 && back[3 * unit / 4 + 5] == 5);
  CUdeviceptr seam = at + unit - 16;
  unsigned n = 8;
  void* parameters[] = {&seam, &n};
  EXPECT_OK(launch(code.grow, n, parameters, nullptr));
  EXPECT_OK(cuMemcpyDtoH(back.data(), seam, 32));
  EXPECT(back[0] == unit / 4 - 4 + 5 && back[7] == unit / 4 + 3 + 5);
  EXPECT_OK(cuMemcpyDtoH(back.data(), at + 4 * unit - 16, 16));
  EXPECT(back[0] == unit / 4 - 4 + 5);

  EXPECT_OK(cuMemRetainAllocationHandle(&same, reinterpret_cast<void*>(at)));
  EXPECT(same == first);
  EXPECT_OK(cuMemRelease(same));
  EXPECT_OK(cuMemRelease(first));
  EXPECT_OK(cuMemRelease(second));
  EXPECT_CODE(CUDA_ERROR_INVALID_VALUE, cuMemAddressFree(at, 4 * unit));
  EXPECT_CODE(CUDA_ERROR_INVALID_VALUE, cuMemUnmap(at, unit / 2));
  EXPECT_OK(cuMemUnmap(at, 4 * unit));
  EXPECT_OK(cuMemGetInfo(&after, &all));
  EXPECT(before == after);
  EXPECT_OK(cuMemAddressFree(at, 4 * unit));
}

struct Reader {
  CUmodule module = nullptr;
  CUfunction look = nullptr, swap = nullptr;
  CUdeviceptr out = 0;
  Reader() {
    EXPECT_OK(cuModuleLoadData(&module, reader));
    EXPECT_OK(cuModuleGetFunction(&look, module, "look"));
    EXPECT_OK(cuModuleGetFunction(&swap, module, "swap"));
    EXPECT_OK(cuMemAlloc(&out, 8));
  }
  ~Reader() {
    EXPECT_OK(cuMemFree(out));
    EXPECT_OK(cuModuleUnload(module));
  }
};

void textures() {
  Reader code;
  CUarray array = nullptr;
  const CUDA_ARRAY_DESCRIPTOR shape{4, 2, CU_AD_FORMAT_UNSIGNED_INT8, 1};
  CUDA_ARRAY_DESCRIPTOR wrong = shape, told{};
  wrong.NumChannels = 3;
  EXPECT_CODE(CUDA_ERROR_INVALID_VALUE, cuArrayCreate(&array, &wrong));
  EXPECT_OK(cuArrayCreate(&array, &shape));
  EXPECT_OK(cuArrayGetDescriptor(&told, array));
  EXPECT(std::memcmp(&told, &shape, sizeof told) == 0);
  const unsigned char values[8] = {0, 51, 102, 153, 204, 255, 0, 51};
  CUDA_MEMCPY2D copy{};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = values;
  copy.srcPitch = 4;
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.dstArray = array;
  copy.WidthInBytes = 4;
  copy.Height = 2;
  EXPECT_OK(cuMemcpy2D(&copy));

  CUDA_RESOURCE_DESC resource{};
  resource.resType = CU_RESOURCE_TYPE_ARRAY;
  resource.res.array.hArray = array;
  CUDA_TEXTURE_DESC how{}, asked{};
  how.addressMode[0] = how.addressMode[1] = how.addressMode[2] = CU_TR_ADDRESS_MODE_CLAMP;
  how.filterMode = CU_TR_FILTER_MODE_POINT;
  CUtexObject texture = 0;
  EXPECT_OK(cuTexObjectCreate(&texture, &resource, &how, nullptr));
  float x = 1.5f, y = 1.5f, value = 0;
  void* parameters[] = {&code.out, &texture, &x, &y};
  EXPECT_OK(launch(code.look, 1, parameters, nullptr));
  EXPECT_OK(cuMemcpyDtoH(&value, code.out, 4));
  EXPECT(value == 1);  // 255 as a fraction, where nothing else is said
  EXPECT_OK(cuTexObjectGetTextureDesc(&asked, texture));
  EXPECT(asked.flags == how.flags && asked.addressMode[0] == CU_TR_ADDRESS_MODE_CLAMP);
  EXPECT_OK(cuTexObjectDestroy(texture));

  how.filterMode = CU_TR_FILTER_MODE_LINEAR;
  how.flags = CU_TRSF_NORMALIZED_COORDINATES;
  EXPECT_OK(cuTexObjectCreate(&texture, &resource, &how, nullptr));
  x = 0.25f, y = 0.25f;  // between two elements of the first row
  EXPECT_OK(launch(code.look, 1, parameters, nullptr));
  EXPECT_OK(cuMemcpyDtoH(&value, code.out, 4));
  EXPECT(value > 0.0999f && value < 0.1001f);
  EXPECT_OK(cuTexObjectGetTextureDesc(&asked, texture));
  EXPECT(asked.flags == how.flags && asked.filterMode == CU_TR_FILTER_MODE_LINEAR);
  EXPECT_OK(cuTexObjectDestroy(texture));
  EXPECT_OK(cuArrayDestroy(array));
  EXPECT_CODE(CUDA_ERROR_INVALID_VALUE, cuTexObjectGetTextureDesc(&asked, texture));
}

void surfaces() {
  Reader code;
  CUarray array = nullptr;
  const CUDA_ARRAY3D_DESCRIPTOR shape{
      16, 0, 0, CU_AD_FORMAT_UNSIGNED_INT32, 1, CUDA_ARRAY3D_SURFACE_LDST};
  CUDA_ARRAY3D_DESCRIPTOR told{};
  EXPECT_OK(cuArray3DCreate(&array, &shape));
  EXPECT_OK(cuArray3DGetDescriptor(&told, array));
  EXPECT(told.Width == 16 && told.Height == 0 && told.Flags == CUDA_ARRAY3D_SURFACE_LDST &&
         told.Format == CU_AD_FORMAT_UNSIGNED_INT32);
  CUDA_RESOURCE_DESC resource{};
  resource.resType = CU_RESOURCE_TYPE_ARRAY;
  resource.res.array.hArray = array;
  CUsurfObject surface = 0;
  EXPECT_OK(cuSurfObjectCreate(&surface, &resource));
  CUDA_MEMCPY2D copy{};
  unsigned values[16];
  for (unsigned i = 0; i < 16; ++i) values[i] = i + 40;
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = values;
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.dstArray = array;
  copy.WidthInBytes = sizeof values;
  copy.Height = 1;
  EXPECT_OK(cuMemcpy2D(&copy));
  unsigned x = 12, value = 0;  // bytes
  void* parameters[] = {&code.out, &surface, &x};
  for (const unsigned expected : {43u, 9u}) {
    EXPECT_OK(launch(code.swap, 1, parameters, nullptr));
    EXPECT_OK(cuMemcpyDtoH(&value, code.out, 4));
    EXPECT(value == expected);
  }
  EXPECT_OK(cuSurfObjectDestroy(surface));
  EXPECT_OK(cuArrayDestroy(array));
}

}  // namespace

int main() {
  std::setvbuf(stdout, nullptr, _IONBF, 0);
  CUcontext primary = nullptr;
  EXPECT_OK(cuInit(0));
  EXPECT_OK(cuDevicePrimaryCtxRetain(&primary, 0));
  EXPECT_OK(cuCtxSetCurrent(primary));
  apart();
  textures();
  surfaces();
  return failures != 0;
}
