// Texture and surface objects (device/texture.h): descriptors, read and told again.
#include <array>

#include "device/texture.h"
#include "driver/arrays.h"

namespace headroom::driver {
namespace {

[[noreturn]] void refuse(const char* problem, const char* hint) {
  throw Failure{Status::not_supported, Error{"cuTexObjectCreate", problem, hint}};
}

Format supported(CUarray_format format, unsigned channels) {
  const auto known = format_of({format, channels});
  if (!known)
    refuse("only channels of 8, 16 or 32 bits are supported yet",
           "choose CU_AD_FORMAT_FLOAT, HALF or an integer");
  return *known;
}

// Which member of the union it is stands in resType; mipmapped arrays lie where arrays do.
Resource resource_of(const CUDA_RESOURCE_DESC& from) {
  Resource what{.kind = Resource::Kind(from.resType)};
  if (from.resType == CU_RESOURCE_TYPE_ARRAY || from.resType == CU_RESOURCE_TYPE_MIPMAPPED_ARRAY)
    what.array = from.res.array.hArray;
  if (from.resType == CU_RESOURCE_TYPE_LINEAR) {
    const auto& linear = from.res.linear;
    what.pointer = pointer_of(linear.devPtr);
    what.format = supported(linear.format, linear.numChannels);
    what.bytes = linear.sizeInBytes;
  }
  if (from.resType == CU_RESOURCE_TYPE_PITCH2D) {
    const auto& rows = from.res.pitch2D;
    what.pointer = pointer_of(rows.devPtr);
    what.format = supported(rows.format, rows.numChannels);
    what.width = rows.width;
    what.height = rows.height;
    what.pitch = rows.pitchInBytes;
  }
  return what;
}

CUDA_RESOURCE_DESC told(const Resource& what) {
  CUDA_RESOURCE_DESC out{};
  const auto [format, channels] = driver::told(what.format);
  out.resType = CUresourcetype(what.kind);
  if (what.kind == Resource::Kind::array)
    out.res.array.hArray = static_cast<CUarray>(const_cast<void*>(what.array));
  if (what.kind == Resource::Kind::linear)
    out.res.linear = {CUdeviceptr(what.pointer), format, channels, what.bytes};
  if (what.kind == Resource::Kind::rows)
    out.res.pitch2D = {
        CUdeviceptr(what.pointer), format, channels, what.width, what.height, what.pitch};
  return out;
}

struct Flag {
  unsigned flag;
  bool Reading::*reading;
  bool set;  // what the flag makes of it
};
constexpr Flag flags[] = {{CU_TRSF_READ_AS_INTEGER, &Reading::as_float, false},
                          {CU_TRSF_NORMALIZED_COORDINATES, &Reading::normalised, true},
                          {CU_TRSF_SRGB, &Reading::srgb, true},
                          {CU_TRSF_SEAMLESS_CUBEMAP, &Reading::seamless, true}};

bool is_known(const CUDA_TEXTURE_DESC& how) {
  for (const CUaddress_mode mode : how.addressMode)
    if (mode < CU_TR_ADDRESS_MODE_WRAP || mode > CU_TR_ADDRESS_MODE_BORDER) return false;
  return how.filterMode == CU_TR_FILTER_MODE_POINT || how.filterMode == CU_TR_FILTER_MODE_LINEAR;
}

// Integers of 8 and 16 bits are read as fractions where nothing else is said; floats are what they are, and integers
// of 32 bits too.
Reading reading_of(const CUDA_TEXTURE_DESC& from, const Format& format) {
  Reading how;
  for (size_t d = 0; d < 3; ++d) how.wrap[d] = sim::Wrap(from.addressMode[d]);
  how.linear = from.filterMode == CU_TR_FILTER_MODE_LINEAR;
  how.as_float = format.channel != sim::Channel::floating && format.bits[0] < 32;
  for (const Flag& each : flags)
    if (from.flags & each.flag) how.*each.reading = each.set;
  how.disable_trilinear = (from.flags & CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION) != 0;
  how.border = std::to_array(from.borderColor);
  how.anisotropy = from.maxAnisotropy;
  how.level_filter = from.mipmapFilterMode;
  how.level_bias = from.mipmapLevelBias;
  how.least_level = from.minMipmapLevelClamp;
  how.most_level = from.maxMipmapLevelClamp;
  return how;
}

CUDA_TEXTURE_DESC told(const Reading& how, const Format& format) {
  CUDA_TEXTURE_DESC out{};
  for (size_t d = 0; d < 3; ++d) out.addressMode[d] = CUaddress_mode(how.wrap[d]);
  out.filterMode = how.linear ? CU_TR_FILTER_MODE_LINEAR : CU_TR_FILTER_MODE_POINT;
  const bool chooses = format.channel != sim::Channel::floating && format.bits[0] < 32;
  for (const Flag& each : flags)
    if (how.*each.reading == each.set && (each.set || chooses)) out.flags |= each.flag;
  if (how.disable_trilinear) out.flags |= CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION;
  out.maxAnisotropy = how.anisotropy;
  out.mipmapFilterMode = CUfilter_mode(how.level_filter);
  out.mipmapLevelBias = how.level_bias;
  out.minMipmapLevelClamp = how.least_level;
  out.maxMipmapLevelClamp = how.most_level;
  std::ranges::copy(how.border, out.borderColor);
  return out;
}

View view_of(const CUDA_RESOURCE_VIEW_DESC* from) {
  if (!from) return {};
  if (from->format != CU_RES_VIEW_FORMAT_NONE)
    refuse("resource views are not supported yet", "pass no view");
  return {{from->width, from->height, from->depth},
          from->firstMipmapLevel,
          from->lastMipmapLevel,
          from->firstLayer,
          from->lastLayer};
}

const Format& format_of(const Session& session, const Resource& resource) {
  const Array* array = find_array(session, resource.array);
  return array ? array->format : resource.format;
}

using Find = const TextureObject*(const Session&, uint64_t);
CUresult tell(const void* out, uint64_t handle, Find* find,
              const std::function<void(Session&, const TextureObject&)>& write) {
  return in_context([&](Session& session) {
    const TextureObject* object = find(session, handle);
    if (!out || !object) return Status::invalid_value;
    write(session, *object);
    return Status::ok;
  });
}

}  // namespace
}  // namespace headroom::driver

using namespace headroom::driver;
extern "C" {

CUresult cuTexObjectCreate(CUtexObject* out, const CUDA_RESOURCE_DESC* resource,
                           const CUDA_TEXTURE_DESC* how, const CUDA_RESOURCE_VIEW_DESC* view) {
  return in_context([&](Session& session) {
    if (!out || !resource || !how || resource->flags || !is_known(*how))
      return Status::invalid_value;
    const View seen = view_of(view);
    const Resource what = resource_of(*resource);
    uint64_t handle = 0;
    const Status status =
        create_texture(session, what, reading_of(*how, format_of(session, what)), seen, handle);
    if (!failed(status)) *out = handle;
    return status;
  });
}
CUresult cuTexObjectDestroy(CUtexObject handle) {
  return in_context([&](Session& session) {
    destroy_texture(session, handle);
    return Status::ok;
  });
}
CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC* out, CUtexObject handle) {
  return tell(out, handle, find_texture,
              [&](Session&, const TextureObject& object) { *out = told(object.resource); });
}
CUresult cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC* out, CUtexObject handle) {
  return tell(out, handle, find_texture, [&](Session& session, const TextureObject& object) {
    *out = told(object.reading, format_of(session, object.resource));
  });
}
CUresult cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC* out, CUtexObject handle) {
  return tell(out, handle, find_texture, [&](Session&, const TextureObject& object) {
    const View& view = object.view;
    *out = {};
    out->width = view.extent.width, out->height = view.extent.height,
    out->depth = view.extent.depth;
    out->firstMipmapLevel = view.first_level, out->lastMipmapLevel = view.last_level;
    out->firstLayer = view.first_layer, out->lastLayer = view.last_layer;
  });
}

CUresult cuSurfObjectCreate(CUsurfObject* out, const CUDA_RESOURCE_DESC* resource) {
  return in_context([&](Session& session) {
    if (!out || !resource || resource->resType != CU_RESOURCE_TYPE_ARRAY)
      return Status::invalid_value;
    uint64_t handle = 0;
    const Status status = create_surface(session, resource_of(*resource), handle);
    if (!failed(status)) *out = handle;
    return status;
  });
}
CUresult cuSurfObjectDestroy(CUsurfObject handle) {
  return in_context([&](Session& session) {
    destroy_surface(session, handle);
    return Status::ok;
  });
}
CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC* out, CUsurfObject handle) {
  return tell(out, handle, find_surface,
              [&](Session&, const TextureObject& object) { *out = told(object.resource); });
}
}
