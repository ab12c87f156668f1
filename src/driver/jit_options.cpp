#include "driver/jit_options.h"

#include <algorithm>
#include <cstring>

namespace headroom::driver {

JitOptions::JitOptions(unsigned count, const CUjit_option* names, void** values) {
  for (unsigned i = 0; names && values && i < count; ++i) {
    const auto number = reinterpret_cast<uintptr_t>(values[i]);
    switch (names[i]) {
      case CU_JIT_INFO_LOG_BUFFER: information_.text = static_cast<char*>(values[i]); break;
      case CU_JIT_ERROR_LOG_BUFFER: errors_.text = static_cast<char*>(values[i]); break;
      case CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES:
        information_.size = unsigned(number);
        information_.length = &values[i];
        break;
      case CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES:
        errors_.size = unsigned(number);
        errors_.length = &values[i];
        break;
      case CU_JIT_MAX_REGISTERS:
        of_assembler_ += "-maxrregcount=" + std::to_string(unsigned(number)) + " ";
        break;
      case CU_JIT_GENERATE_DEBUG_INFO:
        if (int(number)) of_assembler_ += "-g ";
        break;
      default: break;
    }
  }
}

void JitOptions::Log::write(const std::string& what) const {
  const size_t fits = text && size ? std::min(size - 1, what.size()) : 0;
  if (text && size) {
    std::memcpy(text, what.data(), fits);
    text[fits] = 0;
  }
  if (length) *length = reinterpret_cast<void*>(fits);
}

void JitOptions::write(const std::string& errors) const {
  information_.write("");
  errors_.write(errors);
}

}  // namespace headroom::driver
