#include "report/machine_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/format.h"

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

Document machine_list() {
  Grid grid{.columns = {{"name", Align::left},
                        {"compute\ncapability"},
                        {"SMs"},
                        {"clock"},
                        {"L2"},
                        {"DRAM"},
                        {"", Align::left, Give::words}},
            .indent = 0};
  for (const std::string& name : machine_names()) {
    Machine machine = load_machine(name);
    grid.rows.push_back({name, capability(machine), value_of(machine.sm_count),
                         with_unit(machine.sm_clock), size_of(machine.l2_size),
                         with_unit(machine.dram_bandwidth), machine.title});
  }
  return {"headroom machine list", {std::move(grid)}};
}

namespace {

// No more digits than a measurement has: 4596, 63.99, 4.
std::string figure(double value) {
  return value >= 1000 ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value);
}

std::string spread(const MeasuredValue& value) {
  return value.median == 0
             ? ""
             : fmt::format("{:.1f} %", 100 * (value.most - value.least) / std::abs(value.median));
}

// Facts that lie further than that from what the probes measured are named.
constexpr double doubtful = 0.03;

std::string measured_notes(const Machine& machine, const Measured& measured) {
  std::string date;
  for (const ProbeResult& result : measured.probes) date = std::max(date, result.date);
  std::string sentence = fmt::format(
      "measured: by probes on an {}, driver {}, CUDA {}, {}; --measured shows all. The "
      "model computes with the facts, not with these.",
      measured.gpu, measured.driver, measured.toolkit, date.substr(0, 10));
  std::string apart;
  for (const MachineField& field : machine_fields()) {
    const Fact& fact = machine.*field.fact;
    const MeasuredValue* value = measured_of(measured, field);
    if (!value || !fact || *fact == 0) continue;
    const double ratio = value->median / *fact;
    if (std::abs(ratio - 1) > doubtful)
      apart += fmt::format("{}{} {} and {}", apart.empty() ? "" : ", ", field.name, value_of(fact),
                           figure(value->median));
  }
  if (!apart.empty())
    sentence +=
        fmt::format(" Fact and probe differ by more than {:.0f} %: {}.", 100 * doubtful, apart);
  return sentence;
}

Grid fact_grid(const Machine& machine, const std::optional<Measured>& measured) {
  Grid grid{.columns = {{"fact", Align::left}, {"value"}}};
  if (measured) {
    grid.columns.push_back({"measured"});
    grid.columns.push_back({"spread"});
    grid.columns.push_back({"ratio"});
  }
  grid.columns.push_back({"unit", Align::left});
  grid.columns.push_back({"status", Align::left});
  grid.columns.push_back({"from", Align::left, Give::words});
  for (const MachineField& field : machine_fields()) {
    const Fact& fact = machine.*field.fact;
    const MeasuredValue* value = measured ? measured_of(*measured, field) : nullptr;
    // Absent without a word: a limit that this machine does not have.
    if (!fact && fact.status.empty() && !value) continue;
    bool is_version = field.fact == &Machine::compute_capability;
    std::vector<std::string> cells{std::string(field.name),
                                   is_version ? capability(machine) : value_of(fact)};
    if (measured) {
      cells.push_back(value ? figure(value->median) : "");
      cells.push_back(value ? spread(*value) : "");
      cells.push_back(value && fact && *fact != 0 ? fmt::format("{:.2f}", value->median / *fact)
                                                  : "");
    }
    cells.insert(cells.end(), {fact.unit, fact.status, origin(fact)});
    grid.rows.push_back(std::move(cells));
  }
  return grid;
}

// Rules that are no numbers.
List rules(const Machine& machine) {
  List words;
  auto say = [&](const char* name, const std::string& sentence) {
    auto source = machine.sources.find(name);
    if (source == machine.sources.end()) return;
    words.items.push_back(
        fmt::format("{}: {}; {}", sentence, source->second.status, origin(source->second)));
  };
  say("shared_carveouts",
      fmt::format("shared memory of an SM: {:g} KiB{}", fmt::join(machine.shared_carveouts, ", "),
                  machine.shared_carveouts.size() > 1 ? ", as preferred" : ""));
  say("register_allocation_scope",
      fmt::format("registers go to whole {}s", machine.register_allocation_scope));
  say("issue_rule", "issue: " + machine.issue_rule);
  return words;
}

}  // namespace

Document machine_document(const Machine& machine, const std::optional<Measured>& measured) {
  Document document{"headroom machine show"};
  document.add(Heading{1, fmt::format("{} ({})", machine.title, machine.name)});
  if (!machine.about.empty()) document.add(Paragraph{machine.about, Tone::plain, 0, 0});
  document.add(fact_grid(machine, measured));
  document.add(rules(machine));
  if (measured) document.add(List{{measured_notes(machine, *measured)}});
  return document;
}

Document measured_document(const Measured& measured) {
  Document document{"headroom machine show --measured"};
  document.add(Heading{1, fmt::format("{} ({}), driver {}, CUDA {}", measured.gpu, measured.machine,
                                      measured.driver, measured.toolkit)});
  for (const ProbeResult& probe : measured.probes) {
    std::string when = fmt::format("{}, {:.1f} s", probe.date, probe.seconds);
    if (probe.sm_clock)
      when += fmt::format(", SM at {:.0f} MHz ({:.0f} to {:.0f})", probe.sm_clock->median,
                          probe.sm_clock->least, probe.sm_clock->most);
    document.add(Heading{2, probe.name, when});
    Grid grid{.columns = {{"value", Align::left, Give::words},
                          {"at", Align::left, Give::words},
                          {"median"},
                          {"spread"},
                          {"samples"},
                          {"unit", Align::left},
                          {"instruction", Align::left, Give::words}},
              .names = 2};
    for (const MeasuredValue& value : probe.values) {
      std::string at;
      for (const auto& [name, point] : value.at)
        at += fmt::format("{}{} {:.6g}", at.empty() ? "" : ", ", name, point);
      grid.rows.push_back({value.name, at, figure(value.median), spread(value),
                           fmt::format("{:.0f}", value.samples), value.unit, value.instruction});
    }
    for (const Caveat& caveat : probe.caveats)
      grid.notes.push_back(
          fmt::format("caveat: {}; {}: {}", caveat.what, caveat.cause, caveat.advice));
    document.add(std::move(grid));
  }
  return document;
}

}  // namespace headroom
