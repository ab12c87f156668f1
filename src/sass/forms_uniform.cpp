// The uniform data path: one value a warp.
#include "sass/forms.h"

namespace headroom::sass {
namespace {

// clang-format off
constexpr Form rows[] = {
    {0x082, "46", "UMOV {U16}, {ubu}"},
    {0x086, "4", "VOTEU.{?72:2=ALL|ANY|EQ} {U16*}, {Q81*}, {!P87}{=16:6:63}"},
    {0x086, "4", "VOTEU.{?72:2=ALL|ANY|EQ} {U16*}, {Q81}, {!P87}"},
    {0x087, "146", "USEL {U16}, {ua}, {ubu}, {!Q87}"},
    {0x08c, "146", "UISETP.{?76:3=F|LT|EQ|LE|GT|NE|GE|T}{?73:1=.U32|}.{?74:2=AND|OR|XOR}{?72:1=|.EX}{=72:1:1} {Q81}, {Q84}, {ua}, {ub}, {!Q87}, {!Q68}"},
    {0x08c, "146", "UISETP.{?76:3=F|LT|EQ|LE|GT|NE|GE|T}{?73:1=.U32|}.{?74:2=AND|OR|XOR} {Q81}, {Q84}, {ua}, {ub}, {!Q87}"},
    {0x090, "146", "UIADD3{=74:1:1}.X {U16}, {Q81*}, {Q84*}, {~ua}, {~ub}, {~uc}, {!Q87}, {!Q77}"},
    {0x090, "146", "UIADD3 {U16}, {Q81*}, {Q84*}, {-ua}, {-ub}, {-uc}"},
    {0x097, "14", "UIADD3.64 {U16}, {-ua}, {-ub}, {-uc}"},
    {0x083, "4", "UP2UR{?76:2=|.B1|.B2|.B3} {U16}, UPR, {U24}, {i32:32}"},
    {0x084, "4", "UR2UP UPR, {U24}{?76:2=|.B1|.B2|.B3}{=32:32:255}"},
    {0x091, "146", "ULEA{=80:1:0}{=74:1:0} {U16}, {Q81*}, {-ua}, {-ubu}, {i75:5}"},
    {0x091, "146", "ULEA{=80:1:0}.X {U16}, {Q81*}, {~ua}, {~ubu}, {i75:5}, {!Q87}"},
    {0x091, "146", "ULEA.HI{=74:1:0}{=73:1:0} {U16}, {Q81*}, {-ua}, {-ubu}, {uc}, {i75:5}"},
    {0x091, "146", "ULEA.HI{=74:1:0}.SX32 {U16}, {Q81*}, {-ua}, {-ubu}, {i75:5}"},
    {0x091, "146", "ULEA.HI.X{=73:1:0} {U16}, {Q81*}, {~ua}, {~ubu}, {uc}, {i75:5}, {!Q87}"},
    {0x091, "146", "ULEA.HI.X.SX32 {U16}, {Q81*}, {~ua}, {~ubu}, {i75:5}, {!Q87}"},
    {0x092, "146", "ULOP3.LUT{?80:1=|.PAND} {Q81*}, {U16}, {ua}, {ubu}, {uc}, {i72:8}, {!Q87}"},
    {0x096, "1246", "UPRMT{?72:3=|.F4E|.B4E|.RC8|.ECL|.ECR|.RC16} {U16}, {ua}, {ubu}, {uc}"},
    {0x099, "1246", "USHF.{?76:1=L|R}{?75:1=|.W}{?73:2=.S64|.U64|.S32|.U32}{?80:1=|.HI} {U16}, {ua}, {ubu}, {uc}"},
    {0x09a, "14", "USGXT{?75:1=|.W}{?73:1=.U32|} {U16}, {ua}, {ub}"},
    {0x09b, "14", "UBMSK{?75:1=|.W} {U16}, {ua}, {ub}"},
    {0x09c, "4", "UPLOP3.LUT {Q81}, {Q84}, {!Q87}, {!Q77}, {!Q68}, {T72}, {i16:8}"},
    {0x0a4, "1246", "UIMAD{?73:1=.U32|}{=74:1:1}.X {U16}, {ua}, {ub}, {~uc}, {!Q87}"},
    {0x0a4, "1246", "UIMAD{?73:1=.U32|} {U16}, {ua}, {ub}, {-uc}"},
    {0x0a5, "1246", "UIMAD.WIDE{?73:1=.U32|}{=74:1:1}.X {U16}, {Q81*}, {ua}, {ub}, {~uc}, {!Q87}"},
    {0x0a5, "1246", "UIMAD.WIDE{?73:1=.U32|} {U16}, {Q81*}, {ua}, {ub}, {-uc}"},
    {0x0a7, "1246", "UIMAD.HI{?73:1=.U32|} {U16}, {Q81*}, {ua}, {ub}, {-uc}"},
    {0x0b9, "5", "ULDC{?73:3=.U8|.S8|.U16|.S16||.64|.128} {U16}, {k}"},
    {0x0bb, "5", "ULDC{?73:3=.U8|.S8|.U16|.S16||.64|.128} {U16}, {KU}"},
    {0x0bd, "1", "UFLO{?73:1=.U32|}{?74:1=|.SH} {U16}, {Q81*}, {~ub}"},
    {0x0be, "1", "UBREV {U16}, {~ub}"},
    {0x0bf, "1", "UPOPC {U16}, {~ub}"},
    {0x0ca, "1", "R2UR{?84:1=|.OR} {P81*}, {U16}, {R24}"},
    {0x1c2, "1", "R2UR{?84:1=|.OR} {P81*}, {U16}, {R24}"},
    {0x1c3, "4", "S2UR {U16}, {S72}"},
    {0x1c4, "1", "REDUX{?78:3=|.OR|.XOR|.SUM|.MIN|.MAX}{?73:1=|.S32} {U16}, {R24}"},
    {0x02f, "4", "ELECT {P81}, {U16}, {!P87}"},
};
// clang-format on

}  // namespace

std::span<const Form> uniform_forms() { return rows; }

}  // namespace headroom::sass
