// How the figures of a launch come about: each floor, what hiding latency takes, the predicted time, and the gains of
// advice, as a formula in the names of counters and of the machine's facts, and with its numbers.
//
//   equations_of(machine, launch).groups[0].equations[0]
//     ->  {"DRAM, L2 cold", "(unique_load_sectors + unique_store_sectors) · 32 / dram_bandwidth",
//          "33.6 MB / 4815 GB/s = 6.97 µs"}
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "machine/machine.h"
#include "model/explanation.h"

namespace headroom {

struct Equation {
  std::string name, formula, numbers;
};

struct EquationGroup {
  std::string title, about;
  std::vector<Equation> equations;
};

struct Equations {
  std::vector<EquationGroup> groups;
  std::vector<const MachineField*>
      constants;  // that the formulas name, in the order of a machine's file
};

Equations equations_of(const Machine&, const ExplainedLaunch&);

// Of a floor, in counters and facts; SMs: those that have a block. From machine code and from PTX.
std::string floor_formula(Resource, bool machine_code);

}  // namespace headroom
