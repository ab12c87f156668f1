// The version of headroom, which CMakeLists.txt names and nothing else does.
//
//   version()  ->  "0.1.0"
#pragma once

namespace headroom {

const char* version();

}  // namespace headroom
