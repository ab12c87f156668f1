// Reads a machine file. Whatever is wrong with it is said once, with the file, the key and the
// nearest key:
//
//   machines/mine.json: "sm_cuont" is no fact of a machine     hint: did you mean "sm_count"?
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/nearest.h"
#include "machine/machine.h"

namespace headroom {
namespace {

using nlohmann::json;

constexpr std::string_view texts[] = {"name", "title", "about"};
constexpr std::string_view parts[] = {"value", "unit", "from", "status", "note"};
constexpr std::string_view statuses[] = {"measured", "verified", "secondary", "unverified",
                                         "unknown"};
constexpr double most_of_a_fact = 1e9;
constexpr std::string_view scopes[] = {"block", "warp"};

struct Reader {
  const std::string& where;

  [[noreturn]] void fail(const std::string& problem, const std::string& hint = "") const {
    throw Error{where, problem, hint};
  }

  std::string text(const json& value, std::string_view key) const {
    if (!value.is_string())
      fail(fmt::format("\"{}\" must be a text, not {}", key, value.type_name()));
    return value.get<std::string>();
  }

  // Everything of a fact but its value, and that the file holds no part of another name.
  Fact source(const json& object, std::string_view key) const {
    if (!object.is_object())
      fail(fmt::format("\"{}\" must be an object, not {}", key, object.type_name()),
           R"(write {"value": …, "unit": …, "from": …, "status": …})");
    for (const auto& [part, _] : object.items())
      if (std::ranges::find(parts, part) == std::end(parts))
        fail(fmt::format("\"{}\" of \"{}\" is no part of a fact", part, key),
             fmt::format("did you mean \"{}\"?", nearest(part, parts)));
    Fact fact;
    auto take = [&](const char* part, std::string& to) {
      if (object.contains(part)) to = text(object[part], fmt::format("{}.{}", key, part));
    };
    take("unit", fact.unit);
    take("from", fact.from);
    take("status", fact.status);
    take("note", fact.note);
    if (!fact.status.empty() && std::ranges::find(statuses, fact.status) == std::end(statuses))
      fail(fmt::format("\"{}\" is no status, at \"{}\"", fact.status, key),
           fmt::format("one of: {}", fmt::join(statuses, ", ")));
    if (object.contains("value") && fact.from.empty())
      fail(fmt::format("\"{}\" has a value but no \"from\"", key), "say where the value is from");
    return fact;
  }

  Fact number(const json& object, const MachineField& field) const {
    Fact fact = source(object, field.name);
    if (!fact.unit.empty() && fact.unit != field.unit)
      fail(fmt::format("\"{}\" is in \"{}\"", field.name, fact.unit),
           fmt::format("give it in \"{}\"", field.unit));
    fact.unit = field.unit;
    if (!object.contains("value")) return fact;
    const json& value = object["value"];
    if (!value.is_number())
      fail(fmt::format("the value of \"{}\" must be a number, not {}", field.name,
                       value.type_name()),
           "an unknown value is left out");
    fact.value = value.get<double>();
    if (*fact.value < 0) fail(fmt::format("the value of \"{}\" is negative", field.name));
    return fact;
  }

  const json& member(const json& object, std::string_view key) const {
    auto found = object.find(key);
    if (found == object.end() || !found->contains("value"))
      fail(fmt::format("\"{}\" is missing", key), "occupancy cannot be computed without it");
    return (*found)["value"];
  }
};

std::vector<std::string_view> known_keys() {
  std::vector<std::string_view> keys(std::begin(texts), std::end(texts));
  for (const MachineField& field : machine_fields()) keys.push_back(field.name);
  for (std::string_view key : {"shared_carveouts", "register_allocation_scope", "issue_rule"})
    keys.push_back(key);
  return keys;
}

}  // namespace

Machine parse_machine(const std::string& text, const std::string& where) {
  Reader read{where};
  json file;
  try {
    file = json::parse(text);
  } catch (const json::parse_error& error) {
    bool cut_off = error.byte >= text.size();
    throw Error{where,
                cut_off ? fmt::format("the JSON text ends too early, after {} bytes", text.size())
                        : fmt::format("not JSON, at byte {}", error.byte),
                "a machine file is one JSON object of facts; `headroom machine show h200 --json` "
                "prints one"};
  }
  if (!file.is_object())
    read.fail(fmt::format("a machine file is one JSON object, not {}", file.type_name()));

  const auto keys = known_keys();
  for (const auto& [key, _] : file.items())
    if (std::ranges::find(keys, key) == keys.end())
      read.fail(fmt::format("\"{}\" is no fact of a machine", key),
                fmt::format("did you mean \"{}\"?", nearest(key, keys)));

  Machine machine;
  if (!file.contains("name")) read.fail("\"name\" is missing");
  machine.name = read.text(file["name"], "name");
  if (file.contains("title")) machine.title = read.text(file["title"], "title");
  if (file.contains("about")) machine.about = read.text(file["about"], "about");

  for (const MachineField& field : machine_fields()) {
    Fact& fact = machine.*field.fact;
    fact.unit = field.unit;
    if (file.contains(field.name)) fact = read.number(file[std::string(field.name)], field);
    // Times are divided by it.
    constexpr Fact Machine::*divisors[] = {&Machine::sm_clock,
                                           &Machine::warp_schedulers,
                                           &Machine::issue_per_clock,
                                           &Machine::instructions_per_issue,
                                           &Machine::dram_bandwidth,
                                           &Machine::l2_bandwidth,
                                           &Machine::dram_bandwidth_measured,
                                           &Machine::host_bandwidth,
                                           &Machine::l1_bytes_per_clock,
                                           &Machine::shared_bytes_per_clock};
    if (fact && *fact == 0 && std::ranges::find(divisors, field.fact) != std::end(divisors))
      read.fail(fmt::format("the value of \"{}\" is 0", field.name),
                "it must be greater; leave it out where it is unknown");
    if (!field.required) continue;
    if (!fact)
      read.fail(fmt::format("\"{}\" is missing", field.name),
                "occupancy cannot be computed without it");
    bool may_be_zero = field.fact == &Machine::shared_reserved_per_block;
    bool may_be_fraction = field.unit == "version" || field.unit == "MHz" || field.unit == "KiB";
    if (*fact == 0 && !may_be_zero)
      read.fail(fmt::format("the value of \"{}\" is 0", field.name), "it must be greater");
    if (*fact > most_of_a_fact)
      read.fail(fmt::format("the value of \"{}\" is {}", field.name, *fact),
                fmt::format("give at most {:g} {}", most_of_a_fact, field.unit));
    if ((!may_be_fraction && *fact != std::floor(*fact)))
      read.fail(fmt::format("the value of \"{}\" is {}", field.name, *fact),
                fmt::format("give a {}number of {}", may_be_fraction ? "" : "whole ", field.unit));
  }

  for (const char* key : {"shared_carveouts", "register_allocation_scope", "issue_rule"})
    if (file.contains(key)) machine.sources[key] = read.source(file[key], key);
  if (file.contains("issue_rule"))
    machine.issue_rule = read.text(read.member(file, "issue_rule"), "issue_rule");
  machine.register_allocation_scope =
      read.text(read.member(file, "register_allocation_scope"), "register_allocation_scope");
  if (std::ranges::find(scopes, machine.register_allocation_scope) == std::end(scopes))
    read.fail(
        fmt::format("\"register_allocation_scope\" is \"{}\"", machine.register_allocation_scope),
        "\"block\" (compute capability 1.x) or \"warp\"");
  const json& carveouts = read.member(file, "shared_carveouts");
  if (!carveouts.is_array() || carveouts.empty() ||
      !std::ranges::all_of(carveouts, [](const json& value) { return value.is_number(); }))
    read.fail("the value of \"shared_carveouts\" must be a list of numbers");
  machine.shared_carveouts = carveouts.get<std::vector<double>>();
  if (!std::ranges::is_sorted(machine.shared_carveouts) ||
      machine.shared_carveouts.back() != *machine.shared_per_sm)
    read.fail("\"shared_carveouts\" must rise and end at \"shared_per_sm\"");
  return machine;
}

}  // namespace headroom
