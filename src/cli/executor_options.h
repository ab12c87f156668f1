// Options that commands share which run a program on the executor.
//
//   add_device_options(app, options->executor)     --simulated-devices, --scheduling, --hang-after
#pragma once
#include "cli/values.h"
#include "run/on_executor.h"

namespace headroom {

void add_device_options(CLI::App&, ExecutorOptions&);  // the options must outlive the parsing

}  // namespace headroom
