// Bits: bit fields and counts of section 9.7.1, logic and shifts of 9.7.8, byte permutation and dot
// products.
#include "sim/lanes/isa.h"
#include "sim/lanes/lift.h"
#include "sim/lanes/names.h"
#include "sim/meaning/bits.h"

namespace headroom::sim::HEADROOM_ISA {

using namespace meaning;

void bit_rows(RowTable& table) {
  const auto logic = [&]<class T>(std::string_view type) {
    table.add("and", Lift<&and_<T>>::row, type);
    table.add("or", Lift<&or_<T>>::row, type);
    table.add("xor", Lift<&xor_<T>>::row, type);
    table.add("not", Lift<&not_<T>>::row, type);
    table.add("cnot", Lift<&cnot<T>>::row, type);
    table.add("shl", Lift<&shl<T>>::row, type);
    table.add("shr", Lift<&shr<T>>::row, type);
  };
  logic.operator()<uint16_t>("b16");
  logic.operator()<uint32_t>("b32");
  logic.operator()<uint64_t>("b64");
  each<uint16_t, int16_t, uint32_t, int32_t, uint64_t, int64_t>(
      [&]<class T>() { table.add("shr", Lift<&shr<T>>::row, name<T>); });
  table.add("popc.b32", Lift<&popc<uint32_t>>::row);
  table.add("popc.b64", Lift<&popc<uint64_t>>::row);
  table.add("clz.b32", Lift<&clz<uint32_t>>::row);
  table.add("clz.b64", Lift<&clz<uint64_t>>::row);
  table.add("brev.b32", Lift<&brev<uint32_t>>::row);
  table.add("brev.b64", Lift<&brev<uint64_t>>::row);
  each<uint32_t, int32_t, uint64_t, int64_t>([&]<class T>() {
    table.add("bfind", Lift<&bfind<T>>::row, name<T>);
    table.add("bfind.shiftamt", Lift<&bfind_shiftamt<T>>::row, name<T>);
    table.add("bfe", Lift<&bfe<T>>::row, name<T>);
  });
  table.add("bfi.b32", Lift<&bfi<uint32_t>>::row);
  table.add("bfi.b64", Lift<&bfi<uint64_t>>::row);
  table.add("fns.b32", Lift<&fns>::row);
  table.add("bmsk.wrap.b32", Lift<&bmsk_wrap>::row);
  table.add("bmsk.clamp.b32", Lift<&bmsk_clamp>::row);
  each<uint32_t, int32_t>([&]<class T>() {
    table.add("szext.wrap", Lift<&szext_wrap<T>>::row, name<T>);
    table.add("szext.clamp", Lift<&szext_clamp<T>>::row, name<T>);
  });
  table.add("shf.l.wrap.b32", Lift<&shf_l_wrap>::row);
  table.add("shf.l.clamp.b32", Lift<&shf_l_clamp>::row);
  table.add("shf.r.wrap.b32", Lift<&shf_r_wrap>::row);
  table.add("shf.r.clamp.b32", Lift<&shf_r_clamp>::row);
  table.add("prmt.b32", Lift<&prmt>::row);
  table.add("prmt.b32.f4e", Lift<&prmt_f4e>::row);
  table.add("prmt.b32.b4e", Lift<&prmt_b4e>::row);
  table.add("prmt.b32.rc8", Lift<&prmt_rc8>::row);
  table.add("prmt.b32.ecl", Lift<&prmt_ecl>::row);
  table.add("prmt.b32.ecr", Lift<&prmt_ecr>::row);
  table.add("prmt.b32.rc16", Lift<&prmt_rc16>::row);
  table.add("lop3.b32", Lift<&lop3>::row);
  const auto dot = [&]<class A, class B, class C>(std::string_view a, std::string_view b) {
    table.add("dp4a", Lift<&dp4a<A, B, C>>::row, a, b);
    table.add("dp2a.lo", Lift<&dp2a_lo<A, B, C>>::row, a, b);
    table.add("dp2a.hi", Lift<&dp2a_hi<A, B, C>>::row, a, b);
  };
  dot.operator()<uint32_t, uint32_t, uint32_t>("u32", "u32");
  dot.operator()<uint32_t, int32_t, int32_t>("u32", "s32");
  dot.operator()<int32_t, uint32_t, int32_t>("s32", "u32");
  dot.operator()<int32_t, int32_t, int32_t>("s32", "s32");
}

}  // namespace headroom::sim::HEADROOM_ISA
