// Writes JSON as it goes; commas and line breaks come by themselves.
//
//   Json json(file);
//   json.begin('{'); json.key("rows"); json.begin('['); json.value(3); json.end(); json.end();
//
//   {"rows": [
//     3
//   ]}
#pragma once
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace study {

class Json {
 public:
  explicit Json(std::FILE* file) : file_(file) {}

  void begin(char bracket) {
    separate();
    std::fputc(bracket, file_);
    open_.push_back({bracket == '{' ? '}' : ']', true});
  }
  void end() {
    if (open_.back().bracket == ']') std::fputc('\n', file_);
    std::fputc(open_.back().bracket, file_);
    open_.pop_back();
    if (open_.empty()) std::fputc('\n', file_);
  }
  void key(const char* name) {
    separate();
    std::fprintf(file_, "\"%s\": ", name);
    after_key_ = true;
  }
  void value(const std::string& text) {
    separate();
    std::fputc('"', file_);
    for (const char letter : text) {
      if (letter == '"' || letter == '\\') std::fputc('\\', file_);
      if (static_cast<unsigned char>(letter) < 0x20) {
        std::fprintf(file_, "\\u%04x", letter);
      } else {
        std::fputc(letter, file_);
      }
    }
    std::fputc('"', file_);
  }
  void value(const char* text) { value(std::string(text)); }
  void value(bool yes) { print(yes ? "true" : "false"); }
  // Unknown is absent: a caller leaves out what is not finite.
  void value(double number) {
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.6g", number);
    print(digits);
  }
  void value(size_t number) { print(std::to_string(number).c_str()); }
  void value(int number) { print(std::to_string(number).c_str()); }

  // On one line.
  void value(const std::vector<double>& numbers) {
    separate();
    std::fputc('[', file_);
    for (size_t i = 0; i < numbers.size(); ++i) {
      std::fprintf(file_, i ? ", %.6g" : "%.6g", numbers[i]);
    }
    std::fputc(']', file_);
  }

  template <typename Value>
  void pair(const char* name, const Value& what) {
    key(name);
    value(what);
  }
  void finite(const char* name, double number) {
    if (std::isfinite(number)) pair(name, number);
  }

 private:
  struct Open {
    char bracket;
    bool empty;
  };

  void print(const char* text) {
    separate();
    std::fputs(text, file_);
  }
  // Elements of an array stand on lines of their own, members of an object on one.
  void separate() {
    if (after_key_) {
      after_key_ = false;
      return;
    }
    if (open_.empty()) return;
    Open& inner = open_.back();
    const bool list = inner.bracket == ']';
    if (!inner.empty) std::fputs(list ? "," : ", ", file_);
    if (list) std::fputc('\n', file_);
    inner.empty = false;
  }

  std::FILE* file_;
  std::vector<Open> open_;
  bool after_key_ = false;
};

}  // namespace study
