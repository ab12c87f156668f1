#include "report/machine_text.h"

#include <fmt/format.h>

#include "report/format.h"
#include "report/table.h"

namespace headroom {
namespace {

std::string value_of(const Fact& fact) { return fact ? fmt::format("{:.12g}", *fact) : "unknown"; }

std::string with_unit(const Fact& fact) { return fact ? value_of(fact) + " " + fact.unit : "–"; }

std::string size_of(const Fact& fact) {
  if (!fact) return "–";
  return *fact == 0 ? "none" : text::bytes(*fact * 1024);
}

std::string origin(const Fact& fact) {
  return fact.note.empty() ? fact.from : fmt::format("{} ({})", fact.from, fact.note);
}

std::string capability(const Machine& machine) {
  return fmt::format("{}.{}", machine.cc_major(), machine.cc_minor());
}

}  // namespace

std::string machine_list_text() {
  Table table({{"name", Align::left},
               {"compute\ncapability"},
               {"SMs"},
               {"clock"},
               {"L2"},
               {"DRAM"},
               {"", Align::left}});
  for (const std::string& name : machine_names()) {
    Machine machine = load_machine(name);
    table.row({name, capability(machine), value_of(machine.sm_count), with_unit(machine.sm_clock),
               size_of(machine.l2_size), with_unit(machine.dram_bandwidth), machine.title});
  }
  return table.text(Style{}, 0);
}

std::string machine_text(const Machine& machine) {
  Table table({{"fact", Align::left},
               {"value"},
               {"unit", Align::left},
               {"status", Align::left},
               {"from", Align::left}});
  for (const MachineField& field : machine_fields()) {
    const Fact& fact = machine.*field.fact;
    // Absent without a word: a limit that this machine does not have.
    if (!fact && fact.status.empty()) continue;
    bool is_version = field.fact == &Machine::compute_capability;
    table.row({std::string(field.name), is_version ? capability(machine) : value_of(fact),
               fact.unit, fact.status, origin(fact)});
  }
  std::string words;
  auto say = [&](const char* name, const std::string& sentence) {
    auto source = machine.sources.find(name);
    if (source == machine.sources.end()) return;
    words += text::wrap(
        fmt::format("  {}: {}; {}", sentence, source->second.status, origin(source->second)), 100,
        4);
    words += "\n";
  };
  say("shared_carveouts",
      fmt::format("shared memory of an SM: {:g} KiB{}", fmt::join(machine.shared_carveouts, ", "),
                  machine.shared_carveouts.size() > 1 ? ", as preferred" : ""));
  say("register_allocation_scope",
      fmt::format("registers go to whole {}s", machine.register_allocation_scope));
  say("issue_rule", "issue: " + machine.issue_rule);
  std::string result = fmt::format("{} ({})\n", machine.title, machine.name);
  if (!machine.about.empty()) result += text::wrap(machine.about, 100, 0) + "\n";
  return result + "\n" + table.text(Style{}, 2) + (words.empty() ? "" : "\n" + words);
}

}  // namespace headroom
