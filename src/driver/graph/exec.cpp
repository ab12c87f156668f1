// Executable graphs: made, changed as a whole, launched.
#include "device/graph/exec.h"

#include "device/capture.h"
#include "device/submit.h"
#include "driver/graph/graph.h"

namespace headroom::driver {
namespace {

static_assert(Exec::free_on_launch == CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH &&
              Exec::upload == CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD &&
              Exec::device_launch == CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH &&
              Exec::node_priority == CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY);
static_assert(int(Difference::Kind::topology) == CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED &&
              int(Difference::Kind::node_type) == CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED &&
              int(Difference::Kind::parameters) == CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED);

// On a stream that is not being captured.
CUresult submit_exec(const char* call, CUgraphExec handle, CUstream stream, bool runs) {
  return in_context(Need::wait, [&](Session& session) {
    return enqueue(session, stream, [&](Session&, Work& work) {
      auto exec = held(exec_of(handle));
      if (!exec) return Status::invalid_value;
      refuse_capture(session, *find_stream(session, stream), call);
      if (runs) work = ExecWork{std::move(exec)};
      return Status::ok;
    });
  });
}

}  // namespace
}  // namespace headroom::driver

using namespace headroom::driver;
extern "C" {

CUresult cuGraphInstantiate(CUgraphExec* out, CUgraph graph, unsigned long long flags) {
  return on_graphs([&](Session&) {
    if (!out || !is_live(graph_of(graph))) return Status::invalid_value;
    Exec* exec = nullptr;
    const Status status = instantiate(*graph_of(graph), flags, exec);
    if (!failed(status)) *out = handle_of(exec);
    return status;
  });
}
CUresult cuGraphInstantiateWithParams(CUgraphExec* out, CUgraph graph,
                                      CUDA_GRAPH_INSTANTIATE_PARAMS* what) {
  if (!what) return CUDA_ERROR_INVALID_VALUE;
  what->hErrNode_out = nullptr;
  const CUresult result = cuGraphInstantiateWithFlags(out, graph, what->flags);
  what->result_out =
      result ? CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE : CUDA_GRAPH_INSTANTIATE_SUCCESS;
  return result;
}

CUresult cuGraphExecGetFlags(CUgraphExec handle, cuuint64_t* flags) {
  return on_graphs([&](Session&) {
    auto exec = held(exec_of(handle));
    if (!exec || !flags) return Status::invalid_value;
    *flags = exec->flags;
    return Status::ok;
  });
}

CUresult cuGraphExecDestroy(CUgraphExec exec) {
  return on_graphs(
      [&](Session&) { return abandon(exec_of(exec)) ? Status::ok : Status::invalid_value; });
}

CUresult cuGraphExecUpdate(CUgraphExec handle, CUgraph with, CUgraphExecUpdateResultInfo* out) {
  return on_graphs([&](Session&) {
    auto exec = held(exec_of(handle));
    if (!exec || !is_live(graph_of(with)) || !out) return Status::invalid_value;
    const Difference found = update(*exec, *graph_of(with));
    *out = {};
    out->result = CUgraphExecUpdateResult(found.kind);
    out->errorNode = handle_of(found.node);
    return found.kind == Difference::Kind::none ? Status::ok : Status::graph_update_failed;
  });
}

// Where the nodes' parameters lie is no matter here.
CUresult cuGraphUpload(CUgraphExec exec, CUstream stream) {
  return submit_exec("cuGraphUpload", exec, stream, false);
}
CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream) {
  return submit_exec("cuGraphLaunch", exec, stream, true);
}
}
