#include "lab/choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "base/read_file.h"
#include "cli/output_file.h"

namespace headroom {
namespace {

bool is_known(const std::string& name) {
  return std::ranges::any_of(published_studies(), [&](const PublishedStudy& study) {
    return name == study.name || std::ranges::count(study.tables, name, &PublishedTable::name);
  });
}

Results results_in(const std::string& path, const std::string& option) {
  const std::string hint = "name a file like results/h200/copy.json";
  return parse_results(load_file(path, hint, option + " " + path), path);
}

}  // namespace

std::vector<PublishedStudy> choose_tables(const std::vector<std::string>& names) {
  std::vector<PublishedStudy> studies = published_studies();
  if (names.empty()) return studies;
  for (const std::string& name : names)
    if (!is_known(name))
      throw Error{"reproduce", fmt::format("no study or table '{}'", name),
                  "'headroom reproduce --list' names them"};
  for (PublishedStudy& study : studies) {
    if (std::ranges::count(names, study.name)) continue;
    std::erase_if(study.tables, [&](const PublishedTable& table) {
      return !std::ranges::count(names, table.name);
    });
  }
  std::erase_if(studies, [&](const PublishedStudy& study) {
    return study.tables.empty() && !std::ranges::count(names, study.name);
  });
  return studies;
}

std::vector<Caveat> without_tables(const std::vector<PublishedStudy>& studies,
                                   const std::vector<std::string>& names) {
  std::vector<Caveat> caveats;
  for (const PublishedStudy& study : studies)
    if (study.tables.empty() && std::ranges::count(names, study.name))
      caveats.push_back({fmt::format("{} has no table here", study.name),
                         "no source that we know published one",
                         fmt::format("docs/studies/{}.md has what was measured", study.name)});
  return caveats;
}

std::optional<Gpu> choose_gpu(const std::string& wanted) {
  if (wanted == "none") return std::nullopt;
  const std::vector<Gpu> gpus = gpus_here();
  if (wanted.empty()) return gpus.empty() ? std::nullopt : std::optional(gpus[0]);
  for (const Gpu& gpu : gpus)
    if (std::to_string(gpu.index) == wanted) return gpu;
  if (gpus.empty())
    throw Error{"--gpu " + wanted, "there is no GPU here: nvidia-smi finds none",
                "leave it out: what was measured elsewhere is shown then"};
  throw Error{"--gpu " + wanted, "there is no such GPU here",
              fmt::format("a number from 0 to {}, or none", gpus.back().index)};
}

// Of a folder those whose tables the sources have; it holds other results too.
std::vector<Results> earlier_results(const std::string& folder) {
  if (folder.empty()) return embedded_measurements();
  if (!std::filesystem::is_directory(folder))
    throw Error{"--results " + folder, "is no folder", "name one like results/h200"};
  std::vector<Results> all;
  for (const PublishedStudy& study : published_studies()) {
    const std::string path = fmt::format("{}/{}.json", folder, study.name);
    if (std::filesystem::exists(path)) all.push_back(results_in(path, "--results"));
  }
  return all;
}

std::vector<Results> read_results(const std::vector<std::string>& paths) {
  std::vector<Results> all;
  for (const std::string& path : paths) all.push_back(results_in(path, "--merge"));
  return all;
}

std::vector<Results> all_results(std::vector<Results> all, const std::vector<Results>& now,
                                 const std::vector<Results>& merged) {
  std::erase_if(all, [&](const Results& old) {
    return std::ranges::any_of(
        now, [&](const Results& r) { return r.study == old.study && r.gpu == old.gpu; });
  });
  all.insert(all.end(), now.begin(), now.end());
  all.insert(all.end(), merged.begin(), merged.end());
  return all;
}

void save_results(const std::vector<Results>& results, const std::string& folder) {
  if (folder.empty() || results.empty()) return;
  std::error_code ignored;  // OutputFile says what is wrong
  std::filesystem::create_directories(folder, ignored);
  for (const Results& each : results)
    OutputFile(fmt::format("{}/{}.json", folder, each.study), "--save").write(results_json(each));
}

}  // namespace headroom
