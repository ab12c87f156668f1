// What the command line asks of the study.
//
//   study::Options options(argc, argv, usage);
//   const Settings chosen = settings_of(options);      // exit code 2 where an option is wrong
#pragma once
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "studies/barnes_hut/evolution.h"
#include "studies/barnes_hut/methods.h"
#include "studies/barnes_hut/start.h"
#include "studies/barnes_hut/tables/tables.h"
#include "studies/common/options.h"

namespace barnes_hut {

constexpr const char* usage =
    "barnes_hut: n bodies under their own gravity, by a tree\n\n"
    "  --bodies LIST          how many, several with commas between (default 1024)\n"
    "  --precision P          single, double or both (default single)\n"
    "  --start NAME           where the bodies begin (default plummer); 'list' names them\n"
    "  --masses M             random or equal (default random)\n"
    "  --theta X              a cell of size l counts as one beyond l / X (default 0.5), up to 2; "
    "0: none does\n"
    "  --softening X          length that softens close pairs, from 1e-6 to 1e6 (default 0.01)\n"
    "  --method LIST          only these, with commas between; 'list' names them\n"
    "  --repeat N             steps that are timed after the first (default 3)\n"
    "  --sample N             bodies whose error is looked at (default 4096)\n"
    "  --seed N               the bodies (default: fresh ones)\n"
    "  --json FILE            write the table there too\n\n"
    "instead of that table:\n"
    "  --kernels              every kernel of a step, and its time\n"
    "  --tree                 the tree: cells, depth, and the nodes that each kernel touches\n"
    "  --parallelism          how much each kernel could do at once, round by round\n"
    "  --switches             the six kernels without each of their ten optimisations\n\n"
    "exit code: 0 everything is right, 1 a result is wrong or a CUDA call failed, 2 bad options\n";

struct Settings {
  const TableKind* table;
  std::vector<int> sizes;
  std::vector<const Method*> methods;
  bool single_precision, double_precision;
  std::string start;
  nbody::Masses masses;
  Physics physics;
  Evolution evolution;
  int repeat, sample;
  uint64_t seed;
  std::string json;
};

inline int size_of(const study::Options& options, const std::string& word) {
  constexpr int most = 1 << 27;
  const bool digits = !word.empty() && word.find_first_not_of("0123456789") == std::string::npos;
  const int size = digits && word.size() < 10 ? std::stoi(word) : 0;
  if (size < 1 || size > most) {
    options.reject("--bodies must be whole numbers from 1 to " + std::to_string(most) + ", not '" +
                   word + "'");
  }
  return size;
}

inline std::vector<const Method*> methods_of(const study::Options& options,
                                             const std::string& names) {
  std::vector<const Method*> chosen;
  for (const std::string& name : study::parts_of(names)) {
    const size_t before = chosen.size();
    for (const Method* method : methods) {
      if (name == method->name) chosen.push_back(method);
    }
    if (chosen.size() == before) options.reject("there is no method '" + name + "'");
  }
  if (names.empty()) chosen.assign(std::begin(methods), std::end(methods));
  return chosen;
}

inline const TableKind* table_of(study::Options& options) {
  const TableKind* chosen = nullptr;
  for (const TableKind* kind : table_kinds) {
    if (!kind->option || !options.flag(kind->option)) continue;
    if (chosen) options.reject(std::string(kind->option) + " is a table of its own");
    chosen = kind;
  }
  return chosen ? chosen : table_kinds[0];
}

inline void take_bodies_in(const study::Options& options, Settings& chosen) {
  const Bodies bodies = pulling(*chosen.evolution.in);
  chosen.sizes = {int(bodies.size())};
  try {
    if (chosen.single_precision) require_finite<float>(bodies);
    if (chosen.double_precision) require_finite<double>(bodies);
  } catch (const Failure& failure) {
    options.reject(chosen.evolution.in_name + ": " + failure.what());
  }
}

inline void choose_evolution(const study::Options& options, Settings& chosen) {
  if (chosen.table != table_kinds[0]) {
    options.reject("--steps and " + std::string(chosen.table->option) + " are tables of their own");
  }
  chosen.table = &evolution_table;
  const Evolution& asked = chosen.evolution;
  const bool files = !asked.out.empty() || !asked.energy.empty() || !asked.picture.empty();
  const bool several = chosen.sizes.size() > 1 || chosen.methods.size() > 1 ||
                       (chosen.single_precision && chosen.double_precision);
  if (files && several) {
    options.reject("a run that writes files is one --method, one precision and one --bodies");
  }
}

inline Settings settings_of(study::Options& options) {
  Settings chosen;
  chosen.table = table_of(options);
  chosen.evolution = evolution_of(options);
  const std::string sizes = options.text("--bodies", "1024");
  if (sizes.empty()) options.reject("--bodies needs a number");
  for (const std::string& word : study::parts_of(sizes)) {
    chosen.sizes.push_back(size_of(options, word));
  }
  const std::string precision = options.text("--precision", "single");
  chosen.single_precision = precision != "double";
  chosen.double_precision = precision != "single";
  if (precision != "single" && precision != "double" && precision != "both") {
    options.reject("--precision must be single, double or both, not '" + precision + "'");
  }
  chosen.start = options.text("--start", "plummer");
  if (chosen.start == "list") {
    for (const Start& start : starts) std::puts(start.name);
    std::exit(0);
  }
  if (!find_start(chosen.start)) {
    options.reject("there is no start '" + chosen.start + "': 'list' names them");
  }
  const std::string masses = options.text("--masses", "random");
  if (masses != "random" && masses != "equal") {
    options.reject("--masses must be random or equal, not '" + masses + "'");
  }
  chosen.masses = masses == "equal" ? nbody::Masses::equal : nbody::Masses::random;
  chosen.physics.theta = options.real("--theta", chosen.physics.theta);
  if (!(chosen.physics.theta >= 0 && chosen.physics.theta <= 2)) {
    options.reject("--theta must lie between 0 and 2");
  }
  chosen.physics.softening = options.real("--softening", chosen.physics.softening);
  if (!(chosen.physics.softening >= min_softening && chosen.physics.softening <= max_softening)) {
    options.reject("--softening must lie between 1e-6 and 1e6");
  }
  chosen.repeat = int(options.integer("--repeat", 3, 1, 1000));
  chosen.sample = int(options.integer("--sample", 4096, 1, 1 << 20));
  if (options.given("--method") && !chosen.table->by_method) {
    options.reject(std::string(chosen.table->option) +
                   " is no table of methods: leave out --method");
  }
  const std::string names = options.text("--method", "");
  if (names == "list") {
    for (const Method* method : methods) std::puts(method->name);
    std::exit(0);
  }
  chosen.methods = methods_of(options, names);
  chosen.seed = options.seed(study::fresh_seed());
  chosen.json = options.text("--json", "");
  const std::string files[] = {chosen.json, chosen.evolution.out, chosen.evolution.energy,
                               chosen.evolution.picture};
  for (const std::string& one : files) {
    if (!one.empty() && std::count(std::begin(files), std::end(files), one) > 1) {
      options.reject("two outputs cannot both be " + one);
    }
  }
  if (chosen.evolution.in) take_bodies_in(options, chosen);
  if (chosen.evolution.steps) choose_evolution(options, chosen);
  return chosen;
}

}  // namespace barnes_hut
