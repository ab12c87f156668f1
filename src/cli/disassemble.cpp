// headroom disassemble: the machine code of a program's kernels.
#include <fmt/format.h>

#include <memory>

#include "base/error.h"
#include "cli/command.h"
#include "cli/image_code.h"
#include "cli/kernel_pattern.h"
#include "cli/values.h"
#include "sass/listing.h"

namespace headroom {
namespace {

struct DisassembleOptions {
  std::string machine = "h200", image, kernel;
};

void show(const DisassembleOptions& options) {
  const KernelPattern pattern(options.kernel);
  std::vector<Caveat> caveats;
  std::string names;
  bool any = false;
  each_module(options.image, load_machine(options.machine), caveats,
              [&](const sass::Module& module) {
                for (const sass::Function& function : module.functions) {
                  const std::string name = demangle(function.name);
                  names += (names.empty() ? "" : ", ") + name;
                  if (!pattern.matches(name) && !pattern.matches(function.name)) continue;
                  fmt::print("{}\n", list(module, function, demangle));
                  any = true;
                }
              });
  for (const Caveat& caveat : caveats)
    fmt::print(stderr, "headroom: {}: {}; {}{}{}\n", options.image, caveat.what, caveat.cause,
               caveat.advice.empty() ? "" : "\n  hint: ", caveat.advice);
  if (!any) throw Error{options.image, "no kernel matches --kernel", "it has: " + names};
}

}  // namespace

void add_disassemble(CLI::App& app, CommandLine&) {
  auto options = std::make_shared<DisassembleOptions>();
  app.add_option("IMAGE", options->image, "program, library, .fatbin, .cubin or .ptx")
      ->type_name("")
      ->check(not_empty())
      ->required();
  app.add_option("--machine", options->machine, "a name of 'headroom machine list' or a file")
      ->type_name("NAME")
      ->capture_default_str();
  app.add_option("--kernel", options->kernel, "only kernels in whose name or signature it is found")
      ->check(not_empty())
      ->type_name("REGEX")
      ->join('|');
  app.callback([options] { show(*options); });
}

}  // namespace headroom
