// --kernel: a regular expression that is searched in a kernel's name, as written in the program or
// mangled.
#pragma once
#include <regex>
#include <string>
#include <vector>

#include "report/run_report.h"

namespace headroom {

class KernelPattern {
 public:
  explicit KernelPattern(
      const std::string& text);  // throws Error with the place of what is wrong in it
  bool given() const { return !text_.empty(); }
  bool matches(const std::string& name) const { return std::regex_search(name, expression_); }
  std::vector<const KernelGroup*> matches(const RunReport&) const;

 private:
  std::string text_;
  std::regex expression_;
};

}  // namespace headroom
