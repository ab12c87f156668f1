// Copies and fills (device/copy.h). The calls without Async wait for them.
#include "driver/copies.h"

#include "device/host_memory.h"
#include "device/submit.h"

namespace headroom::driver {
namespace {

Maker copying(const CopyWork& what) {
  return [what](Session& session, Work& work) {
    if (const Status status = check(session, what); failed(status)) return status;
    if (!what.empty()) work = what;
    return Status::ok;
  };
}

Maker bytes(void* to, const void* from, size_t count, Direction direction) {
  CopyWork what;
  what.to.memory = {to, count, count, 1};
  what.from.memory = {const_cast<void*>(from), count, count, 1};
  what.extent = {count, 1, 1};
  what.direction = direction;
  return copying(what);
}

CUresult now(const char* call, const Maker& make) {
  return in_context(Need::wait, [&](Session& session) { return at_once(session, call, make); });
}
CUresult in_order(CUstream stream, const Maker& make) {
  return in_context_of(stream, Need::wait,
                       [&](Session& session) { return enqueue(session, stream, make); });
}

// One side of a box. Widths and positions of arrays are elements in the device, bytes here.
struct End {
  CUmemorytype type;
  const void* host;
  CUdeviceptr device;
  CUarray array;
  size_t pitch, height, x, y, z;
};
Side side_of(const End& end, const Array* array) {
  if (end.type == CU_MEMORYTYPE_ARRAY)
    return {end.array, {}, {array ? end.x / array->element() : 0, end.y, end.z}};
  void* const pointer =
      end.type == CU_MEMORYTYPE_HOST ? const_cast<void*>(end.host) : pointer_of(end.device);
  return {nullptr, {pointer, end.pitch, end.pitch, end.height}, {end.x, end.y, end.z}};
}

// What the program says of it has to be true: an address that it calls the device's is no other memory.
bool is_as_said(const Session& session, const End& end, const Extent& extent) {
  if (end.type < CU_MEMORYTYPE_HOST || end.type > CU_MEMORYTYPE_UNIFIED) return false;
  if (end.type == CU_MEMORYTYPE_ARRAY) return true;
  if (end.pitch && (end.x > end.pitch || extent.width > end.pitch - end.x)) return false;
  return end.type != CU_MEMORYTYPE_DEVICE ||
         look_up(session, pointer_of(end.device)).kind != Pointed::Kind::unknown;
}

Status read_ends(const Session& session, const End& to, const End& from, Extent extent,
                 CopyWork& what) {
  const Array* array = nullptr;
  for (const End& end : {to, from}) {
    if (!is_as_said(session, end, extent)) return Status::invalid_value;
    if (end.type == CU_MEMORYTYPE_ARRAY && !(array = find_array(session, end.array)))
      return Status::invalid_handle;
  }
  what = {side_of(to, array), side_of(from, array), extent, Direction::unsaid};
  for (Side* side : {&what.to, &what.from})  // no pitch: rows without gaps
    if (!side->array && !side->memory.pitch) side->memory.pitch = side->memory.width = extent.width;
  if (array) what.extent.width /= array->element();
  return Status::ok;
}

template <class Box>
Maker box(const Box* what) {
  return [what](Session& session, Work& work) {
    CopyWork copy;
    if (!what) return Status::invalid_value;
    const Status status = read_box(session, *what, copy);
    return failed(status) ? status : copying(copy)(session, work);
  };
}

}  // namespace

Status read_box(const Session& session, const CUDA_MEMCPY2D& p, CopyWork& out) {
  return read_ends(session,
                   {p.dstMemoryType, p.dstHost, p.dstDevice, p.dstArray, p.dstPitch, p.Height,
                    p.dstXInBytes, p.dstY, 0},
                   {p.srcMemoryType, p.srcHost, p.srcDevice, p.srcArray, p.srcPitch, p.Height,
                    p.srcXInBytes, p.srcY, 0},
                   {p.WidthInBytes, p.Height, 1}, out);
}
Status read_box(const Session& session, const CUDA_MEMCPY3D& p, CopyWork& out) {
  return read_ends(session,
                   {p.dstMemoryType, p.dstHost, p.dstDevice, p.dstArray, p.dstPitch, p.dstHeight,
                    p.dstXInBytes, p.dstY, p.dstZ},
                   {p.srcMemoryType, p.srcHost, p.srcDevice, p.srcArray, p.srcPitch, p.srcHeight,
                    p.srcXInBytes, p.srcY, p.srcZ},
                   {p.WidthInBytes, p.Height, p.Depth}, out);
}

namespace {

// `width` in elements.
CUresult fill(CUdeviceptr to, size_t pitch, unsigned value, unsigned element, size_t width,
              size_t height, CUstream stream) {
  return in_context_of(stream, Need::wait, [&](Session& session) {
    return enqueue(session, stream, [&](Session&, Work& work) {
      if (to % element || pitch % element || width > SIZE_MAX / element)
        return Status::invalid_value;
      const FillWork what{{pointer_of(to), pitch, width * element, height},
                          value,
                          element,
                          {width * element, height, 1}};
      if (const Status status = check(session, what); failed(status)) return status;
      if (!what.empty()) work = what;
      return Status::ok;
    });
  });
}
CUresult fill_row(CUdeviceptr to, unsigned value, unsigned element, size_t count, CUstream stream) {
  return count > SIZE_MAX / element ? CUDA_ERROR_INVALID_VALUE
                                    : fill(to, count * element, value, element, count, 1, stream);
}

}  // namespace
}  // namespace headroom::driver

using namespace headroom::driver;
extern "C" {

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t count) {
  return now("cuMemcpy", bytes(pointer_of(to), pointer_of(from), count, Direction::unsaid));
}
CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t count, CUstream stream) {
  return in_order(stream, bytes(pointer_of(to), pointer_of(from), count, Direction::unsaid));
}
CUresult cuMemcpyHtoD(CUdeviceptr to, const void* from, size_t count) {
  return now("cuMemcpyHtoD", bytes(pointer_of(to), from, count, Direction::host_to_device));
}
CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, size_t count, CUstream stream) {
  return in_order(stream, bytes(pointer_of(to), from, count, Direction::host_to_device));
}
CUresult cuMemcpyDtoH(void* to, CUdeviceptr from, size_t count) {
  return now("cuMemcpyDtoH", bytes(to, pointer_of(from), count, Direction::device_to_host));
}
CUresult cuMemcpyDtoHAsync(void* to, CUdeviceptr from, size_t count, CUstream stream) {
  return in_order(stream, bytes(to, pointer_of(from), count, Direction::device_to_host));
}
CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t count) {
  return now("cuMemcpyDtoD",
             bytes(pointer_of(to), pointer_of(from), count, Direction::device_to_device));
}
CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t count, CUstream stream) {
  return in_order(stream,
                  bytes(pointer_of(to), pointer_of(from), count, Direction::device_to_device));
}
CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext, CUdeviceptr from, CUcontext, size_t count) {
  return now("cuMemcpyPeer",
             bytes(pointer_of(to), pointer_of(from), count, Direction::device_to_device));
}
CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext, CUdeviceptr from, CUcontext, size_t count,
                           CUstream stream) {
  return in_order(stream,
                  bytes(pointer_of(to), pointer_of(from), count, Direction::device_to_device));
}

CUresult cuMemcpy2D(const CUDA_MEMCPY2D* what) { return now("cuMemcpy2D", box(what)); }
CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D* what) {
  return now("cuMemcpy2DUnaligned", box(what));
}
CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D* what, CUstream stream) {
  return in_order(stream, box(what));
}
CUresult cuMemcpy3D(const CUDA_MEMCPY3D* what) { return now("cuMemcpy3D", box(what)); }
CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D* what, CUstream stream) {
  return in_order(stream, box(what));
}

CUresult cuMemsetD8(CUdeviceptr to, unsigned char value, size_t count) {
  return fill_row(to, value, 1, count, nullptr);
}
CUresult cuMemsetD16(CUdeviceptr to, unsigned short value, size_t count) {
  return fill_row(to, value, 2, count, nullptr);
}
CUresult cuMemsetD32(CUdeviceptr to, unsigned value, size_t count) {
  return fill_row(to, value, 4, count, nullptr);
}
CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count, CUstream stream) {
  return fill_row(to, value, 1, count, stream);
}
CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, size_t count, CUstream stream) {
  return fill_row(to, value, 2, count, stream);
}
CUresult cuMemsetD32Async(CUdeviceptr to, unsigned value, size_t count, CUstream stream) {
  return fill_row(to, value, 4, count, stream);
}
CUresult cuMemsetD2D8(CUdeviceptr to, size_t pitch, unsigned char value, size_t width,
                      size_t height) {
  return fill(to, pitch, value, 1, width, height, nullptr);
}
CUresult cuMemsetD2D16(CUdeviceptr to, size_t pitch, unsigned short value, size_t width,
                       size_t height) {
  return fill(to, pitch, value, 2, width, height, nullptr);
}
CUresult cuMemsetD2D32(CUdeviceptr to, size_t pitch, unsigned value, size_t width, size_t height) {
  return fill(to, pitch, value, 4, width, height, nullptr);
}
CUresult cuMemsetD2D8Async(CUdeviceptr to, size_t pitch, unsigned char value, size_t width,
                           size_t height, CUstream stream) {
  return fill(to, pitch, value, 1, width, height, stream);
}
CUresult cuMemsetD2D16Async(CUdeviceptr to, size_t pitch, unsigned short value, size_t width,
                            size_t height, CUstream stream) {
  return fill(to, pitch, value, 2, width, height, stream);
}
CUresult cuMemsetD2D32Async(CUdeviceptr to, size_t pitch, unsigned value, size_t width,
                            size_t height, CUstream stream) {
  return fill(to, pitch, value, 4, width, height, stream);
}
}
