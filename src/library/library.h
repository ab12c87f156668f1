// The functions of headroom/library/interface.h, each of which enters the device and turns what goes wrong into a text
// that problem() gives.
//
//   int load_file(const char* path, headroom_program** out) {
//     return answer([&](Session& session) { *out = …; });
//   }
#pragma once
#include <functional>

#include "device/session.h"
#include "headroom/library/interface.h"
#include "model/explanation.h"

namespace headroom::library {

using namespace device;

// 0, or not; what the body throws is the thread's problem from then on.
int answer(const std::function<void(Session&)>& body);
const char* problem();
[[noreturn]] void refuse(const char* what, Status);  // "copy": an address that no memory has

// As HEADROOM_MACHINE would (device/options.h). Refused where another one is imitated already.
int choose(const char* machine);
int machine(const char** name);

int load_file(const char* path, headroom_program**);
int load_image(const void* image, size_t bytes, headroom_program**);
void unload(headroom_program*);
int find_kernel(headroom_program*, const char* name, headroom_kernel**);

int allocate(size_t bytes, void** address);
void release(void* address);
int copy(void* to, const void* from, size_t bytes);
int launch(headroom_kernel*, const headroom_shape*, const headroom_argument*, size_t arguments,
           size_t* index);

size_t launches();
int describe(size_t launch, headroom_launch*);
int figure(size_t launch, const char* name, headroom_figure*);
int figures(size_t launch, void (*take)(void*, const headroom_figure*), void* to);
int floors(size_t launch, void (*take)(void*, const headroom_floor*), void* to);
int stalls(size_t launch, void (*take)(void*, const headroom_stall*), void* to);
int advice(size_t launch, void (*take)(void*, const headroom_advice*), void* to);
int findings(size_t launch, void (*take)(void*, const headroom_finding*), void* to);

}  // namespace headroom::library
