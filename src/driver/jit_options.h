// What a program asks of the compiler and linker: how to compile, and where to write what they say.
//
//   JitOptions options(count, names, values);
//   options.write("ptxas error …");   into CU_JIT_ERROR_LOG_BUFFER, and its length where the size stood
//
// Options that change no result are taken and left.
#pragma once
#include <string>

#include "driver/driver.h"

namespace headroom::driver {

class JitOptions {
 public:
  JitOptions() = default;
  JitOptions(unsigned count, const CUjit_option* names, void** values);

  void write(const std::string& errors) const;  // and that there is no information
  const std::string& of_assembler() const { return of_assembler_; }

 private:
  struct Log {
    char* text = nullptr;
    size_t size = 0;
    void** length = nullptr;
    void write(const std::string&) const;
  };

  Log information_, errors_;
  std::string of_assembler_;
};

}  // namespace headroom::driver
