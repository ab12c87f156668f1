// The ways into the device, and the thread's last error (api.h).
#include "cudart/api.h"

#include "cudart/unsupported.h"
#include "device/enter.h"

namespace headroom::cudart {
namespace {

thread_local cudaError_t last_error = cudaSuccess;

// The body's own code may be one that only this API has. A function of the program that it runs
// (host functions, destructors of objects) has errors of its own: the thread's last one stays.
cudaError_t entered(Need need, const Body& body) {
  const cudaError_t before = last_error;
  cudaError_t code = cudaSuccess;
  const Status status = enter(need, [&](Session& session) {
    code = body(session);
    return Status::ok;
  });
  last_error = before;
  return fail(failed(status) ? code_of(status) : code);
}

__attribute__((destructor)) void at_exit() { end_journal(); }

}  // namespace

cudaError_t query(const Body& body) { return entered(Need::facts, body); }
cudaError_t call(const Body& body) { return entered(Need::device, body); }
cudaError_t synchronising(const Body& body) { return entered(Need::wait, body); }

cudaError_t fail(cudaError_t code) {
  // cudaErrorNotReady is an answer, not an error, and leaves the last error alone.
  if (code != cudaSuccess && code != cudaErrorNotReady) last_error = code;
  return code;
}

int unsupported(const char* name) {
  std::string text =
      std::string(name) + " is not supported yet: the program gets cudaErrorNotSupported";
  return query([&](Session& all) {
    say(text);
    all.journal.unsupported(name);
    return cudaErrorNotSupported;
  });
}

}  // namespace headroom::cudart

using namespace headroom::cudart;
extern "C" {

cudaError_t cudaGetLastError() {
  cudaError_t error = last_error;
  last_error = cudaSuccess;
  return error;
}

cudaError_t cudaPeekAtLastError() { return last_error; }
}
