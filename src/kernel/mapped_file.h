// A file as bytes, mapped: libraries of gigabytes are looked at without reading them.
#pragma once
#include <cstddef>
#include <span>
#include <string>

namespace headroom {

class MappedFile {
 public:
  explicit MappedFile(
      const std::string& path);  // throws Error (exit code 127) when it cannot be read
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  std::span<const std::byte> bytes() const { return {start_, size_}; }

 private:
  const std::byte* start_ = nullptr;
  size_t size_ = 0;
};

}  // namespace headroom
