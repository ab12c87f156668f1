// Graphs made by hand: nodes of every type, their order, their parameters, copies, updates.
#include <cstring>
#include <string>
#include <vector>

#include "tests/programs/expect.cuh"

__global__ void scale(float* values, float by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] *= by;
}
__global__ void add(float* values, float what, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] += what;
}
__device__ int table[4];

constexpr int n = 256;
static float *values, host[n];
static std::vector<std::string> said;

static cudaKernelNodeParams kernel(void* function, void** arguments) {
  cudaKernelNodeParams what = {};
  what.func = function;
  what.gridDim = dim3(2);
  what.blockDim = dim3(128);
  what.kernelParams = arguments;
  return what;
}

// memset 0 -> add 3 -> scale by 2 -> copy to the host -> host function
static void a_line_of_nodes() {
  cudaGraph_t graph;
  EXPECT_OK(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t fill, plus, times, copy, call;
  cudaMemsetParams zero = {};
  zero.dst = values, zero.elementSize = 4, zero.width = n, zero.height = 1;
  EXPECT_OK(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &zero));
  float three = 3, two = 2;
  int count = n;
  void *add_arguments[] = {&values, &three, &count}, *scale_arguments[] = {&values, &two, &count};
  auto add_what = kernel((void*)add, add_arguments),
       scale_what = kernel((void*)scale, scale_arguments);
  // Made in another order than they run in.
  EXPECT_OK(cudaGraphAddKernelNode(&times, graph, nullptr, 0, &scale_what));
  EXPECT_OK(cudaGraphAddKernelNode(&plus, graph, &fill, 1, &add_what));
  three = 100;  // arguments were copied
  EXPECT_OK(cudaGraphAddDependencies(graph, &plus, &times, nullptr, 1));
  EXPECT_OK(cudaGraphAddMemcpyNode1D(&copy, graph, &times, 1, host, values, sizeof host,
                                     cudaMemcpyDeviceToHost));
  cudaHostNodeParams note = {[](void* what) { said.push_back(static_cast<char*>(what)); },
                             (void*)"done"};
  EXPECT_OK(cudaGraphAddHostNode(&call, graph, &copy, 1, &note));

  cudaGraphExec_t exec;
  EXPECT_OK(cudaGraphInstantiate(&exec, graph, 0));
  EXPECT_OK(cudaGraphLaunch(exec, 0));
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT(host[0] == 6 && host[n - 1] == 6 && said.size() == 1 && said[0] == "done");

  // What it is made of.
  size_t number = 0;
  EXPECT_OK(cudaGraphGetNodes(graph, nullptr, &number));
  EXPECT(number == 5);
  EXPECT_OK(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &number));
  EXPECT(number == 4);
  cudaGraphNode_t some[3] = {};
  number = 3;
  EXPECT_OK(cudaGraphGetRootNodes(graph, some, &number));
  EXPECT(number == 1 && some[0] == fill && some[1] == nullptr && some[2] == nullptr);
  number = 1;
  EXPECT_OK(cudaGraphNodeGetDependencies(times, some, nullptr, &number));
  EXPECT(number == 1 && some[0] == plus);
  number = 1;
  EXPECT_OK(cudaGraphNodeGetDependentNodes(times, some, nullptr, &number));
  EXPECT(number == 1 && some[0] == copy);
  cudaGraphNodeType type;
  EXPECT_OK(cudaGraphNodeGetType(copy, &type));
  EXPECT(type == cudaGraphNodeTypeMemcpy);
  EXPECT_CODE(cudaErrorInvalidValue, cudaGraphAddDependencies(graph, &plus, &times, nullptr, 1));
  EXPECT_CODE(cudaErrorInvalidValue, cudaGraphRemoveDependencies(graph, &fill, &times, nullptr, 1));

  // Parameters, read back and changed: in the executable graph, not in the one it came from.
  cudaKernelNodeParams seen;
  EXPECT_OK(cudaGraphKernelNodeGetParams(plus, &seen));
  EXPECT(seen.gridDim.x == 2 && *static_cast<float*>(seen.kernelParams[1]) == 3);
  three = 5;
  EXPECT_OK(cudaGraphExecKernelNodeSetParams(exec, plus, &add_what));
  EXPECT_OK(cudaGraphLaunch(exec, 0));
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT(host[7] == 10);
  cudaMemsetParams filled;
  EXPECT_OK(cudaGraphMemsetNodeGetParams(fill, &filled));
  EXPECT(filled.dst == values && filled.elementSize == 4 && filled.width == n);
  float one = 1;
  std::memcpy(&zero.value, &one, 4);
  EXPECT_OK(cudaGraphExecMemsetNodeSetParams(exec, fill, &zero));
  EXPECT_OK(cudaGraphLaunch(exec, 0));
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT(host[9] == 12);
  unsigned enabled = 7;
  EXPECT_OK(cudaGraphNodeSetEnabled(exec, times, 0));
  EXPECT_OK(cudaGraphNodeGetEnabled(exec, times, &enabled));
  EXPECT(enabled == 0);
  EXPECT_OK(cudaGraphLaunch(exec, 0));
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT(host[9] == 6);
  EXPECT_CODE(cudaErrorInvalidValue, cudaGraphNodeSetEnabled(exec, call, 0));
  EXPECT_CODE(cudaErrorInvalidValue, cudaGraphExecHostNodeSetParams(exec, plus, &note));

  // A whole graph's parameters at once; a graph of another shape does not fit.
  EXPECT_OK(cudaGraphNodeSetEnabled(exec, times, 1));
  cudaGraphExecUpdateResultInfo result;
  two = 10;
  EXPECT_OK(cudaGraphKernelNodeSetParams(times, &scale_what));
  EXPECT_OK(cudaGraphExecUpdate(exec, graph, &result));
  EXPECT(result.result == cudaGraphExecUpdateSuccess);
  EXPECT_OK(cudaGraphLaunch(exec, 0));
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT(host[9] == 30);
  cudaGraphNode_t more;
  EXPECT_OK(cudaGraphAddEmptyNode(&more, graph, &call, 1));
  EXPECT_CODE(cudaErrorGraphExecUpdateFailure, cudaGraphExecUpdate(exec, graph, &result));
  EXPECT(result.result == cudaGraphExecUpdateErrorTopologyChanged);
  EXPECT_OK(cudaGraphDestroyNode(more));

  // A copy knows which node is whose; a cycle cannot run.
  cudaGraph_t clone;
  cudaGraphNode_t same;
  EXPECT_OK(cudaGraphClone(&clone, graph));
  EXPECT_OK(cudaGraphNodeFindInClone(&same, copy, clone));
  EXPECT(same != copy);
  EXPECT_CODE(cudaErrorInvalidValue, cudaGraphNodeFindInClone(&same, same, clone));
  EXPECT_OK(cudaGraphDestroy(clone));
  EXPECT_OK(cudaGraphAddDependencies(graph, &call, &fill, nullptr, 1));
  cudaGraphExec_t never;
  EXPECT_CODE(cudaErrorInvalidValue, cudaGraphInstantiate(&never, graph, 0));
  EXPECT_OK(cudaGraphDestroy(graph));
  EXPECT_OK(cudaGraphLaunch(exec, 0));  // lives without the graph it came from
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT_OK(cudaGraphExecDestroy(exec));
}

static void symbols_events_and_children() {
  int four[4] = {1, 2, 3, 4}, back[4] = {};
  cudaGraph_t inner, outer, seen;
  cudaGraphNode_t to, from, child, wait, record;
  EXPECT_OK(cudaGraphCreate(&inner, 0));
  EXPECT_OK(cudaGraphAddMemcpyNodeToSymbol(&to, inner, nullptr, 0, table, four, sizeof four, 0,
                                           cudaMemcpyHostToDevice));
  EXPECT_OK(cudaGraphAddMemcpyNodeFromSymbol(&from, inner, &to, 1, back, table, 8, 8,
                                             cudaMemcpyDeviceToHost));
  EXPECT_OK(cudaGraphCreate(&outer, 0));
  cudaEvent_t before, after;
  EXPECT_OK(cudaEventCreate(&before));
  EXPECT_OK(cudaEventCreate(&after));
  EXPECT_OK(cudaEventRecord(before));
  EXPECT_OK(cudaGraphAddEventWaitNode(&wait, outer, nullptr, 0, before));
  EXPECT_OK(cudaGraphAddChildGraphNode(&child, outer, &wait, 1, inner));
  EXPECT_OK(cudaGraphAddEventRecordNode(&record, outer, &child, 1, after));
  EXPECT_OK(cudaGraphChildGraphNodeGetGraph(child, &seen));
  EXPECT(seen != inner);
  cudaEvent_t which;
  EXPECT_OK(cudaGraphEventRecordNodeGetEvent(record, &which));
  EXPECT(which == after);
  cudaGraphExec_t exec;
  EXPECT_OK(cudaGraphInstantiate(&exec, outer, 0));
  EXPECT_OK(cudaGraphLaunch(exec, 0));
  EXPECT_OK(cudaEventSynchronize(after));
  EXPECT(back[0] == 3 && back[1] == 4 && back[2] == 0);
  float milliseconds = -1;
  EXPECT_OK(cudaEventElapsedTime(&milliseconds, before, after));
  EXPECT(milliseconds > 0);
  EXPECT_OK(cudaGraphExecDestroy(exec));
  EXPECT_OK(cudaGraphDestroy(outer));
  EXPECT_OK(cudaGraphDestroy(inner));
  EXPECT_CODE(cudaErrorInvalidValue, cudaGraphCreate(nullptr, 0));
  EXPECT_CODE(cudaErrorInvalidValue, cudaGraphCreate(&inner, 1));
}

static cudaMemAllocNodeParams device_memory(size_t bytes) {
  cudaMemAllocNodeParams what = {};
  what.poolProps.allocType = cudaMemAllocationTypePinned;
  what.poolProps.location.type = cudaMemLocationTypeDevice;
  what.bytesize = bytes;
  return what;
}

// Memory of the graph: allocated by one node, used, given back by another.
static void memory_nodes() {
  cudaGraph_t graph;
  cudaGraphNode_t allocate, fill, copy, give_back;
  EXPECT_OK(cudaGraphCreate(&graph, 0));
  cudaMemAllocNodeParams what = device_memory(1024);
  EXPECT_OK(cudaGraphAddMemAllocNode(&allocate, graph, nullptr, 0, &what));
  EXPECT(what.dptr != nullptr);
  cudaMemsetParams fives = {};
  fives.dst = what.dptr, fives.value = 5, fives.elementSize = 1, fives.width = 1024,
  fives.height = 1;
  EXPECT_OK(cudaGraphAddMemsetNode(&fill, graph, &allocate, 1, &fives));
  unsigned char bytes[1024] = {};
  EXPECT_OK(cudaGraphAddMemcpyNode1D(&copy, graph, &fill, 1, bytes, what.dptr, 1024,
                                     cudaMemcpyDeviceToHost));
  cudaGraphExec_t exec, freeing;
  EXPECT_CODE(cudaErrorNotSupported, cudaGraphClone(&graph, graph));
  EXPECT_OK(cudaGraphInstantiate(&exec, graph, 0));
  EXPECT_OK(cudaGraphLaunch(exec, 0));
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT(bytes[0] == 5 && bytes[1023] == 5);
  EXPECT_CODE(cudaErrorInvalidValue, cudaGraphLaunch(exec, 0));  // still allocated
  EXPECT_OK(cudaFreeAsync(what.dptr, 0));
  EXPECT_OK(cudaGraphLaunch(exec, 0));
  EXPECT_OK(cudaFree(what.dptr));
  EXPECT_OK(cudaGraphExecDestroy(exec));
  EXPECT_OK(cudaGraphInstantiate(&freeing, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch));
  EXPECT_OK(cudaGraphLaunch(freeing, 0));
  EXPECT_OK(cudaGraphLaunch(freeing, 0));
  EXPECT_OK(cudaFree(what.dptr));
  EXPECT_OK(cudaGraphExecDestroy(freeing));
  // Instantiated once, only another graph may free what it allocates.
  cudaGraph_t other;
  EXPECT_CODE(cudaErrorInvalidValue,
              cudaGraphAddMemFreeNode(&give_back, graph, &copy, 1, what.dptr));
  EXPECT_OK(cudaGraphInstantiate(&exec, graph, 0));
  EXPECT_CODE(cudaErrorNotSupported, cudaGraphInstantiate(&freeing, graph, 0));  // one at a time
  EXPECT_OK(cudaGraphCreate(&other, 0));
  EXPECT_OK(cudaGraphAddMemFreeNode(&give_back, other, nullptr, 0, what.dptr));
  EXPECT_OK(cudaGraphInstantiate(&freeing, other, 0));
  for (int times = 0; times < 2; ++times) {
    EXPECT_OK(cudaGraphLaunch(exec, 0));
    EXPECT_OK(cudaGraphLaunch(freeing, 0));
  }
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT_OK(cudaGraphExecDestroy(exec));
  EXPECT_OK(cudaGraphExecDestroy(freeing));
  for (cudaGraph_t one : {graph, other}) EXPECT_OK(cudaGraphDestroy(one));
}

// One graph allocates and frees.
static void memory_of_one_graph() {
  cudaGraph_t graph;
  cudaGraphNode_t allocate, give_back, again;
  EXPECT_OK(cudaGraphCreate(&graph, 0));
  cudaMemAllocNodeParams what = device_memory(64);
  EXPECT_OK(cudaGraphAddMemAllocNode(&allocate, graph, nullptr, 0, &what));
  EXPECT_OK(cudaGraphAddMemFreeNode(&give_back, graph, &allocate, 1, what.dptr));
  EXPECT_CODE(cudaErrorInvalidValue,
              cudaGraphAddMemFreeNode(&again, graph, &allocate, 1, what.dptr));
  EXPECT_CODE(cudaErrorInvalidValue, cudaGraphAddMemFreeNode(&again, graph, &allocate, 1, values));
  cudaGraphExec_t exec;
  EXPECT_OK(cudaGraphInstantiate(&exec, graph, 0));
  EXPECT_OK(cudaGraphLaunch(exec, 0));
  EXPECT_OK(cudaGraphLaunch(exec, 0));
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT_OK(cudaGraphExecDestroy(exec));
  EXPECT_OK(cudaGraphDestroy(graph));
}

// Memory of a graph that was instantiated and destroyed since may be freed by another.
static void memory_outlives_its_graph() {
  cudaGraph_t graph, other;
  cudaGraphNode_t allocate, give_back;
  cudaGraphExec_t exec, freeing;
  EXPECT_OK(cudaGraphCreate(&graph, 0));
  cudaMemAllocNodeParams what = device_memory(64);
  EXPECT_OK(cudaGraphAddMemAllocNode(&allocate, graph, nullptr, 0, &what));
  EXPECT_OK(cudaGraphInstantiate(&exec, graph, 0));
  EXPECT_OK(cudaGraphDestroy(graph));
  EXPECT_OK(cudaGraphCreate(&other, 0));
  EXPECT_OK(cudaGraphAddMemFreeNode(&give_back, other, nullptr, 0, what.dptr));
  EXPECT_OK(cudaGraphInstantiate(&freeing, other, 0));
  for (int round = 0; round < 2; ++round) {
    EXPECT_OK(cudaGraphLaunch(exec, 0));
    EXPECT_OK(cudaGraphLaunch(freeing, 0));
  }
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT_OK(cudaGraphExecDestroy(exec));
  EXPECT_OK(cudaGraphExecDestroy(freeing));
  EXPECT_OK(cudaGraphDestroy(other));
}

static void generic_nodes_and_objects() {
  cudaGraph_t graph;
  cudaGraphNode_t fill, times;
  EXPECT_OK(cudaGraphCreate(&graph, 0));
  cudaGraphNodeParams what = {};
  what.type = cudaGraphNodeTypeMemset;
  what.memset.dst = values, what.memset.value = 0x3f80, what.memset.elementSize = 2;
  what.memset.pitch = 16, what.memset.width = 4, what.memset.height = 3;
  EXPECT_OK(cudaGraphAddNode(&fill, graph, nullptr, nullptr, 0, &what));
  float two = 2;
  int count = n;
  void* arguments[] = {&values, &two, &count};
  what = {};
  what.type = cudaGraphNodeTypeKernel;
  what.kernel.func = (void*)scale;
  what.kernel.gridDim = dim3(2), what.kernel.blockDim = dim3(128);
  what.kernel.kernelParams = arguments;
  EXPECT_OK(cudaGraphAddNode(&times, graph, &fill, nullptr, 1, &what));
  static int destroyed = 0;
  cudaUserObject_t object;
  EXPECT_OK(cudaUserObjectCreate(
      &object, &destroyed, [](void* which) { ++*static_cast<int*>(which); }, 1,
      cudaUserObjectNoDestructorSync));
  EXPECT_OK(cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove));
  cudaGraphExec_t exec;
  EXPECT_OK(cudaGraphInstantiate(&exec, graph, 0));
  EXPECT_OK(cudaGraphDestroy(graph));
  EXPECT(destroyed == 0);  // the executable graph holds it
  EXPECT_OK(cudaMemset(values, 0, n * sizeof(float)));
  EXPECT_OK(cudaGraphLaunch(exec, 0));
  EXPECT_OK(cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost));
  unsigned bits[12];
  for (int i = 0; i < 12; ++i) {
    float half = host[i] / 2;
    std::memcpy(&bits[i], &half, 4);
  }
  EXPECT(bits[0] == 0x3f803f80 && bits[1] == 0x3f803f80 && host[2] == 0);
  EXPECT(bits[4] == 0x3f803f80 && bits[9] == 0x3f803f80 && host[11] == 0);
  EXPECT_OK(cudaGraphExecDestroy(exec));
}

// The parameters of a node are told as they were given.
static void parameters_come_back() {
  cudaGraph_t graph;
  EXPECT_OK(cudaGraphCreate(&graph, 0));
  cudaArray_t array;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  EXPECT_OK(cudaMalloc3DArray(&array, &format, make_cudaExtent(8, 6, 4), cudaArrayDefault));
  cudaMemcpy3DParms copy = {}, same = {};
  copy.srcPtr = make_cudaPitchedPtr(host, 32, 8, 2);
  copy.srcPos = make_cudaPos(4, 1, 0);
  copy.dstArray = array, copy.dstPos = make_cudaPos(2, 3, 1);
  copy.extent = make_cudaExtent(3, 1, 2);
  copy.kind = cudaMemcpyHostToDevice;
  cudaGraphNode_t node;
  EXPECT_OK(cudaGraphAddMemcpyNode(&node, graph, nullptr, 0, &copy));
  EXPECT_OK(cudaGraphMemcpyNodeGetParams(node, &same));
  EXPECT(same.srcPtr.ptr == host && same.srcPtr.pitch == 32 && same.srcPtr.ysize == 2);
  EXPECT(same.srcPos.x == 4 && same.srcPos.y == 1 && same.dstPos.x == 2 && same.dstPos.z == 1);
  EXPECT(same.dstArray == array && !same.srcArray && !same.dstPtr.ptr);
  EXPECT(same.extent.width == 3 && same.extent.height == 1 && same.extent.depth == 2);

  cudaMemsetParams fill = {}, filled = {};
  fill.dst = values, fill.pitch = 64, fill.width = 5, fill.height = 3;
  fill.elementSize = 2, fill.value = 0x1234;
  EXPECT_OK(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &fill));
  EXPECT_OK(cudaGraphMemsetNodeGetParams(node, &filled));
  EXPECT(filled.dst == values && filled.pitch == 64 && filled.width == 5 && filled.height == 3);
  EXPECT(filled.elementSize == 2 && filled.value == 0x1234);
  EXPECT_OK(cudaGraphDestroy(graph));
  EXPECT_OK(cudaFreeArray(array));
}

int main() {
  EXPECT_OK(cudaMalloc(&values, n * sizeof(float)));
  a_line_of_nodes();
  symbols_events_and_children();
  memory_nodes();
  memory_of_one_graph();
  memory_outlives_its_graph();
  generic_nodes_and_objects();
  parameters_come_back();
  return failures != 0;
}
