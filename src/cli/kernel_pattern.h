// --kernel: a regular expression that is searched in a kernel's name: whole, short as in the
// tables, and mangled.
//
//   "transpose", "^transpose<0>$", "float const"  find  "void ns::transpose<0>(float const*)"
#pragma once
#include <regex>
#include <string>
#include <vector>

#include "report/gpu_report.h"
#include "report/run_report.h"

namespace headroom {

class KernelPattern {
 public:
  explicit KernelPattern(
      const std::string& text);  // throws Error with the place of what is wrong in it
  bool given() const { return !text_.empty(); }
  bool matches(const std::string& name) const;
  std::vector<const KernelGroup*> matches(const RunReport&) const;
  std::vector<const MeasuredGroup*> matches(const GpuReport&) const;

 private:
  std::string text_;
  std::regex expression_;
};

}  // namespace headroom
