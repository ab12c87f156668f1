// What AsmJit says of its own mistakes, in place of its own file of that: the package's library is made for
// programs, and that one file of it, which writes to stderr, cannot be in a shared object.
#include <asmjit/core.h>

#include <cstdlib>

namespace asmjit::DebugUtils {

const char* errorAsString(Error) noexcept { return ""; }
void debugOutput(const char*) noexcept {}
void assertionFailed(const char*, int, const char*) noexcept { std::abort(); }

}  // namespace asmjit::DebugUtils
