// The ways into the device, and the thread's last error (api.h).
#include "cudart/api.h"

#include <string_view>

#include "cudart/unsupported.h"
#include "device/check_calls.h"
#include "device/enter.h"

namespace headroom::cudart {
namespace {

thread_local cudaError_t last_error = cudaSuccess;

// An answer, or no fault of the program's.
bool is_no_fault(cudaError_t code) {
  return code == cudaSuccess || code == cudaErrorNotReady || code == cudaErrorNotSupported ||
         code == cudaErrorCudartUnloading;
}

// A kernel's fault is told of where it happened, not at every call behind it.
void note(Session& session, cudaError_t code, std::string_view function) {
  if (is_no_fault(code) || failed(session.sticky)) return;
  const size_t name = function.find("cuda");  // the compiler's own calls begin with __
  note_error(session, name < 3 ? std::string(function.substr(name)) : "a CUDA call",
             cudaGetErrorName(code), cudaGetErrorString(code));
}

cudaError_t remember(cudaError_t code) {
  // cudaErrorNotReady is an answer, not an error, and leaves the last error alone.
  if (code != cudaSuccess && code != cudaErrorNotReady) last_error = code;
  return code;
}

// The body's own code may be one that only this API has. A function of the program that it runs
// (host functions, destructors of objects) has errors of its own: the thread's last one stays.
cudaError_t entered(Need need, const Body& body, const char* function) {
  const cudaError_t before = last_error;
  if (need != Need::facts) runtime_is_used() = true;
  cudaError_t code = cudaSuccess;
  const Status status = enter(need, [&](Session& session) {
    try {
      code = body(session);
    } catch (const Failure& failure) {
      note(session, code_of(failure.status), function);
      throw;
    }
    note(session, code, function);
    return Status::ok;
  });
  last_error = before;
  return remember(failed(status) ? code_of(status) : code);
}

__attribute__((destructor)) void at_exit() { end_journal(); }

}  // namespace

cudaError_t query(const Body& body, const char* function) {
  return entered(Need::facts, body, function);
}
cudaError_t call(const Body& body, const char* function) {
  return entered(Need::device, body, function);
}
cudaError_t synchronising(const Body& body, const char* function) {
  return entered(Need::wait, body, function);
}

cudaError_t fail(cudaError_t code, const char* function) {
  enter(Need::facts, [&](Session& session) {
    note(session, code, function);
    return Status::ok;
  });
  return remember(code);
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
