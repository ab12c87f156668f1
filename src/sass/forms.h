// Machine instructions as rows: opcode, the source forms it is encoded in, and its text with holes
// that say which bits fill them.
//
//   {0x023, "1234567", "FFMA{?80:1=|.FTZ}{?78:2=|.RM|.RP|.RZ}{?77:1=|.SAT} {R16}, {-a}, {-bf}, {-cf}"}
//
//   opcode    bits 0 … 8; bits 9 … 11 are the form, one of the digits: where sources come from
//             (1 registers; 2, 4 an immediate; 3, 5 a constant; 6, 7 a uniform register; in 2, 3 and
//             7 it is the last source that is no register)
//   {R16}     register whose number stands at bit 16; U uniform register; P, Q predicate, uniform
//             predicate; B convergence barrier; with ! or ~ before it, inverted by the bit behind it
//   {P81*}    printed only where it is not PT (RZ)
//   {a}, {b}, {c}   sources of the form; {w} the one at bit 32. Before it the signs it may have:
//             - negated, | negated and absolute, ~ inverted; behind it how an immediate reads:
//             f a float, d a double, h two halves, u unsigned
//   {i72:8}   immediate of 8 bits at bit 72
//   {G32,90,76}   address of global memory: its uniform register at bit 32; bits 90 and 76 say that
//             the base is a pair, and that the uniform register is a descriptor
//   {A32}, {K}   address of shared or local memory with its uniform register at bit 32; of a constant
//   {L}, {l}, {S72}   label, in 48 or 30 bits; special register
//   {?78:2=|.RM|.RP|.RZ}   one of the texts, by the two bits at 78 (here 0 is nothing); ! : not this
//             row. {?75+78=…}: by single bits, the first the lowest
//   {=72:1:1}    the row is for instructions with 1 there only
//   {h16,8,32}, {j}   shape of a warpgroup's product, with these depths; of one of integers
// The rest stands in row.h. Of several rows that fit the first is taken.
//
// NVIDIA documents none of it. Source: what nvdisasm 13.5 prints for the machine code that ptxas 13.0
// made, and for the same with single fields changed (docs/machine_code.md).
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

namespace headroom::sass {

struct Form {
  uint16_t opcode;
  const char* forms;
  const char* text;
  int first = 0, last = 999;  // architectures
};

std::span<const Form> float_forms();
std::span<const Form> integer_forms();
std::span<const Form> convert_forms();
std::span<const Form> uniform_forms();
std::span<const Form> memory_forms();
std::span<const Form> shared_forms();
std::span<const Form> flow_forms();
std::span<const Form> matrix_forms();
std::span<const Form> texture_forms();

std::string_view special_register(uint32_t number, int architecture);

}  // namespace headroom::sass
