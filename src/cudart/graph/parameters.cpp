// The parameters of nodes, read and replaced, in graphs and in executable ones.
#include <bit>

#include "cudart/copy.h"
#include "cudart/graph/node_work.h"
#include "cudart/launch.h"
#include "cudart/symbol.h"

using namespace headroom::cudart;
namespace {

// Reads a node of one kind of work.
template <class Kind, class Read>
cudaError_t get(cudaGraphNode_t handle, const void* out, Read read) {
  return call([&](Session&) {
    Node* node = node_of(handle);
    if (!out || !is_live(node)) return cudaErrorInvalidValue;
    auto* work = std::get_if<Kind>(&node->work);
    if (!work) return cudaErrorInvalidValue;
    read(*node, *work);
    return cudaSuccess;
  });
}

cudaError_t replace(Session& session, Node& node, const MakeWork& make) {
  Work work;
  if (cudaError_t error = make(session, work)) return error;
  return code_of(replace_work(node, std::move(work)));
}

cudaError_t set(cudaGraphNode_t handle, const MakeWork& make) {
  return call([&](Session& session) {
    Node* node = node_of(handle);
    return is_live(node) ? replace(session, *node, make) : cudaErrorInvalidValue;
  });
}

// The node of the executable graph that was made from this one.
cudaError_t in_exec(cudaGraphExec_t exec, cudaGraphNode_t original,
                    const std::function<cudaError_t(Session&, Node&)>& body) {
  return call([&](Session& session) {
    auto executable = held(exec_of(exec));
    if (!executable || !is_live(node_of(original))) return cudaErrorInvalidValue;
    Node* node = executable->graph.copy_of(node_of(original)->id);
    return node ? body(session, *node) : cudaErrorInvalidValue;
  });
}

cudaError_t set_in(cudaGraphExec_t exec, cudaGraphNode_t original, const MakeWork& make) {
  return in_exec(exec, original,
                 [&](Session& session, Node& node) { return replace(session, node, make); });
}

cudaEvent_t event_of(const void* handle) {
  return static_cast<cudaEvent_t>(const_cast<void*>(handle));
}

}  // namespace

extern "C" {

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams* what) {
  return what ? set(node, work_of(*what)) : fail(cudaErrorInvalidValue);
}
cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                       cudaGraphNodeParams* what) {
  return what ? set_in(exec, node, work_of(*what)) : fail(cudaErrorInvalidValue);
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* out) {
  return get<KernelWork>(node, out,
                         [&](Node& found, const KernelWork& work) { *out = told(found, work); });
}
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* what) {
  return set(node, work_of(what));
}
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* what) {
  return set_in(exec, node, work_of(what));
}

cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms* out) {
  return get<CopyWork>(node, out, [&](Node&, const CopyWork& work) { *out = told(work); });
}
cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const cudaMemcpy3DParms* what) {
  return set(node, work_of(what));
}
cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* to, const void* from,
                                           size_t bytes, cudaMemcpyKind kind) {
  return set(node, work_of(to, from, bytes, kind));
}
cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void* symbol,
                                                 const void* from, size_t bytes, size_t offset,
                                                 cudaMemcpyKind kind) {
  return set(node, to_symbol(symbol, from, bytes, offset, kind));
}
cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void* to,
                                                   const void* symbol, size_t bytes, size_t offset,
                                                   cudaMemcpyKind kind) {
  return set(node, from_symbol(to, symbol, bytes, offset, kind));
}
cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemcpy3DParms* what) {
  return set_in(exec, node, work_of(what));
}
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void* to,
                                               const void* from, size_t bytes,
                                               cudaMemcpyKind kind) {
  return set_in(exec, node, work_of(to, from, bytes, kind));
}
cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                     const void* symbol, const void* from,
                                                     size_t bytes, size_t offset,
                                                     cudaMemcpyKind kind) {
  return set_in(exec, node, to_symbol(symbol, from, bytes, offset, kind));
}
cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                       void* to, const void* symbol, size_t bytes,
                                                       size_t offset, cudaMemcpyKind kind) {
  return set_in(exec, node, from_symbol(to, symbol, bytes, offset, kind));
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams* out) {
  return get<FillWork>(node, out, [&](Node&, const FillWork& work) { *out = told(work); });
}
cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams* what) {
  return set(node, work_of(what));
}
cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemsetParams* what) {
  return set_in(exec, node, work_of(what));
}

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams* out) {
  return get<HostWork>(node, out, [&](Node&, const HostWork& work) {
    *out = {work.function, work.data};
  });
}
cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams* what) {
  return set(node, work_of(what));
}
cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                           const cudaHostNodeParams* what) {
  return set_in(exec, node, work_of(what));
}

cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* out) {
  return get<RecordWork>(node, out,
                         [&](Node&, const RecordWork& work) { *out = event_of(work.event); });
}
cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return set(node, record_work(event));
}
cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                 cudaEvent_t event) {
  return set_in(exec, node, record_work(event));
}

cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* out) {
  return get<WaitWork>(node, out,
                       [&](Node&, const WaitWork& work) { *out = event_of(work.event); });
}
cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return set(node, wait_work(event));
}
cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                               cudaEvent_t event) {
  return set_in(exec, node, wait_work(event));
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* out) {
  return get<ChildWork>(node, out,
                        [&](Node&, const ChildWork& work) { *out = handle_of(work.graph.get()); });
}
cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                 cudaGraph_t child) {
  return set_in(exec, node, child_work(child));
}

cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node, cudaMemAllocNodeParams* out) {
  return get<AllocateWork>(
      node, out, [&](Node& found, const AllocateWork& work) { *out = told(found, work); });
}
cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void* out) {
  return get<ReleaseWork>(node, out, [&](Node&, const ReleaseWork& work) {
    *static_cast<uint64_t*>(out) = work.address;
  });
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t original,
                                    unsigned enabled) {
  return in_exec(exec, original,
                 [&](Session&, Node& node) { return code_of(set_enabled(node, enabled != 0)); });
}
cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t original,
                                    unsigned* enabled) {
  return in_exec(exec, original, [&](Session&, Node& node) {
    if (!enabled || !can_be_disabled(node)) return cudaErrorInvalidValue;
    *enabled = node.enabled;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID id,
                                            cudaLaunchAttributeValue* out) {
  return get<KernelWork>(node, out, [&](Node&, const KernelWork& work) {
    *out = {};
    if (id == cudaLaunchAttributeCooperative) out->cooperative = work.shape.cooperative;
    const auto found = work.attributes.find(id);
    if (found != work.attributes.end())
      *out = std::bit_cast<cudaLaunchAttributeValue>(found->second);
  });
}
cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID id,
                                            const cudaLaunchAttributeValue* value) {
  if (id == cudaLaunchAttributeSynchronizationPolicy) return fail(cudaErrorInvalidValue);
  return get<KernelWork>(node, value, [&](Node&, KernelWork& work) {
    ask(work.shape, work.preferred, {id, {}, *value});
    work.attributes[id] = std::bit_cast<Opaque>(*value);
  });
}
cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t to, cudaGraphNode_t from) {
  return get<KernelWork>(from, to, [&](Node&, const KernelWork& work) {
    if (!is_live(node_of(to))) return;
    if (auto* kernel = std::get_if<KernelWork>(&node_of(to)->work)) copy_attributes(*kernel, work);
  });
}
}
