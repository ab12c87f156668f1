// rung    eight_floats
// idea    eight loads in flight per thread
// expect  warp_instructions / 1.25, global_load_requests / 1 against four_floats
// next    eight_float2: wider loads, not more of them
//
// Only the number of values changes. What is saved in instructions gets less each time: the loads
// and stores themselves are as many as before for every byte.
#include "studies/copy/values.h"

const copy::Variant copy::eight_floats = copy::variant<float, 8>("8 floats", "eight_floats");
