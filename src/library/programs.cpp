// Code of any kind that read_image knows, and its kernels by their names. A program's code is several libraries of the
// device: one a translation unit.
#include <fmt/format.h>

#include <algorithm>

#include "device/library.h"
#include "device/modules.h"
#include "kernel/mapped_file.h"
#include "library/library.h"

struct headroom_program {
  std::string name;
  std::vector<headroom::device::Binary*> parts;
};

namespace headroom::library {
namespace {

std::unique_ptr<headroom_program> load(Session& session, std::string name,
                                       const std::vector<std::span<const std::byte>>& parts) {
  auto program = std::make_unique<headroom_program>();
  program->name = std::move(name);
  try {
    for (const auto& part : parts)
      program->parts.push_back(&load_library(session, {part.begin(), part.end()}));
  } catch (...) {
    for (Binary* part : program->parts) unload_library(session, *part);
    throw;
  }
  return program;
}

// "tiled<16>" for "void tiled<16>(float*, const float*)".
std::string without_parameters(const std::string& name) {
  int depth = 0;
  size_t end = name.size(), begin = 0;
  for (size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '<') ++depth;
    if (name[i] == '>') --depth;
    if (depth) continue;
    if (name[i] == ' ') begin = i + 1;
    if (name[i] == '(') {
      end = i;
      break;
    }
  }
  return name.substr(begin, end - begin);
}

bool is_called(const std::string& mangled, const std::string& asked) {
  if (mangled == asked) return true;
  const std::string name = demangle(mangled);
  return name == asked || without_parameters(name) == asked || short_name(name) == asked;
}

std::string names_of(const std::vector<Kernel*>& kernels) {
  std::string names;
  for (const Kernel* kernel : kernels)
    names += (names.empty() ? "" : ", ") + demangle(kernel->name);
  return names;
}

}  // namespace

int load_file(const char* path, headroom_program** out) {
  return answer([&](Session& session) {
    const MappedFile file(path);
    *out = load(session, path, device_code(file.bytes(), path)).release();
  });
}

int load_image(const void* image, size_t bytes, headroom_program** out) {
  return answer([&](Session& session) {
    const std::span code(static_cast<const std::byte*>(image), bytes);
    *out = load(session, "image", device_code(code, "image")).release();
  });
}

void unload(headroom_program* program) {
  answer([&](Session& session) {
    for (Binary* part : program->parts) unload_library(session, *part);
  });
  delete program;
}

int find_kernel(headroom_program* program, const char* name, headroom_kernel** out) {
  return answer([&](Session&) {
    std::vector<Kernel*> all, found;
    for (Binary* part : program->parts)
      for (const auto& kernel : part->kernels) {
        all.push_back(kernel.get());
        if (is_called(kernel->name, name)) found.push_back(kernel.get());
      }
    if (found.empty())
      throw Error{program->name, fmt::format("has no kernel '{}'", name),
                  all.empty() ? "it has none at all" : "it has: " + names_of(all)};
    if (found.size() > 1)
      throw Error{program->name, fmt::format("has {} kernels '{}'", found.size(), name),
                  "say which: " + names_of(found)};
    *out = reinterpret_cast<headroom_kernel*>(found.front());
  });
}

}  // namespace headroom::library
