// Why a name that a kernel uses and no PTX defines cannot be had, in words for the user.
//
//   "__cudaCDP2LaunchDeviceV2" --> a kernel that launches a kernel is not supported
//   "helper"                   --> function 'helper' is declared but defined nowhere
#pragma once
#include <string>

namespace headroom::sim {

struct Undefined {
  std::string what, hint;
};
Undefined undefined_function(const std::string& name);
Undefined undefined_variable(const std::string& name);

}  // namespace headroom::sim
