#include "device/host_pages.h"

#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <algorithm>
#include <atomic>
#include <utility>

#include "device/enter.h"
#include "device/handlers.h"
#include "device/host_frames.h"
#include "sim/simulate.h"

namespace headroom::device {
namespace {

constexpr uint64_t page_bytes = 4096, most_bytes = 1 << 20;  // of an allocation, from its begin

struct Run {  // of pages in a row
  uint64_t begin = 0, end = 0;
  bool written = false;
};

// One of the process, as signals are.
struct Taken {
  std::vector<uint32_t> work;  // that has touched the pages
  std::vector<Run> runs;
  uint32_t told = 0;     // up to this work nothing more is looked for
  uint64_t version = 0;  // of the memory, when the runs were found
  int calls = 0;         // that go on: one may wait, and let others in
  bool over = false;
  std::atomic<bool> active = false;             // the pages are taken now
  std::atomic<uint64_t> low = ~0ull, high = 0;  // where such have been
  std::atomic<bool> watches = false;            // the handler is ours
  struct sigaction before {};                   // the program's
};
Taken& taken() {
  static auto* only = new Taken;
  return *only;
}

void protect(const Run& run, int access) {
  mprotect(reinterpret_cast<void*>(run.begin), run.end - run.begin, access);
}

bool is_of_host(const Allocation& memory) {
  return memory.place == Place::managed || memory.place == Place::pinned;
}

// A page of two allocations is left to the program.
void find_runs(Session& session, std::vector<uint32_t> work) {
  Taken& all = taken();
  if (work == all.work && all.version == session.memory.version()) return;
  all.work = std::move(work);
  all.version = session.memory.version();
  all.runs.clear();
  if (all.work.empty()) return;
  uint64_t end_of_last = 0;
  for (const auto& [begin, memory] : session.allocations.all()) {
    if (!is_of_host(memory)) continue;
    const uint64_t last_end = std::exchange(end_of_last, begin + memory.bytes);
    const uint64_t end = begin + std::min(memory.bytes, most_bytes);
    const auto next = session.allocations.all().upper_bound(begin);
    for (const sim::check::HostPage& page :
         sim::check::host_pages(*session.checker, all.work, begin, end)) {
      if (page.begin < last_end ||
          (next != session.allocations.all().end() && is_of_host(next->second) &&
           next->first < page.begin + page_bytes))
        continue;
      if (!all.runs.empty() && all.runs.back().end == page.begin &&
          all.runs.back().written == page.written)
        all.runs.back().end += page_bytes;
      else
        all.runs.push_back({page.begin, page.begin + page_bytes, page.written});
    }
  }
}

bool is_a_write([[maybe_unused]] const void* context) {
#ifdef __x86_64__
  constexpr int of_a_write = 2;
  return static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_ERR] & of_a_write;
#else
  return false;
#endif
}

std::string place_of([[maybe_unused]] const void* context) {
#ifdef __x86_64__
  return host_place(reinterpret_cast<const void*>(
             static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP])) +
         "\n";
#else
  return "";
#endif
}

void tell(Session& session, uint64_t address, const void* context) {
  Taken& all = taken();
  if (all.work.empty()) return;
  if (auto finding =
          sim::check::host_access(*session.checker, all.work, address, is_a_write(context))) {
    finding->source = place_of(context) + host_frames();
    session.journal.finding(*finding);
  }
  all.told = all.work.back();
}

void pass_on(int signal, siginfo_t* info, void* context) {
  const struct sigaction before = taken().before;
  const bool is_own = before.sa_flags & SA_SIGINFO ||
                      (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN);
  if (!is_own || before.sa_flags & int(SA_RESETHAND)) {
    taken().watches = false;
    struct sigaction gone {};
    sigaction(SIGSEGV, &gone, nullptr);
    if (!is_own) return;  // the instruction runs again, and ends the process
  }
  sigset_t mask;
  pthread_sigmask(SIG_BLOCK, &before.sa_mask, &mask);
  if (before.sa_flags & SA_SIGINFO)
    before.sa_sigaction(signal, info, context);
  else
    before.sa_handler(signal);
  pthread_sigmask(SIG_SETMASK, &mask, nullptr);
}

void on_fault(int signal, siginfo_t* info, void* context) {
  static thread_local int again = 0;
  constexpr int patience = 10000;
  const auto address = reinterpret_cast<uint64_t>(info->si_addr);
  Taken& all = taken();
  if (address < all.low || address >= all.high || ++again > patience)
    return pass_on(signal, info, context);
  if (!all.active) {  // another thread's call has just given the pages back
    sched_yield();
    return;
  }
  enter(Need::facts, [&](Session& session) {
    tell(session, address, context);
    return Status::ok;
  });
  again = 0;
}

bool is_mine(const struct sigaction& one) {
  return one.sa_flags & SA_SIGINFO && one.sa_sigaction == on_fault;
}

// Again before each time: the program may have set its own past handlers.h.
void watch() {
  sigset_t faults;
  sigemptyset(&faults);
  sigaddset(&faults, SIGSEGV);
  pthread_sigmask(SIG_UNBLOCK, &faults, nullptr);
  struct sigaction now {};
  sigaction(SIGSEGV, nullptr, &now);
  if (is_mine(now)) return;
  taken().before = now;
  struct sigaction mine {};
  mine.sa_sigaction = on_fault;
  mine.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigaction(SIGSEGV, &mine, nullptr);
  taken().watches = true;
}

void give() {
  Taken& all = taken();
  if (!all.active) return;
  for (const Run& run : all.runs) protect(run, PROT_READ | PROT_WRITE);
  all.active = false;
}

void take(Session& session) {
  Taken& all = taken();
  if (all.over || !session.timeline.is_kept || !session.checker) return;
  std::vector<uint32_t> work = session.timeline.pending();
  std::erase_if(work, [&](uint32_t id) { return id <= all.told; });
  find_runs(session, std::move(work));
  if (all.runs.empty()) return;
  watch();
  for (const Run& run : all.runs) {
    all.low = std::min(all.low.load(), run.begin);
    all.high = std::max(all.high.load(), run.end);
  }
  all.active = true;
  for (const Run& run : all.runs) protect(run, run.written ? PROT_NONE : PROT_READ);
}

}  // namespace

HostPages::HostPages(Session& session) : session_(session) {
  give();
  ++taken().calls;
}
HostPages::~HostPages() {
  if (--taken().calls == 0) take(session_);
}

void give_host_pages() {
  give();
  taken().over = true;
}

}  // namespace headroom::device

using headroom::device::taken;

bool headroom_keep_handler(int signal, const struct sigaction* now, struct sigaction* before) {
  if (signal != SIGSEGV || !taken().watches || (now && headroom::device::is_mine(*now)))
    return false;
  const struct sigaction last = taken().before;
  if (now) taken().before = *now;
  if (before) *before = last;
  return true;
}

bool headroom_needs_faults() { return taken().watches; }
