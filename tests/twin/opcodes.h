// Which opcodes stand in the machine code of kernels.
//
//   opcodes_of(cubin)["add_0"]   {"EXIT", "IADD3", "IMAD", "LDG", …}
#pragma once
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace headroom::golden {

using Opcodes = std::set<std::string>;

// By kernel, with the functions of the file that no kernel is: it may call them.
std::map<std::string, Opcodes> opcodes_of(const std::vector<std::byte>& cubin);

}  // namespace headroom::golden
