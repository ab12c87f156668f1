// Resources of relocatable device code: each module is assembled by itself and nvlink puts them
// together, as a driver does that compiles such a program for its machine. A kernel takes the most
// registers of all functions it may call.
//
//   {a.ptx, b.ptx} --ptxas -c--> a.cubin, b.cubin --nvlink--> program --cubin_resources-->
//   {"_Z1kPi": {registers 54, static_shared 0, from "ptxas 13.0.88 -arch=sm_90 -c, nvlink"}}
#include "kernel/linked.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "kernel/assembler.h"
#include "kernel/child.h"
#include "kernel/mapped_file.h"
#include "kernel/ptxas_report.h"
#include "kernel/resources_cache.h"

namespace headroom {
namespace {

namespace fs = std::filesystem;

// A folder of one's own for the files that the linker wants, gone with the object.
struct ScratchFolder {
  std::string path;
  ScratchFolder() {
    std::error_code failed;
    std::string name = (fs::temp_directory_path(failed) / "headroom-XXXXXX").string();
    if (!failed && mkdtemp(name.data())) path = name;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    if (!path.empty()) fs::remove_all(path, ignored);
  }
};

// The part whose target decides: code for this very machine (sm_90a) runs nowhere else.
const ImageEntry& leading(const std::vector<ImageEntry>& parts) {
  return *std::max_element(parts.begin(), parts.end(), [](const auto& a, const auto& b) {
    return std::pair(a.architecture, a.suffix) < std::pair(b.architecture, b.suffix);
  });
}

struct Link {
  const Assembler& assembler;
  std::string nvlink;
  std::vector<std::string> objects;
  bool spills = false;  // some function does
  std::string complaint;

  bool assemble(const std::string& object, const std::string& ptx,
                std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"-c", "-v", "-o", object, "/dev/stdin"});
    const auto output = run_child(assembler.path, arguments, ptx, seconds_to_assemble);
    if (!output || output->exit_code != 0) {
      complaint = output ? ptxas_complaint(output->text) : assembler.path + " does not start";
      return false;
    }
    objects.push_back(object);
    spills |= reports_spills(output->text);
    return true;
  }

  bool link(const std::string& program, const std::string& architecture) {
    std::vector<std::string> arguments{architecture, "-w", "-o", program};
    arguments.insert(arguments.end(), objects.begin(), objects.end());
    const fs::path home = fs::path(nvlink).parent_path().parent_path();
    for (const char* folder : {"lib64", "lib", "targets/x86_64-linux/lib"})
      if (fs::exists(home / folder / "libcudadevrt.a"))
        arguments.insert(arguments.end(), {"-L" + (home / folder).string(), "-lcudadevrt"});
    const auto output = run_child(nvlink, arguments, "", seconds_to_assemble);
    if (!output || output->exit_code != 0)
      complaint = output ? ptxas_complaint(output->text) : nvlink + " does not start";
    return complaint.empty();
  }
};

}  // namespace

std::map<std::string, Resources> linked_resources(const std::vector<ImageEntry>& parts, int cc,
                                                  std::vector<Caveat>& caveats) {
  const Assembler* tool = assembler(caveats);
  if (!tool || parts.empty()) return {};
  Link link{*tool, find_tool("nvlink"), {}, false, ""};
  if (link.nvlink.empty())
    return unknown_resources(caveats, "nvlink was not found, and the program was built by parts",
                             "install the CUDA 13 toolkit, or set CUDA_HOME to its folder");
  std::vector<Caveat> of_all;
  const AssemblerCall call = call_for(*tool, leading(parts).text, cc, "", of_all);
  caveats.insert(caveats.end(), of_all.begin(), of_all.end());
  const std::string from =
      fmt::format("ptxas {} {} -c, nvlink", tool->version, fmt::join(call.arguments, " "));
  std::string question = from;
  for (const ImageEntry& part : parts) question += "\n" + part.options + "\n" + part.text;
  if (auto kernels = cached_resources(question)) return with_caveats(*kernels, of_all);

  const auto failed = [&] {
    return unknown_resources(caveats, "the parts could not be linked: " + link.complaint,
                             "install a toolkit at least as new as the one that wrote the PTX");
  };
  const ScratchFolder scratch;
  if (scratch.path.empty())
    return unknown_resources(caveats, "no temporary folder to link in", "set TMPDIR");
  std::vector<Caveat> told;
  for (const ImageEntry& part : parts) {
    auto arguments = call_for(*tool, part.text, cc, part.options, told).arguments;
    arguments[0] = call.arguments[0];
    if (!link.assemble(fmt::format("{}/{}.cubin", scratch.path, link.objects.size()), part.text,
                       std::move(arguments)))
      return failed();
  }
  const std::string program = scratch.path + "/program.cubin";
  if (!link.link(program, call.arguments[0])) return failed();

  const MappedFile file(program);
  auto kernels = cubin_resources(file.bytes(), program);
  for (auto& [name, resources] : kernels) {
    resources.from = from;
    // Of which functions a kernel calls nvlink says nothing: only no spill at all is known.
    if (!link.spills) resources.spill_stores = resources.spill_loads = 0;
  }
  cache_resources(question, kernels);
  return with_caveats(kernels, of_all);
}

}  // namespace headroom
