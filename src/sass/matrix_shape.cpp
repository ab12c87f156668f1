#include "sass/matrix_shape.h"

#include <cstdio>
#include <string>

namespace headroom::sass {

MatrixShape matrix_shape(const Instruction& instruction) {
  for (const std::string_view modifier : instruction.modifiers) {
    const std::string text(modifier);
    int m = 0, n = 0, k = 0;
    if (std::sscanf(text.c_str(), ".%dx%dx%d", &m, &n, &k) == 3) return {m == 64 ? 16 : m, n, k};
    if (std::sscanf(text.c_str(), ".168%d", &k) == 1) return {16, 8, k};
    if (std::sscanf(text.c_str(), ".88%d", &k) == 1) return {8, 8, k};
  }
  return {};
}

}  // namespace headroom::sass
