// The calls about objects that graphs keep (device/graph/user_object.h).
#include "device/graph/user_object.h"

#include "driver/graph/graph.h"

namespace headroom::driver {
namespace {

CUresult with_object(CUuserObject handle, unsigned count,
                     const std::function<Status(UserObject&)>& body) {
  return on_graphs([&](Session&) {
    auto* object = reinterpret_cast<UserObject*>(handle);
    return count && is_live(object) ? body(*object) : Status::invalid_value;
  });
}

}  // namespace
}  // namespace headroom::driver

using namespace headroom::driver;
extern "C" {

CUresult cuUserObjectCreate(CUuserObject* out, void* what, CUhostFn destroy, unsigned references,
                            unsigned flags) {
  return on_graphs([&](Session&) {
    if (!out || !destroy || !references || flags != CU_USER_OBJECT_NO_DESTRUCTOR_SYNC)
      return Status::invalid_value;
    *out = reinterpret_cast<CUuserObject>(create_object(what, destroy, references));
    return Status::ok;
  });
}
CUresult cuUserObjectRetain(CUuserObject handle, unsigned count) {
  return with_object(handle, count, [&](UserObject& object) {
    retain(object, count);
    return Status::ok;
  });
}
CUresult cuUserObjectRelease(CUuserObject handle, unsigned count) {
  return with_object(handle, count, [&](UserObject& object) { return release(object, count); });
}

CUresult cuGraphRetainUserObject(CUgraph handle, CUuserObject object, unsigned count,
                                 unsigned flags) {
  return with_object(object, count, [&](UserObject& found) {
    if (!is_live(graph_of(handle)) || flags & ~unsigned(CU_GRAPH_USER_OBJECT_MOVE))
      return Status::invalid_value;
    return keep(*graph_of(handle), found, count, flags & CU_GRAPH_USER_OBJECT_MOVE);
  });
}
CUresult cuGraphReleaseUserObject(CUgraph handle, CUuserObject object, unsigned count) {
  return with_object(object, count, [&](UserObject& found) {
    return is_live(graph_of(handle)) ? let_go(*graph_of(handle), found, count)
                                     : Status::invalid_value;
  });
}
}
