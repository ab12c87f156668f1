// The engine is the hot part of the executor, compiled for several instruction sets; this is what
// decode and simulate see of it.
//
//   engine().add_rows          what spellings run: "fma.rn.f32" -> Row{full, part, sorts {4, 4, 4, 4}}
//   engine().count->run_warp   runs a warp until it waits, ends, or its slice is used up
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sim/program.h"

namespace headroom::sim {

inline constexpr uint8_t predicate_sort = 0;  // operand sorts are bytes a lane; 0 is a predicate
inline constexpr int max_operands = 8;

struct Row {
  Handler full, part;
  std::array<uint8_t, max_operands> sort{};
  uint8_t outs = 0, count = 0;
  bool chains = false;  // `full` goes on with the next operation
};

// Rows by spelling and number of operands.
class RowTable {
 public:
  // {…} is optional: "add{.rn}.f32" stands for add.f32 and add.rn.f32. `type` is appended if given.
  void add(std::string_view spelling, const Row& row, std::string_view type = {},
           std::string_view type2 = {});
  const Row* find(std::string_view spelling, int operands) const;
  // Sorted, without the number of operands; those of inner operations too.
  std::vector<std::string> spellings() const;

 private:
  std::unordered_map<std::string, Row> rows_;
};

// How a warp's turn ended: all its lanes; at barriers; it had its slice; or it only goes round
// loops that wait for what others do, and gives way at once; or it is about to write what it read,
// and others read it first.
enum class Turn : uint8_t { done, waits, slice, spins, abreast };

// The execution body: what is compiled for each observer (lanes/body.h).
struct Body {
  // Fills Warp::addresses for an access and tells of it, then runs Operation::move. `wide`: 64-bit
  // address register.
  Handler (*access)(Place, Use, bool wide);
  Handler guarded;  // runs Operation::inner for the lanes whose predicate holds
  Turn (*run_warp)(Warp&, const Program&, uint64_t slice);
  bool counts_guarded;  // of guarded operations, no more than Warp::guarded has is asked
};

struct Engine {
  std::string_view name;
  void (*add_rows)(RowTable&);
  // Moves between memory and registers: memory bytes and signedness, register bytes, vector length.
  Handler (*load)(int memory_bytes, bool is_signed, int register_bytes, int count);
  Handler (*store)(int memory_bytes, int register_bytes, int count);
  // Read-modify-write: "add", "u32" …; operands {result, a[, b]}; null if there is none.
  Handler (*atomic)(std::string_view operation, std::string_view type, bool wants_result);
  // Bits set in `bits`, together with those of `others` unless that is null.
  uint64_t (*count_ones)(const uint64_t* bits, const uint64_t* others, uint64_t words);
  Handler stop;  // does nothing: where chained operations end
  const Body *count, *detailed, *silent, *check, *bounds;
};

// The best one this processor has. HEADROOM_ISA=portable|avx2|avx512 in the environment chooses a
// lesser one.
const Engine& engine();

namespace portable {
extern const Engine the_engine;
}
namespace avx2 {
extern const Engine the_engine;
}
namespace avx512 {
extern const Engine the_engine;
}

}  // namespace headroom::sim
