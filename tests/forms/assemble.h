// What NVIDIA's assembler says of generated PTX: which candidates an architecture has.
#pragma once
#include <string>
#include <vector>

#include "forms/generate.h"

namespace headroom::golden {

// Those of the candidates that ptxas takes for the target; it must be at `ptxas`.
std::vector<Candidate> assembled(const std::vector<Candidate>&, const std::string& ptxas,
                                 const std::string& target);
bool decodes(const Candidate&);

}  // namespace headroom::golden
