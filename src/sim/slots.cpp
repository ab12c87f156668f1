#include "sim/slots.h"

#include <algorithm>
#include <array>
#include <queue>
#include <set>
#include <string_view>

namespace headroom::sim {
namespace {

constexpr std::array<std::string_view, 6> ends = {"bra", "brx", "call", "ret", "exit", "trap"};

bool is_barrier(const ptx::Instruction& i) {
  return (i.opcode == "bar" || i.opcode == "barrier") && !i.has(".warp") && !i.has(".cluster");
}

// Calls f(register, written) for every register an instruction touches.
template <class F>
void each_register(const ptx::Instruction& instruction, F&& f) {
  auto visit = [&](auto&& self, const ptx::Operand& operand, bool written) -> void {
    switch (operand.kind) {
      case ptx::Operand::Kind::reg: f(operand.reg, written); break;
      case ptx::Operand::Kind::address:
        if (operand.reg >= 0) f(operand.reg, false);
        break;
      case ptx::Operand::Kind::list:
        for (const ptx::Operand& item : operand.items) self(self, item, written);
        break;
      default: break;
    }
  };
  const int outs = written_operands(instruction);
  for (size_t n = 0; n < instruction.operands.size(); ++n)
    visit(visit, instruction.operands[n], int(n) < outs);
  if (instruction.guard.reg >= 0) f(instruction.guard.reg, false);
}

// Instructions that become several steps must not write before their last operand is read.
bool several_steps(const ptx::Instruction& i) {
  return i.opcode == "setp" || i.opcode == "set" || is_barrier(i);
}

struct Interval {
  int64_t begin = INT64_MAX, end = -1;
  void cover(int64_t position) { begin = std::min(begin, position), end = std::max(end, position); }
};

using Bits = std::vector<uint64_t>;

// Positions: 2i where instruction i reads, 2i + 1 where it writes.
std::vector<Interval> live_intervals(const ptx::Function& function,
                                     const std::vector<int>& leaders) {
  const size_t registers = function.registers.size(), words = (registers + 63) / 64,
               blocks = leaders.size();
  const int size = int(function.body.size());
  std::vector<Interval> interval(registers);
  auto last_of = [&](size_t b) { return b + 1 < blocks ? leaders[b + 1] : size; };

  std::vector<Bits> read(blocks, Bits(words)), written(blocks, Bits(words)),
      in(blocks, Bits(words));
  std::vector<std::vector<size_t>> next(blocks);
  auto block_of = [&](int instruction) {
    return size_t(std::upper_bound(leaders.begin(), leaders.end(), instruction) - leaders.begin()) -
           1;
  };
  auto has = [](const Bits& bits, int r) { return bits[size_t(r) / 64] >> (r % 64) & 1; };
  auto set = [](Bits& bits, int r) { bits[size_t(r) / 64] |= 1ull << (r % 64); };
  for (size_t b = 0; b < blocks; ++b) {
    for (int i = leaders[b]; i < last_of(b); ++i) {
      const ptx::Instruction& instruction = function.body[size_t(i)];
      const bool keeps = instruction.guard.reg >= 0;  // lanes whose guard fails keep the old value
      each_register(instruction, [&](int r, bool writes) {
        if ((!writes || keeps) && !has(written[b], r)) set(read[b], r);
        interval[size_t(r)].cover(2 * i + (writes && !several_steps(instruction) ? 1 : 0));
        if (writes) interval[size_t(r)].cover(2 * i + 1);
      });
      each_register(instruction, [&](int r, bool writes) {
        if (writes && !keeps) set(written[b], r);
      });
    }
    const int last = last_of(b) - 1;
    bool falls = true;
    if (last >= leaders[b]) {
      const ptx::Instruction& end = function.body[size_t(last)];
      if (end.opcode == "bra") {
        const auto label = function.labels.find(end.operands.empty() ? "" : end.operands[0].name);
        if (label != function.labels.end() && label->second < size)
          next[b].push_back(block_of(label->second));
        falls = end.guard.reg >= 0;
      } else if (end.opcode == "brx") {
        for (const auto& [name, targets] : function.branch_targets) {
          for (const std::string& target : targets) {
            const auto label = function.labels.find(target);
            if (label != function.labels.end() && label->second < size)
              next[b].push_back(block_of(label->second));
          }
        }
        falls = end.guard.reg >= 0;
      } else if (end.opcode == "ret" || end.opcode == "exit" || end.opcode == "trap") {
        falls = end.guard.reg >= 0;
      }
    }
    if (falls && b + 1 < blocks) next[b].push_back(b + 1);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t b = blocks; b-- > 0;) {
      for (size_t w = 0; w < words; ++w) {
        uint64_t out = 0;
        for (size_t n : next[b]) out |= in[n][w];
        const uint64_t now = read[b][w] | (out & ~written[b][w]);
        if (now != in[b][w]) in[b][w] = now, changed = true;
      }
    }
  }
  for (size_t b = 0; b < blocks; ++b) {
    for (size_t w = 0; w < words; ++w) {
      uint64_t out = 0;
      for (size_t n : next[b]) out |= in[n][w];
      for (uint64_t left = in[b][w]; left; left &= left - 1)
        interval[w * 64 + size_t(__builtin_ctzll(left))].cover(2 * leaders[b]);
      for (uint64_t left = out; left; left &= left - 1)
        interval[w * 64 + size_t(__builtin_ctzll(left))].cover(2 * last_of(b));
    }
  }
  return interval;
}

}  // namespace

int written_operands(const ptx::Instruction& i) {
  static constexpr std::array<std::string_view, 21> none = {
      "st",         "red",       "bra",     "brx",     "call",          "ret",
      "exit",       "trap",      "brkpt",   "membar",  "fence",         "prefetch",
      "prefetchu",  "nanosleep", "pmevent", "discard", "applypriority", "griddepcontrol",
      "setmaxnreg", "stmatrix",  "cp"};
  if (is_barrier(i)) return i.has(".red") ? 1 : 0;
  if (i.opcode == "bar" || i.opcode == "barrier") return 0;
  return std::find(none.begin(), none.end(), i.opcode) != none.end() ? 0 : 1;
}

bool ends_run(const ptx::Instruction& i) {
  return std::find(ends.begin(), ends.end(), i.opcode) != ends.end() || is_barrier(i);
}

bool starts_run(const ptx::Instruction& i) {
  if (i.opcode == "bar" || i.opcode == "barrier") return i.has(".warp");
  static constexpr std::array<std::string_view, 5> named = {"shfl", "vote", "match", "redux",
                                                            "elect"};
  return i.has(".sync") && std::find(named.begin(), named.end(), i.opcode) != named.end();
}

Slots assign_slots(const ptx::Function& function, const std::vector<int>& leaders) {
  const size_t registers = function.registers.size();
  // Liveness is quadratic in the worst case; a function too large for it gets a slot a register.
  const bool share = uint64_t(registers) * leaders.size() < (1ull << 30);
  std::vector<Interval> interval =
      share ? live_intervals(function, leaders) : std::vector<Interval>(registers);

  std::vector<int> order;
  for (size_t r = 0; r < registers; ++r) {
    if (!share || interval[r].end >= 0) order.push_back(int(r));
  }
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return interval[size_t(a)].begin < interval[size_t(b)].begin;
  });

  struct Pool {  // one width
    int size = 0;
    std::set<int> free;
    std::priority_queue<std::pair<int64_t, int>, std::vector<std::pair<int64_t, int>>,
                        std::greater<>>
        active;
  };
  std::array<Pool, 17> pools;
  std::vector<int> index(registers, -1);
  for (int r : order) {
    Pool& pool = pools[size_t(slot_bytes_of_lane(function.registers[size_t(r)].type))];
    if (share) {
      while (!pool.active.empty() && pool.active.top().first < interval[size_t(r)].begin) {
        pool.free.insert(pool.active.top().second);
        pool.active.pop();
      }
    }
    if (pool.free.empty()) {
      pool.free.insert(pool.size++);
    }
    index[size_t(r)] = *pool.free.begin();  // the lowest: a small frame
    pool.free.erase(pool.free.begin());
    pool.active.emplace(interval[size_t(r)].end, index[size_t(r)]);
  }

  Slots slots;
  slots.at.assign(registers, 0);
  std::array<uint32_t, 17> base{};
  for (int bytes : {16, 8, 4, 2, 1, 0}) {  // wide ones first: everything stays aligned
    base[size_t(bytes)] = slots.bytes;
    if (pools[size_t(bytes)].size)
      slots.columns.push_back({slots.bytes, uint32_t(bytes), uint32_t(pools[size_t(bytes)].size)});
    slots.bytes += uint32_t(pools[size_t(bytes)].size) * slot_bytes(bytes);
  }
  slots.bytes = (slots.bytes + 63) / 64 * 64;
  for (size_t r = 0; r < registers; ++r) {
    const int bytes = slot_bytes_of_lane(function.registers[r].type);
    if (index[r] >= 0) slots.at[r] = base[size_t(bytes)] + uint32_t(index[r]) * slot_bytes(bytes);
  }
  return slots;
}

}  // namespace headroom::sim
