// Snapshots of Tipsy: a header, then gas, dark matter and stars, each kind a record of 32-bit values.
//
//   header   double time; int bodies, dimensions, gas, dark, stars; int padding, mostly
//   gas      mass, x, y, z, vx, vy, vz, density, temperature, smoothing length, metals, potential
//   dark     mass, x, y, z, vx, vy, vz, softening, potential
//   star     mass, x, y, z, vx, vy, vz, metals, time of birth, softening, potential
//
// "Standard" files have the bytes of XDR, most significant first, and the padding; "native" ones
// those of their machine, with or without it. Which it is, the header says: its counts add up and
// give the size of the file. Standard is what is written. The gravitational constant of the format is 1.
//
// Source: the TIPSY manual, N. Katz, T. Quinn, University of Washington.
#include <algorithm>
#include <bit>
#include <cfloat>
#include <cmath>
#include <cstring>

#include "studies/barnes_hut/snapshots/files.h"
#include "studies/barnes_hut/snapshots/formats.h"

namespace barnes_hut {

namespace {

struct Species {
  Kind kind;
  size_t values;  // of 32 bits, in a record
};
constexpr Species species[] = {{gas, 12}, {dark_matter, 9}, {star, 11}};

struct Header {
  double time;
  uint32_t bodies, dimensions, counts[3];

  static constexpr size_t bytes = 28, padding = 4;
  uint64_t size_of_records() const {
    uint64_t values = 0;
    for (int s = 0; s < 3; ++s) values += uint64_t(counts[s]) * species[s].values;
    return 4 * values;
  }
};

// A value whose bytes stand in the order of XDR, or the other way.
template <typename Value>
Value value_at(const char* bytes, bool standard) {
  char turned[sizeof(Value)];
  std::copy(bytes, bytes + sizeof(Value), turned);
  if (standard != (std::endian::native == std::endian::big)) {
    std::reverse(std::begin(turned), std::end(turned));
  }
  return std::bit_cast<Value>(turned);
}
template <typename Value>
void add(std::string& bytes, Value value) {
  char turned[sizeof(Value)];
  std::memcpy(turned, &value, sizeof turned);
  if constexpr (std::endian::native == std::endian::little) {
    std::reverse(std::begin(turned), std::end(turned));
  }
  bytes.append(turned, sizeof turned);
}

// In the order of bytes in which it adds up, if there is one.
std::optional<Header> header_of(const std::string& bytes, bool& standard) {
  if (bytes.size() < Header::bytes) return std::nullopt;
  for (const bool order : {true, false}) {
    const auto count = [&](int word) { return value_at<uint32_t>(&bytes[8 + 4 * word], order); };
    const Header header{
        value_at<double>(bytes.data(), order), count(0), count(1), {count(2), count(3), count(4)}};
    const uint64_t sum = uint64_t(header.counts[0]) + header.counts[1] + header.counts[2];
    if (header.dimensions < 1 || header.dimensions > 3 || sum != header.bodies) continue;
    standard = order;
    return header;
  }
  return std::nullopt;
}

bool recognises(const Beginning& beginning) {
  bool standard;
  return header_of(beginning.bytes, standard).has_value();
}

Snapshot read(const std::string& path) {
  const std::string bytes = contents_of(path);
  bool standard;
  const Header header = *header_of(bytes, standard);
  if (header.dimensions != 3) {
    refuse(path, "is Tipsy in " + std::to_string(header.dimensions) + " dimensions: 3 are needed");
  }
  if (header.bodies > max_bodies) {
    refuse(path, "promises " + std::to_string(header.bodies) +
                     " bodies: " + std::to_string(max_bodies) + " are the most");
  }
  const uint64_t without = Header::bytes + header.size_of_records();
  if (bytes.size() != without && bytes.size() != without + Header::padding) {
    refuse(path, "is Tipsy of " + std::to_string(header.bodies) + " bodies by its header, so " +
                     std::to_string(without + Header::padding) + " bytes or, without padding, " +
                     std::to_string(without) + "; it has " + std::to_string(bytes.size()));
  }
  Snapshot snapshot;
  snapshot.time = header.time;
  snapshot.gravity = 1;
  const char* next = bytes.data() + (bytes.size() - header.size_of_records());
  for (int s = 0; s < 3; ++s) {
    for (uint32_t i = 0; i < header.counts[s]; ++i, next += 4 * species[s].values) {
      const auto value = [&](int place) {
        return double(value_at<float>(next + 4 * place, standard));
      };
      snapshot.bodies.push_back(
          {value(1), value(2), value(3), value(0), value(4), value(5), value(6)});
      snapshot.kind.push_back(species[s].kind);
    }
  }
  return snapshot;
}

Kind species_of(const Snapshot& snapshot, size_t i) {
  const Kind kind = snapshot.kind.empty() ? dark_matter : snapshot.kind[i];
  return kind == gas || kind == star ? kind : dark_matter;
}

void write(const std::string& path, const Snapshot& snapshot) {
  uint32_t counts[3] = {};
  for (int s = 0; s < 3; ++s) {
    for (size_t i = 0; i < snapshot.bodies.size(); ++i) {
      counts[s] += species_of(snapshot, i) == species[s].kind;
    }
  }
  std::string bytes;
  add(bytes, snapshot.time);
  add(bytes, uint32_t(snapshot.bodies.size()));
  add(bytes, uint32_t(3));
  for (const uint32_t count : counts) add(bytes, count);
  add(bytes, uint32_t(0));
  const double gravity = snapshot.gravity.value_or(1);
  for (const Species& each : species) {
    for (size_t i = 0; i < snapshot.bodies.size(); ++i) {
      if (species_of(snapshot, i) != each.kind) continue;
      const auto& body = snapshot.bodies[i];
      for (const double value : {body.mass * gravity, body.x, body.y, body.z, body.velocity_x,
                                 body.velocity_y, body.velocity_z}) {
        if (std::abs(value) > FLT_MAX) {
          refuse(path, "body " + std::to_string(i) + " has " + std::to_string(value) +
                           ", which 32 bits cannot hold");
        }
        add(bytes, float(value));
      }
      for (size_t unknown = 7; unknown < each.values; ++unknown) add(bytes, 0.0F);
    }
  }
  write_contents(path, bytes);
}

}  // namespace

const Format tipsy_format{"Tipsy", ".tipsy", recognises, read, write};

}  // namespace barnes_hut
