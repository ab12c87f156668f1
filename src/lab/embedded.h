// studies/*/published.json, studies/sources.json and results/*/*.json, compiled in;
// cmake/embed.cmake writes the lists.
#pragma once
#include <span>
#include <string>

namespace headroom {

struct EmbeddedText {
  std::string name;  // "studies/copy/published.json", "results/h200/copy.json"
  std::string text;
};
std::span<const EmbeddedText> embedded_published();
std::span<const EmbeddedText> embedded_results();

}  // namespace headroom
