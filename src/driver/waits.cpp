// Calls that wait for work, or ask whether it is done.
#include "device/wait.h"
#include "driver/driver.h"

namespace headroom::driver {

CUresult context_synchronise() {
  return answer(Need::wait,
                [](Session& session) { return wait_for_device(session, "cuCtxSynchronize"); });
}

CUresult stream_synchronise(CUstream stream) {
  return answer(Need::wait, [&](Session& session) {
    return wait_for_stream(session, stream, "cuStreamSynchronize");
  });
}

CUresult stream_query(CUstream stream) {
  return answer(Need::wait,
                [&](Session& session) { return ask_stream(session, stream, "cuStreamQuery"); });
}

}  // namespace headroom::driver
