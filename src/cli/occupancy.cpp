// headroom occupancy: blocks per SM from numbers, or from the kernels of an image.
#include <fmt/format.h>

#include <memory>
#include <optional>

#include "cli/command.h"
#include "cli/image_kernels.h"
#include "cli/kernel_pattern.h"
#include "report/occupancy_text.h"

namespace headroom {

namespace {

struct OccupancyOptions {
  std::string machine = "h200", image, kernel;
  std::optional<int> threads;
  BlockShape shape{.threads = 0};
};

constexpr int cannot_run = 126;

void check(const OccupancyOptions& options, const Machine& machine) {
  if (!options.threads)
    throw Error{"occupancy", "threads per block are missing", "add --threads 256"};
  if (*options.threads <= 0)
    throw Error{"occupancy", fmt::format("--threads {}: a block has at least 1", *options.threads),
                "try --threads 256"};
  const auto& carveout = options.shape.carveout;
  const Fact& most = machine.shared_per_sm;
  if (carveout && (*carveout < 0 || (most && *carveout > *most)))
    throw Error{"occupancy", fmt::format("--carveout {}: not on {}", *carveout, machine.title),
                most ? fmt::format("from 0 to {} {}", *most, most.unit) : "0 or more"};
}

bool show(const Machine& machine, const BlockShape& shape) {
  const Occupancy found = occupancy(machine, shape);
  fmt::print("{}", occupancy_text(machine, shape, found));
  return found.impossible.empty();
}

// Whether every block shown can run.
bool show(const OccupancyOptions& options) {
  const Machine machine = load_machine(options.machine);
  const KernelPattern pattern(options.kernel);
  std::vector<ImageKernel> kernels;
  if (!options.image.empty()) kernels = image_kernels(options.image, machine, pattern);
  check(options, machine);
  BlockShape shape = options.shape;
  shape.threads = *options.threads;
  if (options.image.empty()) return show(machine, shape);
  bool all = true;
  for (const ImageKernel& kernel : kernels) {
    fmt::print("{}\n", kernel.name);
    all &= show(machine, with_resources(shape, kernel.resources));
    fmt::print("\n");
  }
  return all;
}

}  // namespace

void add_occupancy(CLI::App& app, CommandLine& line) {
  auto options = std::make_shared<OccupancyOptions>();
  app.add_option("IMAGE", options->image,
                 "program, library, .fatbin, .cubin or .ptx whose kernels are shown")
      ->type_name("");
  app.add_option("--machine", options->machine, "a name of 'headroom machine list' or a file")
      ->type_name("NAME")
      ->capture_default_str();
  app.add_option("--threads", options->threads, "threads per block")->type_name("N");
  app.add_option("--registers", options->shape.registers, "registers per thread")->type_name("N");
  app.add_option("--shared", options->shape.static_shared, "static shared memory per block")
      ->type_name("BYTES");
  app.add_option("--dynamic-shared", options->shape.dynamic_shared,
                 "dynamic shared memory per block")
      ->type_name("BYTES");
  app.add_option("--carveout", options->shape.carveout, "shared memory preferred per SM")
      ->type_name("KiB");
  app.add_option("--kernel", options->kernel, "of an image: only kernels whose name matches")
      ->type_name("REGEX")
      ->join('|');
  app.callback([options, &line] { line.end.exit_code = show(*options) ? 0 : cannot_run; });
}

}  // namespace headroom
