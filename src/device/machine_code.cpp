#include "device/machine_code.h"

#include <fmt/format.h>

#include "kernel/linked.h"
#include "kernel/machine_code.h"
#include "sim/machine_code.h"

namespace headroom::device {
namespace {

std::shared_ptr<MachineCode> read(const Session& session, const Binary& binary,
                                  const LoadedBinary& loaded) {
  auto code = std::make_shared<MachineCode>();
  const int cc = session.machine.cc();
  try {
    std::vector<std::byte> bytes;
    // Variables and parameters are those of the PTX: code of another one may have others.
    if (loaded.machine_code_alone)
      bytes = bytes_of(nearest_code(binary, cc, loaded.image));
    else if (loaded.architecture == cc && !loaded.renamed)
      bytes = bytes_of(code_in_image(binary, cc, loaded.image));
    std::vector<Caveat> caveats;
    if (bytes.empty() && !loaded.machine_code_alone)
      bytes = binary.parts.empty()
                  ? ptxas_code(loaded.parts.front().text, cc, caveats, loaded.parts.front().options)
                  : linked_code(loaded.parts, cc, caveats);
    if (bytes.empty())
      throw Error{
          name_of(binary),
          caveats.empty() ? fmt::format("it has no machine code for sm_{}", cc)
                          : caveats.back().cause,
          caveats.empty() ? fmt::format("build it with -arch=sm_{}", cc) : caveats.back().advice};
    auto module = std::make_shared<sass::Module>(read_machine_code({bytes, name_of(binary)}));
    if (module->architecture != cc &&
        !(loaded.machine_code_alone && is_compatible(module->architecture, cc)))
      throw Error{name_of(binary),
                  fmt::format("its machine code is of sm_{}, and the machine is of sm_{}",
                              module->architecture, cc),
                  "name a machine that the toolkit makes code for"};
    code->resources = cubin_resources(bytes, name_of(binary));
    code->image = fmt::format("sm_{}", module->architecture);
    code->module = std::move(module);
  } catch (const Error& error) {
    code->why = error;
  }
  return code;
}

}  // namespace

std::optional<ImageEntry> code_in_image(const Binary& binary, int cc, const std::string& variant) {
  std::optional<ImageEntry> found;
  for (const ImageEntry& entry : read_image(binary.bytes, name_of(binary)).entries) {
    if (entry.kind != ImageEntry::Kind::cubin || entry.architecture != cc) continue;
    const bool is_variant = fmt::format("sm_{}{}", cc, entry.suffix) == variant;
    if (!found || is_variant) found = entry;
    if (is_variant) break;
  }
  return found;
}

std::optional<ImageEntry> nearest_code(const Binary& binary, int cc, const std::string& variant) {
  std::optional<ImageEntry> found = code_in_image(binary, cc, variant);
  if (found) return found;
  for (const ImageEntry& entry : read_image(binary.bytes, name_of(binary)).entries)
    if (entry.kind == ImageEntry::Kind::cubin && entry.suffix.empty() &&
        is_compatible(entry.architecture, cc) &&
        (!found || entry.architecture > found->architecture))
      found = entry;
  return found;
}

std::vector<std::byte> bytes_of(const std::optional<ImageEntry>& entry) {
  if (!entry) return {};
  const auto bytes = std::as_bytes(std::span(entry->text));
  return {bytes.begin(), bytes.end()};
}

bool tries_machine_code(const Session& session) {
  if (session.options.engine) return *session.options.engine == Engine::machine;
  return !session.options.lockstep && runs_machine_code(session.machine.cc());
}

const MachineCode& machine_code(Session& session, Binary& binary) {
  LoadedBinary& loaded = load(session, binary);
  if (!loaded.code) loaded.code = read(session, binary, loaded);
  return *loaded.code;
}

std::shared_ptr<const sim::Program> machine_program(Session& session, Kernel& kernel, int device,
                                                    bool clustered, uint8_t axes) {
  const sim::LoadedModule& module = load_on_device(session, *kernel.binary, device);
  const MachineCode& code = machine_code(session, *kernel.binary);
  if (!code.module) throw code.why;
  sim::MachineOptions options;
  options.clustered = clustered;
  options.axes = axes;
  options.watched = session.options.check.on;
  if (const auto found = code.resources.find(kernel.name); found != code.resources.end()) {
    options.local_bytes = uint64_t(found->second.stack.value_or(0));
    options.static_shared = uint64_t(found->second.static_shared.value_or(0));
  }
  return sim::decode(module, code.module, kernel.name, options);
}

}  // namespace headroom::device
