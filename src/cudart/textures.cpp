// The calls about texture and surface objects (device/texture.h): descriptors, read and told again.
#include <bit>

#include "cudart/array.h"
#include "device/texture.h"

namespace headroom::cudart {
namespace {

[[noreturn]] void refuse(const char* problem, const char* hint) {
  throw Failure{Status::not_supported, Error{"cudaCreateTextureObject", problem, hint}};
}

Format supported(const cudaChannelFormatDesc& from) {
  const std::optional<Format> format = format_of(from);
  if (!format)
    refuse("only signed, unsigned and float channels are supported yet",
           "choose cudaChannelFormatKindSigned, Unsigned or Float");
  return *format;
}

// Which member of the union it is stands in resType; mipmapped arrays lie where arrays do.
Resource resource_of(const cudaResourceDesc& from) {
  Resource what{.kind = Resource::Kind(from.resType)};
  if (from.resType == cudaResourceTypeArray || from.resType == cudaResourceTypeMipmappedArray)
    what.array = from.res.array.array;
  if (from.resType == cudaResourceTypeLinear) {
    const auto& linear = from.res.linear;
    what.pointer = linear.devPtr;
    what.format = supported(linear.desc);
    what.bytes = linear.sizeInBytes;
  }
  if (from.resType == cudaResourceTypePitch2D) {
    const auto& rows = from.res.pitch2D;
    what.pointer = rows.devPtr;
    what.format = supported(rows.desc);
    what.width = rows.width;
    what.height = rows.height;
    what.pitch = rows.pitchInBytes;
  }
  return what;
}

cudaResourceDesc told(const Resource& what) {
  cudaResourceDesc out{};
  out.resType = cudaResourceType(what.kind);
  if (what.kind == Resource::Kind::array)
    out.res.array.array = static_cast<cudaArray_t>(const_cast<void*>(what.array));
  if (what.kind == Resource::Kind::linear)
    out.res.linear = {what.pointer, cudart::told(what.format), what.bytes};
  if (what.kind == Resource::Kind::rows)
    out.res.pitch2D = {what.pointer, cudart::told(what.format), what.width, what.height,
                       what.pitch};
  return out;
}

bool is_known(const cudaTextureDesc& how) {
  for (const cudaTextureAddressMode mode : how.addressMode)
    if (mode < cudaAddressModeWrap || mode > cudaAddressModeBorder) return false;
  return how.filterMode == cudaFilterModePoint || how.filterMode == cudaFilterModeLinear;
}

Reading reading_of(const cudaTextureDesc& from) {
  Reading how;
  for (size_t d = 0; d < 3; ++d) how.wrap[d] = sim::Wrap(from.addressMode[d]);
  how.linear = from.filterMode == cudaFilterModeLinear;
  how.as_float = from.readMode != cudaReadModeElementType;
  how.normalised = from.normalizedCoords;
  how.srgb = from.sRGB;
  how.seamless = from.seamlessCubemap;
  how.border = std::to_array(from.borderColor);
  how.anisotropy = from.maxAnisotropy;
  how.level_filter = from.mipmapFilterMode;
  how.disable_trilinear = from.disableTrilinearOptimization;
  how.level_bias = from.mipmapLevelBias;
  how.least_level = from.minMipmapLevelClamp;
  how.most_level = from.maxMipmapLevelClamp;
  return how;
}

cudaTextureDesc told(const Reading& how) {
  cudaTextureDesc out{};
  for (size_t d = 0; d < 3; ++d) out.addressMode[d] = cudaTextureAddressMode(how.wrap[d]);
  out.filterMode = how.linear ? cudaFilterModeLinear : cudaFilterModePoint;
  out.readMode = how.as_float ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
  out.normalizedCoords = how.normalised;
  out.sRGB = how.srgb;
  out.seamlessCubemap = how.seamless;
  std::ranges::copy(how.border, out.borderColor);
  out.maxAnisotropy = how.anisotropy;
  out.mipmapFilterMode = cudaTextureFilterMode(how.level_filter);
  out.disableTrilinearOptimization = how.disable_trilinear;
  out.mipmapLevelBias = how.level_bias;
  out.minMipmapLevelClamp = how.least_level;
  out.maxMipmapLevelClamp = how.most_level;
  return out;
}

View view_of(const cudaResourceViewDesc* from) {
  if (!from) return {};
  if (from->format != cudaResViewFormatNone)
    refuse("resource views are not supported yet", "pass no view");
  return {{from->width, from->height, from->depth},
          from->firstMipmapLevel,
          from->lastMipmapLevel,
          from->firstLayer,
          from->lastLayer};
}

cudaResourceViewDesc told(const View& view) {
  cudaResourceViewDesc out{};
  out.width = view.extent.width;
  out.height = view.extent.height;
  out.depth = view.extent.depth;
  out.firstMipmapLevel = view.first_level;
  out.lastMipmapLevel = view.last_level;
  out.firstLayer = view.first_layer;
  out.lastLayer = view.last_layer;
  return out;
}

using Find = const TextureObject*(const Session&, uint64_t);

// Tells one part of an object.
template <class Out, class Part>
cudaError_t tell(Out* out, unsigned long long handle, Find* find, Part TextureObject::*part,
                 const char* function = __builtin_FUNCTION()) {
  return call(
      [&](Session& session) {
        const TextureObject* object = find(session, handle);
        if (!out || !object) return cudaErrorInvalidValue;
        *out = told(object->*part);
        return cudaSuccess;
      },
      function);
}

}  // namespace
}  // namespace headroom::cudart

using namespace headroom::cudart;
extern "C" {

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* out, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* how, const cudaResourceViewDesc* view) {
  return call([&](Session& session) {
    if (!out || !resource || !how) return cudaErrorInvalidValue;
    const View seen = view_of(view);
    const Resource what = resource_of(*resource);
    if (!is_known(*how)) return cudaErrorInvalidValue;
    uint64_t handle = 0;
    const Status status = create_texture(session, what, reading_of(*how), seen, handle);
    if (!failed(status)) *out = handle;
    return code_of(status);
  });
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t handle) {
  return call([&](Session& session) {
    destroy_texture(session, handle);
    return cudaSuccess;
  });
}

cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* out, cudaTextureObject_t handle) {
  return tell(out, handle, find_texture, &TextureObject::resource);
}
cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* out, cudaTextureObject_t handle) {
  return tell(out, handle, find_texture, &TextureObject::reading);
}
cudaError_t cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc* out,
                                                 cudaTextureObject_t handle) {
  return tell(out, handle, find_texture, &TextureObject::view);
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* out, const cudaResourceDesc* resource) {
  return call([&](Session& session) {
    if (!out || !resource || resource->resType != cudaResourceTypeArray)
      return cudaErrorInvalidValue;
    uint64_t handle = 0;
    const Status status = create_surface(session, resource_of(*resource), handle);
    if (!failed(status)) *out = handle;
    return code_of(status);
  });
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t handle) {
  return call([&](Session& session) {
    destroy_surface(session, handle);
    return cudaSuccess;
  });
}

cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* out, cudaSurfaceObject_t handle) {
  return tell(out, handle, find_surface, &TextureObject::resource);
}
}
