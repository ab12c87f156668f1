// studies/*/published.json, studies/sources.json and results/*/*.json, compiled into headroom-lab.
#pragma once
#include "base/embedded.h"

namespace headroom {

std::span<const EmbeddedFile> embedded_published();
std::span<const EmbeddedFile> embedded_results();

}  // namespace headroom
