// Where CUPTI lies, which comes with a toolkit or as a Python package, not with the driver.
//
//   find_cupti("/opt/venv/bin/python3", 13)  ->  "/usr/local/cuda/lib64/libcupti.so.13"
#pragma once
#include <string>
#include <vector>

namespace headroom {

// The folders to look in, in order, as they would be shown: HEADROOM_CUPTI alone where it is set
// (a file or a folder), else CUDA_HOME, /usr/local/cuda*, the loader's own ("" stands for those),
// and the package nvidia-cuda-cupti beside the program's Python.
std::vector<std::string> cupti_folders(const std::string& program);

// A libcupti that is not newer than the driver. Throws Error with the list of places.
std::string find_cupti(const std::string& program, int driver_major);

}  // namespace headroom
