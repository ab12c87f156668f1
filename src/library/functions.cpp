// The one function that is seen from outside, and the table that it gives.
#include "base/error.h"
#include "device/enter.h"
#include "library/library.h"

namespace headroom::library {
namespace {

thread_local std::string last_problem;

}  // namespace

// The device's own message would go to the terminal; here it is the caller's.
int answer(const std::function<void(Session&)>& body) {
  last_problem.clear();
  const Status status = enter(Need::device, [&](Session& session) {
    try {
      body(session);
      return Status::ok;
    } catch (const Failure& failure) {
      last_problem = failure.error.what();
      return failure.status;
    } catch (const Error& error) {
      last_problem = error.what();
      return Status::invalid_value;
    }
  });
  if (failed(status) && last_problem.empty())
    last_problem = status == Status::not_initialized
                       ? "there is no device; the message on standard error says why"
                       : "an earlier kernel's fault ended the CUDA work of this process";
  return int(status);
}

const char* problem() { return last_problem.c_str(); }

void refuse(const char* what, Status status) {
  const char* why = status == Status::out_of_memory   ? "the machine's memory is full"
                    : status == Status::invalid_value ? "no memory has these addresses"
                                                      : "it is not possible now";
  throw Failure{status, Error{what, why}};
}

}  // namespace headroom::library

#pragma GCC visibility push(default)
const headroom_functions* headroom_library_1() {
  using namespace headroom::library;
  static const headroom_functions all{
      problem,  choose,  machine, load_file, load_image, unload,   find_kernel,
      allocate, release, copy,    launch,    launches,   describe, figure,
      figures,  floors,  stalls,  advice,    findings,
  };
  return &all;
}
#pragma GCC visibility pop
