// The pipes of an SM that execute machine instructions. One row a pipe: its value, what a person
// reads, and the counter of its instructions: the key in JSON, the meaning, Nsight Compute's name.
//
//   Pipe::alu   "ALU"   pipe_alu, "… additions, logic, …", smsp__inst_executed_pipe_alu.sum
//
// An instruction may go through two (a return through a register: CBU and ADU), or through none that
// is counted (a branch).
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "record/counters.h"

namespace headroom {

enum class Pipe : uint8_t { alu, fma, fp64, fp16, tensor, xu, lsu, tex, uniform, adu, cbu };

struct PipeRow {
  Pipe pipe;
  std::string_view title;
  CounterField counter;
};

// In the order in which a report names them.
inline constexpr auto pipes = std::to_array<PipeRow>({
    // clang-format off
    {Pipe::alu, "ALU", {"pipe_alu", "instructions", "warp instructions on the ALU pipe: integer additions, logic, shifts, comparisons, minima, selections, moves", Basis::exact, "", &Counters::pipe_alu, "smsp__inst_executed_pipe_alu.sum", true}},
    {Pipe::fma, "FMA", {"pipe_fma", "instructions", "on the FMA pipes: FP32 and packed FP16 arithmetic, IMAD, VIADD", Basis::exact, "", &Counters::pipe_fma, "smsp__inst_executed_pipe_fma.sum", true}},
    {Pipe::fp64, "FP64", {"pipe_fp64", "instructions", "on the FP64 pipe", Basis::exact, "", &Counters::pipe_fp64, "smsp__inst_executed_pipe_fp64.sum", true}},
    {Pipe::fp16, "FP16", {"pipe_fp16", "instructions", "on the FP16 pipe of compute capabilities 7.5 and 8.0; on later ones packed FP16 runs on the FMA pipes", Basis::exact, "", &Counters::pipe_fp16, "smsp__inst_executed_pipe_fp16.sum", true}},
    {Pipe::tensor, "tensor", {"pipe_tensor", "instructions", "on the tensor pipe: products of matrices, and HFMA2.MMA, with which ptxas also writes constants", Basis::exact, "", &Counters::pipe_tensor, "smsp__inst_executed_pipe_tensor.sum", true}},
    {Pipe::xu, "XU", {"pipe_xu", "instructions", "on the XU pipe: MUFU, conversions, population counts", Basis::exact, "", &Counters::pipe_xu, "smsp__inst_executed_pipe_xu.sum", true}},
    {Pipe::lsu, "LSU", {"pipe_lsu", "instructions", "on the LSU pipe: loads, stores, atomics, shuffles, the thread's own numbers", Basis::exact, "", &Counters::pipe_lsu, "smsp__inst_executed_pipe_lsu.sum", true}},
    {Pipe::tex, "TEX", {"pipe_tex", "instructions", "on the TEX pipe: textures, surfaces", Basis::exact, "", &Counters::pipe_tex, "smsp__inst_executed_pipe_tex.sum", true}},
    {Pipe::uniform, "uniform", {"pipe_uniform", "instructions", "on the uniform pipe: arithmetic that all lanes share", Basis::exact, "", &Counters::pipe_uniform, "smsp__inst_executed_pipe_uniform.sum", true}},
    {Pipe::adu, "ADU", {"pipe_adu", "instructions", "on the ADU pipe: constants at an address, barriers, the block's numbers, jumps through registers", Basis::exact, "", &Counters::pipe_adu, "smsp__inst_executed_pipe_adu.sum", true}},
    {Pipe::cbu, "CBU", {"pipe_cbu", "instructions", "on the CBU pipe: exits, calls, returns, reconvergence", Basis::exact, "", &Counters::pipe_cbu, "smsp__inst_executed_pipe_cbu.sum", true}},
    // clang-format on
});
static_assert(std::ranges::is_sorted(pipes, {}, &PipeRow::pipe) &&
                  pipes.size() == size_t(Pipe::cbu) + 1,
              "a row for each pipe, in their order");

constexpr const PipeRow& row_of(Pipe pipe) { return pipes[size_t(pipe)]; }

}  // namespace headroom
