// Where the installed files lie, seen from the running program: it may be moved as a whole.
//
//   /opt/headroom/bin/headroom  ->  /opt/headroom/lib/headroom/libcudart.so.13
#pragma once
#include <string>

namespace headroom {

// What the CUDA driver loads into a program that is timed. Throws Error as below.
std::string inject_library();

// The stand-in that is preloaded. Throws Error when it does not lie where it is installed.
std::string stand_in_library();

// The same by the driver's name, libcuda.so.1. Throws Error as above.
std::string driver_library();

// What tells the stand-in which files the dynamic loader has loaded. Throws Error as above.
std::string audit_library();

// What Python finds first (python/): headroom's package, and what starts with Python. Throws Error as above.
std::string python_folder();

// The folder of the probes, "…/lib/headroom/probes". Throws Error when it is not there.
std::string probe_folder();

}  // namespace headroom
