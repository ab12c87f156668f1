// What the driver calls: at the program's first CUDA call it loads the library that
// CUDA_INJECTION64_PATH names, and calls InitializeInjection. `headroom run --gpu` sets
//
//   CUDA_INJECTION64_PATH=…/lib/headroom/libheadroom_inject.so
//   HEADROOM_TRACE=/tmp/headroom.x8Qz1a/run     traces go to run.<process>.<n>.activity
//   HEADROOM_CUPTI=…/libcupti.so.13             unless the program has loaded one itself
//
// Nothing here may disturb the program: whatever fails is written down, and the program goes on.
#include <cstdlib>

#include "gpu/inject/ending.h"
#include "gpu/inject/recorder.h"

namespace {

void leave() {
  if (headroom::inject::recorder().is_ours()) headroom::inject::end_in_order();
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int InitializeInjection() {
  static bool called = false;
  const char* prefix = std::getenv("HEADROOM_TRACE");
  if (called || !prefix || !*prefix) return 1;
  called = true;
  if (headroom::inject::recorder().start(prefix)) {
    std::atexit(leave);
    headroom::inject::watch_endings();
  }
  return 1;
}
