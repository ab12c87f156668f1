// Errors are values with an address: where it happened, what is wrong, what to do about it.
//
//   throw Error{"saxpy.ptx:12:5", "unknown form 'add.ftz.rn.f32'", "did you mean 'add.rn.ftz.f32'?"};
//
// prints (once, in main)
//
//   headroom: saxpy.ptx:12:5: unknown form 'add.ftz.rn.f32'
//     hint: did you mean 'add.rn.ftz.f32'?
#pragma once
#include <exception>
#include <string>

namespace headroom {

struct Error : std::exception {
  std::string where;    // file:line:column, command line, kernel …; may be empty
  std::string problem;  // one sentence
  std::string hint;     // what to do; may be empty
  int exit_code;        // 125 bad input, 126 cannot run, 127 not found (as env and timeout do)

  Error(std::string where, std::string problem, std::string hint = "", int exit_code = 125);
  const char* what() const noexcept override { return text.c_str(); }

 private:
  std::string text;
};

// A number in a result that deserves doubt.
struct Caveat {
  std::string what, cause, advice;
  friend bool operator==(const Caveat&, const Caveat&) = default;
};

}  // namespace headroom
