// Snapshots in HDF5, in the layout of Gadget, which SWIFT keeps:
//
//   /Header          attributes: NumPart_ThisFile, NumPart_Total, NumPart_Total_HighWord, MassTable,
//                    Time, BoxSize, NumFilesPerSnapshot, …
//   /PartType1       a group a kind of body: Coordinates, Velocities (n × 3), Masses, ParticleIDs (n)
//   /Parameters      attributes: GravityConstantInternal, UnitLength_in_cm, …   (GADGET-4)
//   /Units           attributes: Unit length in cgs (U_L), …                    (SWIFT)
//
// Read are values of 32 or 64 bits; where a kind has no Masses, MassTable has the mass of all of
// them. A snapshot of several files (name.0.hdf5, name.1.hdf5, …) is read whole from any of them.
// Written is one file, in 32 bits where these lose nothing, with checksums, as SWIFT does.
//
// The gravitational constant in the units of a file is the one that it states; where that is 0 or
// missing, Newton's in its units of length, mass and time. Without these it is unknown.
//
// Sources: V. Springel et al., "GADGET-4", snapshot file format, wwwmpa.mpa-garching.mpg.de/gadget4;
// SWIFT, "Snapshots", swift.strw.leidenuniv.nl/docs. Newton's constant: CODATA 2018.
#include "studies/barnes_hut/snapshots/files.h"
#include "studies/barnes_hut/snapshots/formats.h"

#ifdef BARNES_HUT_HDF5
#include <hdf5.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <utility>
#endif

namespace barnes_hut {

namespace {

bool recognises(const Beginning& beginning) {
  return beginning.bytes.starts_with("\x89HDF\r\n\x1a\n");
}

#ifdef BARNES_HUT_HDF5

// Whatever the library gives, closed at the end of the scope.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  Handle(Handle&& other) : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  operator hid_t() const { return id_; }
  bool valid() const { return id_ >= 0; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

// What is wrong is said here, and once.
void silence_library() { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); }

// Gadget has 6, SWIFT 7; more are refused.
constexpr size_t max_kinds = 8;

bool has_group(hid_t file, const std::string& name) {
  return H5Lexists(file, name.c_str(), H5P_DEFAULT) > 0 &&
         H5Oexists_by_name(file, name.c_str(), H5P_DEFAULT) > 0;
}

// --- reading ---

class File {
 public:
  explicit File(const std::string& path)
      : path_(path), file_(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose) {
    if (!file_.valid()) refuse(path, "is HDF5, but damaged or cut");
    if (!has_group(file_, "Header")) refuse(path, "is HDF5, but has no /Header: no snapshot");
  }

  // An attribute as numbers; empty where there is none.
  std::vector<double> numbers(const std::string& group, const std::string& name) const {
    if (!has_group(file_, group)) return {};
    const Handle object(H5Gopen2(file_, group.c_str(), H5P_DEFAULT), H5Gclose);
    if (!object.valid() || H5Aexists(object, name.c_str()) <= 0) return {};
    const std::string shown = "/" + group + ", " + name;
    const Handle attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose);
    const Handle type(H5Aget_type(attribute), H5Tclose);
    const Handle space(H5Aget_space(attribute), H5Sclose);
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    const bool is_number = H5Tget_class(type) == H5T_INTEGER || H5Tget_class(type) == H5T_FLOAT;
    if (!is_number || count < 0 || count > 64) bad(shown, "is not a few numbers");
    std::vector<double> values(count);
    if (H5Aread(attribute, H5T_NATIVE_DOUBLE, values.data()) < 0) bad(shown, "cannot be read");
    return values;
  }
  double number(const std::string& group, const std::string& name, double otherwise) const {
    const auto values = numbers(group, name);
    return values.empty() ? otherwise : values[0];
  }
  // Bodies of each kind.
  std::vector<uint64_t> counts(const std::string& name) const {
    std::vector<uint64_t> found;
    for (const double value : numbers("Header", name)) {
      if (!(value >= 0 && value <= 0x1p53 && value == std::floor(value))) {
        bad("/Header, " + name, "has " + std::to_string(value) + ", which is no number of bodies");
      }
      found.push_back(uint64_t(value));
    }
    if (found.size() > max_kinds) bad("/Header, " + name, "knows too many kinds of bodies");
    return found;
  }

  bool has(const std::string& name) const { return has_group(file_, name); }

  // rows × columns values; `type` is the library's name for Value.
  template <typename Value>
  std::vector<Value> values(const std::string& name, uint64_t rows, size_t columns,
                            hid_t type) const {
    const Handle data(H5Dopen2(file_, name.c_str(), H5P_DEFAULT), H5Dclose);
    if (!data.valid()) bad("/" + name, "is missing");
    const Handle stored(H5Dget_type(data), H5Tclose), space(H5Dget_space(data), H5Sclose);
    const H5T_class_t kind = H5Tget_class(stored);
    if (kind != H5T_FLOAT && kind != H5T_INTEGER) bad("/" + name, "does not hold numbers");
    const int rank = H5Sget_simple_extent_ndims(space);
    hsize_t sides[2] = {0, 1};
    if (rank != 1 && rank != 2) bad("/" + name, "has neither rows nor a table of values");
    H5Sget_simple_extent_dims(space, sides, nullptr);
    if (sides[0] != rows || sides[1] != columns) {
      bad("/" + name, "has " + std::to_string(sides[0]) + " x " + std::to_string(sides[1]) +
                          " values, where the header promises " + std::to_string(rows) + " x " +
                          std::to_string(columns));
    }
    if (rows > 0 && !is_stored_whole(data, space)) bad("/" + name, "does not hold all its values");
    std::vector<Value> found(rows * columns);
    if (H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, found.data()) < 0) {
      bad("/" + name, "cannot be read: damaged, or packed in a way that this library lacks");
    }
    return found;
  }

  [[noreturn]] void bad(const std::string& what, const std::string& problem) const {
    refuse(path_, what + " " + problem);
  }

 private:
  // A sparse data set of a few KB may promise gigabytes: what was never written reads as zeros.
  static bool is_stored_whole(hid_t data, hid_t space) {
    if (H5Dget_storage_size(data) == 0) return false;
    const Handle how(H5Dget_create_plist(data), H5Pclose);
    if (H5Pget_layout(how) != H5D_CHUNKED) return true;
    hsize_t sides[2] = {1, 1}, chunk[2] = {1, 1}, written = 0;
    H5Sget_simple_extent_dims(space, sides, nullptr);
    H5Pget_chunk(how, 2, chunk);
    if (H5Dget_num_chunks(data, space, &written) < 0) return false;
    return written == ((sides[0] - 1) / chunk[0] + 1) * ((sides[1] - 1) / chunk[1] + 1);
  }

  std::string path_;
  Handle file_;
};

// Faults of the library on files that damage made senseless end the program as any other refusal.
class Guard {
 public:
  explicit Guard(const std::string& path) {
    message_ = path + ": is HDF5, but so damaged that the library cannot read it\n";
    for (size_t i = 0; i < std::size(signals); ++i) before_[i] = signal(signals[i], end);
  }
  ~Guard() {
    for (size_t i = 0; i < std::size(signals); ++i) signal(signals[i], before_[i]);
  }

 private:
  static constexpr int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGABRT};
  static void end(int) {
    if (write(STDERR_FILENO, message_.data(), message_.size()) < 0) _exit(2);
    _exit(2);
  }
  static inline std::string message_;
  void (*before_[std::size(signals)])(int);
};

// name.0.hdf5 of 3 -> name.0.hdf5, name.1.hdf5, name.2.hdf5
std::vector<std::string> parts_of(const std::string& path, double parts) {
  if (!(parts >= 1 && parts <= 1 << 16)) refuse(path, "says to be one of no files");
  if (parts == 1) return {path};
  const size_t extension = path.rfind('.');
  const size_t number = extension == path.npos ? path.npos : path.rfind('.', extension - 1);
  const std::string digits =
      number == path.npos ? "" : path.substr(number + 1, extension - number - 1);
  if (digits.empty() || digits.find_first_not_of("0123456789") != digits.npos) {
    refuse(path,
           "is one of " + std::to_string(int(parts)) +
               " files, but has no name such as snapshot.0.hdf5, by which to find the others");
  }
  std::vector<std::string> paths;
  for (int part = 0; part < int(parts); ++part) {
    paths.push_back(path.substr(0, number + 1) + std::to_string(part) + path.substr(extension));
  }
  return paths;
}

void read_facts(const File& file, Snapshot& snapshot) {
  snapshot.time = file.number("Header", "Time", 0);
  snapshot.box = file.numbers("Header", "BoxSize");
  const auto unit = [&](const char* swift, const char* gadget) {
    const double own = file.number("Parameters", gadget, file.number("Header", gadget, 0));
    return file.number("Units", swift, own);
  };
  Units units{unit("Unit length in cgs (U_L)", "UnitLength_in_cm"),
              unit("Unit mass in cgs (U_M)", "UnitMass_in_g"), unit("Unit time in cgs (U_t)", "")};
  const double velocity = unit("", "UnitVelocity_in_cm_per_s");
  if (units.time == 0 && velocity > 0) units.time = units.length / velocity;
  if (units.length > 0 && units.mass > 0 && units.time > 0) snapshot.units = units;

  const double own = file.number("Parameters", "GravityConstantInternal", 0);
  if (own > 0) {
    snapshot.gravity = own;
  } else if (snapshot.units) {
    const double newton = file.number("PhysicalConstants/CGS", "newton_G", 6.67430e-8);
    snapshot.gravity = newton * units.mass * units.time * units.time /
                       (units.length * units.length * units.length);
  }

  // Gadget-2 does not say whether it is: then time is the scale of the universe.
  const double scale = 1 / (1 + file.number("Header", "Redshift", NAN));
  const bool scale_is_time =
      file.number("Header", "Omega0", 0) > 0 && std::abs(snapshot.time - scale) < 1e-6 * scale;
  snapshot.comoving = file.number("Cosmology", "Cosmological run", 0) > 0 ||
                      file.number("Parameters", "ComovingIntegrationOn", scale_is_time) > 0;
}

// Large ones change hands where nothing is before them.
template <typename Value>
void append(std::vector<Value>& values, std::vector<Value>& more) {
  if (values.empty()) {
    values = std::move(more);
  } else {
    values.insert(values.end(), more.begin(), more.end());
  }
}

// The bodies of one kind in one file, after those that are there.
void read_kind(const File& file, size_t kind, uint64_t n, double mass_of_all, Snapshot& into) {
  const std::string group = "PartType" + std::to_string(kind);
  const auto place = file.values<double>(group + "/Coordinates", n, 3, H5T_NATIVE_DOUBLE);
  const auto velocity = file.values<double>(group + "/Velocities", n, 3, H5T_NATIVE_DOUBLE);
  std::vector<double> mass(n, mass_of_all);
  if (file.has(group + "/Masses")) {
    mass = file.values<double>(group + "/Masses", n, 1, H5T_NATIVE_DOUBLE);
  } else if (!(mass_of_all > 0)) {
    file.bad("/" + group, "has no Masses, nor is there one in MassTable");
  }
  if (file.has(group + "/ParticleIDs")) {
    auto identity = file.values<uint64_t>(group + "/ParticleIDs", n, 1, H5T_NATIVE_UINT64);
    append(into.identity, identity);
  }
  for (size_t i = 0; i < n; ++i) {
    into.bodies.push_back({place[3 * i], place[3 * i + 1], place[3 * i + 2], mass[i],
                           velocity[3 * i], velocity[3 * i + 1], velocity[3 * i + 2]});
    into.kind.push_back(Kind(kind));
  }
}

Snapshot read(const std::string& path) {
  silence_library();
  const Guard guard(path);
  Snapshot snapshot;
  Snapshot of_kind[max_kinds];  // gathered apart, so that several files give the order of one
  std::vector<uint64_t> promised;
  uint64_t sum = 0;
  const double parts = File(path).number("Header", "NumFilesPerSnapshot", 1);
  for (const std::string& part : parts_of(path, parts)) {
    contents_of(part, 1);  // or why not
    const File file(part);
    if (file.number("Header", "NumFilesPerSnapshot", 1) != parts) {
      refuse(part, "is not of the same snapshot as " + path);
    }
    const auto counts = file.counts("NumPart_ThisFile");
    if (counts.empty()) refuse(part, "/Header, NumPart_ThisFile is missing: no snapshot");
    read_facts(file, snapshot);
    promised = file.counts("NumPart_Total");
    const auto high = file.counts("NumPart_Total_HighWord");
    for (size_t k = 0; k < std::min(high.size(), promised.size()); ++k)
      promised[k] += high[k] << 32;
    const auto masses = file.numbers("Header", "MassTable");
    for (size_t k = 0; k < counts.size(); ++k) {
      if (counts[k] == 0) continue;
      sum += counts[k];
      if (sum > max_bodies) {
        refuse(part, "has too many bodies: " + std::to_string(max_bodies) + " are the most");
      }
      read_kind(file, k, counts[k], k < masses.size() ? masses[k] : 0, of_kind[k]);
    }
  }
  for (size_t k = 0; k < max_kinds; ++k) {
    Snapshot& some = of_kind[k];
    if (k < promised.size() && some.bodies.size() != promised[k]) {
      refuse(path, "has " + std::to_string(some.bodies.size()) + " bodies of /PartType" +
                       std::to_string(k) + ", where the header promises " +
                       std::to_string(promised[k]));
    }
    append(snapshot.bodies, some.bodies);
    append(snapshot.kind, some.kind);
    append(snapshot.identity, some.identity);
  }
  if (snapshot.identity.size() != snapshot.bodies.size()) snapshot.identity.clear();
  return snapshot;
}

// --- writing ---

class NewFile {
 public:
  explicit NewFile(const std::string& path)
      : path_(path), file_(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)) {
    sure(file_);
  }
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  ~NewFile() {
    if (file_ >= 0) H5Fclose(file_);
  }

  Handle group(const std::string& name) const {
    return made(H5Gcreate2(file_, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
  }
  void attribute(hid_t group, const char* name, hid_t memory, hid_t stored, const void* values,
                 hsize_t count) const {
    const Handle space =
        made(count == 1 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &count, nullptr), H5Sclose);
    const Handle attribute =
        made(H5Acreate2(group, name, stored, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    sure(H5Awrite(attribute, memory, values));
  }
  void attribute(hid_t group, const char* name, double value) const {
    attribute(group, name, H5T_NATIVE_DOUBLE, H5T_IEEE_F64LE, &value, 1);
  }
  void attribute(hid_t group, const char* name, int value) const {
    attribute(group, name, H5T_NATIVE_INT, H5T_STD_I32LE, &value, 1);
  }
  void attribute(hid_t group, const char* name, const std::vector<double>& values) const {
    attribute(group, name, H5T_NATIVE_DOUBLE, H5T_IEEE_F64LE, values.data(), values.size());
  }
  void attribute(hid_t group, const char* name, const std::vector<uint32_t>& values) const {
    attribute(group, name, H5T_NATIVE_UINT32, H5T_STD_U32LE, values.data(), values.size());
  }
  // Returns whether it takes 64 bits to lose nothing.
  bool data(hid_t group, const char* name, const std::vector<double>& values,
            hsize_t columns) const {
    const bool exact = std::all_of(values.begin(), values.end(),
                                   [](double value) { return double(float(value)) == value; });
    data(group, name, H5T_NATIVE_DOUBLE, exact ? H5T_IEEE_F32LE : H5T_IEEE_F64LE, values.data(),
         values.size() / columns, columns);
    return !exact;
  }
  void data(hid_t group, const char* name, const std::vector<uint64_t>& values) const {
    data(group, name, H5T_NATIVE_UINT64, H5T_STD_U64LE, values.data(), values.size(), 1);
  }
  void close() {
    sure(H5Fflush(file_, H5F_SCOPE_GLOBAL));
    sure(H5Fclose(std::exchange(file_, -1)));
  }

 private:
  Handle made(hid_t id, herr_t (*close)(hid_t)) const {
    sure(id);
    return {id, close};
  }
  void data(hid_t group, const char* name, hid_t memory, hid_t stored, const void* values,
            hsize_t rows, hsize_t columns) const {
    const int rank = columns == 1 ? 1 : 2;
    const hsize_t sides[2] = {rows, columns},
                  chunk[2] = {std::min<hsize_t>(rows, 1 << 16), columns};
    const Handle space = made(H5Screate_simple(rank, sides, nullptr), H5Sclose);
    const Handle how = made(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    sure(H5Pset_chunk(how, rank, chunk));
    sure(H5Pset_fletcher32(how));
    sure(H5Pset_obj_track_times(how, false));  // the same bodies are the same bytes
    const Handle data =
        made(H5Dcreate2(group, name, stored, space, H5P_DEFAULT, how, H5P_DEFAULT), H5Dclose);
    sure(H5Dwrite(data, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
  }
  void sure(hid_t result) const {
    if (result < 0) refuse(path_, "cannot be written: is there room, and leave to write?");
  }

  std::string path_;
  hid_t file_;
};

// The bodies of each kind, in their order.
std::vector<std::vector<size_t> > by_kind(const Snapshot& snapshot) {
  std::vector<std::vector<size_t> > places(6);
  for (size_t i = 0; i < snapshot.bodies.size(); ++i) {
    const size_t kind = snapshot.kind.empty() ? dark_matter : snapshot.kind[i];
    places.resize(std::max(places.size(), kind + 1));
    places[kind].push_back(i);
  }
  return places;
}

// Returns whether any of it takes 64 bits.
bool write_kind(const NewFile& file, size_t kind, const std::vector<size_t>& places,
                const Snapshot& snapshot) {
  std::vector<double> place, velocity, mass;
  std::vector<uint64_t> identity;
  for (const size_t i : places) {
    const auto& body = snapshot.bodies[i];
    place.insert(place.end(), {body.x, body.y, body.z});
    velocity.insert(velocity.end(), {body.velocity_x, body.velocity_y, body.velocity_z});
    mass.push_back(body.mass);
    identity.push_back(snapshot.identity.empty() ? i + 1 : snapshot.identity[i]);
  }
  const Handle group = file.group("PartType" + std::to_string(kind));
  bool wide = file.data(group, "Coordinates", place, 3);
  wide |= file.data(group, "Velocities", velocity, 3);
  wide |= file.data(group, "Masses", mass, 1);
  file.data(group, "ParticleIDs", identity);
  return wide;
}

void write(const std::string& path, const Snapshot& snapshot) {
  silence_library();
  NewFile file(path);
  const auto places = by_kind(snapshot);
  bool wide = false;
  std::vector<uint32_t> counts;
  for (size_t kind = 0; kind < places.size(); ++kind) {
    counts.push_back(uint32_t(places[kind].size()));
    if (counts.back()) wide |= write_kind(file, kind, places[kind], snapshot);
  }
  {
    const Handle header = file.group("Header");
    file.attribute(header, "NumPart_ThisFile", counts);
    file.attribute(header, "NumPart_Total", counts);
    file.attribute(header, "NumPart_Total_HighWord", std::vector<uint32_t>(counts.size()));
    file.attribute(header, "MassTable", std::vector<double>(counts.size()));
    file.attribute(header, "Time", snapshot.time);
    file.attribute(header, "BoxSize", snapshot.box.empty() ? std::vector<double>{0} : snapshot.box);
    file.attribute(header, "NumFilesPerSnapshot", 1);
    file.attribute(header, "Flag_DoublePrecision", int(wide));
    for (const char* none : {"Flag_Sfr", "Flag_Cooling", "Flag_StellarAge", "Flag_Metals",
                             "Flag_Feedback", "Flag_Entropy_ICs"}) {
      file.attribute(header, none, 0);
    }
    for (const char* none : {"Redshift", "Omega0", "OmegaLambda"}) {
      file.attribute(header, none, 0.0);
    }
    file.attribute(header, "HubbleParam", 1.0);
    const Handle parameters = file.group("Parameters");
    if (snapshot.gravity) {
      file.attribute(parameters, "GravityConstantInternal", *snapshot.gravity);
    }
    file.attribute(parameters, "ComovingIntegrationOn", 0);
    if (const auto& units = snapshot.units) {
      file.attribute(parameters, "UnitLength_in_cm", units->length);
      file.attribute(parameters, "UnitMass_in_g", units->mass);
      file.attribute(parameters, "UnitVelocity_in_cm_per_s", units->length / units->time);
      const Handle swift = file.group("Units");
      file.attribute(swift, "Unit length in cgs (U_L)", units->length);
      file.attribute(swift, "Unit mass in cgs (U_M)", units->mass);
      file.attribute(swift, "Unit time in cgs (U_t)", units->time);
      file.attribute(swift, "Unit current in cgs (U_I)", 1.0);
      file.attribute(swift, "Unit temperature in cgs (U_T)", 1.0);
    }
  }
  file.close();
}

#endif

}  // namespace

#ifdef BARNES_HUT_HDF5
const Format hdf5_format{"HDF5", ".hdf5", recognises, read, write};
#else
const Format hdf5_format{
    "HDF5",     ".hdf5",
    recognises, nullptr,
    nullptr,    "this build has no HDF5: give -DBARNES_HUT_HDF5 and the library, or use cmake"};
#endif

}  // namespace barnes_hut
