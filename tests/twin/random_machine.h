// Random PTX by the machine code that ptxas makes of it, beside the PTX itself on the executor.
//
//   MachineTotals t = run_machine(0, 2000, templates, 80, [](const MachineDifference&) { … });
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "twin/opcodes.h"

namespace headroom::fuzz {

struct MachineDifference {
  uint64_t seed = 0;
  size_t words = 0;               // of 4 bytes
  size_t first = 0;               // byte of the first one
  uint32_t machine = 0, ptx = 0;  // what it holds
};
struct MachineTotals {
  uint64_t agree = 0;
  size_t lines_left_out = 0;  // statements that the architecture does not have
  golden::Opcodes opcodes;    // of kernels that agree
  std::vector<MachineDifference> differing;
  std::map<std::string, std::vector<uint64_t>> not_run;  // seeds by reason
};

MachineTotals run_machine(uint64_t first, uint64_t last, const std::vector<std::string>& templates,
                          int architecture,
                          const std::function<void(const MachineDifference&)>& differs);
// What an architecture has of the text; all of it on 90.
std::string of_architecture(const std::string& text, int architecture);
// The output of a text's only kernel.
std::vector<uint8_t> on_machine(const std::string& text, int architecture);

}  // namespace headroom::fuzz
