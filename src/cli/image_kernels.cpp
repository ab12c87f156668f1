#include "cli/image_kernels.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace headroom {

namespace {

bool has_ptx(const Image& image) {
  return std::any_of(image.entries.begin(), image.entries.end(),
                     [](const ImageEntry& e) { return e.kind == ImageEntry::Kind::ptx; });
}

using ByName = std::map<std::string, Resources>;

ByName resources_of_module(const Image& module, const Machine& machine, const std::string& path,
                           std::vector<Caveat>& caveats) {
  if (has_ptx(module)) {
    const ImageEntry& ptx = *choose_ptx(module, machine.cc(), "", path).entry;
    auto found = ptxas_resources(ptx.text, machine.cc(), caveats, ptx.options);
    if (!found.empty()) return found;
  }
  for (const ImageEntry& entry : module.entries)
    if (entry.kind == ImageEntry::Kind::cubin &&
        (entry.architecture == machine.cc() || !has_ptx(module)))
      return cubin_resources(std::as_bytes(std::span(entry.text)), path);
  return {};
}

// Each translation unit is a module of its own. With -rdc=true their PTX stands beside the linked
// machine code, which tells what is not known of the parts.
ByName resources_of(const Image& image, const Machine& machine, const std::string& path) {
  std::vector<Caveat> caveats;
  ByName all;
  for (const Image& module : modules_of(image))
    all.merge(resources_of_module(module, machine, path, caveats));
  if (all.empty())
    throw Error{path, caveats.empty() ? "no kernel in it" : caveats[0].what,
                caveats.empty() ? "" : caveats[0].advice};
  return all;
}

}  // namespace

std::vector<ImageKernel> image_kernels(const std::string& path, const Machine& machine,
                                       const KernelPattern& pattern) {
  std::vector<ImageKernel> kernels;
  std::string names;
  for (const auto& [mangled, resources] : resources_of(read_image_file(path), machine, path)) {
    const std::string name = demangle(mangled);
    names += fmt::format("{}{}", names.empty() ? "" : ", ", name);
    if (pattern.matches(name) || pattern.matches(mangled))
      kernels.push_back({name, mangled, resources});
  }
  if (kernels.empty()) throw Error{path, "no kernel matches --kernel", "it has: " + names};
  return kernels;
}

BlockShape with_resources(BlockShape shape, const Resources& resources) {
  if (!shape.registers) shape.registers = resources.registers;
  if (shape.static_shared == 0) shape.static_shared = uint64_t(resources.static_shared.value_or(0));
  return shape;
}

}  // namespace headroom
