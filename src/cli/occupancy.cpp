// headroom occupancy: blocks per SM from numbers, or from the kernels of an image; of one block
// size with the arithmetic, or of several in a table; with curves over what decides it, also as SVG.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "cli/command.h"
#include "cli/image_kernels.h"
#include "cli/kernel_pattern.h"
#include "cli/output_file.h"
#include "cli/terminal.h"
#include "cli/values.h"
#include "model/hiding.h"
#include "report/fallacies.h"
#include "report/occupancy_curves.h"
#include "report/occupancy_document.h"
#include "report/resources_document.h"
#include "report/text.h"

namespace headroom {

namespace {

struct OccupancyOptions {
  std::string machine = "h200", image, kernel;
  std::optional<int> threads;
  bool needed = false;
  BlockShape shape{.threads = 0};
  bool curves = false;
  std::optional<std::string> svg;
  std::vector<NamedCurves> drawn;
  bool not_full = false;  // some occupancy that was shown can run and is below 100 %
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

// The curve is of a machine, whatever the block.
void check_alone(const CLI::App& app) {
  for (const CLI::Option* other : app.get_options())
    if (other->count() && other->get_name() != "--needed" && other->get_name() != "--machine")
      throw Error{"occupancy", "--needed: not with " + other->get_name(),
                  "the curve is of a machine alone"};
}

void print(const Document& document) {
  const Style style = terminal_style(STDOUT_FILENO);
  fmt::print("{}", shown(draw_text(document, style), style));
}

constexpr int usual_block = 256;  // of curves over registers and shared memory, without --threads

// Prints the curves where they were asked for, and keeps them for the drawing.
void show_curves(const Machine& machine, BlockShape shape, OccupancyOptions& options,
                 const std::string& kernel) {
  if (!options.curves && !options.svg) return;
  shape.threads = options.threads.value_or(usual_block);
  std::vector<OccupancyCurve> curves = occupancy_curves(machine, shape);
  if (options.curves) {
    fmt::print("\n");
    print(occupancy_curves_document(machine, curves));
  }
  options.drawn.push_back({kernel, std::move(curves)});
}

constexpr const char* without_program =
    "give it with --registers, or name a program whose kernels tell it";
constexpr const char* with_program =
    "give it with --registers, or pip install nvidia-cuda-nvcc: ptxas tells it";

// One block size with its arithmetic, or without --threads all that are usual.
bool show(const Machine& machine, BlockShape shape, OccupancyOptions& options,
          const std::vector<Caveat>& doubts = {}) {
  const char* advice = options.image.empty() ? without_program : with_program;
  const auto of = [&](int threads) {
    shape.threads = threads;
    Occupancy found = occupancy(machine, shape);
    for (Caveat& caveat : found.caveats) caveat.advice = advice;
    found.caveats.insert(found.caveats.begin(), doubts.begin(), doubts.end());
    options.not_full |= found.impossible.empty() && found.warps < found.max_warps;
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

// Occupancy that hides latency, by operations a load.
bool show_needed(const Machine& machine) {
  const auto curve = needed_warps_curve(machine);
  if (curve.empty())
    throw Error{"occupancy",
                fmt::format("--needed: of {} these facts are not known: {}", machine.title,
                            fmt::join(unknown_for_needed_warps(machine), ", ")),
                "put them into a copy of its file, and give that to --machine"};
  print(needed_occupancy(machine, curve));
  return true;
}

// Whether every block shown can run.
bool show(OccupancyOptions& options) {
  const Machine machine = load_machine(options.machine);
  const KernelPattern pattern(options.kernel);
  std::vector<ImageKernel> kernels;
  if (!options.image.empty()) kernels = image_kernels(options.image, machine, pattern);
  check(options, machine);
  if (options.needed) return show_needed(machine);
  std::optional<OutputFile> svg;
  if (options.svg == "-")
    throw Error{"--svg -", "the tables are written to standard output", "name a file"};
  if (options.svg) svg.emplace(*options.svg, "--svg");
  const auto write = [&] {
    if (svg) svg->write(occupancy_svg(machine, options.drawn));
  };
  if (options.image.empty()) {
    const bool fits = show(machine, options.shape, options);
    show_curves(machine, options.shape, options, "");
    if (options.not_full) {
      fmt::print("\n");
      print({"", {occupancy_is_one_way()}});
    }
    write();
    return fits;
  }
  bool all = true;
  for (const ImageKernel& kernel : kernels) {
    Document head{"", {Heading{2, kernel.name}}};
    head.add(resources_document(kernel.resources, options.shape.dynamic_shared));
    print(head);
    fmt::print("\n");
    all &= show(machine, with_resources(options.shape, kernel.resources), options,
                kernel.resources.caveats);
    show_curves(machine, with_resources(options.shape, kernel.resources), options, kernel.name);
    fmt::print("\n");
  }
  if (options.not_full) print({"", {occupancy_is_one_way()}});
  write();
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
  app.add_flag("--curves", options->curves,
               "also warps over threads a block, registers and shared memory (of blocks of 256 "
               "without --threads)");
  app.add_option("--svg", options->svg, "writes these curves as a drawing")->type_name("FILE");
  app.add_flag("--needed", options->needed,
               "alone, with --machine: the occupancy that hides latency, by operations a load, of "
               "an idle DRAM and a busy one");
  app.callback([options, &app, &line] {
    if (options->needed) check_alone(app);
    line.end.exit_code = show(*options) ? 0 : cannot_run;
  });
}

}  // namespace headroom
