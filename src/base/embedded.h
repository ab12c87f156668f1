// A file that was compiled in (cmake/embed.cmake).
//
//   {"machines/h200.json", "{…"}.stem()   "h200"
#pragma once
#include <span>
#include <string>

namespace headroom {

struct EmbeddedFile {
  std::string path;  // from the root of the sources
  std::string text;
  std::string stem() const {
    const size_t begin = path.rfind('/') + 1;
    return path.substr(begin, path.rfind('.') - begin);
  }
};

}  // namespace headroom
