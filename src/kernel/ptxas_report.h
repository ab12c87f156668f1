// What ptxas prints, as values.
//
//   ptxas info    : Compiling entry function '_Z5spillPf' for 'sm_90'
//   ptxas info    : Function properties for _Z5spillPf
//       1040 bytes stack frame, 2120 bytes spill stores, 2516 bytes spill loads
//   ptxas info    : Used 32 registers, used 1 barriers, 1040 bytes cumulative stack size, …
//
//   --read_ptxas_report-->
//     {"_Z5spillPf": {registers 32, static_shared 0, stack 1040, spill_stores 2120, …}}
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/kernel.h"

namespace headroom {

std::map<std::string, Resources> read_ptxas_report(std::string_view text);
// Whether any function, kernel or not, keeps registers in memory.
bool reports_spills(std::string_view text);
// "13.0.88" from `ptxas --version`; "" when the text is another's.
std::string read_ptxas_version(std::string_view text);
// 75, 80, … (without suffixes) from `ptxas --help`.
std::vector<int> read_ptxas_architectures(std::string_view text);
// The line that says why it failed.
std::string ptxas_complaint(std::string_view text);

}  // namespace headroom
