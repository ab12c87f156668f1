// The functions of the face by name; entries.cpp, made from symbols.txt when headroom is built, has them.
#pragma once
#include <span>
#include <string_view>

namespace headroom::driver {

struct Entry {
  std::string_view name;  // "cuMemAlloc"
  int since = 0;          // the release whose parameters it takes: 3020
  void* function = nullptr;
  void* per_thread =
      nullptr;  // whose unnamed stream is the thread's own (…_ptsz, …_ptds); null: none
};
std::span<const Entry> entries();

}  // namespace headroom::driver
