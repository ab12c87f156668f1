// A libcuda.so.1 that only answers what headroom asks before a program runs, for tests on machines
// without a GPU.
//
//   FAKE_CUDA_DEVICES="NVIDIA H200;NVIDIA A100-SXM4-40GB"   FAKE_CUDA_VERSION=13000
//   FAKE_CUDA_INIT=100                                      what cuInit answers
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string>
#include <vector>

namespace {

int number(const char* variable, int otherwise) {
  const char* value = std::getenv(variable);
  return value ? std::atoi(value) : otherwise;
}

std::vector<std::string> devices() {
  const char* value = std::getenv("FAKE_CUDA_DEVICES");
  std::istringstream list(value ? value : "NVIDIA H200");
  std::vector<std::string> names;
  for (std::string name; std::getline(list, name, ';');) names.push_back(name);
  return names;
}

}  // namespace

extern "C" {
#pragma GCC visibility push(default)

int cuInit(unsigned) { return number("FAKE_CUDA_INIT", 0); }

int cuDriverGetVersion(int* version) {
  *version = number("FAKE_CUDA_VERSION", 13000);
  return 0;
}

int cuDeviceGetCount(int* count) {
  *count = int(devices().size());
  return 0;
}

int cuDeviceGetName(char* name, int size, int device) {
  std::strncpy(name, devices().at(size_t(device)).c_str(), size_t(size));
  return 0;
}

int cuGetErrorString(int error, const char** text) {
  *text = error == 100 ? "no CUDA-capable device is detected" : "an error";
  return 0;
}

#pragma GCC visibility pop
}
