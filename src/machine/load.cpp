// Finds a machine: a name among the files of machines/ that were compiled in (embedded.h), or a
// path.
//
//   load_machine("h200")
//   load_machine("./mine.json")
//   load_machine("h300")          throws "no machine 'h300'"
#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/read_file.h"
#include "machine/embedded.h"
#include "machine/machine.h"
#include "machine/names.h"

namespace headroom {
namespace {

bool is_path(const std::string& text) {
  return text.find('/') != text.npos || text.ends_with(".json");
}

std::string read_machine(const std::string& path) {
  return load_file(path, fmt::format("give a file like machines/h200.json, or a name: {}",
                                     fmt::join(machine_names(), ", ")));
}

std::vector<std::string> names_by_age() {
  std::vector<Machine> machines;
  for (const EmbeddedFile& file : embedded_machines())
    machines.push_back(parse_machine(file.text, file.stem()));
  std::ranges::stable_sort(machines, {}, [](const Machine& machine) { return machine.cc(); });
  std::vector<std::string> names;
  for (const Machine& machine : machines) names.push_back(machine.name);
  return names;
}

[[noreturn]] void no_machine(const std::string& name) {
  const auto meant = machine_meant(name);
  const std::string there = meant ? fmt::format("did you mean '{}'? There", *meant) : "there";
  throw Error{"", fmt::format("no machine '{}'", name),
              fmt::format("{} are {}; a path to a file of that form works too", there,
                          fmt::join(machine_names(), ", "))};
}

}  // namespace

// From the first CUDA machine to the newest.
std::vector<std::string> machine_names() {
  static const std::vector<std::string> names = names_by_age();
  return names;
}

std::string machine_file(const std::string& name) {
  if (is_path(name)) return read_machine(name);
  const auto wanted = machine_asked(name);
  for (const EmbeddedFile& file : embedded_machines())
    if (file.stem() == wanted) return std::string(file.text);
  no_machine(name);
}

Machine load_machine(const std::string& name) {
  const std::string text = machine_file(name);
  return parse_machine(text, is_path(name) ? name : machine_asked(name).value());
}

}  // namespace headroom
