// Resources as JSON, in the cache and in the record: absent is unknown, never 0.
//
//   {"registers": 10, "static_shared": 0, "stack": 0, "spill_stores": 0, "spill_loads": 0,
//    "from": "ptxas 13.0.88 -arch=sm_90"}
#pragma once
#include <nlohmann/json.hpp>
#include <vector>

#include "kernel/kernel.h"

namespace headroom {

nlohmann::ordered_json to_json(const Resources&);
nlohmann::ordered_json to_json(const std::vector<Caveat>&);
// Throw nlohmann::json::exception where the JSON has another shape.
Resources resources_from(const nlohmann::ordered_json&);
std::vector<Caveat> caveats_from(const nlohmann::ordered_json&);

}  // namespace headroom
