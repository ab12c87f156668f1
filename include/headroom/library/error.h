// What the library throws: one message that says where, what, and what to do.
//
//   catch (const headroom::Error& error) { puts(error.what()); }
//     saxpy.ptx: has no kernel 'saxby'
//       hint: it has: saxpy(int, float, float const*, float*)
#pragma once
#include <stdexcept>
#include <string>

namespace headroom {

class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace headroom
