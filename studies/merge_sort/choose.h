// What a command line asks for: rungs, kinds of keys, with values or without, numbers of elements, inputs.
//
//   --rung four_way  --keys int32,int64  --records keys,pairs  --size 1000,2^24  --input random,few
#pragma once
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "studies/common/options.h"
#include "studies/merge_sort/input.h"

namespace merge_sort {

struct NamedKind {
  const char* name;
  Kind kind;
  bool has_pairs;
};
constexpr NamedKind kinds[] = {{"int32", Kind::int32, true},
                               {"int64", Kind::int64, true},
                               {"float", Kind::float32, false},
                               {"low_byte", Kind::low_byte, false}};

// The members of `all` that an option names; `name_of` says how they are called.
template <typename All, typename NameOf>
auto chosen_of(study::Options& options, const std::string& option, const std::string& otherwise,
               const All& all, const NameOf& name_of) {
  std::vector<std::decay_t<decltype(*std::begin(all))>> chosen;
  const std::string names = options.text(option, otherwise);
  for (const std::string& name : study::parts_of(names)) {
    const size_t before = chosen.size();
    for (const auto& one : all) {
      if (name == name_of(one)) chosen.push_back(one);
    }
    if (chosen.size() == before) options.reject(option + ": there is no '" + name + "'");
  }
  if (names.empty()) chosen.assign(std::begin(all), std::end(all));
  return chosen;
}

inline std::vector<const Rung*> chosen_rungs(study::Options& options) {
  if (options.given("--rung")) {
    const std::string names = options.text("--rung", "");
    if (names == "list") {
      for (const Rung* rung : rungs) std::puts(rung->name);
      std::exit(0);
    }
    std::vector<const Rung*> chosen;
    for (const std::string& name : study::parts_of(names)) {
      const auto found = std::find_if(std::begin(rungs), std::end(rungs),
                                      [&](const Rung* rung) { return name == rung->name; });
      if (found == std::end(rungs)) options.reject("there is no rung '" + name + "'");
      chosen.push_back(*found);
    }
    if (!chosen.empty()) return chosen;
  }
  return {std::begin(rungs), std::end(rungs)};
}

// 1000, or 2^24.
inline std::vector<int> chosen_sizes(study::Options& options, const std::string& otherwise) {
  std::vector<int> chosen;
  for (const std::string& word : study::parts_of(options.text("--size", otherwise))) {
    const bool power = word.compare(0, 2, "2^") == 0;
    char* rest = nullptr;
    const char* digits = word.c_str() + (power ? 2 : 0);
    const long number = std::strtol(digits, &rest, 10);
    if (rest == digits || *rest || number < 0 || number > (power ? 30 : most)) {
      options.reject("--size must be numbers up to 2^30 such as 1000 or 2^24, not '" + word + "'");
    }
    chosen.push_back(power ? 1 << number : int(number));
  }
  if (chosen.empty()) options.reject("--size needs numbers");
  return chosen;
}

}  // namespace merge_sort
