#include "sim/check/neighbours.h"
#include "sim/lanes/body.h"
#include "sim/lanes/isa.h"

namespace headroom::sim::HEADROOM_ISA {

const Body bounds_body = body_of<check::Neighbours>;

}  // namespace headroom::sim::HEADROOM_ISA
