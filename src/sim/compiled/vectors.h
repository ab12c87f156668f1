// Code for operations on a warp's registers, in vectors of AVX-512: which register is in which of them.
//
//   IADD3 R0, R1, R2   then   LOP3 R3, R0, R4    ->    vmovdqa64 zmm0, [R1]  …  vpaddd zmm4, zmm0, zmm2
//                                                      …  vpandd zmm8, zmm4, zmm6  …  vmovdqa64 [R3], zmm8
//
// A register of 32 lanes is two vectors, its halves. What an operation reads stays in vectors as long as
// there is room, what it writes goes to memory when the room is needed or the code ends; what another
// operation of the same code writes over never does. Room is made by what is used last again (uses.h). Values of
// 64 bits and predicates stay in memory.
//
// Every NaN that arithmetic makes of floats is the same one on a GPU. Here a result may have any until it is looked at
// by something else than arithmetic, or goes to memory.
//
// Where only some lanes run, or a predicate guards an operation, the others keep what they had: k6 has the lanes
// that run, k7 the upper half of them. Arithmetic of floats looks at no others, lane_ops(): what they hold may be an
// integer, which is a float so small that a host takes a hundred times as long for it.
#pragma once
#include <asmjit/x86.h>

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "sim/compiled/uses.h"
#include "sim/program.h"

namespace headroom::sim::compiled {

namespace x86 = asmjit::x86;

class Vectors {
 public:
  using Value = std::array<x86::Zmm, 2>;  // lanes 0 … 15, 16 … 31

  // Constants that the code reads; they last as long as it does, at one place.
  struct alignas(64) Table {
    std::array<uint32_t, 16> words;
  };
  using Tables = std::vector<Table>;
  static constexpr size_t most_tables = 512;

  Vectors(x86::Assembler& to, Tables& constants) : a(to), constants_(constants) {
    constants_.reserve(most_tables);
  }

  // A register of 4 bytes a lane as an input, and as an output that holds nothing yet: it becomes the
  // register's value when the operation is done(). A vector for what comes between.
  Value in(uint32_t operand);
  Value out(uint32_t operand);
  Value between();
  // As an input to which one NaN is as good as another, and as such an input that the operation makes its output, in
  // place; what it makes may have any.
  Value in_float(uint32_t operand);
  Value change_float(uint32_t operand);
  void makes_floats() { makes_floats_ = true; }
  // Every NaN becomes the one: by scratch; between operations by k1, ecx and the constant.
  void settle(const x86::Zmm& floats);
  void done();

  // Two registers of 4 bytes a lane as doubles: of each half, lanes 0, 1, 4, 5 … and lanes 2, 3, 6, 7 …; in lanes
  // that do not run zeros. They stay as they are for other operations, too. What an operation makes of doubles
  // becomes the registers' value, and theirs, by made() instead of done().
  using Doubles = std::array<Value, 2>;
  Doubles doubles_in(uint32_t operand);
  Doubles doubles_out();
  void made(uint32_t operand, const Doubles&);

  // Half `half` of a predicate into a mask, and both masks to a predicate.
  void load(const x86::KReg& mask, uint32_t predicate, int half);
  void store(uint32_t predicate, const x86::KReg& low, const x86::KReg& high);
  // A predicate or a register of 8 bytes a lane where it lies.
  x86::Mem memory(uint32_t operand, int offset, uint32_t bytes);
  void overwrites(uint32_t operand, uint32_t bytes);  // what was in vectors of it is void
  void reads(uint32_t operand, uint32_t bytes);       // what is in vectors of it goes to memory

  const x86::Zmm& quiet_nan();                            // 0x7fffffff in every lane
  x86::Mem table(const std::array<uint32_t, 16>& words);  // a constant, from memory
  void broadcast(const x86::Zmm& to, uint32_t word);      // by ecx
  void forget_nan() { nan_known_ = false; }
  void ones(const x86::Zmm& to) { a.vpternlogd(to, to, to, 0xff); }

  // Of the operations that follow: all lanes run; those of the warp; those for which a guard holds as well,
  // which ecx has then. A uniform operation runs for all lanes where it does for one.
  enum class Running : uint8_t { all, some };
  void run_all() { masked_ = false; }
  void run_some();
  void run_guarded(uint32_t guard, bool negated, Running of, bool is_uniform);
  bool masked() const { return masked_; }
  bool guarded() const { return guarded_; }
  // For the next instruction: half 0 or 1 of 16 lanes, or part 0 … 3 of eight (by k5): the lanes that run, and
  // zeros in the others.
  x86::Assembler& lane_ops();
  void lane_mask() { a.k(half_ ? x86::k7 : x86::k6); }  // once know_lanes(), without the zeros
  void half(size_t h) { half_ = h; }
  x86::Assembler& part_ops();
  void part(int p);
  void forget_lanes() { known_ = Known::nothing; }  // k6 and k7 are something else
  void know_lanes();

  // A word of memory from ecx, a predicate; eight lanes of a register of 8 bytes, by k1.
  void store_word(uint32_t predicate);
  void store_wide(uint32_t operand, int part, const x86::Zmm& from);

  // The end of a stretch of code: all that is not in memory yet.
  void write_back();
  void begin(Running, Uses);                         // a new stretch: nothing is known
  void at(uint64_t operation) { now_ = operation; }  // of Uses

  // What is in vectors now; all of it also to memory, and again from there what has been read since, once the stretch
  // of code is written; the lanes too.
  struct State;
  State state();
  void spill(const State&);
  void reload(const State&);
  void resume(const State&);  // the code that follows is entered from there

  // A loop (loops.cpp): what is in vectors now is so at the beginning of each further round; at the end of the round
  // it becomes so again.
  void begin_rounds();
  void end_round();

  x86::Assembler& a;

 private:
  static constexpr int slots = 15;
  static constexpr uint32_t none = ~0u;
  struct Slot {
    uint32_t operand = none;
    bool dirty = false, held = false;
    bool any_nan = false;     // not the GPU's yet; dirty, too
    uint64_t next = 0;        // use
    uint32_t doubles = none;  // these two registers joined: half `half`
    size_t half = 0;
    bool is_empty() const { return operand == none && doubles == none; }
    bool has_what(const Slot& other) const {
      return operand == other.operand && doubles == other.doubles && half == other.half;
    }
  };
  enum class Known : uint8_t { nothing, warp, guard };
  Value value(int slot) const;
  int find(uint32_t operand) const;
  int find_doubles(uint32_t operand, size_t half) const;
  int slot_of(const Value&) const;
  void part_doubles(uint32_t operand);  // into words, if one of them is this register
  int take(uint32_t operand = none);    // for it
  int best_room(uint32_t operand) const;
  void use(int slot);
  void settle(int slot);
  void fill(int slot, const Slot& with);
  void move(const std::array<int, slots>& from);
  void keep_others(const Value& made, uint32_t operand);
  void write(int slot);
  bool read_since(size_t event, int slot) const;
  bool is_twice(int slot) const;

  std::array<Slot, slots> slot_;
  std::array<uint32_t, 4> becomes_{};  // outputs of this operation, and their slots
  std::array<int, 4> made_{};
  int outputs_ = 0;
  struct Event {  // a slot is read, or taken for something else
    int slot;
    bool reads;
  };
  std::vector<Event> events_;
  Uses uses_;
  uint64_t now_ = 0;
  bool nan_known_ = false, masked_ = false, guarded_ = false, some_ = false, makes_floats_ = false,
       between_operations_ = false;
  std::array<Slot, slots> round_{};  // at its beginning
  bool round_nan_ = false;
  Known known_ = Known::nothing;
  size_t half_ = 0;
  bool part_known_ = false;
  Tables& constants_;
  std::map<std::array<uint32_t, 16>, int32_t> tables_;  // offsets
};

struct Vectors::State {
  std::array<Slot, slots> slot;
  Known known;
  bool nan_known, warp_lanes;
  size_t event;
};

inline const x86::Gp warp_register = x86::rdi, operation_register = x86::rsi,
                     base_register = x86::rax, table_register = x86::r9,
                     running_lanes = x86::r8d,  // of the warp, where some run
    guarded_lanes = x86::r10d;
// Where a run has accesses: their sums, and registers of one access.
inline const x86::Gp sums_register = x86::rbp, pattern_register = x86::rdx,
                     place_register = x86::rcx;
inline const x86::Zmm scratch = x86::zmm30;  // of one operation

}  // namespace headroom::sim::compiled
