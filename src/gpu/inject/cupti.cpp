#include "gpu/inject/cupti.h"

#include <dlfcn.h>

#include <cstdlib>

namespace headroom::inject {
namespace {

using trace::Cause;

struct Function {
  const char* name;
  void** place;
};

void* open_library(std::string& said) {
  for (const char* name : {"libcupti.so.13", "libcupti.so.12"})
    if (void* there = dlopen(name, RTLD_NOW | RTLD_NOLOAD)) return there;
  const char* chosen = getenv("HEADROOM_CUPTI");
  void* library = dlopen(chosen && *chosen ? chosen : "libcupti.so.13", RTLD_NOW | RTLD_LOCAL);
  if (!library) said = dlerror();
  return library;
}

// Of CUDA 12.0 (19) to 12.9, where versions count up, and of CUDA 13, where they are 13yyzz.
bool known(uint32_t version) { return (version >= 19 && version < 100) || version / 10000 == 13; }

}  // namespace

std::optional<Failure> load(Cupti& cupti) {
  std::string said;
  void* library = open_library(said);
  if (!library) return Failure{{Cause::no_cupti, 0}, said};
  const Function functions[] = {
      {"cuptiGetVersion", reinterpret_cast<void**>(&cupti.get_version)},
      {"cuptiGetResultString", reinterpret_cast<void**>(&cupti.result_string)},
      {"cuptiSubscribe", reinterpret_cast<void**>(&cupti.subscribe)},
      {"cuptiEnableCallback", reinterpret_cast<void**>(&cupti.enable_callback)},
      {"cuptiActivityRegisterCallbacks", reinterpret_cast<void**>(&cupti.register_callbacks)},
      {"cuptiActivitySetAttribute", reinterpret_cast<void**>(&cupti.set_attribute)},
      {"cuptiActivityEnable", reinterpret_cast<void**>(&cupti.activity_enable)},
      {"cuptiActivityGetNextRecord", reinterpret_cast<void**>(&cupti.next_record)},
      {"cuptiActivityGetNumDroppedRecords", reinterpret_cast<void**>(&cupti.dropped_records)},
      {"cuptiActivityFlushAll", reinterpret_cast<void**>(&cupti.flush_all)}};
  for (const Function& function : functions) {
    *function.place = dlsym(library, function.name);
    if (!*function.place) return Failure{{Cause::no_function, 0}, function.name};
  }
  if (const auto failed = failure(cupti, "cuptiGetVersion", cupti.get_version(&cupti.version)))
    return failed;
  if (!known(cupti.version)) return Failure{{Cause::version, int32_t(cupti.version)}, ""};
  return std::nullopt;
}

std::optional<Failure> failure(const Cupti& cupti, const char* call, CUptiResult result) {
  if (result == CUPTI_SUCCESS) return std::nullopt;
  const char* said = nullptr;
  cupti.result_string(result, &said);
  return Failure{{Cause::call, int32_t(result)}, std::string(call) + ": " + (said ? said : "?")};
}

}  // namespace headroom::inject
