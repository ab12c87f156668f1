// The processor that runs us.
//
//   host_runs("avx512")  ->  false         processor_name()  ->  "AMD EPYC 7B13"
#pragma once
#include <string>
#include <string_view>

namespace headroom {

// Whether it runs what was compiled for one of the sets of cmake/isa.cmake: portable, avx2, avx512.
bool host_runs(std::string_view instruction_set);

// "" where the kernel does not tell.
std::string processor_name();

}  // namespace headroom
