#include "report/doctor_document.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/version.h"
#include "report/json_parts.h"

namespace headroom {

namespace {

const char* word(Health health) {
  switch (health) {
    case Health::ok: return "ok";
    case Health::absent: return "none";
    default: return "missing";
  }
}

std::string told(const CheckUp& check) {
  return fmt::format("{}: {}{}{}", check.part, check.costs, check.mend.empty() ? "" : ": ",
                     check.mend);
}

Document group_document(const std::vector<CheckUp>& checks, const std::string& group) {
  Grid grid{.columns = {{"", Align::left}, {"", Align::left}, {"", Align::left, Give::words}},
            .names = 2};
  for (const CheckUp& check : checks) {
    if (check.group != group) continue;
    grid.rows.push_back({word(check.health), check.part, check.found});
    if (check.health != Health::ok) grid.notes.push_back(told(check));
  }
  return {"", {Heading{3, group}, std::move(grid)}};
}

}  // namespace

bool is_well(const std::vector<CheckUp>& checks) {
  return std::ranges::none_of(checks, [](auto& c) { return c.health == Health::missing; });
}

Document doctor_document(const std::vector<CheckUp>& checks) {
  const auto missing = std::ranges::count(checks, Health::missing, &CheckUp::health);
  Document document{"headroom doctor"};
  document.add(Heading{1, "headroom doctor: headroom " + std::string(version()),
                       missing
                           ? fmt::format("{} {} to mend", missing, missing == 1 ? "part" : "parts")
                           : std::string("all is well")});
  std::string group;
  for (const CheckUp& check : checks) {
    if (check.group == group) continue;
    group = check.group;
    document.add(group_document(checks, group));
  }
  return document;
}

std::string doctor_json(const std::vector<CheckUp>& checks) {
  Json result = {
      {"schema", "headroom-doctor/1"}, {"headroom", version()}, {"well", is_well(checks)}};
  result["checks"] = list(checks, [](const CheckUp& check) {
    return Json{{"group", check.group}, {"part", check.part},   {"state", word(check.health)},
                {"found", check.found}, {"costs", check.costs}, {"mend", check.mend}};
  });
  return result.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace headroom
