#include "device/work.h"

#include "device/event.h"
#include "device/graph/exec.h"
#include "device/host_function.h"

namespace headroom::device {
namespace {

struct Perform {
  Session& session;
  const Stream& stream;

  Status operator()(const NoWork&) const { return Status::ok; }
  Status operator()(const EmptyWork&) const { return Status::ok; }
  Status operator()(const KernelWork& work) const { return execute(session, work, stream); }
  Status operator()(const CopyWork& work) const { return perform(session, work); }
  Status operator()(const FillWork& work) const { return perform(session, work); }
  Status operator()(const HostWork& work) const {
    run_host_function(session, stream, [&] { work.function(work.data); });
    return Status::ok;
  }
  Status operator()(const RecordWork& work) const {
    auto event = session.events.find(work.event);
    if (event == session.events.end()) return Status::invalid_handle;
    record(session, *event->second);
    return Status::ok;
  }
  // All that came before an event is done already.
  Status operator()(const WaitWork&) const { return Status::ok; }
  Status operator()(const AllocateWork& work) const {
    uint64_t readers = 0;
    for (const auto& [device, flags] : work.access)
      if (flags && is_device(session, device)) readers |= uint64_t(1) << device;
    return allocate(session, work.memory, work.device, readers);
  }
  Status operator()(const ReleaseWork& work) const { return release(session, work.address); }
  Status operator()(const ChildWork& work) const {
    return run(session, work.graph->in_order(), stream);
  }
  // Its own functions are in the midst of it.
  Status operator()(const ExecWork& work) const {
    const Occupied during(session, stream);
    return launch(session, *work.exec, stream);
  }
};

}  // namespace

Status perform(Session& session, const Stream& stream, const Work& work) {
  return std::visit(Perform{session, stream}, work);
}

}  // namespace headroom::device
