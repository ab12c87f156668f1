// CUDA's driver API: a face of the device, beside cudart/. It is part of the stand-in's shared object, which
// libcuda.so.1 leads to; each function has its name in cuda.h, one file a chapter of the API.
//
//   CUresult cuMemAlloc(CUdeviceptr* out, size_t bytes) {
//     return in_context([&](Session& session) { … return Status::ok; });
//   }
//
// symbols.txt lists them, for cuGetProcAddress and the test that each is the one of the toolkit's header.
#pragma once
#pragma GCC visibility push(default)
#include <cuda.h>
#include <cudaProfiler.h>
// Earlier forms, which the header has no more.
extern "C" {
CUresult cuCtxCreate_v2(CUcontext*, unsigned flags, CUdevice);
#pragma push_macro("cuGetProcAddress")
#undef cuGetProcAddress
CUresult cuGetProcAddress(const char* symbol, void** function, int version, cuuint64_t flags);
#pragma pop_macro("cuGetProcAddress")
CUresult cuStreamGetCaptureInfo_v2(CUstream, CUstreamCaptureStatus*, cuuint64_t* id, CUgraph*,
                                   const CUgraphNode** nodes, size_t* count);
#pragma push_macro("cuGraphGetEdges")
#undef cuGraphGetEdges
CUresult cuGraphGetEdges(CUgraph, CUgraphNode* from, CUgraphNode* to, size_t* count);
#pragma pop_macro("cuGraphGetEdges")
#pragma push_macro("cuGraphNodeGetDependencies")
#undef cuGraphNodeGetDependencies
CUresult cuGraphNodeGetDependencies(CUgraphNode, CUgraphNode* out, size_t* count);
#pragma pop_macro("cuGraphNodeGetDependencies")
#pragma push_macro("cuGraphNodeGetDependentNodes")
#undef cuGraphNodeGetDependentNodes
CUresult cuGraphNodeGetDependentNodes(CUgraphNode, CUgraphNode* out, size_t* count);
#pragma pop_macro("cuGraphNodeGetDependentNodes")
#pragma push_macro("cuGraphAddDependencies")
#undef cuGraphAddDependencies
CUresult cuGraphAddDependencies(CUgraph, const CUgraphNode* from, const CUgraphNode* to,
                                size_t count);
#pragma pop_macro("cuGraphAddDependencies")
#pragma push_macro("cuGraphRemoveDependencies")
#undef cuGraphRemoveDependencies
CUresult cuGraphRemoveDependencies(CUgraph, const CUgraphNode* from, const CUgraphNode* to,
                                   size_t count);
#pragma pop_macro("cuGraphRemoveDependencies")
#pragma push_macro("cuGraphAddNode")
#undef cuGraphAddNode
CUresult cuGraphAddNode(CUgraphNode* out, CUgraph, const CUgraphNode* nodes, size_t count,
                        CUgraphNodeParams*);
#pragma pop_macro("cuGraphAddNode")
}
#pragma GCC visibility pop

#include <functional>

#include "device/enter.h"

namespace headroom::driver {

using namespace device;

// The device's status as the driver API numbers it: error.cpp says that they agree.
constexpr CUresult code_of(Status status) { return CUresult(status); }

// Enters the device; the driver API has no last error to remember.
CUresult answer(Need, const std::function<Status(Session&)>& body);
// The same for what needs a context on the thread (contexts.cpp): CUDA_ERROR_INVALID_CONTEXT without.
CUresult in_context(Need, const std::function<Status(Session&)>& body);
CUresult in_context(const std::function<Status(Session&)>& body);  // Need::device
// The same for what is told by a stream, an event or an address, which has a context of its own: then the thread
// needs none. The two streams that have none are the thread's.
CUresult in_context_of(const void* thing, Need, const std::function<Status(Session&)>& body);

// What the library says that it is. The toolkit's programs that we run were built with 13.0; libraries ask
// for no more than that they know.
inline constexpr int version = 13000;

// Of what lies on a device: the thread's context where that is its, else the primary one. From inside a body, too.
CUcontext context_on(int device);
CUcontext handle_of(const Context&);

inline void* pointer_of(CUdeviceptr address) { return reinterpret_cast<void*>(address); }

}  // namespace headroom::driver
