// Resources from NVIDIA's assembler, which needs no GPU. Its registers equal the profiler's.
//
//   PTX text --ptxas -arch=sm_90 -v -o /dev/null /dev/stdin--> report (ptxas_report.h) --> cache
//   --> Resources per kernel
#include <fmt/format.h>

#include "kernel/assembler.h"
#include "kernel/child.h"
#include "kernel/kernel.h"
#include "kernel/ptxas_report.h"
#include "kernel/resources_cache.h"

namespace headroom {

std::map<std::string, Resources> ptxas_resources(const std::string& ptx, int cc,
                                                 std::vector<Caveat>& caveats,
                                                 const std::string& options) {
  const Assembler* tool = assembler(caveats);
  if (!tool) return {};
  std::vector<std::string> arguments = call_for(*tool, ptx, cc, options, caveats).arguments;
  const std::string from = fmt::format("ptxas {} {}", tool->version, fmt::join(arguments, " "));
  const std::string question = from + "\n" + ptx;
  if (auto kernels = cached_resources(question)) return *kernels;

  arguments.insert(arguments.end(), {"-v", "-o", "/dev/null", "/dev/stdin"});
  const auto output = run_child(tool->path, arguments, ptx);
  if (!output)
    return unknown_resources(caveats, tool->path + " could not be started",
                             "does it run in this shell?");
  if (output->exit_code != 0)
    return unknown_resources(
        caveats,
        fmt::format("ptxas {} refused the PTX: {}", tool->version, ptxas_complaint(output->text)),
        "install a toolkit at least as new as the one that wrote the PTX");
  std::map<std::string, Resources> kernels = read_ptxas_report(output->text);
  for (auto& [name, resources] : kernels) resources.from = from;
  cache_resources(question, kernels);
  return kernels;
}

}  // namespace headroom
