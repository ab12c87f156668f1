// --kernel: a regular expression that is searched in a kernel's name: whole, short as in the
// tables, and mangled; of a longer name in its first 4000 characters.
//
//   "transpose", "^transpose<0>$", "float const"  find  "void ns::transpose<0>(float const*)"
#pragma once
#include <regex>
#include <string>
#include <vector>

#include "model/explanation.h"
#include "model/measured_explanation.h"

namespace headroom {

class KernelPattern {
 public:
  // Throws Error with the place of what is wrong in it.
  explicit KernelPattern(const std::string& text);
  bool given() const { return !text_.empty(); }
  bool matches(const std::string& name) const;
  std::vector<const KernelGroup*> matches(const Explanation&) const;
  std::vector<const MeasuredGroup*> matches(const MeasuredExplanation&) const;

 private:
  std::string text_;
  std::regex expression_;
};

}  // namespace headroom
