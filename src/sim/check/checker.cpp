#include "sim/check/checker.h"

#include <bit>

#include "record/launch.h"
#include "sim/bulk_copy.h"
#include "sim/remote_store.h"
#include "sim/simulate.h"

namespace headroom::sim::check {

void Checker::begin(const Program& program, const Launch& launch, bool lockstep) {
  because_ = program.code && launch.shape.cluster_size().count() > 1
                 ? "its machine code ran in clusters, and does not tell what orders them"
                 : nullptr;
  watches_ = !because_ && what_.races;
  follows_ = !because_ && what_.uninitialised;
  if (watches_) {
    races_.begin(program, launch.shape, lockstep);
    copies_.begin(program);
    asynchronous_.begin(program);
    fragments_.begin(program);
  }
  absent_.begin(program);
  initialised_.begin(program, follows_);
}

// As accesses of the lane that begins it; what it writes in shared memory is there when its phase ends.
void Checker::on(const Copied& copied) {
  AccessPattern pattern;
  std::array<uint32_t, lanes> bytes{};
  pattern.mask = 1u << copied.lane;
  for (uint64_t& delta : pattern.delta) delta = 0;
  bytes[size_t(copied.lane)] = uint32_t(copied.bytes);
  const Access access{copied.warp,    copied.operation, copied.space, copied.use, pattern,
                      copied.address, bytes.data(),     false,        copied.peer};
  if (is_remote_store(copied.operation)) {
    if (what_.uninitialised) initialised_.see(access);
    if (!watches_) return;
    races_.see(access);
    asynchronous_.copied(copied);
    arrives_for(copied, barrier_of_remote_store(copied.warp, copied.operation, copied.lane));
    return;
  }
  if (what_.uninitialised) initialised_.see(copied);
  if (watches_) bulk(copied, access);
}

void Checker::bulk(const Copied& copied, const Access& access) {
  const Warp& warp = copied.warp;
  const InstructionAt& at =
      warp.block->machinery->program->instructions[copied.operation.instruction];
  if (at.code ? !at.code->instructions[at.index].opcode.starts_with("U")
              : !at.function || at.function->body[at.index].opcode != "cp")
    return;
  const bool shared = copied.space == Place::shared, writes = copied.use != Use::load;
  const uint64_t host =
      (shared ? reinterpret_cast<uint64_t>(copied.owner().shared) : 0) + copied.address;
  if (shared && !writes)
    races_.see_crossing(warp, uint32_t(copied.lane), copied.operation.instruction, "bulk copy",
                        host, host + copied.bytes);
  races_.see(access);
  if (!shared) return;
  asynchronous_.copied(copied);
  if (writes)
    arrives_for(copied, bulk_operand(warp, copied.operation, bulk_barrier, copied.lane, true));
}

// The phase of this barrier ends behind what was copied: no other order of it counts.
void Checker::arrives_for(const Copied& copied, uint64_t barrier) {
  const uint64_t host = reinterpret_cast<uint64_t>(copied.owner().shared) + copied.address;
  races_.overwritten(host, host + copied.bytes);
  races_.order.strong(copied.warp, uint32_t(copied.lane), {Scope::gpu, false, true}, Use::atomic,
                      &copied.owner(), block_offset(barrier));
}

void Checker::product(const Warp& warp, const Operation& operation, std::vector<uint32_t> units) {
  if (!watches_) return;
  constexpr uint64_t bytes = 16;
  const uint64_t shared = reinterpret_cast<uint64_t>(warp.block->shared);
  const uint32_t lane = uint32_t(std::countr_zero(warp.mask));
  for (const uint32_t unit : units)
    races_.see_crossing(warp, lane, operation.instruction, "product", shared + unit * bytes,
                        shared + (unit + 1) * bytes);
  asynchronous_.product(warp, operation, std::move(units));
}

void Checker::begins(const Warp& warp, const Operation& operation, uint32_t lane, uint64_t offset) {
  if (watches_) asynchronous_.begins(warp, operation, lane, offset);
}

std::shared_ptr<Checker> make_checker(bool races, bool uninitialised, bool bounds) {
  return std::make_shared<Checker>(Checker::What{races, uninitialised, bounds});
}

void allocated(Checker& checker, uint64_t address, uint64_t bytes) {
  checker.allocated(address, bytes);
}
void wrote(Checker& checker, uint64_t address, uint64_t bytes) { checker.wrote(address, bytes); }
void copied(Checker& checker, uint64_t to, uint64_t from, uint64_t bytes) {
  checker.copied(to, from, bytes);
}
void begin_work(Checker& checker, Work work) { checker.begin_work(std::move(work)); }
void runs(Checker& checker, std::shared_ptr<const Program> program) {
  checker.runs(std::move(program));
}
void touches(Checker& checker, uint64_t address, uint64_t bytes, bool writes, const char* what) {
  checker.touches(address, bytes, writes, what);
}
std::vector<HostPage> host_pages(const Checker& checker, const std::vector<uint32_t>& work,
                                 uint64_t begin, uint64_t end) {
  return checker.races().host_pages(work, begin, end);
}
std::optional<Finding> host_access(const Checker& checker, const std::vector<uint32_t>& work,
                                   uint64_t address, bool writes) {
  return checker.races().host_access(work, address, writes);
}
std::vector<Finding> take_findings(Checker& checker) { return checker.take_findings(); }

std::vector<Finding> Checker::finish() {
  std::vector<Finding> all;
  if (watches_) {
    races_.end();
    all = races_.finish();
    for (Finding& each : copies_.finish()) all.push_back(std::move(each));
    for (Finding& each : asynchronous_.finish()) all.push_back(std::move(each));
    for (Finding& each : fragments_.finish()) all.push_back(std::move(each));
  }
  for (Finding& each : absent_.finish()) all.push_back(std::move(each));
  for (Finding& each : initialised_.finish()) all.push_back(std::move(each));
  return all;
}

}  // namespace headroom::sim::check
