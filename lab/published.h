// What the sources published, as data beside each study (studies/<name>/published.json), compiled
// in.
//
//   {"key": {"rung": "shared_tile"}, "value": 2980.3,
//    "contradiction": {"value": 2200, "because": "the article gives about 2 200 …"}}
//
//   published_study("sgemm").tables[0].rows[2].value == 2980.3
//
// A row inherits source, page, GPU, machine, unit and model from its table. Every member is known:
// a misspelt one is an error, so that nothing is dropped silently.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "lab/key.h"

namespace headroom {

// A source's own fact where ours is absent: the prediction for its GPU rests on it, and says so.
struct Assumption {
  std::string machine;
  double dram_latency = 0;  // cycles
  std::string because;
};

// Which figures of a measurement belong to a table.
struct MeasureBy {
  std::string study, value;  // the column that is the figure …
  std::string over;          // … divided by this one; empty: as it is
  double scale = 1;          // … times this
  std::string of;            // … in % of this fact of the machine; empty: as it is
  Key beside;  // … divided by the figure of the row that has these cells, and its others of `where`
  Key where;  // only rows with these cells
  Key as;     // the key that the one row left stands for
  // Or the most of this column, by key.
  std::string most;
  // Or the least `least` at which `reaching` comes to `share` of its most, by key.
  std::string least, reaching;
  double share = 0;
};

// What our model is asked for a row (lab/models.h).
struct PredictBy {
  std::string model, fact;  // "fact" asks for one fact of the machine
  std::optional<Assumption> assume;
  // Of "times on the executor": the study's arguments there, where "{128 SMs}" stands for 128 times the SMs of
  // the machine; and the figure of the rows that it printed.
  std::vector<std::string> arguments;
  std::optional<MeasureBy> from;
};

// Whether the study must run on the executor before, with events that count predicted times.
bool runs_on_executor(const PredictBy&);

struct Contradiction {
  double value = 0;
  std::string because;
};

struct PublishedRow {
  Key key;
  double value = 0;
  std::string bound;  // "at most", "less than" …: the value is no point
  std::string unit, source, page, gpu;
  std::string machine;                // our facts of that GPU; empty: there are none
  std::optional<PredictBy> predict;   // absent: the model has no answer
  std::optional<MeasureBy> measured;  // what stands beside this row alone
  std::optional<Contradiction> contradiction;
  std::string note;
  std::string absent;  // why nothing of ours can stand beside it
};

struct PublishedTable {
  std::string name, title, source, page, gpu, machine, unit;
  std::vector<std::string> key;
  std::string across;   // a curve: this cell of the key runs along the columns
  bool ladder = false;  // each row is a step above the one before: factors are shown
  std::optional<PredictBy> predict;
  std::optional<MeasureBy> measured;
  std::vector<PublishedRow> rows;
};

struct StudyRun {
  std::vector<std::string> arguments;
  Key columns;  // that the rows get beside their own
};

struct PublishedStudy {
  std::string name, about;
  std::vector<StudyRun> runs;  // on a GPU; empty: there is nothing to run
  std::vector<PublishedTable> tables;
};

// From the text of a file; `where` is for messages. Throws Error.
PublishedStudy parse_published(const std::string& json, const std::string& where);

const std::vector<PublishedStudy>& published_studies();  // the embedded ones, by name
// "volkov" -> "V. Volkov, Better Performance at Lower Occupancy, slides, 2010"; empty: unknown.
std::string source_title(const std::string& source);

}  // namespace headroom
