// Functions of an API whose unnamed stream is the thread's own: what programs call that were compiled with
// --default-stream per-thread, and what the driver's cuGetProcAddress gives where that is asked for.
//
//   HEADROOM_PER_THREAD(cuLaunchKernel, cuLaunchKernel_ptsz)
//
// The signature is the plain one's, so the body is a template; what has its C name is chosen when the library
// is loaded. Both faces' files of them are made from their symbols.txt.
#pragma once
#include "device/stream.h"

namespace headroom::device {

template <auto Plain>
struct PerThread;
// Hidden, so that its address needs no relocation: a program's library may ask before ours is ready.
template <class Result, class... Arguments, Result (*Plain)(Arguments...)>
struct __attribute__((visibility("hidden"))) PerThread<Plain> {
  static Result call(Arguments... arguments) {
    NullIsPerThread scope;
    return Plain(arguments...);
  }
};

}  // namespace headroom::device

#define HEADROOM_PER_THREAD(plain, own)                                                 \
  extern "C" __attribute__((visibility("hidden"),                                       \
                            no_sanitize("address"))) decltype(&plain) resolve_##own() { \
    return &headroom::device::PerThread<&plain>::call;                                  \
  }                                                                                     \
  extern "C" __attribute__((ifunc("resolve_" #own), visibility("default"))) decltype(plain) own;
