// The parameters of nodes, read and replaced, in graphs and in executable ones.
#include <bit>

#include "driver/graph/node_work.h"
#include "driver/launch.h"

namespace headroom::driver {
namespace {

// Reads a node of one kind of work.
template <class Kind, class Read>
CUresult get(CUgraphNode handle, const void* out, Read read) {
  return on_graphs([&](Session& session) {
    Node* node = node_of(handle);
    if (!out || !is_live(node)) return Status::invalid_value;
    auto* work = std::get_if<Kind>(&node->work);
    if (!work) return Status::invalid_value;
    read(session, *node, *work);
    return Status::ok;
  });
}

Status replace(Session& session, Node& node, const Maker& make) {
  Work work;
  const Status status = make(session, work);
  return failed(status) ? status : replace_work(node, std::move(work));
}

CUresult set(CUgraphNode handle, const Maker& make) {
  return on_graphs([&](Session& session) {
    Node* node = node_of(handle);
    return is_live(node) ? replace(session, *node, make) : Status::invalid_value;
  });
}

// The node of the executable graph that was made from this one.
CUresult in_exec(CUgraphExec exec, CUgraphNode original,
                 const std::function<Status(Session&, Node&)>& body) {
  return on_graphs([&](Session& session) {
    auto executable = held(exec_of(exec));
    if (!executable || !is_live(node_of(original))) return Status::invalid_value;
    Node* node = executable->graph.copy_of(node_of(original)->id);
    return node ? body(session, *node) : Status::invalid_value;
  });
}

CUresult set_in(CUgraphExec exec, CUgraphNode original, const Maker& make) {
  return in_exec(exec, original,
                 [&](Session& session, Node& node) { return replace(session, node, make); });
}

CUevent event_of(const void* handle) { return static_cast<CUevent>(const_cast<void*>(handle)); }

}  // namespace
}  // namespace headroom::driver

using namespace headroom::driver;
extern "C" {

CUresult cuGraphNodeSetParams(CUgraphNode node, CUgraphNodeParams* what) {
  return set(node, work_of(what));
}
CUresult cuGraphExecNodeSetParams(CUgraphExec exec, CUgraphNode node, CUgraphNodeParams* what) {
  return set_in(exec, node, work_of(what));
}

CUresult cuGraphKernelNodeGetParams(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS* out) {
  return get<KernelWork>(
      node, out, [&](Session&, Node& found, const KernelWork& work) { *out = told(found, work); });
}
CUresult cuGraphKernelNodeSetParams(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS* what) {
  return set(node, work_of(what));
}
CUresult cuGraphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                        const CUDA_KERNEL_NODE_PARAMS* what) {
  return set_in(exec, node, work_of(what));
}

CUresult cuGraphMemcpyNodeGetParams(CUgraphNode node, CUDA_MEMCPY3D* out) {
  return get<CopyWork>(node, out, [&](Session& session, Node&, const CopyWork& work) {
    *out = told(session, work);
  });
}
CUresult cuGraphMemcpyNodeSetParams(CUgraphNode node, const CUDA_MEMCPY3D* what) {
  return set(node, work_of(what));
}
CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                        const CUDA_MEMCPY3D* what, CUcontext) {
  return set_in(exec, node, work_of(what));
}

CUresult cuGraphMemsetNodeGetParams(CUgraphNode node, CUDA_MEMSET_NODE_PARAMS* out) {
  return get<FillWork>(node, out,
                       [&](Session&, Node&, const FillWork& work) { *out = told(work); });
}
CUresult cuGraphMemsetNodeSetParams(CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS* what) {
  return set(node, work_of(what));
}
CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                        const CUDA_MEMSET_NODE_PARAMS* what, CUcontext) {
  return set_in(exec, node, work_of(what));
}

CUresult cuGraphHostNodeGetParams(CUgraphNode node, CUDA_HOST_NODE_PARAMS* out) {
  return get<HostWork>(node, out, [&](Session&, Node&, const HostWork& work) {
    *out = {work.function, work.data};
  });
}
CUresult cuGraphHostNodeSetParams(CUgraphNode node, const CUDA_HOST_NODE_PARAMS* what) {
  return set(node, work_of(what));
}
CUresult cuGraphExecHostNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                      const CUDA_HOST_NODE_PARAMS* what) {
  return set_in(exec, node, work_of(what));
}

CUresult cuGraphEventRecordNodeGetEvent(CUgraphNode node, CUevent* out) {
  return get<RecordWork>(
      node, out, [&](Session&, Node&, const RecordWork& work) { *out = event_of(work.event); });
}
CUresult cuGraphEventRecordNodeSetEvent(CUgraphNode node, CUevent event) {
  return set(node, record_work(event));
}
CUresult cuGraphExecEventRecordNodeSetEvent(CUgraphExec exec, CUgraphNode node, CUevent event) {
  return set_in(exec, node, record_work(event));
}
CUresult cuGraphEventWaitNodeGetEvent(CUgraphNode node, CUevent* out) {
  return get<WaitWork>(node, out,
                       [&](Session&, Node&, const WaitWork& work) { *out = event_of(work.event); });
}
CUresult cuGraphEventWaitNodeSetEvent(CUgraphNode node, CUevent event) {
  return set(node, wait_work(event));
}
CUresult cuGraphExecEventWaitNodeSetEvent(CUgraphExec exec, CUgraphNode node, CUevent event) {
  return set_in(exec, node, wait_work(event));
}

CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph* out) {
  return get<ChildWork>(node, out, [&](Session&, Node&, const ChildWork& work) {
    *out = handle_of(work.graph.get());
  });
}
CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec exec, CUgraphNode node, CUgraph child) {
  return set_in(exec, node, child_work(child));
}

CUresult cuGraphMemAllocNodeGetParams(CUgraphNode node, CUDA_MEM_ALLOC_NODE_PARAMS* out) {
  return get<AllocateWork>(node, out, [&](Session&, Node& found, const AllocateWork& work) {
    *out = told(found, work);
  });
}
CUresult cuGraphMemFreeNodeGetParams(CUgraphNode node, CUdeviceptr* out) {
  return get<ReleaseWork>(node, out,
                          [&](Session&, Node&, const ReleaseWork& work) { *out = work.address; });
}

CUresult cuGraphNodeSetEnabled(CUgraphExec exec, CUgraphNode original, unsigned enabled) {
  return in_exec(exec, original,
                 [&](Session&, Node& node) { return set_enabled(node, enabled != 0); });
}
CUresult cuGraphNodeGetEnabled(CUgraphExec exec, CUgraphNode original, unsigned* enabled) {
  return in_exec(exec, original, [&](Session&, Node& node) {
    if (!enabled || !can_be_disabled(node)) return Status::invalid_value;
    *enabled = node.enabled;
    return Status::ok;
  });
}

CUresult cuGraphKernelNodeGetAttribute(CUgraphNode node, CUkernelNodeAttrID id,
                                       CUkernelNodeAttrValue* out) {
  return get<KernelWork>(node, out, [&](Session&, Node&, const KernelWork& work) {
    *out = {};
    if (id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE) out->cooperative = work.shape.cooperative;
    const auto found = work.attributes.find(id);
    if (found != work.attributes.end()) *out = std::bit_cast<CUkernelNodeAttrValue>(found->second);
  });
}
CUresult cuGraphKernelNodeSetAttribute(CUgraphNode node, CUkernelNodeAttrID id,
                                       const CUkernelNodeAttrValue* value) {
  if (id == CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY) return CUDA_ERROR_INVALID_VALUE;
  return get<KernelWork>(node, value, [&](Session&, Node&, KernelWork& work) {
    ask(work.shape, work.preferred, id, *value);
    work.attributes[id] = std::bit_cast<Opaque>(*value);
  });
}
CUresult cuGraphKernelNodeCopyAttributes(CUgraphNode to, CUgraphNode from) {
  return get<KernelWork>(from, to, [&](Session&, Node&, const KernelWork& work) {
    if (!is_live(node_of(to))) return;
    if (auto* kernel = std::get_if<KernelWork>(&node_of(to)->work)) copy_attributes(*kernel, work);
  });
}
}
