#include "sim/finding_of.h"

#include "kernel/kernel.h"
#include "record/launch.h"
#include "sim/machinery.h"

namespace headroom::sim {

Fault::Fault(std::string_view kind_of, std::string_view words, int error, uint64_t at,
             uint32_t index, int of_lane)
    : kind(kind_of),
      what(words),
      cuda_error(error),
      address(at),
      instruction(index),
      lane(of_lane) {}
Fault::Fault(const Fault&) = default;
Fault::~Fault() = default;

Finding finding_of(const Fault& fault, const Program& program, const Warp& warp) {
  const BlockState& block = *warp.block;
  const Dim3& shape = block.machinery->launch->shape.block;
  Finding finding;
  finding.kind = fault.kind;
  finding.what = fault.what;
  finding.kernel = demangle(program.kernel);
  finding.cuda_error = fault.cuda_error;
  finding.address = fault.address;
  finding.block = {block.x, block.y, block.z};
  const unsigned thread = warp.index * lanes + unsigned(fault.lane);
  finding.thread = {thread % shape.x, thread / shape.x % shape.y, thread / shape.x / shape.y};
  if (fault.instruction < program.instructions.size()) {
    const InstructionAt at = program.instructions[fault.instruction];
    const ptx::Instruction& instruction = at.function->body[at.index];
    finding.instruction = ptx::print(instruction, *at.function);
    const auto& files = program.module.module->files;
    if (instruction.source.line > 0 && size_t(instruction.source.file) < files.size()) {
      finding.source =
          files[size_t(instruction.source.file)] + ":" + std::to_string(instruction.source.line);
    } else {
      finding.source = "PTX line " + std::to_string(instruction.span.line) +
                       " (compile with -lineinfo for the source line)";
    }
  }
  return finding;
}

}  // namespace headroom::sim
