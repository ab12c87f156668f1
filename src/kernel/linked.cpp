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
#include "kernel/scratch_folder.h"
#include "kernel/toolkit.h"

namespace headroom {
namespace {

namespace fs = std::filesystem;

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
    if (const std::string runtime = toolkit_library(nvlink, "libcudadevrt.a"); !runtime.empty())
      arguments.insert(arguments.end(),
                       {"-L" + fs::path(runtime).parent_path().string(), "-lcudadevrt"});
    const auto output = run_child(nvlink, arguments, "", seconds_to_assemble);
    if (!output || output->exit_code != 0)
      complaint = output ? ptxas_complaint(output->text) : nvlink + " does not start";
    return complaint.empty();
  }
};

// What is put together, and the question under which the answer is kept.
struct LinkTask {
  const Assembler* tool = nullptr;  // null: a tool is missing, and a caveat says which
  std::string nvlink, architecture, from, question;
  std::vector<Caveat> of_all;
};

LinkTask task_for(const std::vector<ImageEntry>& parts, int cc, std::vector<Caveat>& caveats) {
  LinkTask task;
  const Assembler* tool = assembler(caveats);
  if (!tool || parts.empty()) return task;
  task.nvlink = (fs::path(tool->path).parent_path() / "nvlink").string();
  if (access(task.nvlink.c_str(), X_OK) != 0) task.nvlink = find_tool("nvlink");
  if (task.nvlink.empty()) {
    unknown_resources(caveats, "nvlink was not found, and the program was built by parts",
                      get_the_toolkit);
    return task;
  }
  task.tool = tool;
  const AssemblerCall call = call_for(*tool, leading(parts).text, cc, "", task.of_all);
  caveats.insert(caveats.end(), task.of_all.begin(), task.of_all.end());
  task.architecture = call.arguments[0];
  task.from = fmt::format("ptxas {} {} -c, nvlink", tool->version, fmt::join(call.arguments, " "));
  task.question = task.from;
  for (const ImageEntry& part : parts) task.question += "\n" + part.options + "\n" + part.text;
  return task;
}

struct LinkedProgram {
  std::map<std::string, Resources> kernels;
  std::vector<std::byte> code;
};

// Nothing where it fails, with a caveat.
std::optional<LinkedProgram> put_together(const LinkTask& task,
                                          const std::vector<ImageEntry>& parts, int cc,
                                          std::vector<Caveat>& caveats) {
  Link link{*task.tool, task.nvlink, {}, false, ""};
  const auto failed = [&] {
    unknown_resources(caveats, "the parts could not be linked: " + link.complaint,
                      "install a toolkit at least as new as the one that wrote the PTX");
    return std::nullopt;
  };
  const ScratchFolder scratch;
  if (scratch.path.empty()) {
    unknown_resources(caveats, "no temporary folder to link in", "set TMPDIR");
    return std::nullopt;
  }
  std::vector<Caveat> told;
  for (const ImageEntry& part : parts) {
    auto arguments = call_for(*task.tool, part.text, cc, part.options, told).arguments;
    arguments[0] = task.architecture;
    if (!link.assemble(fmt::format("{}/{}.cubin", scratch.path, link.objects.size()), part.text,
                       std::move(arguments)))
      return failed();
  }
  const std::string program = scratch.path + "/program.cubin";
  if (!link.link(program, task.architecture)) return failed();

  const MappedFile file(program);
  LinkedProgram linked{cubin_resources(file.bytes(), program),
                       {file.bytes().begin(), file.bytes().end()}};
  for (auto& [name, resources] : linked.kernels) {
    resources.from = task.from;
    // Of which functions a kernel calls nvlink says nothing: only no spill at all is known.
    if (!link.spills) resources.spill_stores = resources.spill_loads = 0;
  }
  cache_resources(task.question, linked.kernels);
  cache_code(task.question, linked.code);
  return linked;
}

}  // namespace

std::map<std::string, Resources> linked_resources(const std::vector<ImageEntry>& parts, int cc,
                                                  std::vector<Caveat>& caveats) {
  const LinkTask task = task_for(parts, cc, caveats);
  if (!task.tool) return {};
  if (auto kernels = cached_resources(task.question)) return with_caveats(*kernels, task.of_all);
  const auto linked = put_together(task, parts, cc, caveats);
  return linked ? with_caveats(linked->kernels, task.of_all) : std::map<std::string, Resources>{};
}

std::vector<std::byte> linked_code(const std::vector<ImageEntry>& parts, int cc,
                                   std::vector<Caveat>& caveats) {
  const LinkTask task = task_for(parts, cc, caveats);
  if (!task.tool) return {};
  if (auto code = cached_code(task.question)) return *code;
  auto linked = put_together(task, parts, cc, caveats);
  return linked ? std::move(linked->code) : std::vector<std::byte>{};
}

}  // namespace headroom
