#include "run/gpu_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "base/error.h"
#include "headroom/timing/samples.h"
#include "run/process.h"

namespace headroom {
namespace {

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream stream(line);
  for (std::string cell; std::getline(stream, cell, ',');) {
    const size_t begin = cell.find_first_not_of(' ');
    const size_t end = cell.find_last_not_of(" \r");
    cells.push_back(begin == cell.npos ? "" : cell.substr(begin, end - begin + 1));
  }
  return cells;
}

std::string nvidia_smi() {
  const char* path = getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::error_code ignored;
    const std::filesystem::path program = std::filesystem::path(folder) / "nvidia-smi";
    if (std::filesystem::exists(program, ignored)) return program.string();
  }
  return "";
}

std::string query(const std::string& selection, const std::string& what) {
  const std::string program = nvidia_smi();
  if (program.empty()) return "";
  std::vector<std::string> command{program, "--query-gpu=" + what, "--format=csv,noheader,nounits"};
  if (!selection.empty()) command.push_back("--id=" + selection);
  try {
    const ProcessEnd end = run_process({program, command, our_environment(), Output::read_both});
    return end.exit_code == 0 ? end.output : "";
  } catch (const Error&) {  // no program for this machine
    return "";
  }
}

constexpr const char* names[] = {"sm_mhz", "memory_mhz", "celsius", "watts"};

}  // namespace

std::vector<Gpu> parse_gpus(const std::string& text) {
  std::vector<Gpu> gpus;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const auto cells = cells_of(line);
    char* rest = nullptr;
    if (cells.size() != 3) continue;
    const long index = std::strtol(cells[0].c_str(), &rest, 10);
    if (!cells[0].empty() && !*rest) gpus.push_back({int(index), cells[1], cells[2]});
  }
  return gpus;
}

std::vector<ClockRange> parse_clocks(const std::string& text) {
  std::vector<double> readings[std::size(names)];
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const auto cells = cells_of(line);
    for (size_t i = 0; i < std::min(cells.size(), std::size(names)); ++i) {
      char* rest = nullptr;
      const double value = std::strtod(cells[i].c_str(), &rest);
      if (!cells[i].empty() && !*rest) readings[i].push_back(value);
    }
  }
  std::vector<ClockRange> clocks;
  for (size_t i = 0; i < std::size(names); ++i) {
    auto& values = readings[i];
    if (values.empty()) continue;
    std::ranges::sort(values);
    clocks.push_back({names[i], values.front(), timing::middle_of(values), values.back()});
  }
  return clocks;
}

std::vector<Gpu> gpus_here() { return parse_gpus(query("", "index,name,driver_version")); }

ClockWatch::ClockWatch(int gpu) : reader_([this, gpu] { read(gpu); }) {}

ClockWatch::~ClockWatch() { clocks(); }

void ClockWatch::read(int gpu) {
  do {  // once at least: a study may be short
    lines_ += query(std::to_string(gpu), "clocks.sm,clocks.mem,temperature.gpu,power.draw");
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  } while (!over_);
}

std::vector<ClockRange> ClockWatch::clocks() {
  over_ = true;
  if (reader_.joinable()) reader_.join();
  return parse_clocks(lines_);
}

}  // namespace headroom
