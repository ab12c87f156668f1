// Loads and stores of global and shared memory in compiled code, where the lanes lie as they did when the instruction
// last ran: registers stay in vectors, and what observers count is added to their sums (access_sums.h). All else is
// done by the handler, which learns how the lanes lie now; before it everything goes to memory, behind it comes back.
//
//   LDG R4, [R2.64]    R2, R3 - of the first lane = pattern.delta?   legal, same sectors?   vmovdqu64 zmm8, [rcx] …
//                      else: write back, handler, load again
#pragma once
#include <map>
#include <optional>
#include <vector>

#include "sim/compiled/vectors.h"

namespace headroom::sim::compiled {

class Accesses {
 public:
  // Registers that hold an address that is joined for this access alone, and nowhere in memory.
  struct Pair {
    uint32_t low, high;
  };

  explicit Accesses(Vectors& vectors) : v_(vectors), a_(vectors.a) {}

  static bool knows(const Operation&);
  // An instruction's join that nothing but the access behind it reads.
  static bool is_join(const Operation&);

  void begin();  // a run that has accesses
  void end();    // … behind it comes what goes on
  // The vectors know which lanes run; `place` is its number in the run. served: what is to be done of a guarded one
  // once it is certain that its handler will not be called.
  template <class Served>
  void access(const Operation& operation, uint32_t place, std::optional<Pair> address,
              Served served) {
    start(operation, place, address);
    move(operation);
    served();
    finish();
  }
  void write_slow_paths();   // of the run
  void write_subroutines();  // of all, at the end

 private:
  struct Slow {
    const Operation& operation;
    uint32_t place;
    std::optional<Pair> address;
    asmjit::Label entry, back;
    Vectors::State state;
    std::vector<Vectors::Value> loaded;
    Vectors::Value low{}, high{};
  };
  struct Subroutine {  // code that accesses call: is it as before, and if so, its sums
    Place place;
    Use use;
    uint8_t bytes;
    auto operator<=>(const Subroutine&) const = default;
  };

  struct
      Moved {  // `count` registers of a lane, each from or to so many bytes; none: by its handler alone
    size_t count = 0;
    int bytes = 4;
    bool is_signed = false;
  };
  static Moved moved(const Operation&);
  static HostAddresses::Layout last_layout(const Operation&);  // that is moved without the handler

  void start(const Operation&, uint32_t place, std::optional<Pair> address);
  void compare_words(const Vectors::Value& low, const Vectors::Value* high);
  void compare_wide(uint32_t operand);
  void sum_by_instruction(const Operation&);
  void move(const Operation&);
  // access_moves.cpp
  void load(const Operation&);
  void load_row(size_t count);
  void load_window(size_t count);
  void load_eights(bool side_by_side);
  void load_narrow(const Moved&);
  void take_lanes(const x86::KReg&, size_t half);
  void gather();
  void gather_pairs();
  void store(const Operation&);
  void store_pairs();
  void store_fours();
  void finish();
  void write(const Subroutine&);
  void mark(const Subroutine&, const asmjit::Label& fails);
  x86::Gp lanes() const { return v_.guarded() ? guarded_lanes : running_lanes; }

  Vectors& v_;
  x86::Assembler& a_;
  std::vector<Slow> slow_;
  std::map<Subroutine, asmjit::Label> subroutines_;
  asmjit::Label failed_;
  Vectors::Value between_{};
  std::vector<Vectors::Value> data_;
};

// Registers of one access that nothing else needs, and what is remembered of its site.
inline const x86::Gp first_spare = x86::r11, second_spare = x86::r12, third_spare = x86::rbx;
inline x86::Mem of_pattern(size_t member, uint32_t bytes) {
  return x86::Mem(pattern_register, int32_t(member), bytes);
}

}  // namespace headroom::sim::compiled
