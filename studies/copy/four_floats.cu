// rung    four_floats
// idea    four loads in flight per thread: instruction-level parallelism stands in for warps
// expect  warp_instructions / 1.29 against two_floats; as fast as two_floats at half the occupancy
// next    eight_floats: twice as many again
#include "studies/copy/copy.h"

const copy::Variant copy::four_floats = copy::variant<float, 4>("4 floats");
