#include "sim/lanes/body.h"
#include "sim/lanes/isa.h"
#include "sim/observers/count.h"

namespace headroom::sim::HEADROOM_ISA {

const Body count_body = body_of<Count>;

}  // namespace headroom::sim::HEADROOM_ISA
