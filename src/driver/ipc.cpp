// Memory and events of other processes: each process has a simulated device of its own. These are refused when they
// are called, and not when somebody asks for their names, as nobody has another way to go.
#include "driver/driver.h"
#include "driver/unsupported.h"

namespace headroom::driver {
namespace {

CUresult refuse(const char* name) { return CUresult(unsupported(name)); }

}  // namespace
}  // namespace headroom::driver

using namespace headroom::driver;
extern "C" {

CUresult cuIpcGetMemHandle(CUipcMemHandle*, CUdeviceptr) { return refuse("cuIpcGetMemHandle"); }
CUresult cuIpcOpenMemHandle(CUdeviceptr*, CUipcMemHandle, unsigned) {
  return refuse("cuIpcOpenMemHandle");
}
CUresult cuIpcCloseMemHandle(CUdeviceptr) { return refuse("cuIpcCloseMemHandle"); }
CUresult cuIpcGetEventHandle(CUipcEventHandle*, CUevent) { return refuse("cuIpcGetEventHandle"); }
CUresult cuIpcOpenEventHandle(CUevent*, CUipcEventHandle) { return refuse("cuIpcOpenEventHandle"); }
}
