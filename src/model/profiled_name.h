// A kernel's name as Nsight Compute prints it: without namespaces, with casts before numbers, and with parameters of
// a template by their place. By what is left both sides can be matched.
//
//   profiled_name("void sgemm::tile<float, 4>(sgemm::Problem)")   "tile<float,4>"
//   profiled_name("void tile<float, (int)4>(T1 *)")               "tile<float,4>"
#pragma once
#include <string>

namespace headroom {

std::string profiled_name(std::string kernel);

}  // namespace headroom
