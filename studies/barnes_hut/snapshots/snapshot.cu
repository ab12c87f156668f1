// See snapshot.h: which format a file has, by its content where it is read, by its name where it is
// written.
#include <sys/stat.h>

#include <cmath>

#include "studies/barnes_hut/snapshots/files.h"
#include "studies/barnes_hut/snapshots/formats.h"
#include "studies/barnes_hut/snapshots/snapshot.h"
#include "studies/barnes_hut/start.h"

namespace barnes_hut {

namespace {

void require_numbers(const std::string& path, const Snapshot& snapshot) {
  if (!std::isfinite(snapshot.time)) refuse(path, "its time is not a finite number");
  try {
    require_finite<double>(snapshot.bodies);
  } catch (const Failure& failure) {
    refuse(path, failure.what());
  }
}

void require_here(const Format& format, const std::string& path) {
  if (format.missing) refuse(path, format.missing);
}

const Format& format_of_name(const std::string& path) {
  std::string known;
  for (const Format* format : formats) {
    const std::string extension = format->extension;
    if (path.size() > extension.size() && path.ends_with(extension)) return *format;
    known += (known.empty() ? "" : ", ") + extension;
  }
  refuse(path, "the name of what is written must end in one of " + known);
}

}  // namespace

Snapshot read_snapshot(const std::string& path) {
  constexpr size_t enough = 4096;
  Beginning beginning{contents_of(path, enough), 0};
  struct stat status;
  beginning.size = stat(path.c_str(), &status) == 0 ? uint64_t(status.st_size) : 0;
  if (beginning.bytes.empty()) refuse(path, "is empty");
  for (const Format* format : formats) {
    if (!format->recognises(beginning)) continue;
    require_here(*format, path);
    Snapshot snapshot = format->read(path);
    if (snapshot.bodies.empty()) refuse(path, "has no bodies");
    require_numbers(path, snapshot);
    return snapshot;
  }
  refuse(path, "is neither HDF5, nor Tipsy, nor text");
}

void write_snapshot(const std::string& path, const Snapshot& snapshot) {
  const Format& format = format_of_name(path);
  replace_file(path, [&](const std::string& beside) { format.write(beside, snapshot); });
}

void require_writable_snapshot(const std::string& path) {
  require_here(format_of_name(path), path);
  require_replaceable(path);
}

}  // namespace barnes_hut
