// What the reports' JSON has in common: lists, and caveats.
#pragma once
#include "model/explanation.h"
#include "record/json.h"

namespace headroom {

using Json = nlohmann::ordered_json;

Json list(const auto& values, auto json) {
  Json result = Json::array();
  for (const auto& value : values) result.push_back(json(value));
  return result;
}

inline Json caveat_json(const Caveat& caveat) {
  return {{"what", caveat.what}, {"cause", caveat.cause}, {"advice", caveat.advice}};
}

inline Json run_caveat_json(const RunCaveat& caveat) {
  Json result = caveat_json(caveat);
  result["kernels"] = caveat.kernels;
  return result;
}

}  // namespace headroom
