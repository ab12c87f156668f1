// What a command line asks for: elements, average lengths of an interval, kinds, rungs.
//
//   --size 2^24  --average 4,64  --kind move,gather  --rung balanced
//
//   const Choice chosen(options, "20000", "16");          // size and averages, where they are not given
#pragma once
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "studies/common/options.h"
#include "studies/interval_move/interval_move.h"

namespace interval_move {

struct NamedKind {
  const char* name;
  Kind kind;
};
constexpr NamedKind kinds[] = {{"expand", Kind::expand},
                               {"gather", Kind::gather},
                               {"scatter", Kind::scatter},
                               {"move", Kind::move}};

inline std::vector<const Rung*> chosen_rungs(study::Options& options) {
  const std::string names = options.text("--rung", "");
  std::vector<const Rung*> chosen;
  for (const Rung* rung : rungs) {
    if (names == "list") std::puts(rung->name);
    if (names.empty()) chosen.push_back(rung);
  }
  if (names == "list") std::exit(0);
  for (const std::string& name : study::parts_of(names)) {
    const size_t before = chosen.size();
    for (const Rung* rung : rungs) {
      if (name == rung->name) chosen.push_back(rung);
    }
    if (chosen.size() == before) options.reject("there is no rung '" + name + "'");
  }
  return chosen;
}

inline std::vector<NamedKind> chosen_kinds(study::Options& options) {
  std::vector<NamedKind> chosen;
  for (const std::string& name : study::parts_of(options.text("--kind", "move"))) {
    const size_t before = chosen.size();
    for (const NamedKind& kind : kinds) {
      if (name == kind.name) chosen.push_back(kind);
    }
    if (chosen.size() == before) options.reject("there is no kind '" + name + "'");
  }
  if (chosen.empty()) options.reject("--kind needs a kind");
  return chosen;
}

// 20000, or 2^24.
inline int number(study::Options& options, const std::string& option, const std::string& word,
                  int most) {
  const bool power = word.compare(0, 2, "2^") == 0;
  const char* digits = word.c_str() + (power ? 2 : 0);
  char* rest = nullptr;
  const long value = std::strtol(digits, &rest, 10);
  if (rest == digits || *rest || value < 0 || value > (power ? 29 : most)) {
    options.reject(option + " must be numbers up to " + std::to_string(most) + ", not '" + word +
                   "'");
  }
  return power ? 1 << value : int(value);
}

struct Choice {
  int elements;
  std::vector<int> averages;
  std::vector<NamedKind> kinds;
  std::vector<const Rung*> rungs;

  Choice(study::Options& options, const std::string& size, const std::string& lengths)
      : elements(number(options, "--size", options.text("--size", size), 1 << 29)) {
    for (const std::string& word : study::parts_of(options.text("--average", lengths))) {
      averages.push_back(number(options, "--average", word, 1 << 24));
      if (averages.back() == 0) options.reject("--average must be 1 at least");
    }
    if (averages.empty()) options.reject("--average needs numbers");
    kinds = chosen_kinds(options);
    rungs = chosen_rungs(options);
  }
};

}  // namespace interval_move
