// rung    two_floats
// idea    two independent loads per thread before the first store
// expect  warp_instructions / 1.45, global_load_sectors / 1 against one_float
// next    four_floats: twice as many again
#include "studies/copy/copy.h"

const copy::Variant copy::two_floats = copy::variant<float, 2>("2 floats");
