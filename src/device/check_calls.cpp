#include "device/check_calls.h"

#include <fmt/format.h>

#include <map>

#include "device/host_frames.h"
#include "sim/simulate.h"

namespace headroom::device {
namespace {

constexpr struct {
  Place place;
  const char *what, *function;
} places[] = {{Place::device, "device memory", "cudaFree"},
              {Place::managed, "managed memory", "cudaFree"},
              {Place::pinned, "pinned memory", "cudaFreeHost"},
              {Place::registered, "registered host memory", "cudaHostUnregister"}};

}  // namespace

void note_error(Session& session, const std::string& function, const std::string& code,
                const std::string& text) {
  if (!session.options.check.api) return;
  Finding finding;
  finding.kind = "api_error";
  finding.what = fmt::format("{} returned {}: {}", function, code, text);
  finding.advice = "look at what every call returns, and end or mend what cannot go on";
  finding.source = host_frames();
  session.journal.finding(finding);
}

void begin_work(Session& session, const Stream& stream) {
  if (session.timeline.is_kept)
    sim::check::begin_work(*session.checker, session.timeline.begin(stream));
}

void note_ordered(Session& session, const Stream& stream, uint64_t address, uint64_t bytes,
                  const char* what) {
  if (!session.timeline.is_kept) return;
  begin_work(session, stream);
  sim::check::touches(*session.checker, address, bytes, true, what);
  tell_of_races(session);
}

void tell_of_races(Session& session) {
  for (const Finding& finding : sim::check::take_findings(*session.checker))
    session.journal.finding(finding);
}

void note_leaks(Session& session) {
  if (!session.options.check.leaks) return;
  struct Left {
    uint64_t count = 0, bytes = 0, begin = 0;
  };
  for (const auto& [place, what, function] : places) {
    std::map<std::string, Left> left;  // by who allocated it
    for (const auto& [begin, memory] : session.allocations.all()) {
      if (memory.place != place) continue;
      Left& here = left[memory.site];
      if (!here.count) here.begin = begin;
      ++here.count;
      here.bytes += memory.bytes;
    }
    for (const auto& [site, here] : left) {
      Finding finding;
      finding.kind = "leak";
      finding.what = fmt::format("{} {} of {}, {} bytes, never freed", here.count,
                                 here.count == 1 ? "allocation" : "allocations", what, here.bytes);
      finding.address = here.begin;
      finding.advice = fmt::format("{} it before the program ends", function);
      finding.source = site;
      session.journal.finding(finding);
    }
  }
}

}  // namespace headroom::device
