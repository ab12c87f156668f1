#include "base/error.h"

namespace headroom {

Error::Error(std::string where_, std::string problem_, std::string hint_, int code)
    : where(std::move(where_)),
      problem(std::move(problem_)),
      hint(std::move(hint_)),
      exit_code(code) {
  text = where.empty() ? problem : where + ": " + problem;
  if (!hint.empty()) text += "\n  hint: " + hint;
}

}  // namespace headroom
