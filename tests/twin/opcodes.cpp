#include "twin/opcodes.h"

#include "kernel/machine_code.h"

namespace headroom::golden {

std::map<std::string, Opcodes> opcodes_of(const std::vector<std::byte>& cubin) {
  std::map<std::string, Opcodes> by_kernel;
  Opcodes of_all;
  for (const sass::Function& function : read_machine_code({cubin, "cubin"}).functions) {
    Opcodes& here = function.kernel ? by_kernel[function.name] : of_all;
    for (const sass::Instruction& instruction : function.instructions)
      if (!instruction.opcode.empty()) here.emplace(instruction.opcode);
  }
  for (auto& [kernel, opcodes] : by_kernel) opcodes.insert(of_all.begin(), of_all.end());
  return by_kernel;
}

}  // namespace headroom::golden
