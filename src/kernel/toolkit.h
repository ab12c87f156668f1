// Where NVIDIA's CUDA toolkit lies, of which headroom starts ptxas and nvlink: an installed one, or
// the parts of it that pip installs.
//
//   toolkits()          ->  {{"/usr/local/cuda/bin", "CUDA_HOME"},
//                            {"…/site-packages/nvidia/cu13/bin", "Python packages", true}}
//   find_tool("ptxas")  ->  "/usr/local/cuda/bin/ptxas"
#pragma once
#include <string>
#include <vector>

namespace headroom {

struct Toolkit {
  std::string bin;       // the folder of its programs; it need not exist
  const char* known_by;  // why it is looked at
  bool is_package = false;
};

// In the order in which they are looked at: HEADROOM_TOOLKIT alone where it is set; else CUDA_HOME,
// CUDA_PATH, PATH, the usual folders, and the Python packages beside headroom and beside PATH.
std::vector<Toolkit> toolkits();

// A program of the first toolkit that has it; "" where none has.
std::string find_tool(const std::string& name);
// Of all toolkits that have it.
std::vector<std::string> find_tools(const std::string& name);

// A file of the libraries of a toolkit, beside the folder of this program of it; "" where it has none.
//
//   toolkit_library("/usr/local/cuda/bin/ptxas", "libcudadevrt.a")
//     ->  "/usr/local/cuda/lib64/libcudadevrt.a"
std::string toolkit_library(const std::string& tool, const std::string& name);
// Of all toolkits that have it; first that of the Python packages among which `beside` lies, a file of a program.
std::vector<std::string> find_toolkit_libraries(const std::string& name,
                                                const std::string& beside = "");

// What to do where a part of it is missing.
inline constexpr const char* get_the_toolkit =
    "pip install nvidia-cuda-nvcc, install the CUDA 13 toolkit, or set CUDA_HOME to its folder";

}  // namespace headroom
