// What stands around the numbers: the program's line, findings before them and caveats after.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/explanation.h"
#include "report/distinct.h"
#include "report/document.h"

namespace headroom {

// By LaunchRecord::kernel the name for a sentence; names that differ stay different.
std::map<std::string, std::string> names_in_text(const Explanation&);

// "naive, tiled, wide and 2 more: ", of LaunchRecord::kernel and those names; "" of none.
std::string kernels_told(const std::vector<std::string>& kernels,
                         const std::map<std::string, std::string>& names_of);

// "exit code 0", "killed by signal 11 (Segmentation fault)"
std::string how_it_ended(const ProgramEnd&);

// Its own end is all there is to tell.
bool failed_before_cuda(const Explanation&);

// "headroom: ./saxpy: NVIDIA H200 SXM, 1 launch of 1 kernel; exit code 0"
Heading program_heading(const Explanation&);

// Faults of the program, the same fault of many launches once.
Document finding_told(const DistinctFinding&);
Document findings_told(const std::vector<Finding>&);

// " (estimate from PTX)" behind an equation that rests on numbers of PTX instructions, or nothing.
inline constexpr std::string_view estimate_from_ptx = " (estimate from PTX)";
inline std::string_view basis_text(const Floor& floor) {
  return floor.basis == Basis::estimate ? estimate_from_ptx : "";
}

// "1 finding, told above: 4-byte load past the end …": the last line, as the first scroll away.
Document findings_reminder(const std::vector<Finding>&);

List caveats_list(const std::vector<Caveat>&);
// With the kernels each is about, where the run has several or was interrupted in one.
List caveats_list(const Explanation&);

}  // namespace headroom
