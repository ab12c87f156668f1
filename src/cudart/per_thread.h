// Calls whose unnamed stream is the thread's own: nvcc --default-stream per-thread gives them other
// names. Each is made from the plain one.
//
//   HEADROOM_PER_THREAD(cudaMemcpyAsync, cudaMemcpyAsync_ptsz)
//
// The signature is the plain one's, so the body is a template; what has its C name is chosen when
// the library is loaded.
#pragma once
#include "cudart/api.h"
#include "device/stream.h"

namespace headroom::cudart {

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

}  // namespace headroom::cudart

#define HEADROOM_PER_THREAD(plain, own)                                                 \
  extern "C" __attribute__((visibility("hidden"),                                       \
                            no_sanitize("address"))) decltype(&plain) resolve_##own() { \
    return &headroom::cudart::PerThread<&plain>::call;                                  \
  }                                                                                     \
  extern "C" __attribute__((ifunc("resolve_" #own), visibility("default"))) decltype(plain) own;
