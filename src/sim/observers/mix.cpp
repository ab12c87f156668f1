#include "sim/observers/mix.h"

#include <cstring>

#include "record/instruction_class.h"
#include "record/pipe.h"
#include "sim/decode_sass/pipes.h"
#include "sim/program.h"

namespace headroom::sim {

void Mix::begin(const Program& program) {
  entries.assign(program.basic_blocks.size(), 0);
  lanes_entered.assign(program.basic_blocks.size(), 0);
  std::memset(guarded_float_operations, 0, sizeof guarded_float_operations);
  reissued.assign(program.code ? program.instructions.size() : 0, 0);
  reissued_lanes = 0;
}

void Mix::merge(const Mix& other) {
  for (size_t b = 0; b < entries.size(); ++b) entries[b] += other.entries[b];
  for (size_t b = 0; b < lanes_entered.size(); ++b) lanes_entered[b] += other.lanes_entered[b];
  for (size_t k = 0; k < std::size(guarded_float_operations); ++k)
    guarded_float_operations[k] += other.guarded_float_operations[k];
  for (size_t i = 0; i < reissued.size(); ++i) reissued[i] += other.reissued[i];
  reissued_lanes += other.reissued_lanes;
}

void Mix::add_to(Counters& c, const Program& program) const {
  for (size_t b = 0; b < program.basic_blocks.size(); ++b) {
    const Profile& profile = program.basic_blocks[b].profile;
    c.warp_instructions += entries[b] * profile.instructions;
    c.thread_instructions += lanes_entered[b] * profile.instructions;
    for (const InstructionClassRow& row : instruction_classes)
      c.*row.counter.value += entries[b] * profile.kinds[size_t(row.kind)];
    for (const PipeRow& row : pipes)
      c.*row.counter.value += entries[b] * profile.on_pipes[size_t(row.pipe)];
    c.fp32_operations += lanes_entered[b] * profile.fp32_operations;
    c.fp64_operations += lanes_entered[b] * profile.fp64_operations;
    c.fp16_operations += lanes_entered[b] * profile.fp16_operations;
    c.tensor_operations += entries[b] * profile.tensor_operations;
    c.register_reads_even += entries[b] * profile.register_reads[0];
    c.register_reads_odd += entries[b] * profile.register_reads[1];
    c.register_reads_reused += entries[b] * profile.registers_reused;
    c.register_bank_conflicts += entries[b] * profile.register_conflicts;
    c.branches += entries[b] * profile.branches;
    c.barriers += entries[b] * profile.barriers;
  }
  for (size_t i = 0; i < reissued.size(); ++i) {
    if (!reissued[i]) continue;
    c.warp_instructions += reissued[i];
    c.control_instructions += reissued[i];
    c.branches += reissued[i];
    const InstructionAt& at = program.instructions[i];
    for (const Pipe pipe : pipes_of(at.code->instructions[at.index], program.code->architecture))
      c.*row_of(pipe).counter.value += reissued[i];
  }
  c.thread_instructions += reissued_lanes;
  c.fp32_operations += guarded_float_operations[0];
  c.fp64_operations += guarded_float_operations[1];
  c.fp16_operations += guarded_float_operations[2];
}

}  // namespace headroom::sim
