// What NVIDIA's assembler says of generated PTX: which candidates an architecture has.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "forms/generate.h"

namespace headroom::golden {

// Those of the candidates that ptxas takes for the target; it must be at `ptxas`.
std::vector<Candidate> assembled(const std::vector<Candidate>&, const std::string& ptxas,
                                 const std::string& target);
bool decodes(const Candidate&);

// A text for sm_90 as an older architecture has it: what its ptxas refuses is left out, the line where
// `droppable` says that the rest makes sense without it, else the whole kernel.
struct Fitted {
  std::string text;
  size_t lines = 0, kernels = 0;  // left out
};
Fitted fitted(const std::string& text, int architecture,
              const std::function<bool(const std::string& line)>& droppable);

}  // namespace headroom::golden
