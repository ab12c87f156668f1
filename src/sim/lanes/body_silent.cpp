#include "sim/lanes/body.h"
#include "sim/lanes/isa.h"

namespace headroom::sim::HEADROOM_ISA {

const Body silent_body = body_of<Silent>;

}  // namespace headroom::sim::HEADROOM_ISA
