// The calls about objects that graphs keep (device/graph/user_object.h).
#include "device/graph/user_object.h"

#include "cudart/graph/graph.h"

using namespace headroom::cudart;
namespace {

cudaError_t with_object(cudaUserObject_t handle, unsigned count,
                        const std::function<cudaError_t(UserObject&)>& body) {
  return call([&](Session&) {
    auto* object = reinterpret_cast<UserObject*>(handle);
    return count && is_live(object) ? body(*object) : cudaErrorInvalidValue;
  });
}

}  // namespace

extern "C" {

cudaError_t cudaUserObjectCreate(cudaUserObject_t* out, void* what, cudaHostFn_t destroy,
                                 unsigned references, unsigned flags) {
  return call([&](Session&) {
    if (!out || !destroy || !references || flags != cudaUserObjectNoDestructorSync)
      return cudaErrorInvalidValue;
    *out = reinterpret_cast<cudaUserObject_t>(create_object(what, destroy, references));
    return cudaSuccess;
  });
}

cudaError_t cudaUserObjectRetain(cudaUserObject_t handle, unsigned count) {
  return with_object(handle, count, [&](UserObject& object) {
    retain(object, count);
    return cudaSuccess;
  });
}

cudaError_t cudaUserObjectRelease(cudaUserObject_t handle, unsigned count) {
  return with_object(handle, count,
                     [&](UserObject& object) { return code_of(release(object, count)); });
}

cudaError_t cudaGraphRetainUserObject(cudaGraph_t handle, cudaUserObject_t object, unsigned count,
                                      unsigned flags) {
  return with_object(object, count, [&](UserObject& found) {
    if (!is_live(graph_of(handle)) || flags & ~unsigned(cudaGraphUserObjectMove))
      return cudaErrorInvalidValue;
    return code_of(keep(*graph_of(handle), found, count, flags & cudaGraphUserObjectMove));
  });
}

cudaError_t cudaGraphReleaseUserObject(cudaGraph_t handle, cudaUserObject_t object,
                                       unsigned count) {
  return with_object(object, count, [&](UserObject& found) {
    if (!is_live(graph_of(handle))) return cudaErrorInvalidValue;
    return code_of(let_go(*graph_of(handle), found, count));
  });
}
}
