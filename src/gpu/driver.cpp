#include "gpu/driver.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <sstream>

#include "base/error.h"

namespace headroom {
namespace {

constexpr const char* without_gpu = "without a GPU: headroom run -- PROGRAM";

// The few calls of cuda.h that are needed, found at run time.
struct Calls {
  int (*init)(unsigned);
  int (*driver_version)(int*);
  int (*device_count)(int*);
  int (*device_name)(char*, int, int);
  int (*error_text)(int, const char**);
};

template <class Function>
bool find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

// What the child tells, a line each: a word for what went wrong and a text, or the version and then
// the names.
std::string ask_driver() {
  void* library = dlopen("libcuda.so.1", RTLD_NOW);
  if (!library) return fmt::format("missing\n{}\n", dlerror());
  Calls calls;
  if (!find(library, "cuInit", calls.init) ||
      !find(library, "cuDriverGetVersion", calls.driver_version) ||
      !find(library, "cuDeviceGetCount", calls.device_count) ||
      !find(library, "cuDeviceGetName", calls.device_name) ||
      !find(library, "cuGetErrorString", calls.error_text))
    return "missing\nlibcuda.so.1 is no driver of CUDA 12 or 13\n";
  const auto failed = [&](int error) {
    const char* text = nullptr;
    calls.error_text(error, &text);
    return fmt::format("failed\n{}: {}\n", error, text ? text : "unknown");
  };
  int version = 0, count = 0;
  if (const int error = calls.init(0)) return failed(error);
  if (const int error = calls.driver_version(&version)) return failed(error);
  if (const int error = calls.device_count(&count)) return failed(error);
  std::string result = fmt::format("there\n{}\n", version);
  for (int i = 0; i < count; ++i) {
    char name[256] = "";
    if (const int error = calls.device_name(name, sizeof name - 1, i)) return failed(error);
    result += fmt::format("{}\n", name);
  }
  return result;
}

std::string ask_in_child() {
  int ends[2];
  if (pipe(ends) != 0) return "failed\nno pipe\n";
  fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    unsetenv("CUDA_INJECTION64_PATH");
    const std::string answer = ask_driver();
    const bool told = write(ends[1], answer.data(), answer.size()) == ssize_t(answer.size());
    _exit(told ? 0 : 1);
  }
  close(ends[1]);
  std::string answer;
  char part[4096];
  for (ssize_t got; child > 0 && (got = read(ends[0], part, sizeof part)) != 0;)
    if (got > 0)
      answer.append(part, size_t(got));
    else if (errno != EINTR)
      break;
  close(ends[0]);
  int status = 0;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return answer;
}

std::string listed(const std::vector<std::string>& devices) {
  std::string result;
  for (size_t i = 0; i < devices.size(); ++i)
    result += fmt::format("{}{} {}", i ? ", " : "", i, devices[i]);
  return result;
}

}  // namespace

Driver look_at_driver(int wanted) {
  const std::string where = fmt::format("--gpu {}", wanted);
  std::istringstream answer(ask_in_child());
  std::string kind, text;
  std::getline(answer, kind);
  std::getline(answer, text);
  if (kind == "missing")
    throw Error{where, fmt::format("no NVIDIA driver ({})", text),
                fmt::format("install it; a container has to be given the GPU (docker run --gpus "
                            "all); {}",
                            without_gpu)};
  const char* visible = getenv("CUDA_VISIBLE_DEVICES");
  if (kind != "there")
    throw Error{
        where, fmt::format("the driver sees no GPU ({})", text.empty() ? "it crashed" : text),
        visible
            ? fmt::format("CUDA_VISIBLE_DEVICES is '{}': is that right? {}", visible, without_gpu)
            : fmt::format("does nvidia-smi list it? {}", without_gpu)};
  Driver driver;
  driver.version = std::atoi(text.c_str());
  for (std::string name; std::getline(answer, name);) driver.devices.push_back(name);
  if (driver.devices.empty())
    throw Error{where, "the driver sees no GPU",
                fmt::format("does nvidia-smi list it? {}", without_gpu)};
  if (wanted >= int(driver.devices.size()))
    throw Error{where, "there is no GPU of that number", "there are: " + listed(driver.devices)};
  return driver;
}

std::string visible_device(int wanted, const char* visible_now) {
  if (!visible_now) return std::to_string(wanted);
  std::istringstream list(visible_now);
  std::string device;
  for (int i = 0; i <= wanted; ++i)
    if (!std::getline(list, device, ',')) return std::to_string(wanted);
  return device;
}

}  // namespace headroom
