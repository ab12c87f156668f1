#include "device/modules.h"

#include <fmt/format.h>

#include <algorithm>

#include "device/access.h"
#include "device/machine_code.h"
#include "kernel/cubin_module.h"
#include "kernel/linked.h"
#include "kernel/target.h"
#include "ptx/link.h"
#include "ptx/rename.h"

namespace headroom::device {
namespace {

constexpr int newest_ptx = 9;  // version 9.x is what CUDA 13 writes

// The images of a binary, and what messages call them: one, or with -rdc=true one a module.
std::vector<std::pair<std::string, Image>> images_of(const Binary& binary) {
  std::vector<std::pair<std::string, Image>> images;
  if (binary.parts.empty()) {
    images.emplace_back(name_of(binary), read_image(binary.bytes, name_of(binary)));
    return images;
  }
  for (size_t i = 0; i < binary.parts.size(); ++i) {
    const std::string name = fmt::format("{}, module {}", name_of(binary), i);
    images.emplace_back(name, read_image(fatbin_at(binary.parts[i]), name));
  }
  return images;
}

bool has_ptx(const Image& image) {
  return std::any_of(image.entries.begin(), image.entries.end(),
                     [](const ImageEntry& entry) { return entry.kind == ImageEntry::Kind::ptx; });
}

bool has_ptx_for(const Image& image, int cc) {
  return std::any_of(image.entries.begin(), image.entries.end(), [&](const ImageEntry& entry) {
    return entry.kind == ImageEntry::Kind::ptx &&
           Target{entry.architecture, entry.suffix}.runs_on(cc);
  });
}

struct Part {
  std::string name;
  ImageChoice choice;
};

// The PTX of every image that the machine runs. Modules that have none for it while others have
// (the device runtime's own) are left out: a kernel that needs them is refused by what it misses.
void choose(const Session& session, const Binary& binary, LoadedBinary& loaded,
            std::vector<std::string>& names) {
  const auto images = images_of(binary);
  const bool some = std::any_of(images.begin(), images.end(),
                                [](const auto& image) { return has_ptx(image.second); });
  std::vector<Part> parts;
  for (const auto& [name, image] : images)
    if (has_ptx(image) || !some)
      parts.push_back({name, choose_ptx(image, session.machine.cc(), session.options.image, name)});
  const auto is_foreign = [](const Part& part) { return part.choice.caveat.has_value(); };
  if (!std::all_of(parts.begin(), parts.end(), is_foreign)) std::erase_if(parts, is_foreign);
  int highest = 0;
  for (const Part& part : parts) {
    const ImageEntry& entry = *part.choice.entry;
    // Of linked code an H200's runtime names the lowest architecture, for all kernels.
    if (!highest || entry.architecture < loaded.architecture)
      loaded.architecture = entry.architecture;
    if (entry.architecture >= highest) {
      highest = entry.architecture;
      loaded.image = fmt::format("sm_{}{}", entry.architecture, entry.suffix);
    }
    if (part.choice.caveat && loaded.caveats.empty()) loaded.caveats.push_back(*part.choice.caveat);
    loaded.parts.push_back(entry);
    names.push_back(part.name);
  }
}

// Machine code for the machine, of an image without PTX that it runs; null where PTX is needed.
std::shared_ptr<LoadedBinary> read_code_alone(const Session& session, const Binary& binary) {
  const auto images = images_of(binary);
  const int cc = session.machine.cc();
  const bool some = std::any_of(images.begin(), images.end(),
                                [&](const auto& image) { return has_ptx_for(image.second, cc); });
  if (some || !session.options.image.empty() || !tries_machine_code(session)) return nullptr;
  const auto entry = nearest_code(binary, cc, fmt::format("sm_{}a", cc));
  if (!entry) return nullptr;
  const std::vector<std::byte> code = bytes_of(entry);
  auto loaded = std::make_shared<LoadedBinary>();
  loaded->module = std::make_shared<ptx::Module>(cubin_module({code, name_of(binary)}));
  loaded->architecture = entry->architecture;
  loaded->image = fmt::format("sm_{}{}", entry->architecture, entry->suffix);
  loaded->machine_code_alone = true;
  return loaded;
}

// One module of all; machine code is made of parts that have the names it gives them.
ptx::Module link(std::vector<ptx::Module> modules, std::string name, LoadedBinary& loaded) {
  ptx::Renames renames;
  ptx::Module linked = ptx::link(std::move(modules), std::move(name), &renames);
  for (size_t i = 0; i < renames.size(); ++i) {
    if (renames[i].empty()) continue;
    loaded.parts[i].text = ptx::renamed(loaded.parts[i].text, renames[i]);
    loaded.renamed = true;
  }
  return linked;
}

std::shared_ptr<LoadedBinary> read(Session& session, const Binary& binary) {
  auto loaded = std::make_shared<LoadedBinary>();
  std::vector<std::string> names;
  try {
    if (auto alone = read_code_alone(session, binary)) return alone;
    choose(session, binary, *loaded, names);
  } catch (const Error& error) {
    throw Failure{Status::no_image_for_device, error};
  }
  try {
    std::vector<ptx::Module> modules;
    for (size_t i = 0; i < names.size(); ++i)
      modules.push_back(ptx::parse(loaded->parts[i].text, names[i]));
    for (const ptx::Module& module : modules)
      if (module.version_major > newest_ptx)
        throw Failure{Status::unsupported_ptx_version,
                      Error{module.name,
                            fmt::format("is PTX of version {}.{}", module.version_major,
                                        module.version_minor),
                            "compile it with CUDA 13"}};
    loaded->module = std::make_shared<ptx::Module>(
        binary.parts.empty() ? std::move(modules.front())
                             : link(std::move(modules), name_of(binary), *loaded));
  } catch (const Error& error) {
    throw Failure{Status::invalid_ptx, error};
  }
  return loaded;
}

// What nvcc compiled for the machine itself.
std::map<std::string, Resources> resources_in_image(const Binary& binary, int cc,
                                                    const std::string& variant, bool alone) {
  const std::vector<std::byte> code =
      bytes_of(alone ? nearest_code(binary, cc, variant) : code_in_image(binary, cc, variant));
  if (code.empty()) return {};
  auto kernels = cubin_resources(code, name_of(binary));
  for (auto& [name, resources] : kernels) resources.from += " in the image";
  return kernels;
}

// Relocatable device code: nvcc has linked it for the architectures it was built for; where the
// machine is one of them, that is what it runs. For another a driver links the modules' PTX.
std::map<std::string, Resources> read_resources(const Session& session, const Binary& binary,
                                                LoadedBinary& loaded) {
  const int cc = session.machine.cc();
  const bool linked = !binary.parts.empty();
  std::vector<Caveat> caveats;
  std::map<std::string, Resources> kernels;
  if (!linked && !loaded.machine_code_alone)
    kernels = ptxas_resources(loaded.parts.front().text, cc, caveats, loaded.parts.front().options);
  if (kernels.empty())
    kernels = resources_in_image(binary, cc, loaded.image, loaded.machine_code_alone);
  if (!kernels.empty()) return kernels;
  if (linked) kernels = linked_resources(loaded.parts, cc, caveats);
  loaded.resource_caveats.insert(loaded.resource_caveats.end(), caveats.begin(), caveats.end());
  return kernels;
}

void read_once(Session& session, Binary& binary) {
  if (binary.loaded) return;
  if (binary.unreadable) throw *binary.unreadable;
  try {
    binary.loaded = read(session, binary);
  } catch (const Failure& failure) {
    binary.unreadable = std::make_shared<Failure>(failure);
    throw;
  }
}

// What PTX itself declares: as ptxas lays it out, but for variables that it eliminates.
void take_from_ptx(Session& session, Kernel& kernel, Resources& resources) try {
  const sim::LoadedModule& module = load_on_device(session, *kernel.binary, current_device());
  resources.static_shared = int(sim::facts(*sim::decode(module, kernel.name)).static_shared);
  resources.from = "the PTX";
  for (Caveat& caveat : resources.caveats)
    if (caveat.what == all_unknown) caveat.what = "registers and spills are unknown";
} catch (const Error&) {
} catch (const Failure&) {
}

}  // namespace

std::string name_of(const Binary& binary) { return fmt::format("image {}", binary.number); }

LoadedBinary& load(Session& session, Binary& binary) {
  read_once(session, binary);
  if (!binary.managed.empty()) load_on_device(session, binary, 0);
  return *binary.loaded;
}

const sim::LoadedModule& load_on_device(Session& session, Binary& binary, int device) {
  read_once(session, binary);
  auto& on_device = binary.loaded->on_device;
  auto found = on_device.find(device);
  if (found != on_device.end()) return found->second;
  try {
    found =
        on_device.emplace(device, sim::load_module(binary.loaded->module, session.memory)).first;
  } catch (const Error& error) {
    throw Failure{Status::invalid_image, error};
  }
  set_access(session, binary, found->second, device);
  session.repeats.forget();
  for (const Variable* managed : binary.managed) {
    auto symbol = found->second.addresses.find(managed->name);
    if (symbol == found->second.addresses.end()) continue;
    *managed->host_pointer = reinterpret_cast<void*>(symbol->second);
    session.allocations.add({symbol->second, managed->bytes, Place::variable, device});
  }
  return found->second;
}

const ptx::Function& function(Session& session, Kernel& kernel) {
  const ptx::Function* found = load(session, *kernel.binary).module->function(kernel.name);
  if (!found || !found->entry)
    throw Failure{
        Status::invalid_function,
        Error{name_of(*kernel.binary), "no kernel " + demangle(kernel.name) + " in its code",
              "the image chosen may lack it: where there are several, try another with --image"}};
  return *found;
}

Resources resources(Session& session, Kernel& kernel) {
  LoadedBinary& loaded = load(session, *kernel.binary);
  if (!loaded.resources)
    loaded.resources = std::make_shared<std::map<std::string, Resources>>(
        read_resources(session, *kernel.binary, loaded));
  auto found = loaded.resources->find(kernel.name);
  if (found != loaded.resources->end()) return found->second;
  Resources unknown;
  unknown.from = "unknown";
  unknown.caveats = loaded.resource_caveats;
  take_from_ptx(session, kernel, unknown);
  return unknown;
}

uint64_t address(Session& session, const Variable& variable) {
  const auto& module = load_on_device(session, *variable.binary, current_device());
  auto found = module.addresses.find(variable.name);
  if (found == module.addresses.end())
    throw Failure{
        Status::invalid_symbol,
        Error{name_of(*variable.binary), "no variable " + demangle(variable.name) + " in its code",
              "the compiler drops variables that no kernel uses"}};
  return found->second;
}

Status address(Session& session, const Variable& variable, uint64_t offset, uint64_t bytes,
               uint64_t& out) {
  if (offset > variable.bytes || bytes > variable.bytes - offset) return Status::invalid_value;
  out = address(session, variable) + offset;
  return Status::ok;
}

void unload_from(Session& session, Binary& binary, int device) {
  if (!binary.loaded) return;
  auto found = binary.loaded->on_device.find(device);
  if (found == binary.loaded->on_device.end()) return;
  sim::unload_module(found->second, session.memory);
  session.repeats.forget();
  binary.loaded->on_device.erase(found);
  const std::string prefix = fmt::format("{}:", device);
  std::erase_if(binary.loaded->programs,
                [&](const auto& entry) { return entry.first.starts_with(prefix); });
}

void unload_from(Session& session, int device) {
  registry().each_binary([&](Binary& binary) { unload_from(session, binary, device); });
}

}  // namespace headroom::device
