#include "cli/executor_options.h"

namespace headroom {

void add_device_options(CLI::App& app, ExecutorOptions& options) {
  app.add_option("--simulated-devices", options.devices, "devices the program sees")
      ->check(whole_number(1, 64))
      ->type_name("N")
      ->capture_default_str();
  app.add_option(
         "--scheduling", options.scheduling,
         "how lanes of a warp take turns: independent (default), or lockstep as before Volta")
      ->check(one_of({"independent", "lockstep"}))
      ->type_name("NAME");
  app.add_option("--hang-after", options.hang_after,
                 "end a kernel after so many turns of a block, as 1e9, in which no block begins or "
                 "ends")
      ->check(number_from(1, 1e18))
      ->type_name("N");
}

}  // namespace headroom
