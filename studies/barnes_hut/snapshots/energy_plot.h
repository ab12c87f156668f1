// The energy of a run through time, as a table or as a drawing.
//
//   write_energy("energy.csv", points, labels);     // time,kinetic,potential,total,drift
//   write_energy("energy.svg", points, labels);     // kinetic, potential, total; below them the drift
//
// Drift is (E - E0) / |E0|.
#pragma once
#include <string>
#include <vector>

namespace barnes_hut {

struct EnergyPoint {
  double time, kinetic, potential;
  double total() const { return kinetic + potential; }
};

struct EnergyLabels {
  std::string title, time_unit, energy_unit;
};

double drift_of(const EnergyPoint& point, const EnergyPoint& first);

// Throws Refused where the name says neither, or it cannot be written.
void write_energy(const std::string& path, const std::vector<EnergyPoint>& points,
                  const EnergyLabels& labels);
void require_energy_file(const std::string& path);

}  // namespace barnes_hut
