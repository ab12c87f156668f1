// Who runs next: branches, calls, convergence, barriers and waits.
#include "sass/forms.h"

namespace headroom::sass {
namespace {

// clang-format off
constexpr Form rows[] = {
    {0x118, "4", "NOP"},
    {0x147, "4", "BRA{?32:2=|.U|!|!}{?84:1=|.ANY} {!P87*}, {L}"},
    {0x147, "2", "BRA.U {!Q24}, {L}", 90},
    {0x147, "4", "BRA{?32:2=!|!|.DIV|.CONV} {L}", 0, 79},
    {0x147, "4", "BRA{?32:2=!|!|.DIV|.CONV}{=30:1:1} ~{U24}, {L}"},
    {0x147, "4", "BRA{?32:2=!|!|.DIV|.CONV} {U24}, {L}"},
    {0x149, "4", "BRX {!P87*}, {R24}, {d}"},
    {0x14a, "1", "JMP {!P87*}, {R24}"},
    {0x14b, "14", "BRXU {U24}, {d}"},
    {0x145, "4", "BSSY {B16}, {l}"},
    {0x141, "4", "BSYNC {!P87*}, {B16}"},
    {0x142, "4", "BREAK {B16}, {!P87*}"},
    {0x155, "1", "BMOV.32{?84:1=|.CLEAR} {R16}, {B24:5}{=28:1:0}"},
    {0x156, "1", "BMOV.32 {B24:5}, {R32}{=28:1:0}"},
    {0x146, "4", "YIELD {!P87*}"},
    {0x148, "1", "WARPSYNC{=86:1:1}.COLLECTIVE {R24}, {L}", 90},
    {0x148, "1", "WARPSYNC{?85:1=|.EXCLUSIVE} {!P87*}, {R24}", 90},
    {0x148, "1", "WARPSYNC{=86:1:1}.EXCLUSIVE {R32}", 0, 89},
    {0x148, "1", "WARPSYNC{?85:1=|.EXCLUSIVE} {!P87*}, {R32}"},
    {0x148, "4", "WARPSYNC{=86:1:0}{=32:32:0}.ALL", 90},
    {0x148, "4", "WARPSYNC{=86:1:1}.COLLECTIVE.ALL {L}", 90},
    {0x148, "4", "WARPSYNC {i32:32}"},
    {0x11b, "4", "ENDCOLLECTIVE"},
    {0x14d, "4", "EXIT{?84:2=|.KEEPREFCOUNT|.PREEMPTED} {!P87*}"},
    {0x144, "1", "CALL.REL{?86:1=|.NOINC} {R24}, {L}"},
    {0x144, "4", "CALL.REL{?86:1=|.NOINC} {!P87*}, {L}"},
    {0x143, "1", "CALL.ABS{?86:1=|.NOINC} {R24}"},
    {0x143, "4", "CALL.ABS{?86:1=|.NOINC} {!P87*}, {i32:48}"},
    {0x150, "4", "RET.REL{=85:1:0}{?86:1=|.NODEC} {R24}, {L}"},
    {0x150, "4", "RET.ABS{?86:1=|.NODEC} {R24}, {i34:30}"},
    {0x14e, "1", "LEPC {R16}"},
    {0x14e, "4", "LEPC {R16}, {e}", 90},
    {0x15d, "1", "NANOSLEEP{?84:2=|.SYNCS|.WARP} {!P87*}, {R32}"},
    {0x15d, "5", "NANOSLEEP{?84:2=|.SYNCS|.WARP} {!P87*}, {k}"},
    {0x15d, "4", "NANOSLEEP{?84:2=|.SYNCS|.WARP} {!P87*}, {i32:32}"},
    {0x15c, "4", "BPT.{?84:3=!|!|!|TRAP} {i34:20}"},
    {0x11a, "4", "DEPBAR{=47:1:1}.LE{=32:6:0} SB{n44:3}, {i38:6}"},
    {0x11a, "4", "DEPBAR{=47:1:1}.LE SB{n44:3}, {i38:6}, {x32:6}"},
    {0x11a, "4", "DEPBAR {x32:6}"},
    {0x11c, "1", "B2R{?78:1=|.RESULT} {R16}, {P81*}"},

    {0x11d, "5", "BAR.{?77:3=SYNC|ARV|!|!}{?80:1=|.DEFER_BLOCKING} {i54:4}{=42:12:0}{=77:1:0}"},
    {0x11d, "5", "BAR.{?77:3=SYNC|ARV|!|!}{?80:1=|.DEFER_BLOCKING} {i54:4}, {i42:12}"},
    {0x11d, "5", "BAR.{?77:3=!|!|RED|!}{?74:2=.POPC|.AND|.OR}{?80:1=|.DEFER_BLOCKING} {i54:4}{=42:12:0}, {!P87}"},
    {0x11d, "5", "BAR.{?77:3=!|!|RED|!}{?74:2=.POPC|.AND|.OR}{?80:1=|.DEFER_BLOCKING} {i54:4}, {i42:12}, {!P87}"},
    {0x11d, "2", "BAR.{?77:3=SYNC|ARV|!|!}{?80:1=|.DEFER_BLOCKING} {R32}{=42:12:0}{=77:1:0}"},
    {0x11d, "2", "BAR.{?77:3=SYNC|ARV|!|!}{?80:1=|.DEFER_BLOCKING} {R32}, {i42:12}"},
    {0x11d, "1", "BAR.{?77:3=SYNC|ARV|!|!}{?80:1=|.DEFER_BLOCKING} {R32}, {R32}"},
    {0x11d, "4", "BAR.{?77:3=SYNC|ARV|!|!}{?80:1=|.DEFER_BLOCKING} {i54:4}, {R32}"},
    {0x152, "1", "RPCMOV.32 Rpc.{?31:1=LO|HI}, {R32}"},
    {0x153, "1", "RPCMOV.32 {R16}, Rpc.{?31:1=LO|HI}"},
    {0x001, "4", "PMTRIG {!P87*}, {i32:32}"},
    {0x11d, "1", "BAR.{?77:3=!|!|RED|!}{?74:2=.POPC|.AND|.OR}{?80:1=|.DEFER_BLOCKING} {R32}, {R32}, {!P87}"},
    {0x11d, "2", "BAR.{?77:3=!|!|RED|!}{?74:2=.POPC|.AND|.OR}{?80:1=|.DEFER_BLOCKING} {R32}{=42:12:0}, {!P87}"},
    {0x11d, "2", "BAR.{?77:3=!|!|RED|!}{?74:2=.POPC|.AND|.OR}{?80:1=|.DEFER_BLOCKING} {R32}, {i42:12}, {!P87}"},
    {0x11d, "4", "BAR.{?77:3=!|!|RED|!}{?74:2=.POPC|.AND|.OR}{?80:1=|.DEFER_BLOCKING} {i54:4}, {R32}, {!P87}"},
    {0x1c7, "4", "UCGABAR_ARV"},
    {0x1c7, "6", "UCGABAR_WAIT"},
    {0x1c8, "4", "USETMAXREG{?72:2=!|.DEALLOC|.TRY_ALLOC}.CTAPOOL {Q81*}, {i32:8}"},
    {0x1c5, "4", "WARPGROUP{=80:1:0}.ARRIVE"},
    {0x1c5, "4", "WARPGROUP.DEPBAR.LE gsb{n44:3}, {i38:6}"},
};
// clang-format on

}  // namespace

std::span<const Form> flow_forms() { return rows; }

}  // namespace headroom::sass
