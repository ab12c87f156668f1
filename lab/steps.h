// What `headroom-lab measure` does on a GPU, one step after the other: a line each in steps.cpp.
//
//   {"copy", 19}                                  the runs that studies/copy/published.json lists
//   {"machine", 120, {"{headroom}", "machine", …}}  a command, which writes {json}
//
// In words of a command
//   {program:NAME}               a program of bin/          {json}     where the result goes
//   {headroom}                   beside us                  {results}  the folder of this GPU's results
//   {folder:NAME}                a folder beside bin/       {gpu}      0, the only one that programs see
//   {script:NAME}                scripts/measure/NAME
#pragma once
#include <string>
#include <vector>

namespace headroom {

struct Step {
  std::string name;
  double seconds;                    // the limit
  std::vector<std::string> command;  // empty: the runs of a study
  std::string to = "";     // where the result goes, if not to <gpu>/<step>.json; {machine} is known
  bool is_lasting = true;  // false: done in every call, from what the others left
  bool is_usual = true;    // false: done only where it is named
};

const std::vector<Step>& steps();

}  // namespace headroom
