// What `headroom compare` says: each kernel that changed with its figures and the one that moved its
// time, how many did not, the kernels of one record alone, and which gates broke.
//
//   headroom compare: old.json -> new.json: 1 of 3 kernels changed
//
//   copy(float*), 256 × 128, 3 launches
//     predicted 12.0 -> 15.6 µs (+30.0 %): global_load_sectors 4096 -> 16 384 (+300 %)
//   …
//   2 kernels unchanged.
#pragma once
#include <string>

#include "model/gate.h"
#include "report/document.h"

namespace headroom {

Document compare_document(const Comparison&, const Judgement&);
// {"schema": "headroom-compare/1", "old": {…}, "kernels": [{"kernel": …, "launches": […]}], …}
std::string compare_json(const Comparison&, const Judgement&);

}  // namespace headroom
