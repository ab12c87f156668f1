// Textures and surfaces.
#include "sass/forms.h"

#define EVICTION "{?84:3=.EF||.EL|.LU|.EU|.NA}"
#define SHAPE "{?61:3=1D|2D|3D|CUBE|ARRAY_1D|ARRAY_2D|!|ARRAY_CUBE}"
#define SURFACE "{?61:3=1D|1D_BUFFER|1D_ARRAY|2D|2D_ARRAY|3D}"
#define ORDER "{?77:4=|!|!|!|.CONSTANT|.STRONG.SM|!|.STRONG.GPU|!|!|.STRONG.SYS}"
#define OUTSIDE "{?59:2=.IGN||.TRAP|!}"
#define HANDLE "{i54:5}, {i40:14}"
#define OBJECT "{U40}, {i46:8}"

namespace headroom::sass {
namespace {

// clang-format off
constexpr Form rows[] = {
    {0x160, "5", "TEX{?60:1=|.SCR}{?59:1=|.B}{?79:1=|.F16.RN}{?87:3=|.LZ|.LB|.LL|.LC|.LB.LC|.LC.FDV}{?76:1=|.AOFFI}{?78:1=|.DC}{?77:1=|.NDV}" EVICTION "{?90:1=|.NODEP} {P81*}, {R64}, {R16}, {R24}, {R32}, " HANDLE ", " SHAPE "{=72:4:15}"},
    {0x160, "5", "TEX{?60:1=|.SCR}{?59:1=|.B}{?79:1=|.F16.RN}{?87:3=|.LZ|.LB|.LL|.LC|.LB.LC|.LC.FDV}{?76:1=|.AOFFI}{?78:1=|.DC}{?77:1=|.NDV}" EVICTION "{?90:1=|.NODEP} {P81*}, {R64}, {R16}, {R24}, {R32}, " HANDLE ", " SHAPE ", {i72:4}"},
    {0x163, "5", "TLD4{?60:1=|.SCR}{?59:1=|.B}.{?87:2=R|G|B|A}{?79:1=|.F16.RN}{?76:2=|.AOFFI|.PTP|!}{?78:1=|.DC}" EVICTION "{?90:1=|.NODEP} {P81*}, {R64}, {R16}, {R24}, {R32}, " HANDLE ", " SHAPE "{=72:4:15}"},
    {0x163, "5", "TLD4{?60:1=|.SCR}{?59:1=|.B}.{?87:2=R|G|B|A}{?79:1=|.F16.RN}{?76:2=|.AOFFI|.PTP|!}{?78:1=|.DC}" EVICTION "{?90:1=|.NODEP} {P81*}, {R64}, {R16}, {R24}, {R32}, " HANDLE ", " SHAPE ", {i72:4}"},
    {0x166, "5", "TLD{?60:1=|.SCR}{?59:1=|.B}{?79:1=|.F16.RN}.{?87:3=!|LZ|!|LL}{?76:1=|.AOFFI}{?78:1=|.MS}{?77:1=|.CL}" EVICTION "{?90:1=|.NODEP} {P81*}, {R64}, {R16}, {R24}, {R32*}, " HANDLE ", " SHAPE "{=72:4:15}"},
    {0x166, "5", "TLD{?60:1=|.SCR}{?59:1=|.B}{?79:1=|.F16.RN}.{?87:3=!|LZ|!|LL}{?76:1=|.AOFFI}{?78:1=|.MS}{?77:1=|.CL}" EVICTION "{?90:1=|.NODEP} {P81*}, {R64}, {R16}, {R24}, {R32*}, " HANDLE ", " SHAPE ", {i72:4}"},
    {0x16c, "5", "TXD{?59:1=|.B}{?76:1=|.AOFFI}" EVICTION "{?90:1=|.NODEP} {P81*}, {R64}, {R16}, {R24}, {R32}, " HANDLE ", " SHAPE "{=72:4:15}"},
    {0x16c, "5", "TXD{?59:1=|.B}{?76:1=|.AOFFI}" EVICTION "{?90:1=|.NODEP} {P81*}, {R64}, {R16}, {R24}, {R32}, " HANDLE ", " SHAPE ", {i72:4}"},
    {0x16f, "5", "TXQ{?59:1=|.B} {R64}, {R16}, {N24}, {?62:2=TEX_HEADER_DIMENSION|TEX_HEADER_TEXTURE_TYPE|TEX_HEADER_SAMPLER_POS}, " HANDLE ", {i72:4}"},
    {0x199, "5", "SULD.D{?72:1=|.BA}." SURFACE "{?73:3=.U8|.S8|.U16|.S16||.64|.128}" EVICTION ORDER OUTSIDE " {P81*}, {R16}, [{R24}], " HANDLE},
    {0x19d, "5", "SUST.D{?72:1=|.BA}." SURFACE "{?73:3=.U8|.S8|.U16|.S16||.64|.128}" EVICTION ORDER OUTSIDE " [{R24}], {R32}, " HANDLE},
    {0x19b, "5", "SUST.P." SURFACE EVICTION ORDER "{?72:4=!|.R|!|.RG|!|!|!|!|!|!|!|!|!|!|!|}" OUTSIDE " [{R24}], {R32}, " HANDLE},
    {0x19f, "2", "SURED.D{?72:1=|.BA}." SURFACE ".{?87:3=ADD|MIN|MAX|INC|DEC|AND|OR|XOR}{?73:3=|.S32|.U64|.F32.FTZ.RN|.F16x2.RN|.S64|.SD32|.SD64}" ORDER OUTSIDE " [{R24}], {R32}, " HANDLE},
    // An object's handle in a register.
    {0x160, "7", "TEX{?60:1=|.SCR}{?79:1=|.F16.RN}{?87:3=|.LZ|.LB|.LL|.LC|.LB.LC|.LC.FDV}{?76:1=|.AOFFI}{?78:1=|.DC}{?77:1=|.NDV}" EVICTION "{?90:1=|.NODEP} {P81*}, {R64}, {R16}, {R24}, {R32*}, " OBJECT ", " SHAPE "{=72:4:15}"},
    {0x160, "7", "TEX{?60:1=|.SCR}{?79:1=|.F16.RN}{?87:3=|.LZ|.LB|.LL|.LC|.LB.LC|.LC.FDV}{?76:1=|.AOFFI}{?78:1=|.DC}{?77:1=|.NDV}" EVICTION "{?90:1=|.NODEP} {P81*}, {R64}, {R16}, {R24}, {R32*}, " OBJECT ", " SHAPE ", {i72:4}"},
    {0x163, "7", "TLD4{?60:1=|.SCR}.{?87:2=R|G|B|A}{?79:1=|.F16.RN}{?76:2=|.AOFFI|.PTP|!}{?78:1=|.DC}" EVICTION "{?90:1=|.NODEP} {P81*}, {R64}, {R16}, {R24}, {R32*}, " OBJECT ", " SHAPE "{=72:4:15}"},
    {0x163, "7", "TLD4{?60:1=|.SCR}.{?87:2=R|G|B|A}{?79:1=|.F16.RN}{?76:2=|.AOFFI|.PTP|!}{?78:1=|.DC}" EVICTION "{?90:1=|.NODEP} {P81*}, {R64}, {R16}, {R24}, {R32*}, " OBJECT ", " SHAPE ", {i72:4}"},
    {0x166, "7", "TLD{?60:1=|.SCR}{?79:1=|.F16.RN}.{?87:3=!|LZ|!|LL}{?76:1=|.AOFFI}{?78:1=|.MS}{?77:1=|.CL}" EVICTION "{?90:1=|.NODEP} {P81*}, {R64}, {R16}, {R24}, {R32*}, " OBJECT ", " SHAPE "{=72:4:15}"},
    {0x166, "7", "TLD{?60:1=|.SCR}{?79:1=|.F16.RN}.{?87:3=!|LZ|!|LL}{?76:1=|.AOFFI}{?78:1=|.MS}{?77:1=|.CL}" EVICTION "{?90:1=|.NODEP} {P81*}, {R64}, {R16}, {R24}, {R32*}, " OBJECT ", " SHAPE ", {i72:4}"},
    {0x16c, "7", "TXD{?76:1=|.AOFFI}" EVICTION "{?90:1=|.NODEP} {P81*}, {R64}, {R16}, {R24}, {R32*}, " OBJECT ", " SHAPE "{=72:4:15}"},
    {0x16c, "7", "TXD{?76:1=|.AOFFI}" EVICTION "{?90:1=|.NODEP} {P81*}, {R64}, {R16}, {R24}, {R32*}, " OBJECT ", " SHAPE ", {i72:4}"},
    {0x16f, "7", "TXQ{?90:1=|.NODEP} {R64}, {R16}, {N24}, {?62:2=TEX_HEADER_DIMENSION|TEX_HEADER_TEXTURE_TYPE|TEX_HEADER_SAMPLER_POS}, " OBJECT ", {i72:4}"},
    {0x199, "7", "SULD.D{?72:1=|.BA}." SURFACE "{?73:3=.U8|.S8|.U16|.S16||.64|.128}" EVICTION ORDER OUTSIDE " {P81*}, {R16}, [{R24}], " OBJECT},
    {0x19d, "7", "SUST.D{?72:1=|.BA}." SURFACE "{?73:3=.U8|.S8|.U16|.S16||.64|.128}" EVICTION ORDER OUTSIDE " [{R24}], {R32}, " OBJECT},
    {0x19b, "7", "SUST.P." SURFACE EVICTION ORDER "{?72:4=!|.R|!|.RG|!|!|!|!|!|!|!|!|!|!|!|}" OUTSIDE " [{R24}], {R32}, " OBJECT},
    {0x19f, "7", "SURED.D{?72:1=|.BA}." SURFACE ".{?87:3=ADD|MIN|MAX|INC|DEC|AND|OR|XOR}{?73:3=|.S32|.U64|.F32.FTZ.RN|.F16x2.RN|.S64|.SD32|.SD64}" ORDER OUTSIDE " [{R24}], {R32}, " OBJECT},
};
// clang-format on

}  // namespace

std::span<const Form> texture_forms() { return rows; }

}  // namespace headroom::sass
