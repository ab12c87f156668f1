#include "runtime/modules.h"

#include <fmt/format.h>

namespace headroom::runtime {
namespace {

std::string name_of(const Binary& binary) { return fmt::format("image {}", binary.number); }

std::shared_ptr<LoadedBinary> read(Session& session, const Binary& binary) {
  if (binary.wrapper_version != 1)
    throw Failure{cudaErrorNoKernelImageForDevice,
                  Error{name_of(binary), "relocatable device code (-rdc=true) is not supported yet",
                        "build without -rdc=true"}};
  auto loaded = std::make_shared<LoadedBinary>();
  try {
    Image image = read_image(binary.bytes, name_of(binary));
    ImageChoice choice =
        choose_ptx(image, session.machine.cc(), session.options.image, name_of(binary));
    loaded->architecture = choice.entry->architecture;
    loaded->image = fmt::format("sm_{}{}", choice.entry->architecture, choice.entry->suffix);
    loaded->text = choice.entry->text;
    if (choice.caveat) loaded->caveats.push_back(*choice.caveat);
  } catch (const Error& error) {
    throw Failure{cudaErrorNoKernelImageForDevice, error};
  }
  try {
    loaded->module = std::make_shared<ptx::Module>(ptx::parse(loaded->text, name_of(binary)));
  } catch (const Error& error) {
    throw Failure{cudaErrorInvalidPtx, error};
  }
  return loaded;
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

}  // namespace

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
    throw Failure{cudaErrorInvalidKernelImage, error};
  }
  for (const Variable* managed : binary.managed) {
    auto symbol = found->second.addresses.find(managed->name);
    if (symbol == found->second.addresses.end()) continue;
    *managed->host_pointer = reinterpret_cast<void*>(symbol->second);
    session.allocations[symbol->second] = {symbol->second, managed->bytes, Place::variable, device};
  }
  return found->second;
}

const ptx::Function& function(Session& session, Kernel& kernel) {
  const ptx::Function* found = load(session, *kernel.binary).module->function(kernel.name);
  if (!found || !found->entry)
    throw Failure{
        cudaErrorInvalidDeviceFunction,
        Error{name_of(*kernel.binary), "no kernel " + demangle(kernel.name) + " in its PTX",
              "the image chosen may lack it: try another with --image"}};
  return *found;
}

Resources resources(Session& session, Kernel& kernel) {
  LoadedBinary& loaded = load(session, *kernel.binary);
  if (!loaded.resources)
    loaded.resources = std::make_shared<std::map<std::string, Resources>>(
        ptxas_resources(loaded.text, session.machine.cc(), loaded.resource_caveats));
  auto found = loaded.resources->find(kernel.name);
  if (found != loaded.resources->end()) return found->second;
  Resources unknown;
  unknown.from = "unknown";
  unknown.caveats = loaded.resource_caveats;
  return unknown;
}

uint64_t address(Session& session, const Variable& variable) {
  const auto& module = load_on_device(session, *variable.binary, current_device());
  auto found = module.addresses.find(variable.name);
  if (found == module.addresses.end())
    throw Failure{
        cudaErrorInvalidSymbol,
        Error{name_of(*variable.binary), "no variable " + demangle(variable.name) + " in its PTX",
              "the compiler drops variables that no kernel uses"}};
  return found->second;
}

void unload_from(Session& session, int device) {
  registry().each_binary([&](Binary& binary) {
    if (!binary.loaded) return;
    auto found = binary.loaded->on_device.find(device);
    if (found == binary.loaded->on_device.end()) return;
    sim::unload_module(found->second, session.memory);
    binary.loaded->on_device.erase(found);
    const std::string prefix = fmt::format("{}:", device);
    std::erase_if(binary.loaded->programs,
                  [&](const auto& entry) { return entry.first.starts_with(prefix); });
  });
}

}  // namespace headroom::runtime
