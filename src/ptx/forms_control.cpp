// Forms of control flow, the stack and the rest.  Source: PTX ISA 9.0, sections 9.7.12, 9.7.17
// and 9.7.19.
#include "ptx/forms_pattern.h"
#include "ptx/forms_table.h"

namespace headroom::ptx {
namespace {

constexpr Form rows[] = {
    {"bra{.uni} tgt", "9.7.12.3"},
    {"brx.idx{.uni} index, tlist", "9.7.12.4"},
    // In the IR a call always has its two lists, empty if not written.
    {"call{.uni} (ret-param), func, (param-list){, prototype}", "9.7.12.5"},
    {"ret{.uni}", "9.7.12.6"},
    {"exit", "9.7.12.7"},
    {"stacksave.size d", "9.7.17.1"},
    {"stackrestore.size a", "9.7.17.2"},
    {"alloca.size ptr, size{, immAlign}", "9.7.17.3"},
    {"brkpt", "9.7.19.1"},
    {"nanosleep.u32 t", "9.7.19.2"},
    {"pmevent a", "9.7.19.3"},
    {"pmevent.mask a", "9.7.19.3"},
    {"trap", "9.7.19.4"},
    {"setmaxnreg.action.sync.aligned.u32 imm-reg-count", "9.7.19.5"},
};
static_assert(unambiguous(rows));
static_assert(owners(rows, "bra.uni") == 1 && owners(rows, "ret") == 1 &&
              owners(rows, "exit.uni") == 0);

}  // namespace

std::span<const Form> control_forms() { return rows; }

}  // namespace headroom::ptx
