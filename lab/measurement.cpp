#include "lab/measurement.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>

#include "base/error.h"
#include "base/read_file.h"
#include "cli/output_file.h"
#include "run/process.h"
#include "run/signals.h"

namespace headroom {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

struct LeftOut {  // a step that cannot be done here
  std::string why;
};
struct Failed {
  std::string why;
};

class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(now() - began_).count(); }

 private:
  static std::chrono::steady_clock::time_point now() { return std::chrono::steady_clock::now(); }
  std::chrono::steady_clock::time_point began_ = now();
};

void write(const fs::path& path, const std::string& text) {
  OutputFile(path.string(), "measure").write(text);
}

Json json_in(const fs::path& path) {
  const Json json = Json::parse(read_file(path.string()).value_or(""), nullptr, false);
  return json.is_discarded() ? Json() : json;
}

std::optional<size_t> rows_in(const fs::path& path) {
  const Json json = json_in(path);
  if (!json.is_object() || !json.contains("rows") || !json["rows"].is_array()) return {};
  return json["rows"].size();
}

std::string program(const Programs& programs, const std::string& name) {
  const std::string path = programs.find(name);
  if (path.empty())
    throw LeftOut{
        fmt::format("no program '{}' in {}: build it, or give --bin", name, programs.place())};
  return path;
}

// The rows of a study's run, with the cells that every row of it gets.
Json rows_of(const StudyEnd& end, const Key& columns) {
  Json rows = Json::array();
  const Json found = Json::parse(end.json, nullptr, false);
  if (!found.is_object() || !found.contains("rows"))
    throw Failed{end.command + ": it wrote no rows"};
  for (Json row : found["rows"]) {
    row.update(json_of(columns));
    rows.push_back(std::move(row));
  }
  return rows;
}

// The result of a step that is being done.
class Doing {
 public:
  Doing(const Measurement& on, const Step& step)
      : on_(on),
        step_(step),
        limit_(on.limit.value_or(step.seconds)),
        log_(on.kept / (step.name + ".log")) {
    fs::remove(log_);
  }

  std::string result() { return step_.command.empty() ? study() : command(); }

  std::string last_printed() const { return last_line(read_file(log_.string()).value_or("")); }

 private:
  double left() const { return std::max(1.0, limit_ - clock_.seconds()); }

  void log(const std::string& printed) const { std::ofstream(log_, std::ios::app) << printed; }

  std::string study() {
    const auto& studies = published_studies();
    const auto published = std::ranges::find(studies, step_.name, &PublishedStudy::name);
    if (published == studies.end()) throw LeftOut{"no study has this name"};
    const std::string path = program(on_.programs, step_.name);
    Results results = results_of(step_.name, published->about, on_.gpu, on_.programs);
    Json rows = Json::array();
    std::vector<fs::path> parts;
    ClockWatch watch(on_.gpu.index);
    for (const StudyRun& run : published->runs) {
      parts.push_back(on_.kept / fmt::format("{}.{}.part", step_.name, parts.size()));
      const Json part = run_once(run, path, parts.back());
      results.commands.push_back(part.at("command"));
      rows.insert(rows.end(), part.at("rows").begin(), part.at("rows").end());
    }
    results.clocks = watch.clocks();
    for (const fs::path& part : parts) fs::remove(part);
    return results_json(results, rows);
  }

  // A run of an earlier call is taken where the same program ended the same run well.
  Json run_once(const StudyRun& run, const std::string& path, const fs::path& part) {
    const std::string whose = fmt::format(
        "{:016x} {}", std::hash<std::string>()(read_file(path).value_or("")), on_.gpu.driver);
    const Json kept = json_in(part);
    const std::string command = fmt::format("{} {}", step_.name, fmt::join(run.arguments, " "));
    if (kept.is_object() && kept.value("command", "") == command &&
        kept.value("whose", "") == whose)
      return kept;
    const StudyEnd end = run_study(step_.name, run, path, left());
    log(end.printed);
    if (!end.problem.empty()) throw Failed{fmt::format("{}: {}", end.command, end.problem)};
    Json done{{"command", command}, {"whose", whose}, {"rows", rows_of(end, run.columns)}};
    write(part, done.dump() + "\n");
    return done;
  }

  std::string filled(const std::string& word, const fs::path& json) const {
    static const std::regex named(R"(\{(program|folder|script):([\w.]+)\})");
    std::smatch found;
    if (std::regex_match(word, found, named)) {
      if (found[1] == "program") return program(on_.programs, found[2]);
      const fs::path path = found[1] == "script"
                                ? fs::path("scripts/measure") / found[2].str()
                                : fs::path(on_.programs.place()).parent_path() / found[2].str();
      if (!fs::exists(path)) throw LeftOut{fmt::format("there is no '{}'", path.string())};
      return path.string();
    }
    return word == "{headroom}"  ? program({}, "headroom")
           : word == "{json}"    ? json.string()
           : word == "{results}" ? on_.results.string()
           : word == "{gpu}"     ? "0"
                                 : word;
  }

  std::string command() {
    const fs::path part = on_.kept / (step_.name + ".part");  // it may go on with what is there
    std::vector<std::string> words;
    for (const std::string& word : step_.command) words.push_back(filled(word, part));
    std::string said = fs::path(words[0]).filename().string();
    for (size_t i = 1; i < words.size(); ++i)
      said += " " + (words[i] == part.string() ? step_.name + ".json" : words[i]);
    tell(said);
    Results results = results_of(step_.name, "", on_.gpu, on_.programs);
    words.insert(words.begin(), "/usr/bin/env");  // finds python3
    ClockWatch watch(on_.gpu.index);
    const ProcessEnd end =
        run_process({words[0], words, our_environment(), Output::read_both}, {.limit = left()});
    results.clocks = watch.clocks();
    log(end.output);
    if (end.too_long) throw Failed{"ran past its limit"};
    if (end.exit_code != 0 || !fs::exists(part))
      throw Failed{fmt::format("exit code {}", end.exit_code)};
    const std::string text = read_file(part.string()).value_or("");
    const Json found = Json::parse(text, nullptr, false);
    fs::remove(part);
    if (!found.is_object()) throw Failed{"what it wrote is no JSON"};
    if (found.contains("gpu") || !step_.is_lasting) return text;  // it says all about itself
    results.commands = {said};
    return results_json(results, found);
  }

  const Measurement& on_;
  const Step& step_;
  const double limit_;
  const fs::path log_;
  const Stopwatch clock_;
};

}  // namespace

StepEnd Measurement::done(const Step& step) const {
  fs::path target = results / (step.name + ".json");
  if (!step.to.empty())
    target = fs::path(results).parent_path().parent_path() /
             std::regex_replace(step.to, std::regex(R"(\{machine\})"), results.filename().string());
  const fs::path kept_result = kept / (step.name + ".json");
  const auto publish = [&] {
    fs::create_directories(target.parent_path());
    fs::copy_file(kept_result, target, fs::copy_options::overwrite_existing);
  };
  if (step.is_lasting && fs::exists(kept_result)) {
    publish();
    return {"kept", rows_in(kept_result), {}, target.string()};
  }
  const Stopwatch clock;
  Doing doing(*this, step);
  try {
    write(kept_result, doing.result());
  } catch (const LeftOut& left_out) {
    return {"left out", {}, {}, left_out.why};
  } catch (const Failed& failed) {
    if (stop_signal()) return {"interrupted", {}, clock.seconds(), ""};
    return {"FAILED", {}, clock.seconds(), fmt::format("{}: {}", failed.why, doing.last_printed())};
  }
  if (step.is_lasting) publish();
  return {"done", rows_in(kept_result), clock.seconds(),
          (step.is_lasting ? target : kept_result).string()};
}

}  // namespace headroom
