// Writes the trace of this process (gpu/trace.h): gathers blocks and hands them to the kernel in
// large writes. Used under the lock of its owner.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/trace.h"

namespace headroom::inject {

class TraceFile {
 public:
  // Under a name of this process's own. What cannot be written is lost, never the program's
  // business.
  void open(const std::string& prefix);

  // The header, and the command line of the process: first of all blocks.
  void begin(uint32_t cupti_version);
  template <class Payload>
  void block(trace::Kind kind, const Payload& payload, std::string_view text = {}) {
    block(kind, &payload, sizeof payload, text);
  }
  void block(trace::Kind kind, const void* payload, size_t bytes, std::string_view text);
  void flush();

 private:
  static constexpr size_t max_gathered = 256 * 1024;
  int file_ = -1;
  std::vector<char> gathered_;
};

}  // namespace headroom::inject
