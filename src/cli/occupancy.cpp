// headroom occupancy: blocks per SM from numbers, or from the kernels of an image.
#include <fmt/format.h>

#include <memory>

#include "cli/command.h"
#include "cli/image_kernels.h"
#include "cli/kernel_pattern.h"
#include "report/occupancy_text.h"

namespace headroom {

namespace {

struct OccupancyOptions {
  std::string machine = "h200", image, kernel;
  BlockShape shape{.threads = 0};
};

void show(const OccupancyOptions& options) {
  const Machine machine = load_machine(options.machine);
  if (options.shape.threads <= 0)
    throw Error{"occupancy", "threads per block are missing", "add --threads 256"};
  if (options.image.empty()) {
    fmt::print("{}", occupancy_text(machine, options.shape, occupancy(machine, options.shape)));
    return;
  }
  const KernelPattern pattern(options.kernel);
  for (const ImageKernel& kernel : image_kernels(options.image, machine, pattern)) {
    const BlockShape shape = with_resources(options.shape, kernel.resources);
    fmt::print("{}\n{}\n", kernel.name, occupancy_text(machine, shape, occupancy(machine, shape)));
  }
}

}  // namespace

void add_occupancy(CLI::App& app, CommandLine&) {
  auto options = std::make_shared<OccupancyOptions>();
  app.add_option("IMAGE", options->image,
                 "program, library, .fatbin, .cubin or .ptx whose kernels are shown")
      ->type_name("");
  app.add_option("--machine", options->machine, "a name of 'headroom machine list' or a file")
      ->type_name("NAME")
      ->capture_default_str();
  app.add_option("--threads", options->shape.threads, "threads per block")->type_name("N");
  app.add_option("--registers", options->shape.registers, "registers per thread")->type_name("N");
  app.add_option("--shared", options->shape.static_shared, "static shared memory per block")
      ->type_name("BYTES");
  app.add_option("--dynamic-shared", options->shape.dynamic_shared,
                 "dynamic shared memory per block")
      ->type_name("BYTES");
  app.add_option("--carveout", options->shape.carveout, "shared memory preferred per SM")
      ->type_name("KiB");
  app.add_option("--kernel", options->kernel, "of an image: only kernels whose name matches")
      ->type_name("REGEX");
  app.callback([options] { show(*options); });
}

}  // namespace headroom
