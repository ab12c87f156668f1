// Finds a machine: a name among the files of machines/ that were compiled in (embedded.h), or a
// path.
//
//   load_machine("h200")
//   load_machine("./mine.json")
//   load_machine("h300")          throws "no machine 'h300'"
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/error.h"
#include "base/read_file.h"
#include "machine/embedded.h"
#include "machine/machine.h"
#include "machine/nearest.h"

namespace headroom {
namespace {

bool is_path(const std::string& text) {
  return text.find('/') != text.npos || text.ends_with(".json");
}

std::string read_machine(const std::string& path) {
  if (auto text = read_file(path)) return *std::move(text);
  throw Error{path, "cannot read this machine file",
              "give a file like machines/h200.json, or a name: " +
                  fmt::format("{}", fmt::join(machine_names(), ", "))};
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

std::string lower_case(std::string text) {
  for (char& c : text) c = char(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

// A word with nothing in common with any name is no slip of the finger.
std::string guess(const std::string& wanted) {
  const std::string name = nearest(wanted, machine_names());
  return edit_distance(wanted, name) * 2 <= name.size()
             ? fmt::format("did you mean '{}'? There", name)
             : "there";
}

}  // namespace

// From the first CUDA machine to the newest.
std::vector<std::string> machine_names() {
  static const std::vector<std::string> names = names_by_age();
  return names;
}

std::string machine_file(const std::string& name) {
  if (is_path(name)) return read_machine(name);
  const std::string wanted = lower_case(name);
  for (const EmbeddedFile& file : embedded_machines())
    if (file.stem() == wanted) return std::string(file.text);
  throw Error{"", fmt::format("no machine '{}'", name),
              fmt::format("{} are {}; a path to a file of that form works too", guess(wanted),
                          fmt::join(machine_names(), ", "))};
}

Machine load_machine(const std::string& name) {
  return parse_machine(machine_file(name), is_path(name) ? name : lower_case(name));
}

}  // namespace headroom
