// Memory of a block or a thread, constants, and what lanes and blocks hand each other through it.
#include "sass/forms.h"

#define WIDTH "{?73:3=.U8|.S8|.U16|.S16||.64|.128}"
#define EVICTION "{?84:3=.EF||.EL|.LU|.EU|.NA}"
#define TYPES "{?73:3=|.S32|.64|!|.128}"

namespace headroom::sass {
namespace {

// clang-format off
constexpr Form rows[] = {
    {0x184, "14", "LDS{?76:1=|.U}" WIDTH " {R16}, {A32}"},
    {0x188, "14", "STS" WIDTH " {A64}, {R32}"},
    {0x183, "14", "LDL" EVICTION WIDTH " {R16}, {A32}"},
    {0x187, "14", "STL" EVICTION WIDTH " {A64}, {R32}"},
    {0x182, "5", "LDC{?78:2=|.IL|.IS|.ISL}" WIDTH " {R16}, {K}"},
    {0x18c, "14", "ATOMS.{?87:4=ADD|MIN|MAX|INC|DEC|AND|OR|XOR|EXCH}" TYPES " {R16}, {A64}, {R32}"},
    {0x18c, "7", "ATOMS.{?87:4=!|!|!|!|!|!|!|!|!|ARRIVE|POPC.INC|POPC.INC}{?73:3=.32|!|.64} {R16}, {A64}"},
    {0x18d, "1", "ATOMS.{?87:2=CAS|CAST|CAS|CAST.SPIN}" TYPES " {R16}, {A24}, {R32}, {R64}"},
    {0x03b, "4", "LDSM{=74:4:0}{=79:1:0}.16.{?78:1=M88|MT88}{?72:2=|.2|.4} {R16}, {O32}"},
    {0x044, "4", "STSM.16.{?78:1=M88|MT88}{?72:2=|.2|.4} {O64}, {R32}"},

    {0x189, "1", "SHFL.{?58:2=IDX|UP|DOWN|BFLY} {P81}, {R16}, {R24}, {R32}, {R64}"},
    {0x189, "2", "SHFL.{?58:2=IDX|UP|DOWN|BFLY} {P81}, {R16}, {R24}, {R32}, {i40:13}"},
    {0x189, "4", "SHFL.{?58:2=IDX|UP|DOWN|BFLY} {P81}, {R16}, {R24}, {i53:5}, {R64}"},
    {0x189, "7", "SHFL.{?58:2=IDX|UP|DOWN|BFLY} {P81}, {R16}, {R24}, {i53:5}, {i40:13}"},

    {0x1a7, "2", "SYNCS.PHASECHK.TRANS64{?72:1=|.TRYWAIT} {P81}, {A64}, {R32}"},
    {0x1a7, "4", "SYNCS.ARRIVE.TRANS64{?73:1=|.TMASK}{?74:1=|.RED}{?75:1=|.OPTOUT}{?84:3=|.A1T0|.A0T1|.A0TR|.A0TX|.ART0} {R16}, {A64}, {R32}"},
    {0x1b1, "4", "SYNCS.CCTL.IV {A64}"},
    {0x1be, "6", "REDAS.{?87:3=ADD|MIN|MAX|INC|DEC|AND|OR|XOR}{?73:2=|.S32|.64} [{W24}], {R32}"},
    {0x1bd, "6", "STAS{?73:3=!|!|!|!||.64|.128} [{W24}], {R32}"},
    {0x1aa, "1", "QSPC.E.{?73:2=G|L|S|D} {P81}, {R16}, {A64}"},
    {0x1aa, "4", "QSPC.E.{?73:2=G|L|S|D} {P81}, {R16}, {A32}"},
    {0x03a, "1", "MOVM.16.MT88 {R16}, {R24}"},
    {0x1b2, "2", "SYNCS.EXCH.64 {U16}, {V24}, {U32}"},
};
// clang-format on

}  // namespace

std::span<const Form> shared_forms() { return rows; }

}  // namespace headroom::sass
