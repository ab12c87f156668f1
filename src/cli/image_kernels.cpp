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

// Of the machine's own code; of another's only where PTX tells no more.
ByName resources_of_code(const Image& module, int cc, const std::string& path) {
  const ImageEntry* chosen = nullptr;
  for (const ImageEntry& entry : module.entries) {
    if (entry.kind != ImageEntry::Kind::cubin) continue;
    if (entry.architecture == cc) chosen = &entry;
    if (!chosen) chosen = &entry;
  }
  if (!chosen) return {};
  ByName kernels = cubin_resources(std::as_bytes(std::span(chosen->text)), path);
  if (chosen->architecture == cc) return kernels;
  const std::string name = fmt::format("sm_{}", chosen->architecture);
  for (auto& [kernel, resources] : kernels)
    resources.caveats.push_back(
        not_of_machine(name, cc,
                       "its machine code is for " + name +
                           (has_ptx(module) ? ", and ptxas was not found or takes none of its PTX"
                                            : ", and no PTX beside it")));
  return kernels;
}

ByName resources_of_module(const Image& module, const Machine& machine, const std::string& path,
                           std::vector<Caveat>& caveats) {
  if (has_ptx(module)) {
    const ImageEntry& ptx = *choose_ptx(module, machine.cc(), "", path).entry;
    auto found = ptxas_resources(ptx.text, machine.cc(), caveats, ptx.options);
    if (!found.empty()) return found;
  }
  return resources_of_code(module, machine.cc(), path);
}

// Each translation unit is a module of its own. With -rdc=true their PTX stands beside the linked
// machine code, which tells what is not known of the parts.
ByName resources_of(const Image& image, const Machine& machine, const std::string& path) {
  std::vector<Caveat> caveats;
  ByName all;
  for (const Image& module : modules_of(image))
    all.merge(resources_of_module(module, machine, path, caveats));
  if (all.empty())
    throw Error{path,
                caveats.empty() ? "no kernel in it" : caveats[0].what + "; " + caveats[0].cause,
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
  if (shape.static_shared == 0) set_static_shared(shape, resources);
  shape.max_threads = resources.max_threads;
  return shape;
}

}  // namespace headroom
