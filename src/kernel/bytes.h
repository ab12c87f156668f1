// Little-endian fields read from bytes that somebody else wrote: every access is checked.
//
//   Bytes file{span, "app"};
//   file.read<uint32_t>(0x10)    the field, or Error "app: truncated: 4 bytes wanted at offset 0x10 …"
//   file.slice(0x40, 100)        a part, whose messages still name the offset in the whole
#pragma once
#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/error.h"

namespace headroom {

class Bytes {
 public:
  Bytes(std::span<const std::byte> content, std::string_view where, uint64_t base = 0)
      : content_(content), where_(where), base_(base) {}

  uint64_t size() const { return content_.size(); }
  std::string_view where() const { return where_; }
  uint64_t offset_in_file(uint64_t offset) const { return base_ + offset; }
  bool holds(uint64_t offset, uint64_t length) const {
    return offset <= size() && length <= size() - offset;
  }

  template <class T>
  T read(uint64_t offset) const {
    static_assert(std::is_trivially_copyable_v<T>);
    need(offset, sizeof(T));
    T value;
    std::memcpy(&value, content_.data() + offset, sizeof(T));
    return value;
  }
  Bytes slice(uint64_t offset, uint64_t length) const {
    need(offset, length);
    return {content_.subspan(offset, length), where_, base_ + offset};
  }
  std::span<const std::byte> span() const { return content_; }
  std::string_view text() const {
    return {reinterpret_cast<const char*>(content_.data()), content_.size()};
  }
  // A string that ends with a zero byte, or where the bytes end.
  std::string_view string_at(uint64_t offset) const {
    if (offset >= size()) return {};
    const std::string_view rest = text().substr(offset);
    return rest.substr(0, rest.find('\0'));
  }
  [[noreturn]] void fail(uint64_t offset, std::string_view problem, std::string hint = "") const {
    throw Error{std::string(where_), fmt::format("{} at offset {:#x}", problem, base_ + offset),
                std::move(hint)};
  }

 private:
  void need(uint64_t offset, uint64_t length) const {
    if (holds(offset, length)) return;
    throw Error{std::string(where_),
                fmt::format("truncated: {} bytes wanted at offset {:#x}, but only {} are there",
                            length, base_ + offset, offset < size() ? size() - offset : 0),
                "the file is cut off or damaged: build or copy it again"};
  }

  std::span<const std::byte> content_;
  std::string_view where_;
  uint64_t base_;
};

}  // namespace headroom
