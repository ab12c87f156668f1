// Objects of the program that live as long as graphs refer to them: counted, and destroyed with
// their last reference.
#include "cudart/graph/graph.h"

namespace headroom::cudart {
namespace {

std::set<const UserObject*>& living() {
  static auto* only = new std::set<const UserObject*>;
  return *only;
}

cudaError_t with_object(cudaUserObject_t handle, unsigned count,
                        const std::function<cudaError_t(UserObject&)>& body) {
  return call([&](Session&) {
    auto* object = reinterpret_cast<UserObject*>(handle);
    return count && living().count(object) ? body(*object) : cudaErrorInvalidValue;
  });
}

}  // namespace

void release(UserObject* object, uint64_t references) {
  object->references -= references;
  if (object->references) return;
  living().erase(object);
  const UserObject gone = *object;
  delete object;
  apart([&] { unlocked([&] { gone.destroy(gone.what); }); });
}

}  // namespace headroom::cudart

using namespace headroom::cudart;
extern "C" {

cudaError_t cudaUserObjectCreate(cudaUserObject_t* out, void* what, cudaHostFn_t destroy,
                                 unsigned references, unsigned flags) {
  return call([&](Session&) {
    if (!out || !destroy || !references || flags != cudaUserObjectNoDestructorSync)
      return cudaErrorInvalidValue;
    auto* object = new UserObject{what, destroy, references, references};
    living().insert(object);
    *out = reinterpret_cast<cudaUserObject_t>(object);
    return cudaSuccess;
  });
}

cudaError_t cudaUserObjectRetain(cudaUserObject_t handle, unsigned count) {
  return with_object(handle, count, [&](UserObject& object) {
    object.references += count;
    object.own += count;
    return cudaSuccess;
  });
}

cudaError_t cudaUserObjectRelease(cudaUserObject_t handle, unsigned count) {
  return with_object(handle, count, [&](UserObject& object) {
    if (object.own < count) return cudaErrorInvalidValue;
    object.own -= count;
    release(&object, count);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphRetainUserObject(cudaGraph_t handle, cudaUserObject_t object, unsigned count,
                                      unsigned flags) {
  return with_object(object, count, [&](UserObject& found) {
    const bool moved = flags & cudaGraphUserObjectMove;
    if (!is_live(graph_of(handle)) || flags & ~unsigned(cudaGraphUserObjectMove) ||
        (moved && found.own < count))
      return cudaErrorInvalidValue;
    if (moved)
      found.own -= count;
    else
      found.references += count;
    graph_of(handle)->kept[&found] += count;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphReleaseUserObject(cudaGraph_t handle, cudaUserObject_t object,
                                       unsigned count) {
  return with_object(object, count, [&](UserObject& found) {
    if (!is_live(graph_of(handle))) return cudaErrorInvalidValue;
    auto kept = graph_of(handle)->kept.find(&found);
    if (kept == graph_of(handle)->kept.end() || kept->second < count) return cudaErrorInvalidValue;
    if ((kept->second -= count) == 0) graph_of(handle)->kept.erase(kept);
    release(&found, count);
    return cudaSuccess;
  });
}
}
