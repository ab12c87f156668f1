// Any text is PTX or an Error; PTX whose names and forms are all known prints, and reads again as
// the same.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "base/error.h"
#include "ptx/module.h"
#include "unit/ptx_samples.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace headroom;
  ptx::Module module;
  try {
    module = ptx::parse({reinterpret_cast<const char*>(data), size}, "text");
  } catch (const Error&) {
    return 0;
  }
  const std::string printed = ptx::print(module);
  // A name that nothing declares may be that of another scope, and print leaves no scopes.
  const bool sound = std::all_of(module.functions.begin(), module.functions.end(),
                                 [](const ptx::Function& f) { return f.problems.empty(); });
  try {
    const ptx::Module again = ptx::parse(printed, "text");
    if (!sound || ptx::without_spans(again) == ptx::without_spans(module)) return 0;
    std::fprintf(stderr, "reads again as something else:\n%s\n", printed.c_str());
  } catch (const Error& error) {
    if (!sound) return 0;
    std::fprintf(stderr, "%s\n%s\n", error.what(), printed.c_str());
  }
  std::abort();
}
