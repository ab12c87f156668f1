#include "cudart/copy.h"

namespace headroom::cudart {
namespace {

Side side_of(cudaArray_const_t array, const cudaPitchedPtr& memory, const cudaPos& at) {
  return {array, {memory.ptr, memory.pitch, memory.xsize, memory.ysize}, {at.x, at.y, at.z}};
}

cudaArray_t array_of(const Side& side) {
  return static_cast<cudaArray_t>(const_cast<void*>(side.array));
}
cudaPitchedPtr memory_of(const Side& side) {
  const auto& [pointer, pitch, width, height] = side.memory;
  return {pointer, pitch, width, height};
}
cudaPos position_of(const Side& side) { return {side.at.x, side.at.y, side.at.z}; }

}  // namespace

CopyWork copy_of(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return copy_of(to, bytes, from, bytes, bytes, 1, kind);
}

CopyWork copy_of(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                 size_t height, cudaMemcpyKind kind) {
  CopyWork what;
  what.to.memory = {to, to_pitch, width, height};
  what.from.memory = {const_cast<void*>(from), from_pitch, width, height};
  what.extent = {width, height, 1};
  what.direction = Direction(kind);
  return what;
}

CopyWork copy_of(const cudaMemcpy3DParms& p) {
  return {side_of(p.dstArray, p.dstPtr, p.dstPos),
          side_of(p.srcArray, p.srcPtr, p.srcPos),
          {p.extent.width, p.extent.height, p.extent.depth},
          Direction(p.kind)};
}

cudaMemcpy3DParms told(const CopyWork& what) {
  const auto& [width, height, depth] = what.extent;
  return {array_of(what.from),    position_of(what.from),        memory_of(what.from),
          array_of(what.to),      position_of(what.to),          memory_of(what.to),
          {width, height, depth}, cudaMemcpyKind(what.direction)};
}

cudaMemsetParams told(const FillWork& what) {
  return {what.to.pointer,
          what.to.pitch,
          what.value,
          what.element,
          what.extent.width / what.element,
          what.extent.height * what.extent.depth};
}

cudaError_t check_copy(const Session& session, const CopyWork& what) {
  if (what.direction < Direction::host_to_host || what.direction > Direction::unsaid)
    return cudaErrorInvalidMemcpyDirection;
  return code_of(check(session, what));
}

MakeWork copy_work(const CopyWork& what) {
  return [what](Session& session, Work& work) {
    if (cudaError_t error = check_copy(session, what)) return error;
    if (!what.empty()) work = what;
    return cudaSuccess;
  };
}

MakeWork fill_work(const FillWork& what) {
  return [what](Session& session, Work& work) {
    if (const Status status = check(session, what); failed(status)) return code_of(status);
    if (!what.empty()) work = what;
    return cudaSuccess;
  };
}

}  // namespace headroom::cudart
