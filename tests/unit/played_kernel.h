// A kernel of straight line code made by hand, which the pipeline plays.
//
//   Played kernel;                        on an H200
//   kernel.fma(1, 2, 255, 4);             FFMA R20, R1, R2, RZ, and 4 cycles until the next
//   kernel.run(1, 32, 10).cycles          a block of 32 warps that go through it ten times
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "machine/machine.h"
#include "model/pipeline/sm.h"
#include "record/pipe.h"
#include "sass/module.h"

namespace headroom {

inline sass::Operand reg(uint16_t index, bool written = false, bool reuse = false) {
  sass::Operand operand;
  operand.index = index;
  operand.written = written;
  operand.reuse = reuse;
  return operand;
}

inline sass::Instruction instruction(std::string_view opcode, std::vector<sass::Operand> operands,
                                     sass::Control control) {
  sass::Instruction made;
  made.opcode = opcode;
  made.operands = std::move(operands);
  for (uint8_t slot = 0; sass::Operand & operand : made.operands)
    if (!operand.written && slot < sass::no_slot) operand.slot = slot++;
  made.control = control;
  return made;
}

// A block of one warp that executes one instruction once, with one access to so many sectors.
inline Trace one_access(const sass::Instruction& instruction, TracedAccess access,
                        const std::vector<uint64_t>& sectors) {
  Trace trace;
  trace.code = {{&instruction, uint16_t(1u << int(Pipe::lsu))}};
  trace.basic_blocks = {{0, 0}};
  TracedWarp warp;
  warp.entered = {{0, 32}};
  warp.traced = warp.executed = 1;
  access.sectors = uint32_t(sectors.size());
  warp.accesses.push_back(access);
  trace.blocks.push_back({0, {warp}, sectors, {}});
  return trace;
}

// A kernel of straight line code, which every warp executes `times`.
class Played {
 public:
  explicit Played(const std::string& machine = "h200") : machine_(load_machine(machine)) {}
  void add(sass::Instruction instruction, std::optional<Pipe> pipe = {}) {
    function_->instructions.push_back(std::move(instruction));
    pipes_.push_back(pipe ? uint16_t(1u << int(*pipe)) : uint16_t(0));
  }
  void fma(uint16_t a, uint16_t b, uint16_t c, uint8_t stall) {
    add(instruction("FFMA", {reg(20, true), reg(a), reg(b), reg(c)}, {.stall = stall}), Pipe::fma);
  }
  void rename(uint16_t to, uint16_t from) {  // an instruction that stands for none
    add(instruction("MOV", {reg(to, true), reg(from)}, {}), Pipe::alu);
    times_[pipes_.size() - 1] = 0;
  }
  void access(uint32_t instruction, TracedAccess access, std::vector<uint64_t> sectors = {}) {
    access.instruction = instruction;
    access.sectors = uint32_t(sectors.size());
    accesses_.push_back({access, sectors});
  }

  Trace trace(int blocks, int warps, int times) {
    Trace trace;
    trace.sections = {function_};
    trace.likely = likely_;
    trace.meets_grid = meets_grid_;
    for (size_t i = 0; i < pipes_.size(); ++i)
      trace.code.push_back(
          {&function_->instructions[i], pipes_[i], times_.contains(i) ? times_.at(i) : uint8_t(1)});
    trace.basic_blocks = {{0, uint32_t(pipes_.size() - 1)}};
    for (int b = 0; b < blocks; ++b) {
      TracedBlock& block = trace.blocks.emplace_back();
      for (int w = 0; w < warps; ++w) add_warp(block, times);
    }
    return trace;
  }
  SmRun run(int blocks, int warps, int times, Relief relief = {}, int resident = 0) {
    const Trace trace = this->trace(blocks, warps, times);
    const std::vector<InstructionTiming> code = timings(trace, machine_);
    SmTask task{trace, code, machine_, supply_, resident ? resident : blocks};
    task.relief = relief;
    return play(task);
  }
  Supply supply_;
  bool likely_ = false;  // without control words
  bool meets_grid_ = false;
  bool parts_ = false;       // every second time half of the lanes do
  bool only_first_ = false;  // accesses: what is executed later does none

 private:
  void add_warp(TracedBlock& block, int times) {
    TracedWarp& warp = block.warps.emplace_back();
    for (int t = 0; t < times; ++t) {
      warp.entered.push_back({0, parts_ && t % 2 ? 16u : 32u});
      for (const auto& [access, sectors] : accesses_) {
        if (t > 0 && only_first_) break;
        TracedAccess& made = warp.accesses.emplace_back(access);
        made.entry = uint32_t(t);
        made.first_sector = uint32_t(block.sectors.size());
        if (access.kind == AccessKind::arrival || access.kind == AccessKind::phase) {
          made.first_sector = 0;  // the block's only mbarrier, a phase a time
          made.sectors = uint32_t(t);
          if (block.arrivals.empty()) block.arrivals.emplace_back(size_t(times));
          block.arrivals[0][size_t(t)] += access.kind == AccessKind::arrival;
        }
        for (const uint64_t sector : sectors) block.sectors.push_back(sector + next_);
      }
      next_ += 1000;
    }
    warp.traced = warp.executed = uint64_t(times) * pipes_.size();
  }

  const Machine machine_;
  std::shared_ptr<sass::Function> function_ = std::make_shared<sass::Function>();
  std::vector<uint16_t> pipes_;
  std::map<size_t, uint8_t> times_;  // where they are not 1
  std::vector<std::pair<TracedAccess, std::vector<uint64_t>>> accesses_;
  uint64_t next_ = 0;
};

inline double cycles_of(const SmRun& run) { return run.cycles; }

}  // namespace headroom
