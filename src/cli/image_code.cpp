#include "cli/image_code.h"

#include <fmt/format.h>

#include <optional>

#include "base/error.h"
#include "kernel/machine_code.h"

namespace headroom {
namespace {

std::optional<sass::Module> code_of(const Image& module, int cc, const std::string& path,
                                    std::vector<Caveat>& caveats) {
  const ImageEntry* other = nullptr;
  bool has_ptx = false;
  for (const ImageEntry& entry : module.entries) {
    has_ptx |= entry.kind == ImageEntry::Kind::ptx;
    if (entry.kind != ImageEntry::Kind::cubin) continue;
    if (entry.architecture == cc)
      return read_machine_code({std::as_bytes(std::span(entry.text)), path});
    other = &entry;
  }
  if (has_ptx) {
    const ImageChoice choice = choose_ptx(module, cc, "", path);
    if (choice.caveat) caveats.push_back(*choice.caveat);
    const auto bytes = ptxas_code(choice.entry->text, cc, caveats, choice.entry->options);
    if (!bytes.empty()) return read_machine_code({bytes, path});
  }
  if (!other) return std::nullopt;
  sass::Module code = read_machine_code({std::as_bytes(std::span(other->text)), path});
  if (code.functions.empty()) return std::nullopt;  // nvcc links one such to every program
  caveats.push_back(
      {fmt::format("the machine code is of sm_{}, not of sm_{}", other->architecture, cc),
       "the image has no other, and no PTX that ptxas could assemble", "compile for the machine"});
  return code;
}

}  // namespace

std::vector<sass::Module> image_code(const std::string& path, const Machine& machine,
                                     std::vector<Caveat>& caveats) {
  std::vector<sass::Module> modules;
  for (const Image& module : modules_of(read_image_file(path)))
    if (auto code = code_of(module, machine.cc(), path, caveats))
      modules.push_back(std::move(*code));
  if (!modules.empty()) return modules;
  if (caveats.empty()) throw Error{path, "no kernel in it", ""};
  throw Error{path, caveats.front().what + "; " + caveats.front().cause, caveats.front().advice};
}

}  // namespace headroom
