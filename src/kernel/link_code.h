// Code that a program gives at run time, put together by the toolkit's tools as a driver does it.
//
//   assemble_part(ptx, 90, "-maxrregcount=40", complaint)            a cubin of sm_90 to link
//   link_parts({{"a.cubin", …}, {"libcudadevrt.a", …}}, 90, complaint)   the cubin of the whole
//
// Nothing where it fails; the complaint is the tool's own.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace headroom {

struct LinkPart {
  std::string name;  // its ending says what it is: .cubin, .fatbin, .o, .a
  std::vector<std::byte> bytes;
};

std::optional<std::vector<std::byte>> assemble_part(const std::string& ptx, int cc,
                                                    const std::string& options,
                                                    std::string& complaint);
std::optional<std::vector<std::byte>> link_parts(const std::vector<LinkPart>&, int cc,
                                                 std::string& complaint);

}  // namespace headroom
