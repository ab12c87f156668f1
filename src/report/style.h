// How a report may be drawn where it goes: columns, and colour only where a person looks at it.
#pragma once
#include <string>

namespace headroom {

struct Style {
  size_t columns = 100;
  bool colour = false;

  std::string bold(const std::string& text) const { return paint("1", text); }
  std::string dim(const std::string& text) const { return paint("2", text); }
  std::string red(const std::string& text) const { return paint("31", text); }

 private:
  std::string paint(const char* code, const std::string& text) const {
    return colour && !text.empty() ? std::string("\033[") + code + "m" + text + "\033[0m" : text;
  }
};

}  // namespace headroom
