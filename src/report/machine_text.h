// Machines as text: a row for each, or every fact of one with its unit and source.
//
//   name  compute  SMs   clock  …          fact      value  unit  status    from
//   g80       1.0   16  1350 MHz           sm_count    132  SMs   measured  measured on an H200 …
#pragma once
#include <string>

#include "machine/machine.h"

namespace headroom {

std::string machine_list_text();
std::string machine_text(const Machine&);

}  // namespace headroom
