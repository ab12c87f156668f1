// The formats of snapshots, one a file of this folder.
//
//   hdf5_format.read(path)               // throws Refused
//   hdf5_format.write(path, snapshot)    // all of the file, or Refused
#pragma once
#include <cstdint>
#include <string>

#include "studies/barnes_hut/snapshots/snapshot.h"

namespace barnes_hut {

// A file before it is read: its first bytes, and how many it has.
struct Beginning {
  std::string bytes;
  uint64_t size;
};

struct Format {
  const char* name;
  const char* extension;
  bool (*recognises)(const Beginning& beginning);
  Snapshot (*read)(const std::string& path);
  void (*write)(const std::string& path, const Snapshot& snapshot);
  const char* missing = nullptr;  // what this build lacks for it, if anything
};

extern const Format hdf5_format, tipsy_format, csv_format;

// In the order of asking: CSV says of any text that it is its own.
constexpr const Format* formats[] = {&hdf5_format, &tipsy_format, &csv_format};

constexpr uint64_t max_bodies = 1 << 27;

}  // namespace barnes_hut
