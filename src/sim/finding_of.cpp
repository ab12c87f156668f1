#include "sim/finding_of.h"

#include <fmt/format.h>

#include "base/toolkit_header.h"
#include "kernel/kernel.h"
#include "record/launch.h"
#include "sass/print.h"
#include "sim/machinery.h"

namespace headroom::sim {

Fault::Fault(std::string_view kind_of, std::string_view words, int error,
             std::optional<uint64_t> at, uint32_t index, int of_lane)
    : kind(kind_of),
      what(words),
      cuda_error(error),
      address(at),
      instruction(index),
      lane(of_lane) {}
Fault::Fault(const Fault&) = default;
Fault::~Fault() = default;

namespace {

// By the beginning of a kind, the first that fits.
constexpr struct {
  std::string_view kind, advice;
} advice_table[] = {
    {"misaligned_mbarrier", "declare it as uint64_t, or __align__(8)"},
    {"misaligned_", "use an address that is a multiple of the width, or access smaller words"},
    {"illegal_shared",
     "compare the index with the size of the array, and with the shared bytes "
     "of the launch"},
    {"out_of_bounds_shared",
     "compare the index with the size of the array, and with the shared "
     "bytes of the launch"},
    {"illegal_local", "compare the index with the size of the thread's array"},
    {"out_of_bounds_local", "compare the index with the size of the thread's array"},
    {"illegal_free", "free what malloc of a kernel gave, and once"},
    {"illegal_barrier", "name a barrier from 0 to 15, and whole warps"},
    {"illegal_mask", "name the lanes that come here, each lane itself too"},
    {"illegal_global", "compare the index with the size that was allocated: if (i < n)"},
    {"out_of_bounds_global", "compare the index with the size that was allocated: if (i < n)"},
    {"illegal_const", "compare the index with the size of the constant array"},
    {"barrier_deadlock", "let all threads that a barrier counts come to it, and to the same one"},
    {"barrier_ended",
     "let all threads of the block come to it: put it behind the branch that some of them skip"},
    {"mbarrier_uninitialised",
     "let one thread initialise it, and all meet at __syncthreads() before anybody uses it"},
    {"mbarrier_arrivals", "initialise it with the number of arrivals that a phase really has"},
    {"mbarrier_", "look at the counts of arrivals and of bytes that it was given"},
    {"hang", "let somebody who still runs change what they wait for"},
    {"stack_overflow", "recurse less deep, or raise cudaLimitStackSize"},
    {"assert", "make the condition hold, or handle the case that breaks it"},
    {"trap", "look for what made the kernel give up there"},
};

std::string advice_of(const Fault& fault) {
  if (fault.kind.find("_global") != fault.kind.npos &&
      fault.what.find("null pointer") != fault.what.npos)
    return "pass a pointer to memory of the device, and look whether its allocation succeeded";
  for (const auto& [kind, advice] : advice_table)
    if (fault.kind.starts_with(kind)) return std::string(advice);
  return "";
}

// The line of the program: the innermost one that is not in a header of the toolkit. Empty: unknown.
std::string source_line(const ptx::Module& module, const ptx::Function& function,
                        ptx::SourceLine place) {
  const auto file = [&](const ptx::SourceLine& at) {
    const bool is_known = at.line > 0 && at.file >= 0 && size_t(at.file) < module.files.size();
    return is_known ? module.files[size_t(at.file)] : std::string();
  };
  const std::vector<ptx::SourceLine>& calls = function.call_sites.list;
  ptx::SourceLine chosen = place;
  while (is_of_toolkit(file(place)) && place.inlined_at >= 0) {
    place = calls[size_t(place.inlined_at)];
    if (!file(place).empty() && !is_of_toolkit(file(place))) chosen = place;
  }
  return file(chosen).empty() ? "" : file(chosen) + ":" + std::to_string(chosen.line);
}

// Of machine code: the line that its line table has, else the place in the kernel's code.
std::string source_line(const sass::Module& module, const sass::Function& function,
                        uint32_t index) {
  const uint64_t offset = index * sass::instruction_bytes;
  const sass::SourceLine* found = nullptr;
  for (const sass::SourceLine& line : function.lines) {
    if (line.offset <= offset) found = &line;
  }
  if (found && found->file < module.files.size() && found->line)
    return module.files[found->file] + ":" + std::to_string(found->line);
  return fmt::format("machine code at 0x{:x} (compile with -lineinfo for the source line)", offset);
}

}  // namespace

void describe_place(const Program& program, uint32_t instruction, std::string& source,
                    std::string& text) {
  if (instruction >= program.instructions.size()) return;
  const InstructionAt at = program.instructions[instruction];
  if (at.code) {
    text = sass::print(at.code->instructions[at.index]);
    source = source_line(*program.code, *at.code, at.index);
    return;
  }
  const ptx::Instruction& of = at.function->body[at.index];
  text = ptx::print(of, *at.function);
  source = source_line(*program.module.module, *at.function, of.source);
  if (source.empty())
    source = "PTX line " + std::to_string(of.span.line) +
             " (compile with -lineinfo for the source line)";
}

Finding finding_of(const Fault& fault, const Program& program, const Warp& warp) {
  const BlockState& block = *warp.block;
  const Dim3& shape = block.machinery->launch->shape.block;
  Finding finding;
  finding.kind = fault.kind;
  finding.what = fault.what;
  finding.advice = advice_of(fault);
  finding.kernel = demangle(program.kernel);
  finding.cuda_error = fault.cuda_error;
  finding.address = fault.address;
  finding.block = {block.x, block.y, block.z};
  const unsigned thread = warp.index * lanes + unsigned(fault.lane);
  finding.thread = {thread % shape.x, thread / shape.x % shape.y, thread / shape.x / shape.y};
  describe_place(program, fault.instruction, finding.source, finding.instruction);
  return finding;
}

}  // namespace headroom::sim
