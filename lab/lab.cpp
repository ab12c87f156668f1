#include "lab/lab.h"

#include <fmt/format.h>

#include <algorithm>

#include "machine/names.h"

namespace headroom {
namespace {

std::optional<Machine> machine_named(const std::string& name) {
  const auto known = machine_asked(name);
  return known ? std::optional(load_machine(*known)) : std::nullopt;
}

void predict_row(const PublishedTable& table, const Machine& asked, const RowsOf& rows,
                 LabRow& row) {
  const auto& by = row.published ? row.published->predict : table.predict;
  if (!by || (row.published && !row.published->absent.empty())) return;
  row.predicted = predict(*by, asked, row.key, table.key, rows);
  if (!row.published) return;
  if (const auto own = machine_named(row.published->machine))
    row.predicted_own = predict(*by, *own, row.key, table.key, rows);
}

void put_measured(LabTable& table, const Figure& figure, size_t column) {
  bool met = false;
  for (LabRow& row : table.rows) {
    if (row.key.size() != figure.key.size() || !has_all(row.key, figure.key)) continue;
    if (row.published && !row.published->absent.empty()) continue;
    row.measured[column] = figure;
    met = true;
  }
  if (met) return;
  LabRow& row = table.rows.emplace_back();
  row.key = figure.key;
  row.measured.resize(table.measured_on.size());
  row.measured[column] = figure;
}

bool wants(const PublishedTable& table, const std::string& study) {
  const auto from = [&](const std::optional<MeasureBy>& by) { return by && by->study == study; };
  return from(table.measured) || std::ranges::any_of(table.rows, [&](const PublishedRow& row) {
           return from(row.measured);
         });
}

std::vector<const Results*> results_of(const PublishedTable& table,
                                       const std::vector<Results>& all) {
  std::vector<const Results*> result;
  for (const Results& each : all)
    if (wants(table, each.study)) result.push_back(&each);
  return result;
}

bool is_wrong(const Key& row) {
  const Cell* verified = find(row, "verified");
  return verified && verified->text != "PASS";
}

// The rows whose results were right; the others are told as a caveat.
Results right_rows(const Results& results, std::vector<Caveat>& caveats) {
  Results right = results;
  const size_t wrong = std::erase_if(right.rows, is_wrong);
  if (wrong)
    caveats.push_back({fmt::format("{} of {} rows of {} on {} are left out", wrong,
                                   results.rows.size(), results.study, results.gpu),
                       "what the kernel computed there was wrong",
                       "run the study alone and look for FAIL"});
  return right;
}

void note_basis(const PredictBy& by, LabTable& table) {
  const auto add = [&](std::string text) {
    if (!text.empty() && !std::ranges::count(table.bases, text))
      table.bases.push_back(std::move(text));
  };
  add(std::string(basis_of(by.model)));
  if (by.assume)
    add(fmt::format("for {} a DRAM latency of {:g} cycles is assumed: {}.", by.assume->machine,
                    by.assume->dram_latency, by.assume->because));
}

void measure_table(const Results& results, size_t column, LabTable& table) {
  const auto machine = machine_named(results.machine);
  const Machine* facts = machine ? &*machine : nullptr;
  const Results right = right_rows(results, table.caveats);
  const auto put = [&](const std::optional<MeasureBy>& by) {
    if (!by || by->study != results.study) return;
    for (const Figure& figure : figures(*by, right, table.published.key, facts))
      put_measured(table, figure, column);
  };
  put(table.published.measured);
  for (const PublishedRow& row : table.published.rows) put(row.measured);
}

LabTable lab_table(const PublishedTable& published, const Machine& asked,
                   const std::vector<Results>& all, const RowsOf& rows) {
  LabTable table;
  table.published = published;
  const std::vector<const Results*> sources = results_of(published, all);
  // A column a GPU, whatever study was measured there.
  const auto column_of = [&](const Results& results) {
    auto& gpus = table.measured_on;
    const auto known = std::ranges::find(gpus, results.gpu);
    if (known != gpus.end()) return size_t(known - gpus.begin());
    gpus.push_back(results.gpu);
    return gpus.size() - 1;
  };
  for (const Results* each : sources) column_of(*each);
  for (const PublishedRow& row : published.rows)
    table.rows.push_back(
        {row.key, row, {}, {}, std::vector<std::optional<Figure>>(table.measured_on.size())});
  for (const Results* each : sources) measure_table(*each, column_of(*each), table);
  for (LabRow& row : table.rows) {
    predict_row(published, asked, rows, row);
    const auto& by = row.published ? row.published->predict : published.predict;
    if (by && (row.predicted || row.predicted_own)) note_basis(*by, table);
  }
  return table;
}

}  // namespace

std::vector<ExecutorRun> executor_runs(const std::vector<PublishedStudy>& studies,
                                       const Machine& asked) {
  std::vector<ExecutorRun> runs;
  const auto add = [&](const std::string& study, const std::string& machine, const PredictBy& by) {
    const ExecutorRun run{study, machine, by.arguments};
    if (!machine.empty() && !std::ranges::count(runs, run)) runs.push_back(run);
  };
  for (const PublishedStudy& study : studies)
    for (const PublishedTable& table : study.tables)
      for (const PublishedRow& row : table.rows) {
        if (!row.predict || !runs_on_executor(*row.predict) || !row.absent.empty()) continue;
        add(study.name, row.machine, *row.predict);
        add(study.name, asked.name, *row.predict);
      }
  return runs;
}

Lab reproduce(const std::vector<PublishedStudy>& studies, const Machine& asked,
              const std::vector<Results>& results, const RowsOf& rows) {
  Lab lab{asked, {}, {}, {}};
  for (const PublishedStudy& study : studies)
    for (const PublishedTable& table : study.tables)
      lab.tables.push_back(lab_table(table, asked, results, rows));
  const auto wanted = [&](const std::string& study) {
    return std::ranges::any_of(
        lab.tables, [&](const LabTable& table) { return wants(table.published, study); });
  };
  for (const Results& each : results)
    if (wanted(each.study)) lab.results.push_back(each);
  const bool any =
      std::ranges::any_of(studies, [&](const PublishedStudy& study) { return wanted(study.name); });
  if (any && lab.results.empty())
    lab.caveats.push_back({"nothing measured is shown", "there is no GPU here and no result of one",
                           "run it where a GPU is, or give a result: --merge FILE"});
  return lab;
}

}  // namespace headroom
