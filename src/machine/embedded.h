// The files of machines/ and machines/measured/, compiled in; cmake/embed.cmake writes the lists.
#pragma once
#include <span>
#include <string>

namespace headroom {

struct EmbeddedFile {
  std::string name;  // "h200"
  std::string text;
};
std::span<const EmbeddedFile> embedded_machines();
std::span<const EmbeddedFile> embedded_measured();

}  // namespace headroom
