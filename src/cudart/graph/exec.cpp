// Executable graphs: made, changed as a whole, launched.
#include "device/graph/exec.h"

#include "cudart/enqueue.h"
#include "cudart/graph/graph.h"
#include "device/capture.h"

using namespace headroom::cudart;
namespace {

static_assert(Exec::free_on_launch == cudaGraphInstantiateFlagAutoFreeOnLaunch &&
              Exec::upload == cudaGraphInstantiateFlagUpload &&
              Exec::device_launch == cudaGraphInstantiateFlagDeviceLaunch &&
              Exec::node_priority == cudaGraphInstantiateFlagUseNodePriority);
static_assert(int(Difference::Kind::topology) == cudaGraphExecUpdateErrorTopologyChanged &&
              int(Difference::Kind::node_type) == cudaGraphExecUpdateErrorNodeTypeChanged &&
              int(Difference::Kind::parameters) == cudaGraphExecUpdateErrorParametersChanged);

}  // namespace

extern "C" {

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* out, cudaGraph_t graph,
                                          unsigned long long flags) {
  return call([&](Session&) {
    if (!out || !is_live(graph_of(graph))) return cudaErrorInvalidValue;
    Exec* exec = nullptr;
    const Status status = instantiate(*graph_of(graph), flags, exec);
    if (!failed(status)) *out = handle_of(exec);
    return code_of(status);
  });
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* out, cudaGraph_t graph,
                                 unsigned long long flags) {
  return cudaGraphInstantiateWithFlags(out, graph, flags);
}
cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* out, cudaGraph_t graph,
                                           cudaGraphInstantiateParams* what) {
  if (!what) return fail(cudaErrorInvalidValue);
  what->errNode_out = nullptr;
  cudaError_t error = cudaGraphInstantiateWithFlags(out, graph, what->flags);
  what->result_out = error ? cudaGraphInstantiateInvalidStructure : cudaGraphInstantiateSuccess;
  return error;
}

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t handle, unsigned long long* flags) {
  return call([&](Session&) {
    auto exec = held(exec_of(handle));
    if (!exec || !flags) return cudaErrorInvalidValue;
    *flags = exec->flags;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  return call(
      [&](Session&) { return abandon(exec_of(exec)) ? cudaSuccess : cudaErrorInvalidValue; });
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t handle, cudaGraph_t with,
                                cudaGraphExecUpdateResultInfo* out) {
  return call([&](Session&) {
    auto exec = held(exec_of(handle));
    const Graph* graph = graph_of(with);
    if (!exec || !is_live(graph) || !out) return cudaErrorInvalidValue;
    const Difference found = update(*exec, *graph);
    *out = {};
    out->result = cudaGraphExecUpdateResult(found.kind);
    out->errorNode = handle_of(found.node);
    return found.kind == Difference::Kind::none ? cudaSuccess : cudaErrorGraphExecUpdateFailure;
  });
}

// Where the nodes' parameters lie is no matter here.
cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream) {
  return enqueue(stream, [&](Session& session, Work&) {
    if (!held(exec_of(exec))) return cudaErrorInvalidValue;
    refuse_capture(session, *find_stream(session, stream), "cudaGraphUpload");
    return cudaSuccess;
  });
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t handle, cudaStream_t stream) {
  return enqueue(stream, [&](Session& session, Work& work) {
    auto exec = held(exec_of(handle));
    if (!exec) return cudaErrorInvalidValue;
    refuse_capture(session, *find_stream(session, stream), "cudaGraphLaunch");
    work = ExecWork{std::move(exec)};
    return cudaSuccess;
  });
}
}
