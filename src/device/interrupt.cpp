#include "device/interrupt.h"

#include <csignal>

namespace headroom::device {
namespace {

std::atomic<bool> arrived{false};
struct sigaction programs_own {};  // its handler, while we stand before it

void on_interrupt(int signal, siginfo_t* info, void* context) {
  arrived = true;
  if (programs_own.sa_flags & SA_SIGINFO)
    programs_own.sa_sigaction(signal, info, context);
  else
    programs_own.sa_handler(signal);
}

bool has_handler(const struct sigaction& action) {
  return action.sa_flags & SA_SIGINFO ||
         (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN);
}

}  // namespace

void Interrupt::watch() {
  if (watches_) return;
  struct sigaction now {};
  if (sigaction(SIGINT, nullptr, &now) != 0 || !has_handler(now) ||
      now.sa_sigaction == on_interrupt)
    return;
  programs_own = now;
  arrived = false;
  struct sigaction ours = now;
  ours.sa_sigaction = on_interrupt;
  ours.sa_flags |= SA_SIGINFO;
  watches_ = sigaction(SIGINT, &ours, nullptr) == 0;
}

Interrupt::~Interrupt() {
  if (!watches_) return;
  struct sigaction now {};
  if (sigaction(SIGINT, nullptr, &now) == 0 && now.sa_sigaction == on_interrupt)
    sigaction(SIGINT, &programs_own, nullptr);
  arrived = false;
}

const std::atomic<bool>& Interrupt::flag() const { return arrived; }

}  // namespace headroom::device
