#include "sim/undefined.h"

#include <string_view>

namespace headroom::sim {
namespace {

constexpr const char* define_it =
    "define it in a file that is built with PTX and linked: nvcc -rdc=true";
// How nvcc spells the functions of the runtime that kernels may call (libcudadevrt): the runtime
// has them as machine code.
constexpr std::string_view device_runtime = "__cudaCDP2";

bool launches(std::string_view name) {
  return name.find("Launch") != name.npos || name.find("ParameterBuffer") != name.npos;
}

}  // namespace

Undefined undefined_function(const std::string& name) {
  if (!name.starts_with(device_runtime))
    return {"function '" + name + "' is declared but defined nowhere", define_it};
  if (launches(name))
    return {"a kernel that launches a kernel (dynamic parallelism) is not supported",
            "launch from the host"};
  return {"cuda" + name.substr(device_runtime.size()) + " is not supported in kernels",
          "call it on the host"};
}

Undefined undefined_variable(const std::string& name) {
  return {"variable '" + name + "' is declared but defined nowhere", define_it};
}

}  // namespace headroom::sim
