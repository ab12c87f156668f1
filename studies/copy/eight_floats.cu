// rung    eight_floats
// idea    eight loads in flight per thread
// expect  warp_instructions / 1.17, global_load_requests / 1 against four_floats
// next    eight_float2: wider loads, not more of them
#include "studies/copy/copy.h"

const copy::Variant copy::eight_floats = copy::variant<float, 8>("8 floats");
