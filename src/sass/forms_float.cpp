// Floating point: single, double, half.
#include "sass/forms.h"

namespace headroom::sass {
namespace {

// clang-format off
constexpr Form rows[] = {
    {0x008, "1456", "FSEL{?80:1=|.FTZ} {R16}, {|a}, {|bf}, {!P87}"},
    {0x009, "1456", "FMNMX{?80:1=|.FTZ}{?81:1=|.NAN}{?82:1=|.XORSIGN} {R16}, {|a}, {|bf}, {!P87}"},
    {0x00a, "1456", "FSET{?80:1=|.FTZ}{=71:1:0}.BF.{?76:4=F|LT|EQ|LE|GT|NE|GE|NUM|NAN|LTU|EQU|LEU|GTU|NEU|GEU|T}.{?74:2=AND|OR|XOR} {R16}, {|a}, {|bf}, {!P87}"},
    {0x00b, "1456", "FSETP.{?76:4=F|LT|EQ|LE|GT|NE|GE|NUM|NAN|LTU|EQU|LEU|GTU|NEU|GEU|T}{?80:1=|.FTZ}.{?74:2=AND|OR|XOR} {P81}, {P84}, {|a}, {|bf}, {!P87}"},
    {0x020, "1456", "FMUL{?76:1=|.FMZ}{?80:1=|.FTZ}{?84:3=!|.D8|.D4|.D2||.M2|.M4|.M8}{?78:2=|.RM|.RP|.RZ}{?77:1=|.SAT} {R16}, {|a}, {|bf}"},
    {0x021, "12367", "FADD{?80:1=|.FTZ}{?78:2=|.RM|.RP|.RZ}{?77:1=|.SAT} {R16}, {|a}, {|wf}"},
    {0x023, "1234567", "FFMA{?76:1=|.FMZ}{?80:1=|.FTZ}{?78:2=|.RM|.RP|.RZ}{?77:1=|.SAT} {R16}, {|a}, {|bf}, {|cf}"},
    {0x102, "1456", "FCHK {P81}, {|a}, {|bf}"},
    {0x108, "156", "MUFU.{?74:4=COS|SIN|EX2|LG2|RCP|RSQ|RCP64H|RSQ64H|SQRT|TANH}{?72:2=|!|.F16} {R16}, {|bf}{?60:1=|.H1}", 0, 89},
    {0x108, "156", "MUFU.{?74:4=COS|SIN|EX2|LG2|RCP|RSQ|RCP64H|RSQ64H|SQRT|TANH}{?72:2=|.F16|.BF16} {R16}, {|bf}{?60:1=|.H1}", 90},
    {0x108, "4", "MUFU.{?74:4=COS|SIN|EX2|LG2|RCP|RSQ|RCP64H|RSQ64H|SQRT|TANH}{?72:2=|!|.F16} {R16}, {|bf}", 0, 89},
    {0x108, "4", "MUFU.{?74:4=COS|SIN|EX2|LG2|RCP|RSQ|RCP64H|RSQ64H|SQRT|TANH}{?72:2=|.F16|.BF16} {R16}, {|bf}", 90},

    {0x028, "1456", "DMUL{?78:2=|.RM|.RP|.RZ} {R16}, {|a}, {|bd}"},
    {0x029, "1237", "DADD{?78:2=|.RM|.RP|.RZ} {R16}, {|a}, {|cd}"},
    {0x02a, "1237", "DSETP.{?76:4=MIN|LT|EQ|LE|GT|NE|GE|NUM|NAN|LTU|EQU|LEU|GTU|NEU|GEU|MAX}.{?74:2=AND|OR|XOR} {P81}, {P84}, {|a}, {|wd}, {!P87}"},
    {0x02b, "1234567", "DFMA{?78:2=|.RM|.RP|.RZ} {R16}, {|a}, {|bd}, {|cd}"},

    {0x030, "123567", "HADD2{?78:1=|.F32}{?85:1=|.BF16_V2}{?80:1=|.FTZ}{?77:1=|.SAT} {R16}, {|a.h}, {|wh}"},
    {0x031, "1234567", "HFMA2{?78:1=|.F32}{?85:1=|.BF16_V2}{?76:1=|.FMZ}{?80:1=|.FTZ}{?79:1=|.RELU}{?77:1=|.SAT} {R16}, {|a.h}, {|bh}, {|ch}"},
    {0x032, "1456", "HMUL2{?78:1=|.F32}{?85:1=|.BF16_V2}{?76:1=|.FMZ}{?80:1=|.FTZ}{?77:1=|.SAT} {R16}, {|a.h}, {|bh}"},
    {0x033, "1234567", "HSET2{?65:1=|.BF16_V2}{?71:1=|.BF}.{?76:4=F|LT|EQ|LE|GT|NE|GE|NUM|NAN|LTU|EQU|LEU|GTU|NEU|GEU|T}{?80:1=|.FTZ}.{?69:2=AND|OR|XOR} {R16}, {|a.h}, {|wh}, {!P87}"},
    {0x034, "1234567", "HSETP2{?65:1=|.BF16_V2}.{?76:4=F|LT|EQ|LE|GT|NE|GE|NUM|NAN|LTU|EQU|LEU|GTU|NEU|GEU|T}{?80:1=|.FTZ}.{?69:2=AND|OR|XOR} {P81}, {P84}, {|a.h}, {|wh}, {!P87}"},
    {0x035, "1234567", "HFMA2.MMA{?85:1=|.BF16_V2}{?76:1=|.FMZ}{?80:1=|.FTZ}{?79:1=|.RELU}{?77:1=|.SAT} {R16}, {|a}, {|bh}, {|ch}"},
    {0x047, "145", "VHMNMX{?85:1=|.BF16_V2}{?80:1=|.FTZ}{?81:1=|.NAN}{?82:1=|.XORSIGN} {R16}, {|a.h}, {|bh}, {|ch}, {!P87}", 90},
    {0x040, "1456", "HMNMX2{?85:1=|.BF16_V2}{?80:1=|.FTZ}{?81:1=|.NAN}{?82:1=|.XORSIGN} {R16}, {|a.h}, {|bh}, {!P87}"},
};
// clang-format on

}  // namespace

std::span<const Form> float_forms() { return rows; }

}  // namespace headroom::sass
