// Resources of relocatable device code (nvcc -rdc=true), from the PTX of its modules.
#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "kernel/kernel.h"

namespace headroom {

// By ptxas -c and nvlink; otherwise as ptxas_resources.
std::map<std::string, Resources> linked_resources(const std::vector<ImageEntry>& parts, int cc,
                                                  std::vector<Caveat>& caveats);

// The machine code of the whole: the bytes of a cubin. None where it cannot be made, with a caveat.
std::vector<std::byte> linked_code(const std::vector<ImageEntry>& parts, int cc,
                                   std::vector<Caveat>& caveats);

}  // namespace headroom
