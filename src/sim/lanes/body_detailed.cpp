#include "sim/lanes/body.h"
#include "sim/lanes/isa.h"
#include "sim/observers/detailed.h"

namespace headroom::sim::HEADROOM_ISA {

const Body detailed_body = body_of<Detailed>;

}  // namespace headroom::sim::HEADROOM_ISA
