#include "kernel/link_code.h"

#include <fmt/format.h>

#include <fstream>

#include "kernel/assembler.h"
#include "kernel/child.h"
#include "kernel/mapped_file.h"
#include "kernel/ptxas_report.h"
#include "kernel/scratch_folder.h"
#include "kernel/toolkit.h"

namespace headroom {
namespace {

using Code = std::vector<std::byte>;

// What the tool wrote to `to`.
std::optional<Code> run_tool(const std::string& path, const std::vector<std::string>& arguments,
                             const std::string& input, const std::string& to,
                             std::string& complaint) {
  const auto output = run_child(path, arguments, input, seconds_to_assemble);
  if (!output || output->exit_code != 0) {
    complaint = output ? ptxas_complaint(output->text) : path + " does not start";
    return std::nullopt;
  }
  const MappedFile file(to);
  return Code(file.bytes().begin(), file.bytes().end());
}

bool write_code(const std::string& path, const Code& bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()), std::streamsize(bytes.size()));
  return bool(file.flush());
}

}  // namespace

std::optional<Code> assemble_part(const std::string& ptx, int cc, const std::string& options,
                                  std::string& complaint) {
  std::vector<Caveat> caveats;
  const Assembler* tool = assembler(caveats);
  const ScratchFolder scratch;
  if (!tool || scratch.path.empty()) {
    complaint = tool ? "no temporary folder to assemble in: set TMPDIR" : caveats.back().cause;
    return std::nullopt;
  }
  auto arguments = call_for(*tool, ptx, cc, options, caveats).arguments;
  const std::string to = scratch.path + "/part.cubin";
  arguments.insert(arguments.end(), {"-c", "-o", to, "/dev/stdin"});
  return run_tool(tool->path, arguments, ptx, to, complaint);
}

std::optional<Code> link_parts(const std::vector<LinkPart>& parts, int cc, std::string& complaint) {
  const std::string nvlink = find_tool("nvlink");
  const ScratchFolder scratch;
  if (nvlink.empty() || scratch.path.empty()) {
    complaint = nvlink.empty()
                    ? "nvlink was not found: install the CUDA 13 toolkit, or set CUDA_HOME"
                    : "no temporary folder to link in: set TMPDIR";
    return std::nullopt;
  }
  const std::string to = scratch.path + "/program.cubin";
  std::vector<std::string> arguments{fmt::format("-arch=sm_{}", cc), "-w", "-o", to};
  for (size_t i = 0; i < parts.size(); ++i) {
    const std::string& name = parts[i].name;
    const size_t ending = name.rfind('.');
    arguments.push_back(
        fmt::format("{}/{}{}", scratch.path, i, ending == name.npos ? "" : name.substr(ending)));
    if (!write_code(arguments.back(), parts[i].bytes)) {
      complaint = arguments.back() + " cannot be written";
      return std::nullopt;
    }
  }
  return run_tool(nvlink, arguments, "", to, complaint);
}

}  // namespace headroom
