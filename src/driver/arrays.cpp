// Arrays (device/array.h).
#include "driver/arrays.h"

#include <algorithm>

#include "device/capture.h"

namespace headroom::driver {
namespace {

struct Element {
  CUarray_format format;
  int bits;
  sim::Channel channel;
};
constexpr Element elements[] = {
    {CU_AD_FORMAT_UNSIGNED_INT8, 8, sim::Channel::unsigned_integer},
    {CU_AD_FORMAT_UNSIGNED_INT16, 16, sim::Channel::unsigned_integer},
    {CU_AD_FORMAT_UNSIGNED_INT32, 32, sim::Channel::unsigned_integer},
    {CU_AD_FORMAT_SIGNED_INT8, 8, sim::Channel::signed_integer},
    {CU_AD_FORMAT_SIGNED_INT16, 16, sim::Channel::signed_integer},
    {CU_AD_FORMAT_SIGNED_INT32, 32, sim::Channel::signed_integer},
    {CU_AD_FORMAT_HALF, 16, sim::Channel::floating},
    {CU_AD_FORMAT_FLOAT, 32, sim::Channel::floating},
};

CUresult make(CUarray* out, NamedFormat named, const Extent& extent, unsigned flags) {
  return in_context([&](Session& session) {
    refuse_unsafe(session, "cuArrayCreate");
    const auto format = format_of(named);
    if (!out || !format || !format->suits_an_array()) return Status::invalid_value;
    const Array* array = nullptr;
    const Status status = create_array(session, *format, extent, flags, array);
    if (!failed(status)) *out = reinterpret_cast<CUarray>(const_cast<Array*>(array));
    return status;
  });
}

CUresult with_array(CUarray handle, const std::function<Status(const Array&)>& body) {
  return in_context([&](Session& session) {
    const Array* array = find_array(session, handle);
    return array ? body(*array) : Status::invalid_handle;
  });
}

}  // namespace

std::optional<Format> format_of(NamedFormat named) {
  const auto* found = std::ranges::find(elements, named.format, &Element::format);
  if (found == std::end(elements) || named.channels < 1 || named.channels > 4) return std::nullopt;
  Format format{{}, found->channel};
  std::fill_n(format.bits.begin(), named.channels, found->bits);
  return format;
}

NamedFormat told(const Format& format) {
  const auto* found = std::ranges::find_if(elements, [&](const Element& each) {
    return each.bits == format.bits[0] && each.channel == format.channel;
  });
  const auto channels = std::ranges::count_if(format.bits, [](int bits) { return bits > 0; });
  return {found == std::end(elements) ? CUarray_format{} : found->format, unsigned(channels)};
}

}  // namespace headroom::driver

using namespace headroom::driver;
extern "C" {

CUresult cuArrayCreate(CUarray* out, const CUDA_ARRAY_DESCRIPTOR* what) {
  if (!what) return CUDA_ERROR_INVALID_VALUE;
  return make(out, {what->Format, what->NumChannels}, {what->Width, what->Height, 0}, 0);
}
CUresult cuArray3DCreate(CUarray* out, const CUDA_ARRAY3D_DESCRIPTOR* what) {
  if (!what) return CUDA_ERROR_INVALID_VALUE;
  return make(out, {what->Format, what->NumChannels}, {what->Width, what->Height, what->Depth},
              what->Flags);
}

CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR* out, CUarray handle) {
  return with_array(handle, [&](const Array& array) {
    if (!out) return Status::invalid_value;
    const auto [format, channels] = told(array.format);
    *out = {array.extent.width, array.extent.height, format, channels};
    return Status::ok;
  });
}
CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR* out, CUarray handle) {
  return with_array(handle, [&](const Array& array) {
    if (!out) return Status::invalid_value;
    const auto [format, channels] = told(array.format);
    *out = {array.extent.width, array.extent.height, array.extent.depth, format,
            channels,           array.flags};
    return Status::ok;
  });
}

CUresult cuArrayDestroy(CUarray handle) {
  return in_context(Need::wait, [&](Session& session) {
    refuse_unsafe(session, "cuArrayDestroy");
    return find_array(session, handle) ? destroy_array(session, handle) : no_such(session, handle);
  });
}
}
