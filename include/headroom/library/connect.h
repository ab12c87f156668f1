// Finds the functions of interface.h in the stand-in runtime: the one that `headroom run` preloaded, else the one that
// CMake's package names (HEADROOM_STAND_IN), which is then loaded beside whatever CUDA the process has.
//
//   functions().load_file("saxpy.ptx", &program)
#pragma once
#include <dlfcn.h>

#include <string>

#include "headroom/library/error.h"
#include "headroom/library/interface.h"

namespace headroom::library {

inline constexpr const char* entry =
    "headroom_library_1";  // its parameters are those of interface.h

// Null: the process was not started by `headroom run`.
inline const headroom_functions* preloaded() {
  static const auto all = [] {
    const auto find = reinterpret_cast<decltype(&headroom_library_1)>(dlsym(RTLD_DEFAULT, entry));
    return find ? find() : nullptr;
  }();
  return all;
}

inline const headroom_functions* loaded() {
#ifdef HEADROOM_STAND_IN
  void* const object = dlopen(HEADROOM_STAND_IN, RTLD_NOW | RTLD_LOCAL);
  if (!object) throw Error(std::string("headroom: ") + dlerror());
  const auto find = reinterpret_cast<decltype(&headroom_library_1)>(dlsym(object, entry));
  if (!find)
    throw Error(std::string("headroom: ") + HEADROOM_STAND_IN +
                " is of another release than the headers: build the test again");
  return find();
#else
  throw Error(
      "headroom: there is no executor in this process; start it by: headroom run -- ./test, or "
      "link "
      "with CMake's headroom::headroom");
#endif
}

inline const headroom_functions& functions() {
  static const headroom_functions* const all = preloaded() ? preloaded() : loaded();
  return *all;
}

inline void check(int failure) {
  if (failure) throw Error(functions().problem());
}

}  // namespace headroom::library
