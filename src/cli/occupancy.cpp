// headroom occupancy: blocks per SM from numbers, or from the kernels of an image; of one block
// size with the arithmetic, or of several in a table.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "cli/command.h"
#include "cli/image_kernels.h"
#include "cli/kernel_pattern.h"
#include "cli/terminal.h"
#include "cli/values.h"
#include "report/occupancy_document.h"
#include "report/resources_document.h"
#include "report/text.h"

namespace headroom {

namespace {

struct OccupancyOptions {
  std::string machine = "h200", image, kernel;
  std::optional<int> threads;
  BlockShape shape{.threads = 0};
};

constexpr int cannot_run = 126;
constexpr uint64_t most_static_shared = 48 * 1024;  // ptxas: "uses too much shared data"

void check(const OccupancyOptions& options, const Machine& machine) {
  if (options.shape.static_shared > most_static_shared)
    throw Error{
        "occupancy",
        fmt::format("--shared {}: compilers give a kernel at most {} B of static shared memory",
                    options.shape.static_shared, most_static_shared),
        "--dynamic-shared takes what a launch adds to it"};
  const auto& carveout = options.shape.carveout;
  const Fact& most = machine.shared_per_sm;
  if (carveout && most && *carveout > *most)
    throw Error{"occupancy", fmt::format("--carveout {}: not on {}", *carveout, machine.title),
                fmt::format("from 0 to {} {}", *most, most.unit)};
}

void print(const Document& document) {
  const Style style = terminal_style(STDOUT_FILENO);
  fmt::print("{}", shown(draw_text(document, style), style));
}

constexpr const char* without_program =
    "give it with --registers, or name a program whose kernels tell it";
constexpr const char* with_program =
    "give it with --registers, or pip install nvidia-cuda-nvcc: ptxas tells it";

// One block size with its arithmetic, or without --threads all that are usual.
bool show(const Machine& machine, BlockShape shape, const OccupancyOptions& options,
          const std::vector<Caveat>& doubts = {}) {
  const char* advice = options.image.empty() ? without_program : with_program;
  const auto of = [&](int threads) {
    shape.threads = threads;
    Occupancy found = occupancy(machine, shape);
    for (Caveat& caveat : found.caveats) caveat.advice = advice;
    found.caveats.insert(found.caveats.begin(), doubts.begin(), doubts.end());
    return found;
  };
  if (!options.threads) {
    std::vector<SweptBlock> sizes;
    for (int threads = 32; threads <= int(*machine.max_threads_per_block); threads *= 2)
      sizes.push_back({threads, of(threads)});
    print(occupancy_sweep(machine, shape, sizes));
    return std::ranges::any_of(sizes, [](auto& each) { return each.occupancy.impossible.empty(); });
  }
  const Occupancy found = of(*options.threads);
  print(occupancy_document(machine, shape, found));
  return found.impossible.empty();
}

// Whether every block shown can run.
bool show(const OccupancyOptions& options) {
  const Machine machine = load_machine(options.machine);
  const KernelPattern pattern(options.kernel);
  std::vector<ImageKernel> kernels;
  if (!options.image.empty()) kernels = image_kernels(options.image, machine, pattern);
  check(options, machine);
  if (options.image.empty()) return show(machine, options.shape, options);
  bool all = true;
  for (const ImageKernel& kernel : kernels) {
    Document head{"", {Heading{2, kernel.name}}};
    head.add(resources_document(kernel.resources, options.shape.dynamic_shared));
    print(head);
    fmt::print("\n");
    all &= show(machine, with_resources(options.shape, kernel.resources), options,
                kernel.resources.caveats);
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
  app.add_option("--threads", options->threads,
                 "threads per block (default: a table of block sizes)")
      ->check(whole_number(1))
      ->type_name("N");
  app.add_option("--registers", options->shape.registers, "registers per thread")
      ->check(whole_number(0))
      ->type_name("N");
  app.add_option("--shared", options->shape.static_shared,
                 "static shared memory per block, as 8192 or 8K")
      ->transform(size_in_bytes())
      ->type_name("BYTES");
  app.add_option("--dynamic-shared", options->shape.dynamic_shared,
                 "dynamic shared memory per block")
      ->transform(size_in_bytes())
      ->type_name("BYTES");
  app.add_option("--carveout", options->shape.carveout, "shared memory preferred per SM")
      ->check(number_from(0))
      ->type_name("KiB");
  app.add_option("--kernel", options->kernel,
                 "of an image: only kernels in whose name or signature it is found")
      ->check(not_empty())
      ->type_name("REGEX")
      ->join('|');
  app.callback([options, &line] { line.end.exit_code = show(*options) ? 0 : cannot_run; });
}

}  // namespace headroom
