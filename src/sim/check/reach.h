// The variables that an instruction's address is made of, found once a program (decode_ptx/reaches.h).
// An access that leaves them is wrong, though what lies there is the block's or the thread's own.
//
//   __shared__ int a[32], b[64];   a[i]     reach {shared, {a: 0 … 128}}
//   (flag ? a : b)[i]                       reach {shared, {a: 0 … 128, b: 128 … 384}}
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace headroom::sim {

enum class Place : uint8_t;

namespace check {

struct Reach {
  struct Variable {
    std::string name;             // empty: of local memory, whose names a compiler does not keep
    uint64_t begin = 0, end = 0;  // addresses of its place; of local memory in the function's frame
  };
  Place place{};
  std::vector<Variable> variables;  // by begin
};

struct Reaches {
  std::vector<Reach> all;  // [0] is of addresses that are made of no variable, or of who knows what
  std::vector<uint32_t> of;  // by instruction; empty: nobody asked
};

}  // namespace check
}  // namespace headroom::sim
