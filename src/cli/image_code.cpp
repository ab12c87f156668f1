#include "cli/image_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "kernel/machine_code.h"

namespace headroom {
namespace {

sass::Module read(const ImageEntry& entry, const std::string& path) {
  return read_machine_code({std::as_bytes(std::span(entry.text)), path});
}

// The machine's own, or the nearest.
const ImageEntry* code_in(const Image& module, int cc) {
  const ImageEntry* best = nullptr;
  const auto distance = [&](const ImageEntry& entry) { return std::abs(entry.architecture - cc); };
  for (const ImageEntry& entry : module.entries)
    if (entry.kind == ImageEntry::Kind::cubin && (!best || distance(entry) < distance(*best)))
      best = &entry;
  return best;
}

std::optional<sass::Module> code_of(const Image& module, int cc, const std::string& path,
                                    std::vector<Caveat>& caveats) {
  const ImageEntry* code = code_in(module, cc);
  if (code && code->architecture == cc) return read(*code, path);
  const bool has_ptx = std::any_of(module.entries.begin(), module.entries.end(),
                                   [](const auto& e) { return e.kind == ImageEntry::Kind::ptx; });
  Caveat no_ptx{"", "no PTX", "compile for the machine"};
  if (has_ptx) {
    const ImageChoice choice = choose_ptx(module, cc, "", path);
    if (choice.caveat) caveats.push_back(*choice.caveat);
    std::vector<Caveat> doubts;
    const auto bytes = ptxas_code(choice.entry->text, cc, doubts, choice.entry->options);
    if (bytes.empty() && !doubts.empty()) no_ptx = std::move(doubts.back());
    if (!bytes.empty()) {
      caveats.insert(caveats.end(), doubts.begin(), doubts.end());
      return read_machine_code({bytes, path});
    }
  }
  if (!code) return std::nullopt;
  sass::Module other = read(*code, path);
  if (!other.functions.empty())
    caveats.push_back(
        {fmt::format("the machine code is of sm_{}, not of sm_{}", code->architecture, cc),
         fmt::format("the image has no nearer, and {}", no_ptx.cause), no_ptx.advice});
  return other;
}

void keep_each_once(std::vector<Caveat>& caveats) {
  std::vector<Caveat> once;
  for (Caveat& caveat : caveats)
    if (std::none_of(once.begin(), once.end(), [&](const Caveat& known) {
          return known.what == caveat.what && known.cause == caveat.cause;
        }))
      once.push_back(std::move(caveat));
  caveats = std::move(once);
}

}  // namespace

void each_module(const std::string& path, const Machine& machine, std::vector<Caveat>& caveats,
                 const std::function<void(const sass::Module&)>& take) {
  const std::vector<Image> images = modules_of(read_image_file(path));
  bool any = false;
  std::vector<sass::Module> parts;
  for (const Image& image : images) {
    try {
      auto code = code_of(image, machine.cc(), path, caveats);
      if (!code || code->functions.empty()) continue;  // nvcc links an empty one to every program
      if (!code->linked) {  // the linked code, where there is some, has no holes
        parts.push_back(std::move(*code));
        continue;
      }
      take(*code);
      any = true;
    } catch (const Error& error) {
      caveats.push_back({"a module of the image is left out", error.problem, error.hint});
    }
  }
  if (!any)
    for (const sass::Module& part : parts) take(part);
  keep_each_once(caveats);
  if (any || !parts.empty()) return;
  if (caveats.empty()) throw Error{path, "no kernel in it", ""};
  throw Error{path,
              fmt::format("no machine code for sm_{}: {}", machine.cc(), caveats.front().cause),
              caveats.front().advice};
}

}  // namespace headroom
