// Memory that all blocks see: loads, stores, atomics, fences and copies of blocks.
#include "sass/forms.h"

// What loads and stores share: width, order and scope, and what becomes of the line in the cache.
#define WIDTH "{?73:3=.U8|.S8|.U16|.S16||.64|.128}"
#define ORDER                                                                                \
  "{?77:4=|.CONSTANT.PRIVATE|.CONSTANT.CTA|.CONSTANT.CTA.PRIVATE|.CONSTANT|.STRONG.SM"       \
  "|.STRONG.GPU.PRIVATE|.STRONG.GPU|.MMIO.GPU|.CONSTANT.SM|.STRONG.SYS|.CONSTANT.SM.PRIVATE" \
  "|.MMIO.SYS|.CONSTANT.VC|.CONSTANT.VC.PRIVATE|.CONSTANT.GPU}"
#define OLD_ORDER /* before sm_80 */                                                             \
  "{?76:5=.CONSTANT.CTA|.CONSTANT.CTA.PRIVATE|.CONSTANT.SM|.CONSTANT.SM.PRIVATE|.CONSTANT.GPU|." \
  "CONSTANT.GPU.PRIVATE|.CONSTANT.SYS|.CONSTANT.SYS.PRIVATE|.CTA|.CTA.PRIVATE|.SM|.SM.PRIVATE|." \
  "GPU|.GPU.PRIVATE|.SYS|.SYS.PRIVATE|.STRONG.CTA|.STRONG.CTA.PRIVATE|.STRONG.SM|.STRONG.SM."    \
  "PRIVATE|.STRONG.GPU|.STRONG.GPU.PRIVATE|.STRONG.SYS|.STRONG.SYS.PRIVATE|.MMIO.CTA|.MMIO.CTA." \
  "PRIVATE|.MMIO.SM|.MMIO.SM.PRIVATE|.MMIO.GPU|.MMIO.GPU.PRIVATE|.MMIO.SYS|.MMIO.SYS.PRIVATE}"
#define STORE_ORDER "{?77:4=|!|!|!|!|.STRONG.SM|!|.STRONG.GPU|.MMIO.GPU|!|.STRONG.SYS|!|.MMIO.SYS}"
#define EVICTION "{?84:3=.EF||.EL|.LU|.EU|.NA}"
#define PREFETCH "{?68:2=|.LTC64B|.LTC128B|.LTC256B}"
#define ATOMIC "{?87:4=ADD|MIN|MAX|INC|DEC|AND|OR|XOR|EXCH|SAFEADD}"
#define REDUCTION "{?87:3=ADD|MIN|MAX|INC|DEC|AND|OR|XOR}"
#define OLD_TYPES "{?73:3=|.S32|.64|.F32.FTZ.RN|.F16x2.RN|.S64|.F64.RN}"
#define NEW_TYPES "{?73:3=|.S32|.64|.S64|.128}"
#define FLOAT_TYPES                                                                         \
  "{?73:4=.F16x2.RN|.F16x4.RN|.F16x8.RN|.BF16x2.RN|.BF16x4.RN|.BF16x8.RN|!|!|!|.F32.FTZ.RN" \
  "|.F32x2.FTZ.RN|.F32x4.FTZ.RN|.F32.RN|.F32x2.RN|.F32x4.RN|.F64.RN}"

namespace headroom::sass {
namespace {

// clang-format off
constexpr Form rows[] = {
    {0x181, "14", "LDG{?72:1=!|.E}" EVICTION PREFETCH WIDTH ORDER " {P81*}, {R16}, {G32,90,76}, {!p64*}", 80},
    {0x180, "14", "LD{?72:1=!|.E}" EVICTION PREFETCH WIDTH ORDER " {R16}, {G32,90,76}, {!p64*}", 80},
    {0x186, "14", "STG{?72:1=!|.E}" EVICTION WIDTH STORE_ORDER " {G64,90,76}, {R32}", 80},
    {0x185, "4", "ST{?72:1=!|.E}" EVICTION WIDTH STORE_ORDER " {G64,90,76}, {R32}", 80},
    {0x185, "1", "ST{?72:1=!|.E}" EVICTION WIDTH STORE_ORDER " {G64,90,76}, {R64}", 80},
    {0x181, "14", "LDG{?72:1=!|.E}" EVICTION PREFETCH WIDTH OLD_ORDER " {P81*}, {R16}, {G32,90,76}", 0, 79},
    {0x180, "14", "LD{?72:1=!|.E}" EVICTION PREFETCH WIDTH OLD_ORDER " {R16}, {G32,90,76}", 0, 79},
    {0x186, "14", "STG{?72:1=!|.E}" EVICTION WIDTH OLD_ORDER " {G64,90,76}, {R32}", 0, 79},
    {0x185, "4", "ST{?72:1=!|.E}" EVICTION WIDTH OLD_ORDER " {G64,90,76}, {R32}", 0, 79},
    {0x185, "1", "ST{?72:1=!|.E}" EVICTION WIDTH OLD_ORDER " {G64,90,76}, {R64}", 0, 79},
    {0x18e, "14", "RED{?72:1=!|.E}." REDUCTION EVICTION OLD_TYPES OLD_ORDER " {G64,90,71}, {R32}", 0, 79},
    {0x18a, "14", "ATOM{?72:1=!|.E}." ATOMIC EVICTION OLD_TYPES OLD_ORDER " {P81}, {R16}, {G64,70,71}, {R32}", 0, 79},
    {0x1a8, "14", "ATOMG{?72:1=!|.E}." ATOMIC EVICTION OLD_TYPES OLD_ORDER " {P81}, {R16}, {G64,70,71}, {R32}", 0, 79},
    {0x18b, "1", "ATOM{?72:1=!|.E}.{?87:2=CAS|CAST|CAS|CAST.SPIN}" EVICTION NEW_TYPES OLD_ORDER " {P81}, {R16}, {G64,70,71}, {R32}, {R64}", 0, 79},
    {0x1a9, "1", "ATOMG{?72:1=!|.E}.{?87:2=CAS|CAST|CAS|CAST.SPIN}" EVICTION NEW_TYPES OLD_ORDER " {P81}, {R16}, {G64,70,71}, {R32}, {R64}", 0, 79},

    {0x18e, "4", "RED{?72:1=!|.E}." REDUCTION EVICTION OLD_TYPES STORE_ORDER " {G64,90,71}, {R32}", 80, 89},
    {0x18e, "4", "REDG{?72:1=!|.E}." REDUCTION EVICTION NEW_TYPES STORE_ORDER " {G64,90,71}, {R32}", 90},
    {0x1a6, "4", "REDG{?72:1=!|.E}.{?87:3=ADD|!|MIN|!|MAX}" EVICTION FLOAT_TYPES STORE_ORDER " {G64,90,71}, {R32}", 90},
    {0x18a, "14", "ATOM{?72:1=!|.E}." ATOMIC EVICTION OLD_TYPES STORE_ORDER " {P81}, {R16}, {G64,70,71}, {R32}", 80, 89},
    {0x18a, "14", "ATOM{?72:1=!|.E}." ATOMIC EVICTION NEW_TYPES STORE_ORDER " {P81}, {R16}, {G64,70,71}, {R32}", 90},
    {0x1a8, "14", "ATOMG{?72:1=!|.E}." ATOMIC EVICTION OLD_TYPES STORE_ORDER " {P81}, {R16}, {G64,70,71}, {R32}", 80, 89},
    {0x1a8, "14", "ATOMG{?72:1=!|.E}." ATOMIC EVICTION NEW_TYPES STORE_ORDER " {P81}, {R16}, {G64,70,71}, {R32}", 90},
    {0x1a3, "14", "ATOMG{?72:1=!|.E}.{?87:3=ADD|!|MIN|!|MAX}" EVICTION FLOAT_TYPES STORE_ORDER " {P81}, {R16}, {G64,70,71}, {R32}", 90},
    {0x1a2, "14", "ATOM{?72:1=!|.E}.{?87:3=ADD|!|MIN|!|MAX}" EVICTION FLOAT_TYPES STORE_ORDER " {P81}, {R16}, {G64,70,71}, {R32}", 90},
    {0x18b, "1", "ATOM{?72:1=!|.E}.{?87:2=CAS|CAST|CAS|CAST.SPIN}" EVICTION NEW_TYPES STORE_ORDER " {P81}, {R16}, {G64,70,71}, {R32}, {R64}", 80},
    {0x1a9, "1", "ATOMG{?72:1=!|.E}.{?87:2=CAS|CAST|CAS|CAST.SPIN}" EVICTION NEW_TYPES STORE_ORDER " {P81}, {R16}, {G64,70,71}, {R32}, {R64}", 80},

    {0x1ae, "7", "LDGSTS.E{?81:1=.BYPASS|}" EVICTION "{?71+72=|.LTC64B|.LTC128B|.LTC256B}{?73:3=!|!|!|!||.64|.128|!}{?82:1=|.ZFILL}{=77:4:0} {D}, {!P87*}"},
    {0x1af, "4", "LDGDEPBAR"},
    {0x1b0, "4", "ARRIVES.LDGSTSBAR.64{?70:2=|.ARVCNT|.TRANSCNT} {A64}"},

    {0x192, "4", "MEMBAR{?79:2=.SC|.ALL||.MMIO}{?76:3=.CTA|.SM|.GPU|.SYS|!|.VC}{=73:1:0}"},
    {0x192, "4", "MEMBAR.ALL.{?76:3=CTA|SM|GPU|SYS|!|VC}.ASYNC"},
    {0x1ab, "4", "ERRBAR"},
    {0x1ab, "2", "CGAERRBAR"},
    {0x18f, "4", "CCTL.{?87:4=!|!|!|!|IVALL|!|IVALLP|WBALL|WBALLP}"},
    {0x18f, "14", "CCTL{?72:1=|.E}.{?87:4=PF1|PF2|WB|IV|!|RS|!|!|!|PML2|DML2|RML2} {G64,70,71}"},
    {0x190, "4", "CCTLL.{?87:4=PF1|PF2|WB|IV|IVALL|RS} {A24}"},
    {0x1bc, "1", "UBLKPF.L2{=76:1:0} [{U24}], {U64}"},
    {0x1bc, "1", "UBLKPF.L2 [{U24}], {U64}, desc[{U40}]"},
    {0x02e, "4", "ACQBULK"},
    {0x02d, "4", "PREEXIT"},
    {0x1c6, "1", "FENCE.VIEW.ASYNC.{?72:2=S|G}"},

    {0x1b4, "2", "UTMALDG{?84:1=|.1}.{?79:3=1D|2D|3D|4D|5D}{?77:1=|.IM2COL}{?86:1=|.MULTICAST}{=76:1:0} [{U32}], [{U24}]"},
    {0x1b4, "2", "UTMALDG{?84:1=|.1}.{?79:3=1D|2D|3D|4D|5D}{?77:1=|.IM2COL}{?86:1=|.MULTICAST} [{U32}], [{U24}], desc[{U40}]"},
    {0x1b4, "1", "UTMALDG.{?79:3=1D|2D|3D|4D|5D}{?82:1=|.IM2COL}{?75:1=|.MULTICAST}{=76:1:0} [{U32}], [{U24}], {U64}"},
    {0x1b4, "1", "UTMALDG.{?79:3=1D|2D|3D|4D|5D}{?82:1=|.IM2COL}{?75:1=|.MULTICAST} [{U32}], [{U24}], {U64}, desc[{U40}]"},
    {0x1b5, "1", "UTMASTG{?79:3=.1D|.2D|.3D|.4D|.5D}{?82:1=|.IM2COL}{=76:1:0} [{U32}], [{U24}]"},
    {0x1b5, "1", "UTMASTG{?79:3=.1D|.2D|.3D|.4D|.5D}{?82:1=|.IM2COL} [{U32}], [{U24}], desc[{U40}]"},
    {0x1b6, "1", "UTMAREDG{?79:3=.1D|.2D|.3D|.4D|.5D}{?82:1=|.IM2COL}.{?87:3=ADD|MIN|MAX|INC|DEC|AND|OR|XOR}{=76:1:0} [{U32}], [{U24}]"},
    {0x1b6, "1", "UTMAREDG{?79:3=.1D|.2D|.3D|.4D|.5D}{?82:1=|.IM2COL}.{?87:3=ADD|MIN|MAX|INC|DEC|AND|OR|XOR} [{U32}], [{U24}], desc[{U40}]"},
    {0x1b8, "2", "UTMAPF.L2{?79:3=.1D|.2D|.3D|.4D|.5D}{=76:1:0} [{U32}], [{U24}]"},
    {0x1b8, "2", "UTMAPF.L2{?79:3=.1D|.2D|.3D|.4D|.5D} [{U32}], [{U24}], desc[{U40}]"},
    {0x1b8, "1", "UTMAPF.L2{?79:3=.1D|.2D|.3D|.4D|.5D}{?82:1=|.IM2COL}{=76:1:0} [{U32}], [{U24}], {U64}"},
    {0x1b8, "1", "UTMAPF.L2{?79:3=.1D|.2D|.3D|.4D|.5D}{?82:1=|.IM2COL} [{U32}], [{U24}], {U64}, desc[{U40}]"},
    {0x1b7, "4", "UTMACMDFLUSH"},
    {0x1b9, "4", "UTMACCTL.{?82:1=IV|PF} [{U24}]"},
    {0x1ba, "1", "UBLKCP.{?73:2=!|S.G|G.S|S.S}{?75:1=|.MULTICAST}{=76:1:0} [{U32}], [{U24}], {U64}"},
    {0x1ba, "1", "UBLKCP.{?73:2=!|S.G|G.S|S.S}{?75:1=|.MULTICAST} [{U32}], [{U24}], {U64}, desc[{U40}]"},
    {0x1bb, "1", "UBLKRED.{?73:2=!|!|G.S|S.S}.{?87:3=ADD|MIN|MAX|INC|DEC|AND|OR|XOR}{?81:4=|.S32|.U64|.S64|.F16.RN|.F32.RN|!|.F64.RN|.BF16.RN}{=76:1:0} [{U32}], [{U24}], {U64}"},
    {0x1bb, "1", "UBLKRED.{?73:2=!|!|G.S|S.S}.{?87:3=ADD|MIN|MAX|INC|DEC|AND|OR|XOR}{?81:4=|.S32|.U64|.S64|.F16.RN|.F32.RN|!|.F64.RN|.BF16.RN} [{U32}], [{U24}], {U64}, desc[{U40}]"},
};
// clang-format on

}  // namespace

std::span<const Form> memory_forms() { return rows; }

}  // namespace headroom::sass
