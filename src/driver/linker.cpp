// Linking (device/linker.h): PTX, machine code, fat binaries and archives become one image.
//
//   cuLinkCreate(0, nullptr, nullptr, &state);   cuLinkAddData(state, CU_JIT_INPUT_PTX, text, size, "a", 0, …);
//   cuLinkComplete(state, &cubin, &size);        the image is the state's
#include "device/linker.h"

#include <map>

#include "base/read_file.h"
#include "driver/driver.h"
#include "driver/jit_options.h"

namespace headroom::driver {
namespace {

static_assert(int(Input::cubin) == CU_JIT_INPUT_CUBIN && int(Input::ptx) == CU_JIT_INPUT_PTX &&
              int(Input::fat_binary) == CU_JIT_INPUT_FATBINARY &&
              int(Input::object) == CU_JIT_INPUT_OBJECT &&
              int(Input::library) == CU_JIT_INPUT_LIBRARY);

// Where the program wants to read what is wrong; its arrays live as long as the state.
std::map<const Linker*, JitOptions>& options_of() {
  static auto& all = *new std::map<const Linker*, JitOptions>;
  return all;
}

CUresult with_linker(CUlinkState handle, const std::function<Status(Session&, Linker&)>& body) {
  return in_context([&](Session& session) {
    Linker* linker = find_linker(session, handle);
    if (!linker) return Status::invalid_handle;
    const Status status = body(session, *linker);
    if (failed(status)) options_of()[linker].write(linker->errors);
    return status;
  });
}

CUresult add_input(CUlinkState state, CUjitInputType kind, std::span<const std::byte> bytes,
                   const char* name) {
  return with_linker(state, [&](Session& session, Linker& linker) {
    return add(session, linker,
               {Input::Kind(kind), {bytes.begin(), bytes.end()}, name ? name : "input"});
  });
}

}  // namespace
}  // namespace headroom::driver

using namespace headroom::driver;
extern "C" {

CUresult cuLinkCreate(unsigned count, CUjit_option* names, void** values, CUlinkState* out) {
  return in_context([&](Session& session) {
    if (!out || (count && (!names || !values))) return Status::invalid_value;
    const JitOptions options(count, names, values);
    Linker& linker = make_linker(session, options.of_assembler());
    options_of()[&linker] = options;
    *out = reinterpret_cast<CUlinkState>(&linker);
    return Status::ok;
  });
}

CUresult cuLinkAddData(CUlinkState state, CUjitInputType kind, void* data, size_t size,
                       const char* name, unsigned, CUjit_option*, void**) {
  if (!data) return CUDA_ERROR_INVALID_VALUE;
  return add_input(state, kind, {static_cast<const std::byte*>(data), size}, name);
}

CUresult cuLinkAddFile(CUlinkState state, CUjitInputType kind, const char* path, unsigned,
                       CUjit_option*, void**) {
  if (!path) return CUDA_ERROR_INVALID_VALUE;
  const auto text = headroom::read_file(path, headroom::no_file_limit);
  if (!text) return CUDA_ERROR_FILE_NOT_FOUND;
  return add_input(state, kind, std::as_bytes(std::span(*text)), path);
}

CUresult cuLinkComplete(CUlinkState state, void** code, size_t* size) {
  return with_linker(state, [&](Session& session, Linker& linker) {
    if (!code) return Status::invalid_value;
    const Status status = complete(session, linker);
    if (failed(status)) return status;
    options_of()[&linker].write("");
    *code = linker.code.data();
    if (size) *size = linker.code.size();
    return Status::ok;
  });
}

CUresult cuLinkDestroy(CUlinkState state) {
  return with_linker(state, [](Session& session, Linker& linker) {
    options_of().erase(&linker);
    destroy(session, linker);
    return Status::ok;
  });
}
}
