#include "sim/lanes/body.h"
#include "sim/lanes/isa.h"
#include "sim/observers/sites.h"

namespace headroom::sim::HEADROOM_ISA {

const Body count_sites_body = body_of<CountSites>;

}  // namespace headroom::sim::HEADROOM_ISA
