// Reads the operands of one instruction out of its bits.
//
//   Hole{reg, 16}             bits 16 … 23                       -> R17
//   Hole{source b, negative}  by the form: bits 32 … 39, 64 … 71, a constant, an immediate …
#pragma once
#include <vector>

#include "sass/row.h"

namespace headroom::sass {

class OperandReader {
 public:
  OperandReader(const Encoding& word, uint64_t offset, int architecture);

  // Appends what the hole holds; false where the bits say something that the form has not.
  bool read(const Hole&, std::vector<Operand>&) const;
  // Appends the texts of a choice; false as above.
  bool choose(const Choice&, std::vector<std::string_view>&) const;

 private:
  // Where the form puts the sources: b is at bit 32 and c at bit 64, but in forms 2, 3 and 7, where
  // c is no register, the other way round.
  enum class Source : uint8_t { reg_32, reg_64, immediate, constant, uniform };
  Source source_of(char slot) const;

  uint64_t bits(uint8_t at, uint8_t width) const { return field(word_, {at, width}); }
  bool fill(const Hole&, Operand&) const;
  bool suffixes(const Hole&, Operand&) const;
  bool source(const Hole&, Operand&) const;
  bool select_half(Operand&, uint8_t at) const;
  void mark(const Hole&, Operand&, uint8_t sign, uint8_t absolute) const;
  void reuse(Operand&, char slot) const;
  void immediate(const Hole&, Operand&) const;
  bool is_bf16() const;
  Operand reg(uint8_t at) const;
  Operand uniform(uint8_t at) const;
  Operand predicate(const Hole&, uint8_t at) const;
  Operand constant(char address_register) const;
  Operand pointer(const Hole&) const;
  void global(const Hole&, Operand&) const;
  void shared(const Hole&, Operand&) const;
  void copy(std::vector<Operand>&) const;
  int64_t displacement(bool is_short) const;

  const Encoding& word_;
  uint64_t offset_;
  int architecture_;
  uint64_t form_;
};

}  // namespace headroom::sass
