// Functions of the API whose unnamed stream is the thread's own: what programs call that were compiled with
// CUDA_API_PER_THREAD_DEFAULT_STREAM, and what cuGetProcAddress gives where that is asked for.
//
//   HEADROOM_PER_THREAD(cuLaunchKernel, cuLaunchKernel_ptsz)
//
// The signature is the plain one's, so the body is a template; what has its C name is chosen when the library
// is loaded.
#pragma once
#include "device/stream.h"
#include "driver/driver.h"

namespace headroom::driver {

template <auto Plain>
struct PerThread;
// Hidden, so that its address needs no relocation: a program's library may ask before ours is ready.
template <class... Arguments, CUresult (*Plain)(Arguments...)>
struct __attribute__((visibility("hidden"))) PerThread<Plain> {
  static CUresult call(Arguments... arguments) {
    NullIsPerThread scope;
    return Plain(arguments...);
  }
};

}  // namespace headroom::driver

#define HEADROOM_PER_THREAD(plain, own)                                                 \
  extern "C" __attribute__((visibility("hidden"),                                       \
                            no_sanitize("address"))) decltype(&plain) resolve_##own() { \
    return &headroom::driver::PerThread<&plain>::call;                                  \
  }                                                                                     \
  extern "C" __attribute__((ifunc("resolve_" #own), visibility("default"))) decltype(plain) own;
