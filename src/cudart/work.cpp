#include "cudart/work.h"

#include "cudart/graph/graph.h"
#include "cudart/memory.h"
#include "device/event.h"
#include "device/host_function.h"

namespace headroom::cudart {
namespace {

struct Perform {
  Session& session;
  const Stream& stream;

  cudaError_t operator()(const NoWork&) const { return cudaSuccess; }
  cudaError_t operator()(const EmptyWork&) const { return cudaSuccess; }
  cudaError_t operator()(const KernelWork& work) const {
    return code_of(execute(session, work, stream));
  }
  cudaError_t operator()(const CopyWork& work) const {
    return code_of(device::perform(session, work));
  }
  cudaError_t operator()(const FillWork& work) const {
    return code_of(device::perform(session, work));
  }
  cudaError_t operator()(const HostWork& work) const {
    apart([&] { run_host_function(session, stream, [&] { work.function(work.data); }); });
    return cudaSuccess;
  }
  cudaError_t operator()(const RecordWork& work) const {
    auto event = session.events.find(work.event);
    if (event == session.events.end()) return cudaErrorInvalidResourceHandle;
    record(session, *event->second);
    return cudaSuccess;
  }
  // All that came before an event is done already.
  cudaError_t operator()(const WaitWork&) const { return cudaSuccess; }
  cudaError_t operator()(const AllocateWork& work) const { return allocate(session, work); }
  cudaError_t operator()(const ReleaseWork& work) const { return release(session, work.address); }
  cudaError_t operator()(const ChildWork& work) const {
    return run(session, work.graph->in_order(), stream);
  }
};

}  // namespace

cudaError_t perform(Session& session, const Stream& stream, const Work& work) {
  return std::visit(Perform{session, stream}, work);
}

}  // namespace headroom::cudart
