#include "model/curves.h"

#include <functional>

namespace headroom {
namespace {

constexpr double shared_step = 128;  // bytes: no machine allocates in finer units

void sweep(const Machine& machine, BlockShape shape, OccupancyCurve& curve, double from, double by,
           const std::function<void(BlockShape&, double)>& set) {
  for (double x = from; x <= curve.last; x += by) {
    set(shape, x);
    const Occupancy there = occupancy(machine, shape);
    if (curve.steps.empty() || curve.steps.back().warps != there.warps ||
        curve.steps.back().blocks != there.blocks)
      curve.steps.push_back({x, there.blocks, there.warps});
  }
}

}  // namespace

std::vector<OccupancyCurve> occupancy_curves(const Machine& machine, const LaunchShape& launch,
                                             const Resources& resources) {
  return occupancy_curves(machine, block_of(machine, launch, resources));
}

std::vector<OccupancyCurve> occupancy_curves(const Machine& machine, const BlockShape& shape) {
  std::vector<OccupancyCurve> curves;
  OccupancyCurve& threads = curves.emplace_back();
  threads.over = "threads a block";
  threads.here = shape.threads;
  threads.last = machine.max_threads_per_block.value_or(0);
  sweep(machine, shape, threads, 32, 32, [](BlockShape& s, double x) { s.threads = int(x); });
  if (shape.registers) {
    OccupancyCurve& registers = curves.emplace_back();
    registers.over = "registers a thread";
    registers.here = *shape.registers;
    registers.last = machine.max_registers_per_thread.value_or(0);
    sweep(machine, shape, registers, 1, 1, [](BlockShape& s, double x) { s.registers = int(x); });
  }
  if (!machine.shared_per_block || shape.static_shared_unknown) return curves;
  OccupancyCurve& shared = curves.emplace_back();
  shared.over = "shared memory a block";
  shared.unit = "B";
  shared.here = double(shape.static_shared + shape.dynamic_shared);
  shared.last = *machine.shared_per_block * 1024;
  BlockShape all_dynamic = shape;
  all_dynamic.static_shared = 0;
  sweep(machine, all_dynamic, shared, 0, shared_step,
        [](BlockShape& s, double x) { s.dynamic_shared = uint64_t(x); });
  return curves;
}

}  // namespace headroom
