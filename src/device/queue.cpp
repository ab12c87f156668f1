#include "device/queue.h"

#include <algorithm>

#include "device/host_function.h"
#include "device/host_memory.h"
#include "device/say.h"

namespace headroom::device {
namespace {

bool outlives_the_call(const Session& session, const Side& side) {
  return side.array || look_up(session, side.memory.pointer).kind != Pointed::Kind::unknown;
}

bool is_of_host(const Session& session, const Side& side) {
  return !side.array && look_up(session, side.memory.pointer).kind == Pointed::Kind::host;
}

using Waiting = std::list<std::shared_ptr<Queued>>::const_iterator;

bool is_free(const Session& session, Waiting item) {
  if (is_running(session, *(*item)->stream)) return false;
  const auto* wait = std::get_if<WaitWork>(&(*item)->work);
  return std::none_of(session.queue.begin(), item, [&](const auto& earlier) {
    const auto* record = std::get_if<RecordWork>(&earlier->work);
    return are_ordered(*earlier->stream, *(*item)->stream) ||
           (wait && record && wait->event == record->event);
  });
}

void note_failure(Session& session, Status status) {
  if (!failed(session.pending)) session.pending = status;
}

void do_now(Session& session, const Queued& item) {
  try {
    const Status status = perform(session, *item.stream, item.work);
    // An event may be destroyed before it is recorded.
    if (failed(status) && !std::holds_alternative<RecordWork>(item.work))
      note_failure(session, status);
  } catch (const Failure& failure) {
    say(failure.error);
    note_failure(session, failure.status);
  } catch (const Error& error) {
    say(error);
    note_failure(session, Status::unknown);
  } catch (const std::exception& error) {
    say(error.what());
    note_failure(session, Status::unknown);
  }
}

}  // namespace

bool can_be_put_off(const Session& session, const Work& work) {
  const auto* copy = std::get_if<CopyWork>(&work);
  if (!copy) return true;
  if (is_of_host(session, copy->to) && is_of_host(session, copy->from)) return false;
  return outlives_the_call(session, copy->to) && outlives_the_call(session, copy->from);
}

void put_off(Session& session, Stream& stream, Work work) {
  session.queue.push_back(std::make_shared<Queued>(Queued{&stream, std::move(work)}));
}

// Work may call functions of the program, during which other threads put off more: look again.
void catch_up(Session& session) noexcept {
  for (auto item = session.queue.cbegin(); item != session.queue.cend();) {
    if (!is_free(session, item)) {
      ++item;
      continue;
    }
    const std::shared_ptr<Queued> next = *item;
    session.queue.erase(item);
    do_now(session, *next);
    item = session.queue.cbegin();
  }
}

bool is_put_off(const Session& session, const void* event) {
  return std::ranges::any_of(session.queue, [&](const auto& item) {
    const auto* record = std::get_if<RecordWork>(&item->work);
    return record && record->event == event;
  });
}

}  // namespace headroom::device
