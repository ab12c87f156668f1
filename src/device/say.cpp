#include "device/say.h"

#include <cstdio>
#include <mutex>
#include <set>

#include "device/python_words.h"

namespace headroom::device {

void say(const std::string& text) {
  static std::mutex guard;
  static auto* said = new std::set<std::string>;
  std::lock_guard hold(guard);
  if (!said->insert(text).second) return;
  std::string line = "headroom: " + text + "\n";
  std::fwrite(line.data(), 1, line.size(), stderr);
  std::fflush(stderr);
}

void say(const Error& error) {
  std::string text = error.where.empty() ? error.problem : error.where + ": " + error.problem;
  say(error.hint.empty() ? text : text + "\n  hint: " + in_python_words(error.hint));
}

}  // namespace headroom::device
