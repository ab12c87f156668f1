// The command line of a study: `--name value` pairs, each read once; whatever is left over is an
// error.
//
//   Options options(argc, argv, usage);
//   const int size = options.integer("--size", 256, 1, 65536);
//   options.finish();
//
//   sgemm: --size must be a whole number from 1 to 65536, not 'many' (see --help)      exit code 2
#pragma once
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <vector>

namespace study {

// "4096,8192" -> {"4096", "8192"}; nothing has no parts.
inline std::vector<std::string> parts_of(const std::string& text, char between = ',') {
  std::vector<std::string> parts;
  for (size_t begin = 0; !text.empty() && begin <= text.size();) {
    const size_t end = std::min(text.find(between, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

class Options {
 public:
  // `more` is help on options that several studies have.
  Options(int argc, char** argv, const char* usage, const char* more = "")
      : words_(argv + 1, argv + argc) {
    const char* slash = std::strrchr(argv[0], '/');
    program_ = slash ? slash + 1 : argv[0];
    std::set_new_handler([] {
      std::fputs("the host has no room for so much data: choose a smaller size\n", stderr);
      std::exit(2);
    });
    for (const std::string& word : words_) {
      if (word != "--help" && word != "-h") continue;
      std::printf("%s%s", usage, more);
      std::exit(0);
    }
  }

  [[noreturn]] void reject(const std::string& problem) const {
    std::fprintf(stderr, "%s: %s (see --help)\n", program_.c_str(), problem.c_str());
    std::exit(2);
  }

  bool given(const std::string& name) const {
    for (const std::string& word : words_) {
      if (word == name) return true;
    }
    return false;
  }

  // An option without a value.
  bool flag(const std::string& name) {
    const auto found = std::find(words_.begin(), words_.end(), name);
    if (found == words_.end()) return false;
    words_.erase(found);
    return true;
  }

  std::string text(const std::string& name, const std::string& otherwise) {
    std::string value = otherwise;
    for (size_t i = 0; i < words_.size();) {
      if (words_[i] != name) {
        ++i;
        continue;
      }
      if (i + 1 == words_.size()) reject(name + " needs a value");
      value = words_[i + 1];
      words_.erase(words_.begin() + i, words_.begin() + i + 2);
    }
    return value;
  }

  int64_t integer(const std::string& name, int64_t otherwise, int64_t least, int64_t most) {
    if (!given(name)) return otherwise;
    const std::string word = text(name, "");
    const Number number = parse(word);
    if (!number.valid || *number.rest || number.value < least || number.value > most) {
      reject(name + " must be a whole number from " + std::to_string(least) + " to " +
             std::to_string(most) + ", not '" + word + "'");
    }
    return number.value;
  }

  // 4096, 512K, 4M, 1G: binary multiples.
  int64_t bytes(const std::string& name, int64_t otherwise) {
    if (!given(name)) return otherwise;
    const std::string word = text(name, "");
    const Number number = parse(word);
    const std::string suffix = number.valid ? number.rest : "?";
    const int shift = suffix.empty()  ? 0
                      : suffix == "K" ? 10
                      : suffix == "M" ? 20
                      : suffix == "G" ? 30
                                      : -1;
    if (shift < 0 || number.value < 1 || number.value > (INT64_MAX >> 31)) {
      reject(name + " must be a size such as 65536, 512K, 4M or 1G, not '" + word + "'");
    }
    return number.value << shift;
  }

  double real(const std::string& name, double otherwise) {
    if (!given(name)) return otherwise;
    const std::string word = text(name, "");
    char* rest = nullptr;
    const double value = std::strtod(word.c_str(), &rest);
    if (word.empty() || *rest) reject(name + " must be a number, not '" + word + "'");
    return value;
  }

  uint64_t seed(uint64_t fresh) {
    return uint64_t(integer("--seed", int64_t(fresh), 0, INT64_MAX));
  }

  // Before the work, not after it: whether results can be written to a file that was asked for.
  void require_writable(const std::string& path) const {
    if (path.empty()) return;
    const bool fresh = access(path.c_str(), F_OK) != 0;
    std::FILE* file = std::fopen(path.c_str(), "a");
    if (!file) reject("cannot write " + path);
    std::fclose(file);
    if (fresh) std::remove(path.c_str());
  }

  void finish() const {
    if (!words_.empty()) reject("what is '" + words_.front() + "'?");
  }

 private:
  struct Number {
    int64_t value;
    const char* rest;  // what follows the digits
    bool valid;
  };

  static Number parse(const std::string& word) {
    char* rest = nullptr;
    errno = 0;
    const int64_t value = std::strtoll(word.c_str(), &rest, 10);
    return {value, rest, rest != word.c_str() && errno == 0};
  }

  std::string program_;
  std::vector<std::string> words_;
};

}  // namespace study
