// Findings that are known and told no more: a rule a line, of what a finding's kind, kernel and line
// match. '#' begins a comment; a '*' stands for any text.
//
//   race_global   relax*   bfs.cu:41     # the lowest distance wins, whoever writes
#pragma once
#include <string>
#include <vector>

#include "record/finding.h"

namespace headroom {

struct Suppression {
  std::string kind, kernel, source;  // patterns; of a path the last parts
  std::string told;                  // "known.txt:3: race_global relax* bfs.cu:41"
};

// Throws Error{"known.txt:3", …} for a line that is no rule. `name`: of the file, for messages.
std::vector<Suppression> read_suppressions(const std::string& text, const std::string& name);
// Either side of a race may be at the line.
bool matches(const Suppression&, const Finding&);

}  // namespace headroom
