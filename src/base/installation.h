// Where headroom lies, seen from its own running code: the folder may be moved as a whole.
//
//   in /opt/headroom/bin/headroom                     installation()  ->  "/opt/headroom"
//   in /opt/headroom/lib/headroom/libcudart.so.13     installation()  ->  "/opt/headroom"
#pragma once
#include <filesystem>

namespace headroom {

std::filesystem::path installation();

}  // namespace headroom
