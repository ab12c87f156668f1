// Machines: a row for each, or every fact of one with its unit and source.
//
//   name  compute  SMs   clock  …          fact      value  unit  status    from
//   g80       1.0   16  1350 MHz           sm_count    132  SMs   measured  measured on an H200 …
//
//   fact            value  measured  spread  ratio  unit  status   from
//   l2_bandwidth     8500      9136   0.6 %   1.07  GB/s  measured …
#pragma once
#include <string>

#include "machine/machine.h"
#include "machine/measured.h"
#include "report/document.h"

namespace headroom {

Document machine_list();
// With what probes measured beside each fact, and their quotient, where there is such a file.
Document machine_document(const Machine&, const std::optional<Measured>& = {});
// All that probes measured: a row for each value and each point of a curve.
Document measured_document(const Measured&);

}  // namespace headroom
