// Streams captured and graphs made by hand through the driver API.
#include <cstring>

#include "tests/programs/driver.cuh"

namespace {

constexpr unsigned count = 8;

struct Memory {
  CUdeviceptr at = 0;
  Memory() {
    EXPECT_OK(cuMemAlloc(&at, 4 * count));
    EXPECT_OK(cuMemsetD32(at, 0, count));
  }
  ~Memory() { EXPECT_OK(cuMemFree(at)); }
  bool holds(unsigned value) const {
    unsigned back[count] = {};
    EXPECT_OK(cuMemcpyDtoH(back, at, sizeof back));
    for (unsigned each : back)
      if (each != value) return false;
    return true;
  }
};

void run(CUgraph graph, int times = 1) {
  CUgraphExec exec = nullptr;
  EXPECT_OK(cuGraphInstantiate(&exec, graph, 0));
  for (int i = 0; i < times; ++i) EXPECT_OK(cuGraphLaunch(exec, nullptr));
  EXPECT_OK(cuCtxSynchronize());
  EXPECT_OK(cuGraphExecDestroy(exec));
}

void captured() {
  const Module code;
  Memory memory;
  CUstream stream = nullptr;
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_ACTIVE;
  CUgraph graph = nullptr, same = nullptr;
  const CUgraphNode* nodes = nullptr;
  size_t number = 0;
  cuuint64_t id = 0;
  unsigned n = count;
  void* parameters[] = {&memory.at, &n};
  EXPECT_OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  EXPECT_CODE(CUDA_ERROR_ILLEGAL_STATE, cuStreamEndCapture(stream, &graph));
  EXPECT_CODE(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
              cuStreamBeginCapture(nullptr, CU_STREAM_CAPTURE_MODE_GLOBAL));
  EXPECT_CODE(CUDA_ERROR_INVALID_VALUE, cuStreamBeginCapture(stream, CUstreamCaptureMode(7)));
  EXPECT_OK(cuStreamIsCapturing(stream, &status));
  EXPECT(status == CU_STREAM_CAPTURE_STATUS_NONE);
  EXPECT_OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  EXPECT_OK(cuStreamIsCapturing(stream, &status));
  EXPECT(status == CU_STREAM_CAPTURE_STATUS_ACTIVE);
  EXPECT_OK(launch(code.grow, n, parameters, nullptr, stream));
  EXPECT_OK(launch(code.grow, n, parameters, nullptr, stream));
  EXPECT_OK(cuStreamGetCaptureInfo(stream, &status, &id, &same, &nodes, nullptr, &number));
  EXPECT(id && same && number == 1);
  EXPECT_OK(cuStreamEndCapture(stream, &graph));
  EXPECT(graph == same);
  EXPECT(memory.holds(0));
  run(graph, 3);
  EXPECT(memory.holds(30));
  EXPECT_OK(cuGraphDestroy(graph));
  EXPECT_OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  EXPECT_CODE(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cuStreamSynchronize(stream));
  EXPECT_CODE(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, cuStreamEndCapture(stream, &graph));
  EXPECT(graph == nullptr);
  EXPECT_OK(cuStreamDestroy(stream));
}

CUDA_KERNEL_NODE_PARAMS kernel_node(CUfunction function, void** parameters) {
  CUDA_KERNEL_NODE_PARAMS node{};
  node.func = function;
  node.gridDimX = node.gridDimY = node.gridDimZ = node.blockDimY = node.blockDimZ = 1;
  node.blockDimX = count;
  node.kernelParams = parameters;
  return node;
}

CUDA_MEMCPY3D copy_node(void* to, CUdeviceptr from) {
  CUDA_MEMCPY3D copy{};
  copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = from;
  copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.dstHost = to;
  copy.WidthInBytes = 4 * count;
  copy.Height = copy.Depth = 1;
  return copy;
}

void add_one(void* number) { ++*static_cast<int*>(number); }

void by_hand() {
  const Module code;
  Memory memory;
  CUcontext context = nullptr;
  EXPECT_OK(cuCtxGetCurrent(&context));
  unsigned n = count, back[count] = {};
  int calls = 0;
  void* parameters[] = {&memory.at, &n};
  CUgraph graph = nullptr;
  EXPECT_CODE(CUDA_ERROR_INVALID_VALUE, cuGraphCreate(&graph, 1));
  EXPECT_OK(cuGraphCreate(&graph, 0));
  CUgraphNode fill, first, second, copy, host, empty, nodes[8];
  const CUDA_MEMSET_NODE_PARAMS set{memory.at, 0, 7, 4, count, 1};
  EXPECT_OK(cuGraphAddMemsetNode(&fill, graph, nullptr, 0, &set, context));
  const CUDA_KERNEL_NODE_PARAMS kernel = kernel_node(code.grow, parameters);
  EXPECT_OK(cuGraphAddKernelNode(&first, graph, &fill, 1, &kernel));
  EXPECT_OK(cuGraphAddKernelNode(&second, graph, nullptr, 0, &kernel));
  EXPECT_OK(cuGraphAddDependencies(graph, &first, &second, nullptr, 1));
  EXPECT_CODE(CUDA_ERROR_INVALID_VALUE, cuGraphAddDependencies(graph, &first, &second, nullptr, 1));
  const CUDA_MEMCPY3D box = copy_node(back, memory.at);
  EXPECT_OK(cuGraphAddMemcpyNode(&copy, graph, &second, 1, &box, context));
  const CUDA_HOST_NODE_PARAMS call{add_one, &calls};
  EXPECT_OK(cuGraphAddHostNode(&host, graph, &copy, 1, &call));
  EXPECT_OK(cuGraphAddEmptyNode(&empty, graph, &host, 1));

  size_t number = 0;
  EXPECT_OK(cuGraphGetNodes(graph, nullptr, &number));
  EXPECT(number == 6);
  EXPECT_OK(cuGraphGetRootNodes(graph, nodes, &(number = 8)));
  EXPECT(number == 1 && nodes[0] == fill && nodes[1] == nullptr);
  EXPECT_OK(cuGraphNodeGetDependencies(second, nodes, nullptr, &(number = 8)));
  EXPECT(number == 1 && nodes[0] == first);
  EXPECT_OK(cuGraphNodeGetDependentNodes(second, nodes, nullptr, &(number = 8)));
  EXPECT(number == 1 && nodes[0] == copy);
  EXPECT_OK(cuGraphGetEdges(graph, nullptr, nullptr, nullptr, &number));
  EXPECT(number == 5);
  CUgraphNodeType type;
  EXPECT_OK(cuGraphNodeGetType(copy, &type));
  EXPECT(type == CU_GRAPH_NODE_TYPE_MEMCPY);
  CUDA_KERNEL_NODE_PARAMS told{};
  EXPECT_OK(cuGraphKernelNodeGetParams(first, &told));
  EXPECT(told.func == code.grow && told.blockDimX == count &&
         *static_cast<CUdeviceptr*>(told.kernelParams[0]) == memory.at);
  CUDA_MEMCPY3D told_box{};
  EXPECT_OK(cuGraphMemcpyNodeGetParams(copy, &told_box));
  EXPECT(told_box.srcMemoryType == CU_MEMORYTYPE_DEVICE && told_box.srcDevice == memory.at &&
         told_box.dstHost == back && told_box.WidthInBytes == 4 * count);

  CUgraphExec exec = nullptr;
  EXPECT_OK(cuGraphInstantiate(&exec, graph, 0));
  EXPECT_OK(cuGraphLaunch(exec, nullptr));
  EXPECT_OK(cuCtxSynchronize());
  EXPECT(back[0] == 17 && back[count - 1] == 17 && calls == 1);
  const CUDA_MEMSET_NODE_PARAMS other{memory.at, 0, 100, 4, count, 1};
  EXPECT_OK(cuGraphExecMemsetNodeSetParams(exec, fill, &other, context));
  EXPECT_OK(cuGraphNodeSetEnabled(exec, second, 0));
  EXPECT_OK(cuGraphLaunch(exec, nullptr));
  EXPECT_OK(cuCtxSynchronize());
  EXPECT(back[0] == 105 && calls == 2);

  CUgraphExecUpdateResultInfo updated{};
  EXPECT_OK(cuGraphMemsetNodeSetParams(fill, &other));
  EXPECT_OK(cuGraphExecUpdate(exec, graph, &updated));
  CUgraph clone = nullptr;
  CUgraphNode there = nullptr;
  EXPECT_OK(cuGraphClone(&clone, graph));
  EXPECT_OK(cuGraphNodeFindInClone(&there, empty, clone));
  EXPECT_OK(cuGraphDestroyNode(there));
  EXPECT_CODE(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, cuGraphExecUpdate(exec, clone, &updated));
  EXPECT(updated.result == CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED);
  EXPECT_OK(cuGraphDestroy(clone));
  EXPECT_CODE(CUDA_ERROR_INVALID_VALUE, cuGraphDestroy(clone));
  EXPECT_OK(cuGraphExecDestroy(exec));
  EXPECT_OK(cuGraphDestroy(graph));
}

// A node of any type by one call, an allocation, a child graph, an event.
void of_any_type() {
  const Module code;
  unsigned n = count, back[count] = {};
  CUgraph graph = nullptr, child = nullptr;
  CUgraphNode allocate, fill, copy, release, part, record;
  CUevent event = nullptr;
  EXPECT_OK(cuEventCreate(&event, CU_EVENT_DEFAULT));
  EXPECT_OK(cuGraphCreate(&graph, 0));
  CUgraphNodeParams what{};
  what.type = CU_GRAPH_NODE_TYPE_MEM_ALLOC;
  what.alloc.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  what.alloc.poolProps.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  what.alloc.bytesize = 4 * count;
  EXPECT_OK(cuGraphAddNode(&allocate, graph, nullptr, nullptr, 0, &what));
  CUdeviceptr memory = what.alloc.dptr;
  EXPECT(memory != 0);
  what = {};
  what.type = CU_GRAPH_NODE_TYPE_MEMSET;
  what.memset.dst = memory;
  what.memset.value = 3;
  what.memset.elementSize = 4;
  what.memset.width = count;
  what.memset.height = 1;
  EXPECT_CODE(CUDA_ERROR_INVALID_VALUE, cuGraphAddNode(&fill, graph, &allocate, nullptr, 1, &what));
  EXPECT_OK(cuCtxGetCurrent(&what.memset.ctx));
  EXPECT_OK(cuGraphAddNode(&fill, graph, &allocate, nullptr, 1, &what));
  EXPECT_OK(cuGraphCreate(&child, 0));
  void* parameters[] = {&memory, &n};
  const CUDA_KERNEL_NODE_PARAMS kernel = kernel_node(code.grow, parameters);
  EXPECT_OK(cuGraphAddKernelNode(&part, child, nullptr, 0, &kernel));
  EXPECT_OK(cuGraphAddChildGraphNode(&part, graph, &fill, 1, child));
  const CUDA_MEMCPY3D box = copy_node(back, memory);
  what = {};
  what.type = CU_GRAPH_NODE_TYPE_MEMCPY;
  what.memcpy.copyParams = box;
  EXPECT_OK(cuCtxGetCurrent(&what.memcpy.copyCtx));
  EXPECT_OK(cuGraphAddNode(&copy, graph, &part, nullptr, 1, &what));
  EXPECT_OK(cuGraphAddMemFreeNode(&release, graph, &copy, 1, memory));
  EXPECT_OK(cuGraphAddEventRecordNode(&record, graph, &release, 1, event));
  CUdeviceptr told = 0;
  EXPECT_OK(cuGraphMemFreeNodeGetParams(release, &told));
  EXPECT(told == memory);
  run(graph, 2);
  EXPECT(back[0] == 8 && back[count - 1] == 8);
  EXPECT_OK(cuEventQuery(event));
  EXPECT_OK(cuGraphDestroy(child));
  EXPECT_OK(cuGraphDestroy(graph));
  EXPECT_OK(cuEventDestroy(event));
}

void drop(void* number) { ++*static_cast<int*>(number); }

void kept() {
  int dropped = 0;
  CUgraph graph = nullptr;
  CUuserObject object = nullptr;
  EXPECT_OK(cuGraphCreate(&graph, 0));
  EXPECT_OK(cuUserObjectCreate(&object, &dropped, drop, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
  EXPECT_OK(cuGraphRetainUserObject(graph, object, 1, CU_GRAPH_USER_OBJECT_MOVE));
  EXPECT_OK(cuGraphDestroy(graph));
  EXPECT_OK(cuCtxSynchronize());
  EXPECT(dropped == 1);
}

}  // namespace

int main() {
  std::setvbuf(stdout, nullptr, _IONBF, 0);
  CUcontext primary = nullptr;
  EXPECT_OK(cuInit(0));
  EXPECT_OK(cuDevicePrimaryCtxRetain(&primary, 0));
  EXPECT_OK(cuCtxSetCurrent(primary));
  captured();
  by_hand();
  of_any_type();
  kept();
  return failures != 0;
}
