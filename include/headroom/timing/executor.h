// Whether this program runs on headroom's executor (`headroom run`), where no GPU is and calls are
// synchronous: the runtime library that answers it is then headroom's,
// lib/headroom/libcudart.so.13.
#pragma once
#if defined(__linux__)
#include <dlfcn.h>
#endif

#include <string>

namespace headroom::timing {

inline bool on_executor() {
#if defined(__linux__)
  Dl_info place{};
  void* call = dlsym(RTLD_DEFAULT, "cudaEventElapsedTime");
  if (!call || !dladdr(call, &place) || !place.dli_fname) return false;
  const std::string suffix = "/headroom/libcudart.so.13", path = place.dli_fname;
  return path.size() >= suffix.size() &&
         path.compare(path.size() - suffix.size(), suffix.size(), suffix) == 0;
#else
  return false;
#endif
}

}  // namespace headroom::timing
