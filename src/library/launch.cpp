// Memory, and launches with arguments that are looked at: a kernel's parameters are known by their sizes.
#include <fmt/format.h>

#include <cstdlib>

#include "device/copy.h"
#include "device/execute.h"
#include "device/memory.h"
#include "device/modules.h"
#include "device/submit.h"
#include "library/library.h"

namespace headroom::library {
namespace {

LaunchShape shape_of(const headroom_shape& asked) {
  const auto dim = [](const unsigned(&d)[3]) { return Dim3{d[0], d[1], d[2]}; };
  LaunchShape shape;
  shape.grid = dim(asked.grid);
  shape.block = dim(asked.block);
  if (asked.cluster[0] || asked.cluster[1] || asked.cluster[2]) shape.cluster = dim(asked.cluster);
  shape.dynamic_shared = asked.dynamic_shared;
  shape.cooperative = asked.cooperative != 0;
  return shape;
}

std::vector<void*> checked(Session& session, Kernel& kernel, const headroom_argument* given,
                           size_t count) {
  const auto& parameters = function(session, kernel).parameters;
  if (parameters.size() != count)
    throw Error{demangle(kernel.name),
                fmt::format("takes {} arguments, and {} were given", parameters.size(), count)};
  std::vector<void*> pointers;
  for (size_t i = 0; i < count; ++i) {
    if (given[i].bytes != parameters[i].bytes)
      throw Error{
          demangle(kernel.name),
          fmt::format("its argument {} has {} bytes, and a value of {} was given", i + 1,
                      parameters[i].bytes, given[i].bytes),
          "give a value of the parameter's own type: 2.0f for a float, an array for a pointer"};
    pointers.push_back(const_cast<void*>(given[i].value));
  }
  return pointers;
}

// Dynamic shared memory beyond 48 KiB without having to ask for it: a launch says how much.
void allow_shared(Kernel& kernel, uint64_t bytes) {
  if (int(bytes) > kernel.max_dynamic_shared.value_or(0)) kernel.max_dynamic_shared = int(bytes);
}

}  // namespace

int allocate(size_t bytes, void** address) {
  return answer([&](Session& session) {
    uint64_t at = 0;
    const Status status = device::allocate(session, bytes, Place::device, current_device(), at);
    if (failed(status)) refuse("allocation", status);
    *address = reinterpret_cast<void*>(at);
  });
}

void release(void* address) {
  answer([&](Session& session) { device::release(session, reinterpret_cast<uint64_t>(address)); });
}

int copy(void* to, const void* from, size_t bytes) {
  return answer([&](Session& session) {
    CopyWork work;
    work.to.memory = {to, bytes, bytes, 1};
    work.from.memory = {const_cast<void*>(from), bytes, bytes, 1};
    work.extent = {bytes, 1, 1};
    const Status status =
        work.empty() ? Status::ok : perform(session, work, *find_stream(session, nullptr));
    if (failed(status)) refuse("copy", status);
  });
}

// A fault of the kernel is in the launch's findings, where a test looks for it, and does not end the process's CUDA
// work as it would on a GPU: the next test goes on.
int launch(headroom_kernel* handle, const headroom_shape* shape, const headroom_argument* given,
           size_t count, size_t* index) {
  return answer([&](Session& session) {
    Kernel* const found = registry().kernel(handle);
    if (!found)
      throw Error{"launch", "the kernel's program is unloaded",
                  "keep the headroom::Program as long as its kernels"};
    Kernel& kernel = *found;
    std::vector<void*> arguments = checked(session, kernel, given, count);
    session.journal.keep();
    const Status earlier = session.pending;
    const Stream* stream = find_stream(session, nullptr);
    LaunchWork work;
    work.function = handle;
    work.shape = shape_of(*shape);
    work.device = stream->device;
    allow_shared(kernel, work.shape.dynamic_shared);
    const Status prepared = prepare(session, kernel, stream, arguments.data(), work);
    if (failed(prepared)) refuse("launch", prepared);
    execute(session, work, *stream);
    session.pending = earlier;
    *index = session.journal.kept().size() - 1;
  });
}

}  // namespace headroom::library
