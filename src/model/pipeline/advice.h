// What would make a launch faster: the model again without one obstacle at a time. The time that
// this saves is the gain; what gains nothing is not told.
//
//   advice_of(model, time)  ->  {{"bank_conflicts", 87 µs, …, "transpose.cu", 17}, …}
#pragma once
#include <vector>

#include "model/pipeline/launch_time.h"

namespace headroom {

std::vector<Advice> advice_of(const LaunchModel&, const LaunchTime&);

}  // namespace headroom
