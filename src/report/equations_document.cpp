#include "report/equations_document.h"

#include <fmt/format.h>

#include "model/equations.h"

namespace headroom {

Document equations_document(const Machine& machine, const ExplainedLaunch& launch) {
  const Equations equations = equations_of(machine, launch);
  Document document;
  document.add(Heading{3, "Equations", "in the names of counters and of facts of " + machine.name});
  for (const EquationGroup& group : equations.groups) {
    Grid grid{.lead = fmt::format("{}: {}", group.title, group.about),
              .columns = {{"", Align::left, Give::words}, {"", Align::left, Give::words}}};
    for (const Equation& each : group.equations) {
      grid.rows.push_back({each.name, each.formula});
      grid.rows.push_back({"", "= " + each.numbers});
    }
    document.add(std::move(grid));
  }
  Grid constants{
      .lead = "Constants: from the machine's file",
      .columns = {{"", Align::left}, {""}, {"", Align::left}, {"from", Align::left, Give::words}}};
  for (const MachineField* field : equations.constants) {
    const Fact& fact = machine.*field->fact;
    constants.rows.push_back(
        {std::string(field->name), fmt::format("{:g}", *fact), fact.unit, fact.from});
  }
  if (launch.record.prediction)
    constants.notes = {"cycles that the model calibrates or assumes: docs/model.md"};
  document.add(std::move(constants));
  return document;
}

}  // namespace headroom
