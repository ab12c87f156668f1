// A function of the API whose unnamed stream is the thread's own: what cuGetProcAddress gives where
// CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM is asked for.
//
//   &PerThread<&cuLaunchKernel>::call
#pragma once
#include "device/stream.h"
#include "driver/driver.h"

namespace headroom::driver {

template <auto Plain>
struct PerThread;
template <class... Arguments, CUresult (*Plain)(Arguments...)>
struct PerThread<Plain> {
  static CUresult call(Arguments... arguments) {
    NullIsPerThread scope;
    return Plain(arguments...);
  }
};

}  // namespace headroom::driver
