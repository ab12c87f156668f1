#include "device/work.h"

#include "device/check_calls.h"
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
  Status operator()(const KernelWork& work) const {
    begin_work(session, stream);
    return execute(session, work, stream);
  }
  Status operator()(const CopyWork& work) const {
    begin_work(session, stream);
    return perform(session, work, stream);
  }
  Status operator()(const FillWork& work) const {
    begin_work(session, stream);
    return perform(session, work, stream);
  }
  Status operator()(const HostWork& work) const {
    run_host_function(session, stream, [&] { work.function(work.data); });
    session.timeline.host_waits(stream);  // it may tell the program that the stream has come to it
    return Status::ok;
  }
  Status operator()(const RecordWork& work) const {
    auto event = session.events.find(work.event);
    if (event == session.events.end()) return Status::invalid_handle;
    record(session, *event->second);
    event->second->order = session.timeline.now(stream);
    return Status::ok;
  }
  // All that came before an event is done already.
  Status operator()(const WaitWork& work) const {
    const auto event = session.events.find(work.event);
    if (event != session.events.end()) session.timeline.follow(stream, event->second->order);
    return Status::ok;
  }
  Status operator()(const AllocateWork& work) const {
    uint64_t readers = 0;
    for (const auto& [device, flags] : work.access)
      if (flags && is_device(session, device)) readers |= uint64_t(1) << device;
    const Status status = allocate(session, work.memory, work.device, readers);
    if (!failed(status))
      note_ordered(session, stream, work.memory.begin, work.memory.bytes, "allocation");
    return status;
  }
  Status operator()(const ReleaseWork& work) const {
    if (const Allocation* memory = session.allocations.at(work.address))
      note_ordered(session, stream, memory->begin, memory->bytes, "free");
    return release(session, work.address);
  }
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
