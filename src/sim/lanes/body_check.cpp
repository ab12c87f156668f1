#include "sim/check/checker.h"
#include "sim/lanes/body.h"
#include "sim/lanes/isa.h"

namespace headroom::sim::HEADROOM_ISA {

const Body check_body = body_of<check::Checker>;

}  // namespace headroom::sim::HEADROOM_ISA
