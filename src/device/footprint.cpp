#include "device/footprint.h"

#include <algorithm>

#include "device/modules.h"

namespace headroom::device {

uint64_t shared_per_block_opt_in(const Machine& machine) {
  if (!machine.shared_per_block) return shared_without_opt_in;
  return bytes_of(machine.shared_per_block);
}

BlockShape shape_of(const Footprint& footprint, int threads, uint64_t dynamic_shared) {
  BlockShape shape{
      threads, footprint.resources.registers, footprint.static_shared, dynamic_shared, {}};
  if (footprint.bound_threads) shape.max_threads = footprint.bound_threads;
  return shape;
}

Footprint footprint_of(Session& session, Kernel& kernel) {
  const ptx::Function& entry = function(session, kernel);
  Footprint footprint;
  footprint.resources = resources(session, kernel);
  footprint.static_shared = footprint.resources.static_shared.value_or(0);
  footprint.local = footprint.resources.stack.value_or(0);
  for (const ptx::Variable& variable : kernel.binary->loaded->module->variables)
    if (variable.space == ptx::Space::constant) footprint.constant += variable.bytes;
  footprint.max_dynamic_shared = uint64_t(kernel.max_dynamic_shared.value_or(
      int(shared_without_opt_in - std::min(shared_without_opt_in, footprint.static_shared))));
  const int* most = entry.required_threads[0] ? entry.required_threads : entry.max_threads;
  if (most[0]) footprint.bound_threads = most[0] * std::max(1, most[1]) * std::max(1, most[2]);
  return footprint;
}

int most_threads(const Session& session, const Footprint& footprint) {
  const int limit = int(session.machine.max_threads_per_block.value_or(1024));
  int threads = footprint.bound_threads ? std::min(limit, footprint.bound_threads) : limit;
  while (threads > 32 && occupancy(session.machine, shape_of(footprint, threads, 0)).blocks == 0)
    threads = (threads - 1) / 32 * 32;
  return threads;
}

Status set_dynamic_shared(Session& session, Kernel& kernel, int bytes) {
  const uint64_t most = shared_per_block_opt_in(session.machine);
  const uint64_t used =
      session.options.do_nothing ? 0 : footprint_of(session, kernel).static_shared;
  if (bytes < 0 || uint64_t(bytes) + used > most) return Status::invalid_value;
  kernel.max_dynamic_shared = bytes;
  return Status::ok;
}

Status set_carveout(Kernel& kernel, int percent) {
  if (percent < -1 || percent > 100) return Status::invalid_value;
  kernel.carveout = percent;
  return Status::ok;
}

}  // namespace headroom::device
