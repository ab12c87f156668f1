// A file as a whole, with a limit: /dev/zero and a pipe that never ends have none of their own.
//
//   read_file("mine.json")   "{…}"       read_file("missing.json")   nothing
#pragma once
#include <optional>
#include <string>

namespace headroom {

// Nothing where it cannot be read or is a folder. Throws Error when it is longer than `limit`.
std::optional<std::string> read_file(const std::string& path, size_t limit = size_t(256) << 20);

}  // namespace headroom
