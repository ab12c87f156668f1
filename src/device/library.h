// Code loaded at run time: an image in memory or in a file becomes a library, which is a Binary with
// kernels and variables found by their names.
//
//   Binary& library = load_library(session, image_at(ptx_text));
//   library.kernels[0]->name     "scale"
#pragma once
#include <vector>

#include "device/registry.h"
#include "device/session.h"

namespace headroom::device {

// The bytes of an image, which says itself how long it is.
std::vector<std::byte> image_at(const void*);

Binary& load_library(Session&, std::vector<std::byte> image);  // throws Failure
void unload_library(Session&, Binary&);

// Code that calls a function which nobody defines: throws Failure as a driver answers. PTX that it compiles is
// refused as a whole; of machine code it does not find the kernel.
void require_defined(Session&, Binary&);
void require_defined(Session&, Kernel&);

// On the thread's device. not_found: the library has none of that name and kind.
struct Placed {
  uint64_t address = 0, bytes = 0;
};
Status find_variable(Session&, Binary&, const char* name, bool managed, Placed& out);

}  // namespace headroom::device
