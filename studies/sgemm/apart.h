// Whether sgemm and tensor_sgemm are right for matrices whose rows lie apart, by each of their kernels, and leave alone what lies between.
//
//   kernel                   products  wrong  verified
//   tiles of 64 x 64               36      0      PASS
//   stream_k of a copy of B         …
#pragma once
#include <cstdint>
#include <string>

namespace sgemm {

// Prints the table, and writes it to `json` if that is a name. Returns the exit code.
int rows_apart(uint64_t seed, const std::string& title, const std::string& json);

}  // namespace sgemm
