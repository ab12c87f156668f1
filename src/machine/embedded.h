// The files of machines/, compiled in; cmake/embed.cmake writes the list.
#pragma once
#include <span>
#include <string>

namespace headroom {

struct EmbeddedFile {
  std::string name;  // "h200"
  std::string text;
};
std::span<const EmbeddedFile> embedded_machines();

}  // namespace headroom
