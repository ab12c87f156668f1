// rung    two_floats
// idea    two independent loads per thread before the first store
// expect  warp_instructions / 1.57, global_load_sectors / 1 against one_float
// next    four_floats: twice as many again
//
// A block copies twice as much: each thread loads two values a block's width apart, so that
// neighbours still read neighbours, and stores both. Neither load waits for the other, and the
// work around them (index, branch, start of a thread) is done once for both.
#include "studies/copy/values.h"

const copy::Variant copy::two_floats = copy::variant<float, 2>("2 floats", "two_floats");
