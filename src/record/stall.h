// Why a warp does not issue an instruction, under Nsight Compute's names. One row a reason: its name in
// JSON and in smsp__average_warps_issue_stalled_<name>_per_issue_active, and what a person reads.
//
//   row_of(Stall::short_scoreboard).name               "short_scoreboard": for programs
//   in_words(Stall::short_scoreboard, counters).title  "MIO latency": for people, of a kernel without shared memory
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

namespace headroom {

enum class Stall : uint8_t {
  selected,
  not_selected,
  wait,
  long_scoreboard,
  short_scoreboard,
  barrier,
  math_pipe_throttle,
  lg_throttle,
  mio_throttle,
  dispatch_stall,
  branch_resolving,
  membar,
  gmma,
  imc_miss,
};

struct StallRow {
  Stall stall;
  std::string_view name;
  std::string_view title;    // in a table: what the warp waits for
  std::string_view meaning;  // in a sentence
};

inline constexpr auto stalls = std::to_array<StallRow>({
    // clang-format off
    {Stall::selected, "selected", "issues", "issues an instruction"},
    {Stall::not_selected, "not_selected", "issue slots", "is ready, and another warp issues"},
    {Stall::wait, "wait", "arithmetic latency", "waits the fixed latency of its own instruction"},
    {Stall::long_scoreboard, "long_scoreboard", "memory latency", "waits for data of global or local memory"},
    {Stall::short_scoreboard, "short_scoreboard", "shared latency", "waits for shared memory, a special function or a conversion"},
    {Stall::barrier, "barrier", "barriers", "waits at a barrier for other warps of its block"},
    {Stall::math_pipe_throttle, "math_pipe_throttle", "arithmetic pipe", "an arithmetic pipe is busy"},
    {Stall::lg_throttle, "lg_throttle", "LSU queue", "the queue of global and local memory is full"},
    {Stall::mio_throttle, "mio_throttle", "MIO queue", "the queue of shared memory, special functions and the like is full"},
    {Stall::dispatch_stall, "dispatch_stall", "register banks", "operands of the instruction before lie in one register bank"},
    {Stall::branch_resolving, "branch_resolving", "branches", "waits for the target of a branch"},
    {Stall::membar, "membar", "fences", "waits at a memory fence"},
    {Stall::gmma, "gmma", "warpgroup products", "waits for products of its warpgroup"},
    {Stall::imc_miss, "imc_miss", "constant cache", "waits for an operand in constant memory that its cache does not have"},
    // clang-format on
});
static_assert(std::ranges::is_sorted(stalls, {}, &StallRow::stall) &&
                  stalls.size() == size_t(Stall::imc_miss) + 1,
              "a row for each reason, in their order");

constexpr const StallRow& row_of(Stall stall) { return stalls[size_t(stall)]; }

struct Counters;
// The row as people are told it of a launch: one that reads no shared memory does not wait for it.
const StallRow& in_words(Stall, const Counters&);

using StallCycles = std::array<double, stalls.size()>;

constexpr void add(StallCycles& sum, const StallCycles& more) {
  for (size_t i = 0; i < sum.size(); ++i) sum[i] += more[i];
}

}  // namespace headroom
