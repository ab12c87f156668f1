#include "cudart/copy.h"

#include "base/saturate.h"
#include "cudart/array.h"
#include "device/copy.h"

namespace headroom::cudart {
namespace {

// Arrays count in elements, linear memory in bytes.
Rows rows_of(const Array& array, const cudaPos& at) {
  Rows rows{array.base, array.row_bytes(), array.rows()};
  rows.base = saturated_add(rows.row(at.y, at.z), saturated_multiply(at.x, array.element()));
  return rows;
}

Rows rows_of(const cudaPitchedPtr& pointer, const cudaPos& at) {
  Rows rows{uintptr_t(pointer.ptr), pointer.pitch, pointer.ysize};
  rows.base = saturated_add(rows.row(at.y, at.z), at.x);
  return rows;
}

Box box_of(const cudaExtent& extent) { return {extent.width, extent.height, extent.depth}; }

bool is_inside(const Array& array, const cudaPos& at, const cudaExtent& extent) {
  return is_within(at.x, extent.width, 0, array.extent.width) &&
         is_within(at.y, extent.height, 0, array.rows()) &&
         is_within(at.z, extent.depth, 0, array.slices());
}

// A copy with its arrays looked up.
struct Sides {
  Rows to, from;
  Box box;
};
cudaError_t sides_of(const Session& session, const cudaMemcpy3DParms& what, Sides& out) {
  const Array *to = find_array(session, what.dstArray), *from = find_array(session, what.srcArray);
  if ((what.dstArray && (!to || what.dstPtr.ptr)) || (what.srcArray && (!from || what.srcPtr.ptr)))
    return cudaErrorInvalidValue;
  if ((to && !is_inside(*to, what.dstPos, what.extent)) ||
      (from && !is_inside(*from, what.srcPos, what.extent)) ||
      (to && from && to->element() != from->element()))
    return cudaErrorInvalidValue;
  out.to = to ? rows_of(*to, what.dstPos) : rows_of(what.dstPtr, what.dstPos);
  out.from = from ? rows_of(*from, what.srcPos) : rows_of(what.srcPtr, what.srcPos);
  out.box = box_of(what.extent);
  if (to || from) out.box.width *= (to ? to : from)->element();
  return cudaSuccess;
}

}  // namespace

cudaMemcpy3DParms copy_of(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return copy_of(to, bytes, from, bytes, bytes, 1, kind);
}

cudaMemcpy3DParms copy_of(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                          size_t width, size_t height, cudaMemcpyKind kind) {
  cudaMemcpy3DParms what{};
  what.dstPtr = {to, to_pitch, width, height};
  what.srcPtr = {const_cast<void*>(from), from_pitch, width, height};
  what.extent = {width, height, 1};
  what.kind = kind;
  return what;
}

cudaError_t check_copy(Session& session, const cudaMemcpy3DParms& what) {
  if (what.kind < cudaMemcpyHostToHost || what.kind > cudaMemcpyDefault)
    return cudaErrorInvalidMemcpyDirection;
  Sides sides;
  if (cudaError_t error = sides_of(session, what, sides)) return error;
  const auto& [to, from, box] = sides;
  if (box.empty()) return cudaSuccess;
  if (const Status status = device::check_copy(session, to, from, box); failed(status))
    return code_of(status);
  const bool must_to = what.kind == cudaMemcpyHostToDevice || what.kind == cudaMemcpyDeviceToDevice;
  const bool must_from =
      what.kind == cudaMemcpyDeviceToHost || what.kind == cudaMemcpyDeviceToDevice;
  if ((must_to && !is_device_side(session, to.base)) ||
      (must_from && !is_device_side(session, from.base)))
    return cudaErrorInvalidValue;
  return cudaSuccess;
}

cudaError_t copy(Session& session, const cudaMemcpy3DParms& what) {
  if (cudaError_t error = check_copy(session, what)) return error;
  Sides sides;
  if (cudaError_t error = sides_of(session, what, sides)) return error;
  const auto& [to, from, box] = sides;
  if (box.empty()) return cudaSuccess;
  device::copy(session, to, from, box);
  return cudaSuccess;
}

MakeWork copy_work(const cudaMemcpy3DParms& what) {
  return [what](Session& session, Work& work) {
    if (cudaError_t error = check_copy(session, what)) return error;
    if (what.extent.width && what.extent.height && what.extent.depth) work = CopyWork{what};
    return cudaSuccess;
  };
}

cudaError_t check_fill(Session& session, const FillWork& work) {
  const Box box = box_of(work.extent);
  if (work.element != 1 && work.element != 2 && work.element != 4) return cudaErrorInvalidValue;
  if (box.empty()) return cudaSuccess;
  const Rows to = rows_of(work.to, {});
  return code_of(device::check_fill(session, to, box));
}

cudaError_t fill(Session& session, const FillWork& work) {
  if (cudaError_t error = check_fill(session, work)) return error;
  const Box box = box_of(work.extent);
  if (box.empty()) return cudaSuccess;
  const Rows to = rows_of(work.to, {});
  device::fill(session, to, box, work.value, work.element);
  return cudaSuccess;
}

}  // namespace headroom::cudart
