// The files of machines/ and machines/measured/, compiled in.
#pragma once
#include "base/embedded.h"

namespace headroom {

std::span<const EmbeddedFile> embedded_machines();
std::span<const EmbeddedFile> embedded_measured();

}  // namespace headroom
