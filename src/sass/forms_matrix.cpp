// Tensor cores.
#include "sass/forms.h"

#define KINDS "{?75:1=.F16|.F32}{?76:2=|.BF16|.TF32}"
#define GROUP "{?84:3=gsb0|!|!|!|!|!|!|}"
#define CHANGES "{?72+63=|.negA|.negB|.negA.negB}{?61:2=|.tnspA|.tnspB|.tnspA.tnspB}"
#define NEGATED "{?72+63=|.negA|.negB|.negA.negB}"
#define BYTES ".{?76:1=U8|S8}.{?82:1=U8|S8}{?75:1=|.SAT}"
#define QUARTERS "{?75:1=.F16|.F32}.{?76:1=E4M3|E5M2}.{?77:1=E4M3|E5M2}"
#define SHAPE "{?75+85+86=8816|!|8832|!|16816|16832|16864|168128}"
#define LEFT "{?76+83=U8|S8|U4|S4}"
#define RIGHT "{?78+84=U8|S8|U4|S4}"

namespace headroom::sass {
namespace {

// clang-format off
constexpr Form rows[] = {
    {0x03c, "1", "HMMA{=73:1:0}.{?75+78=1688|16816|1684|16832}{?76:1=.F16|.F32}{?82:2=|.BF16|.TF32} {R16}, {R24}, {R32}, {R64}"},
    {0x03c, "1", "HMMA.SP.{?75+78=1688|16816|1684|16832}{?76:1=.F16|.F32}{?82:2=|.BF16|.TF32} {R16}, {R24}, {R32}, {R64}, {R40}, {i48:2}"},
    {0x037, "1", "IMMA{=72:1:0}." SHAPE "." LEFT "." RIGHT "{?82:1=|.SAT} {R16}, {R24}.ROW, {R32}.COL, {R64}"},
    {0x037, "1", "IMMA.SP." SHAPE "." LEFT "." RIGHT "{?82:1=|.SAT} {R16}, {R24}.ROW, {R32}.COL, {R64}, {R40}, {i48:2}"},
    {0x03d, "1", "BMMA.{?75:2=88128|168128|168256}.{?78:1=XOR|AND}.POPC {R16}, {R24}.ROW, {R32}.COL, {R64}"},
    {0x03f, "1", "DMMA.884{?78:2=|.RM|.RP|.RZ} {R16}, {R24}, {R32}, {R64}", 0, 89},
    {0x03f, "1", "DMMA.{?76:2=8x8x4|16x8x4|16x8x8|16x8x16}{?78:2=|.RM|.RP|.RZ} {R16}, {R24}, {R32}, {R64}", 90},
    {0x1f0, "4", "HGMMA{=73:1:0}{h16,8,32}" KINDS " {R16}, gdesc[{U24}]" CHANGES ", {R64}, {!q87*}, " GROUP},
    {0x1f0, "4", "HGMMA.SP{h16,8,32}" KINDS " {R16}, gdesc[{U24}]" CHANGES ", {R64}, {!q87*}, {R40}, {i48:2}, " GROUP},
    {0x1f0, "6", "HGMMA{=73:1:0}{h16,8,32}" KINDS " {R16}, {R24}, gdesc[{U32}]" CHANGES ", {R64}, {!q87*}, " GROUP},
    {0x1f0, "6", "HGMMA.SP{h16,8,32}" KINDS " {R16}, {R24}, gdesc[{U32}]" CHANGES ", {R64}, {!q87*}, {R40}, {i48:2}, " GROUP},
    {0x1f1, "4", "IGMMA{=73:1:0}{j}" BYTES " {R16}, gdesc[{U24}], {R64}, {!q87*}, " GROUP},
    {0x1f1, "4", "IGMMA.SP{j}" BYTES " {R16}, gdesc[{U24}], {R64}, {!q87*}, {R40}, " GROUP},
    {0x1f1, "6", "IGMMA{=73:1:0}{j}" BYTES " {R16}, {R24}, gdesc[{U32}], {R64}, {!q87*}, " GROUP},
    {0x1f1, "6", "IGMMA.SP{j}" BYTES " {R16}, {R24}, gdesc[{U32}], {R64}, {!q87*}, {R40}, " GROUP},
    {0x1f2, "4", "BGMMA{h256}.{?78:1=XOR|AND}.POPC {R16}, gdesc[{U24}], {R64}, {!q87*}, " GROUP},
    {0x1f2, "6", "BGMMA{h256}.{?78:1=XOR|AND}.POPC {R16}, {R24}, gdesc[{U32}], {R64}, {!q87*}, " GROUP},
    {0x1f3, "4", "QGMMA{=73:1:0}{h32,64}" QUARTERS " {R16}, gdesc[{U24}]" NEGATED ", {R64}, {!q87*}, " GROUP},
    {0x1f3, "4", "QGMMA.SP{h32,64}" QUARTERS " {R16}, gdesc[{U24}]" NEGATED ", {R64}, {!q87*}, {R40}, " GROUP},
    {0x1f3, "6", "QGMMA{=73:1:0}{h32,64}" QUARTERS " {R16}, {R24}, gdesc[{U32}]" NEGATED ", {R64}, {!q87*}, " GROUP},
    {0x1f3, "6", "QGMMA.SP{h32,64}" QUARTERS " {R16}, {R24}, gdesc[{U32}]" NEGATED ", {R64}, {!q87*}, {R40}, " GROUP},
};
// clang-format on

}  // namespace

std::span<const Form> matrix_forms() { return rows; }

}  // namespace headroom::sass
