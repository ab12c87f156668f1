// A file as a whole, with a limit: /dev/zero and a pipe that never ends have none of their own.
//
//   read_file("mine.json")   "{…}"       read_file("missing.json")   nothing
//   load_file("missing.json")            throws Error{"missing.json", "cannot be read: No such file or directory", …}
#pragma once
#include <optional>
#include <string>

namespace headroom {

inline constexpr size_t usual_file_limit = size_t(256) << 20, no_file_limit = size_t(-1);

// Nothing where it cannot be read or is a folder. Throws Error when it is longer than `limit`.
std::optional<std::string> read_file(const std::string& path, size_t limit = usual_file_limit);

// Throws Error in these cases too; `where` is what the user wrote, if that is more than the path.
std::string load_file(const std::string& path, const std::string& hint = "is the path right?",
                      const std::string& where = "", size_t limit = usual_file_limit);

}  // namespace headroom
