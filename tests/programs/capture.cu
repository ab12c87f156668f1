// Streams captured into graphs, and the calls that a capture forbids.
#include "tests/programs/expect.cuh"

__global__ void add(int* value, int what) { *value += what; }
__global__ void times(int* value, int by) { *value *= by; }

static int *value, result;
static cudaStream_t first, second;

static int launched(cudaGraph_t graph) {
  cudaGraphExec_t exec;
  EXPECT_OK(cudaGraphInstantiate(&exec, graph, 0));
  EXPECT_OK(cudaGraphLaunch(exec, first));
  EXPECT_OK(cudaStreamSynchronize(first));
  EXPECT_OK(cudaGraphExecDestroy(exec));
  EXPECT_OK(cudaGraphDestroy(graph));
  return result;
}

static void one_stream() {
  cudaGraph_t graph;
  cudaStreamCaptureStatus status;
  result = -1;
  EXPECT_OK(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
  EXPECT_OK(cudaMemsetAsync(value, 0, 4, first));
  add<<<1, 1, 0, first>>>(value, 5);
  times<<<1, 1, 0, first>>>(value, 3);
  EXPECT_OK(cudaMemcpyAsync(&result, value, 4, cudaMemcpyDeviceToHost, first));
  EXPECT_OK(cudaStreamIsCapturing(first, &status));
  EXPECT(status == cudaStreamCaptureStatusActive);
  unsigned long long id = 0;
  cudaGraph_t under_way = nullptr;
  const cudaGraphNode_t* last = nullptr;
  size_t count = 0;
  EXPECT_OK(cudaStreamGetCaptureInfo(first, &status, &id, &under_way, &last, nullptr, &count));
  EXPECT(status == cudaStreamCaptureStatusActive && count == 1);
  cudaGraphNodeType type;
  EXPECT_OK(cudaGraphNodeGetType(*last, &type));
  EXPECT(type == cudaGraphNodeTypeMemcpy);
  EXPECT(result == -1);  // nothing has run
  EXPECT_OK(cudaStreamEndCapture(first, &graph));
  EXPECT(graph == under_way);
  EXPECT_OK(cudaStreamIsCapturing(first, &status));
  EXPECT(status == cudaStreamCaptureStatusNone);
  size_t nodes = 0;
  EXPECT_OK(cudaGraphGetNodes(graph, nullptr, &nodes));
  EXPECT(nodes == 4);
  EXPECT(launched(graph) == 15);
}

// first: memset, add 1 -> event -> second: times 10 -> event -> first: copy
static void two_streams() {
  cudaGraph_t graph;
  cudaEvent_t fork, join;
  EXPECT_OK(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
  EXPECT_OK(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
  EXPECT_OK(cudaStreamBeginCapture(first, cudaStreamCaptureModeThreadLocal));
  EXPECT_OK(cudaMemsetAsync(value, 0, 4, first));
  add<<<1, 1, 0, first>>>(value, 1);
  EXPECT_OK(cudaEventRecord(fork, first));
  EXPECT_OK(cudaStreamWaitEvent(second, fork, 0));
  cudaStreamCaptureStatus status;
  EXPECT_OK(cudaStreamIsCapturing(second, &status));
  EXPECT(status == cudaStreamCaptureStatusActive);
  times<<<1, 1, 0, second>>>(value, 10);
  EXPECT_OK(cudaEventRecord(join, second));
  EXPECT_OK(cudaStreamWaitEvent(first, join, 0));
  EXPECT_OK(cudaMemcpyAsync(&result, value, 4, cudaMemcpyDeviceToHost, first));
  EXPECT_OK(cudaStreamEndCapture(first, &graph));
  EXPECT_OK(cudaStreamIsCapturing(second, &status));
  EXPECT(status == cudaStreamCaptureStatusNone);
  size_t edges = 0;
  EXPECT_OK(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
  EXPECT(edges >= 3);
  EXPECT(launched(graph) == 10);

  EXPECT_OK(cudaStreamBeginCapture(first, cudaStreamCaptureModeThreadLocal));
  EXPECT_OK(cudaEventRecord(fork, first));
  EXPECT_OK(cudaStreamWaitEvent(second, fork, 0));
  times<<<1, 1, 0, second>>>(value, 10);
  EXPECT_CODE(cudaErrorStreamCaptureUnjoined, cudaStreamEndCapture(first, &graph));
  EXPECT(graph == nullptr);

  // A stream that joined may be destroyed before the capture ends, once what it did is waited for.
  for (const bool waits : {true, false}) {
    cudaStream_t third;
    EXPECT_OK(cudaStreamCreate(&third));
    EXPECT_OK(cudaStreamBeginCapture(first, cudaStreamCaptureModeThreadLocal));
    EXPECT_OK(cudaEventRecord(fork, first));
    EXPECT_OK(cudaStreamWaitEvent(third, fork, 0));
    times<<<1, 1, 0, third>>>(value, 10);
    EXPECT_OK(cudaEventRecord(join, third));
    if (waits) EXPECT_OK(cudaStreamWaitEvent(first, join, 0));
    EXPECT_OK(cudaStreamDestroy(third));
    EXPECT_CODE(waits ? cudaSuccess : cudaErrorStreamCaptureUnjoined,
                cudaStreamEndCapture(first, &graph));
    if (waits) EXPECT_OK(cudaGraphDestroy(graph));
  }

  EXPECT_OK(cudaStreamBeginCapture(first, cudaStreamCaptureModeThreadLocal));
  EXPECT_OK(cudaEventRecord(fork, first));
  EXPECT_OK(cudaStreamWaitEvent(second, fork, 0));
  EXPECT_CODE(cudaErrorStreamCaptureUnmatched, cudaStreamEndCapture(second, &graph));
  cudaStreamEndCapture(first, &graph);
  cudaGetLastError();
  EXPECT_OK(cudaEventDestroy(fork));
  EXPECT_OK(cudaEventDestroy(join));
}

// Begins a capture, does what it forbids, and ends it.
template <class Call>
static void forbidden(cudaError_t code, Call call,
                      cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal) {
  cudaGraph_t graph;
  EXPECT_OK(cudaStreamBeginCapture(first, mode));
  EXPECT_CODE(code, call());
  cudaStreamCaptureStatus status;
  EXPECT_OK(cudaStreamIsCapturing(first, &status));
  EXPECT(status == cudaStreamCaptureStatusInvalidated);
  EXPECT_CODE(cudaErrorStreamCaptureInvalidated, cudaMemsetAsync(value, 0, 4, first));
  EXPECT_CODE(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(first, &graph));
  EXPECT(graph == nullptr);
}

static void illegal_calls() {
  forbidden(cudaErrorStreamCaptureUnsupported, [] { return cudaStreamSynchronize(first); });
  forbidden(cudaErrorStreamCaptureUnsupported, [] { return cudaStreamQuery(first); });
  forbidden(cudaErrorStreamCaptureUnsupported, [] { return cudaDeviceSynchronize(); });
  forbidden(cudaErrorStreamCaptureUnsupported, [] {
    void* more;
    return cudaMalloc(&more, 16);
  });
  forbidden(cudaErrorStreamCaptureImplicit, [] {
    add<<<1, 1>>>(value, 1);
    return cudaPeekAtLastError();
  });
  forbidden(cudaErrorStreamCaptureImplicit,
            [] { return cudaMemsetAsync(value, 0, 4, cudaStreamLegacy); });
  cudaEvent_t event;
  EXPECT_OK(cudaEventCreate(&event));
  forbidden(cudaErrorCapturedEvent, [=] {
    EXPECT_OK(cudaEventRecord(event, first));
    return cudaEventQuery(event);
  });
  EXPECT_OK(cudaEventRecord(event, second));
  forbidden(cudaErrorStreamCaptureIsolation, [=] { return cudaStreamWaitEvent(first, event, 0); });
  EXPECT_OK(cudaEventDestroy(event));

  cudaGraph_t graph;
  EXPECT_CODE(cudaErrorIllegalState, cudaStreamEndCapture(first, &graph));
  EXPECT_CODE(cudaErrorStreamCaptureUnsupported,
              cudaStreamBeginCapture(cudaStreamLegacy, cudaStreamCaptureModeGlobal));
  EXPECT_OK(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
  EXPECT_CODE(cudaErrorIllegalState, cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
  cudaStreamCaptureStatus status;
  EXPECT_CODE(cudaErrorStreamCaptureImplicit,
              cudaStreamIsCapturing(cudaStreamLegacy, &status));  // spoils nothing
  EXPECT_OK(cudaStreamEndCapture(first, &graph));
  EXPECT_OK(cudaGraphDestroy(graph));
}

// A relaxed capture lets its thread allocate; so does a thread that says it is careful.
static void modes() {
  cudaGraph_t graph;
  void* more;
  EXPECT_OK(cudaStreamBeginCapture(first, cudaStreamCaptureModeRelaxed));
  EXPECT_OK(cudaMalloc(&more, 16));
  EXPECT_OK(cudaStreamEndCapture(first, &graph));
  EXPECT_OK(cudaGraphDestroy(graph));
  EXPECT_OK(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  EXPECT_OK(cudaThreadExchangeStreamCaptureMode(&mode));
  EXPECT(mode == cudaStreamCaptureModeGlobal);
  EXPECT_OK(cudaFree(more));
  EXPECT_OK(cudaThreadExchangeStreamCaptureMode(&mode));
  EXPECT(mode == cudaStreamCaptureModeRelaxed);
  EXPECT_OK(cudaStreamEndCapture(first, &graph));
  EXPECT_OK(cudaGraphDestroy(graph));

  // The default stream does not wait for non-blocking ones.
  cudaStream_t apart;
  EXPECT_OK(cudaStreamCreateWithFlags(&apart, cudaStreamNonBlocking));
  EXPECT_OK(cudaStreamBeginCapture(apart, cudaStreamCaptureModeRelaxed));
  EXPECT_OK(cudaMemsetAsync(value, 0, 4, 0));
  EXPECT_OK(cudaStreamEndCapture(apart, &graph));
  EXPECT_OK(cudaGraphDestroy(graph));
  EXPECT_OK(cudaStreamDestroy(apart));
}

// Ordered allocation becomes nodes; another graph goes into a capture by hand only.
static void captured_memory_and_graphs() {
  cudaGraph_t graph, under_way, outer;
  int* more;
  EXPECT_OK(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
  EXPECT_OK(cudaMallocAsync(&more, 4, first));
  EXPECT_OK(cudaMemsetAsync(more, 0, 4, first));
  add<<<1, 1, 0, first>>>(more, 42);
  EXPECT_OK(cudaMemcpyAsync(&result, more, 4, cudaMemcpyDeviceToHost, first));
  EXPECT_OK(cudaFreeAsync(more, first));
  EXPECT_OK(cudaStreamEndCapture(first, &graph));
  EXPECT(launched(graph) == 42);

  EXPECT_OK(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t node;
  EXPECT_OK(cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, &result, value, 4,
                                     cudaMemcpyDeviceToHost));
  cudaGraphExec_t exec;
  EXPECT_OK(cudaGraphInstantiate(&exec, graph, 0));
  forbidden(cudaErrorStreamCaptureUnsupported, [=] { return cudaGraphLaunch(exec, first); });
  forbidden(cudaErrorStreamCaptureUnsupported, [=] { return cudaGraphUpload(exec, first); });
  EXPECT_OK(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
  EXPECT_OK(cudaMemsetAsync(value, 1, 4, first));
  cudaStreamCaptureStatus status;
  const cudaGraphNode_t* last;
  size_t count = 0;
  EXPECT_OK(cudaStreamGetCaptureInfo(first, &status, nullptr, &under_way, &last, nullptr, &count));
  EXPECT_OK(cudaGraphAddChildGraphNode(&node, under_way, last, count, graph));
  EXPECT_OK(cudaStreamUpdateCaptureDependencies(first, &node, nullptr, 1,
                                                cudaStreamSetCaptureDependencies));
  EXPECT_OK(cudaLaunchHostFunc(
      first, [](void*) { ++result; }, nullptr));
  EXPECT_OK(cudaStreamEndCapture(first, &outer));
  EXPECT(launched(outer) == 0x01010102);
  EXPECT_OK(cudaGraphExecDestroy(exec));
  EXPECT_OK(cudaGraphDestroy(graph));
}

int main() {
  EXPECT_OK(cudaMalloc(&value, 4));
  EXPECT_OK(cudaStreamCreate(&first));
  EXPECT_OK(cudaStreamCreate(&second));
  one_stream();
  two_streams();
  illegal_calls();
  modes();
  captured_memory_and_graphs();
  EXPECT_OK(cudaStreamDestroy(first));
  EXPECT_OK(cudaStreamDestroy(second));
  return failures != 0;
}
