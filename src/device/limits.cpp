#include "device/limits.h"

namespace headroom::device {
namespace {

// What a driver of CUDA 13.0 says on an H200 before anything is set.
uint64_t default_limit(Limit limit) {
  switch (limit) {
    case Limit::stack: return 1024;
    case Limit::printf: return 8650752;
    case Limit::heap: return 8388608;
    case Limit::pending_launches: return 2048;
    case Limit::l2_fetch: return 64;
    default: return 0;
  }
}

}  // namespace

uint64_t limit_of(const Session& session, int device, Limit limit) {
  const auto limits = session.limits.find(device);
  if (limits == session.limits.end()) return default_limit(limit);
  const auto found = limits->second.find(int(limit));
  return found == limits->second.end() ? default_limit(limit) : found->second;
}

}  // namespace headroom::device
