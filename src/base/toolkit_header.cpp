#include "base/toolkit_header.h"

#include <regex>

namespace headroom {

bool is_of_toolkit(const std::string& file) {
  static const std::regex path(R"(/(cuda(-[0-9.]+)?|targets/[^/]+|nvidia/[^/]+)/(.*/)?include/)",
                               std::regex::optimize);
  return std::regex_search(file, path);
}

}  // namespace headroom
