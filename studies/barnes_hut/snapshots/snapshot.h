// Bodies in files: what other programs of the field write, and read.
//
//   Snapshot snapshot = read_snapshot("galaxy.hdf5");     // what it is, its content says
//   snapshot.time = 1.5;
//   write_snapshot("later.tipsy", snapshot);              // what it becomes, the name says
//
//   .hdf5    HDF5 in the layout of Gadget and SWIFT: all of a Snapshot
//   .tipsy   32-bit values, no identities; the gravitational constant is 1
//   .csv     x,y,z,vx,vy,vz,mass; no identities, no kinds
//
// A file that cannot be taken is Refused, with its name and what is wrong. What is written stands
// whole under its name, or not at all.
#pragma once
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "studies/barnes_hut/barnes_hut.h"

namespace barnes_hut {

// Of lengths, masses and times, in centimetres, grams and seconds.
struct Units {
  double length, mass, time;
};

// What a body stands for, as Gadget numbers it. To gravity all are alike.
enum Kind : uint8_t { gas = 0, dark_matter = 1, disk = 2, bulge = 3, star = 4, black_hole = 5 };

struct Snapshot {
  Bodies bodies;  // masses are those of the file, without the gravitational constant
  double time = 0;
  std::optional<double>
      gravity;  // the constant, in the units of the file; nothing: it does not say
  std::optional<Units> units;
  bool comoving = false;           // coordinates grow with the universe
  std::vector<double> box;         // its sides, where there is one
  std::vector<uint64_t> identity;  // empty where the format has none
  std::vector<Kind> kind;          // empty: all are dark matter
};

// The bodies as a solver takes them, to which the gravitational constant is 1: it goes into their
// masses, and 1 changes no bit of them.
inline Bodies pulling(const Snapshot& snapshot) {
  Bodies bodies = snapshot.bodies;
  for (auto& body : bodies) body.mass *= snapshot.gravity.value_or(1);
  return bodies;
}

// Bad input: what is wrong with which file.
struct Refused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

Snapshot read_snapshot(const std::string& path);
void write_snapshot(const std::string& path, const Snapshot& snapshot);
// Before the work, not after it: throws where nothing can be written there, or not in that format.
void require_writable_snapshot(const std::string& path);

}  // namespace barnes_hut
