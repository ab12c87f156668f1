// The golden files on a GPU and on the executor, bit by bit:
//
//   twin tests/golden/forms --json forms.json
//
//   differs  ex2.approx.ftz.f32      412 of 528 rows, at most 2 ulp     the manual: 2^-22 relative
//   4312 spellings agree, 38 approximate ones differ, 0 others differ
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/error.h"
#include "forms/golden.h"
#include "forms/input.h"
#include "twin/bounds.h"
#include "twin/gpu.h"

namespace headroom::fuzz {
namespace {

using golden::GoldenFile, golden::Kernel, golden::Slot;

struct Difference {
  std::string file, kernel, label;
  int slot = 0, rows = 0, differing = 0;
  uint64_t largest = 0;  // ulp
  std::string examples;
};

std::string hex(const uint8_t* bytes) {
  char text[40];
  uint64_t low, high;
  std::memcpy(&low, bytes, 8);
  std::memcpy(&high, bytes + 8, 8);
  std::snprintf(text, sizeof text, "%llx:%llx", static_cast<unsigned long long>(low),
                static_cast<unsigned long long>(high));
  return text;
}

Difference compare(const Slot& slot, const std::vector<uint8_t>& gpu,
                   const std::vector<uint8_t>& ours, std::ostream* dump) {
  Difference d;
  d.label = slot.label;
  for (size_t at = slot.at; at + 16 <= slot.at + slot.bytes; at += 16) {
    ++d.rows;
    if (std::memcmp(&gpu[at], &ours[at], 16) == 0) continue;
    ++d.differing;
    if (dump)
      *dump << slot.label << " row " << (at - slot.at) / 16 << " " << hex(&gpu[at]) << " "
            << hex(&ours[at]) << "\n";
    d.largest = std::max(d.largest, golden::units_apart(&gpu[at], &ours[at], slot.label));
    if (d.differing <= 4)
      d.examples += "  row " + std::to_string((at - slot.at) / 16) + ": " + hex(&gpu[at]) +
                    " not " + hex(&ours[at]);
  }
  return d;
}

struct Result {  // of one file
  std::vector<Difference> differing;
  std::vector<std::string> failed;
  size_t agreeing = 0, rows = 0, kernels = 0;
};

struct Visit {
  Gpu gpu;
  std::ofstream dump;  // every row that differs
  uint64_t in = 0;

  void put_input() {
    const std::vector<uint8_t> data = golden::input();
    in = gpu.allocate(data.size());
    gpu.put(in, data.data(), data.size());
  }
  std::vector<uint8_t> run(Gpu::Module module, const Kernel& kernel) {
    const uint64_t out = gpu.allocate(kernel.out_bytes);
    gpu.clear(out, kernel.out_bytes);
    gpu.launch(module, kernel.name, kernel.grid, kernel.block, kernel.dynamic_shared,
               golden::arguments(kernel, in, out));
    gpu.wait();
    std::vector<uint8_t> bytes(kernel.out_bytes);
    gpu.get(bytes.data(), out, bytes.size());
    gpu.free(out);
    return bytes;
  }
  void compare_kernel(const std::string& file, Gpu::Module module, const Kernel& kernel,
                      golden::Executor& executor, Result& result) {
    const std::vector<uint8_t> theirs = run(module, kernel);
    std::vector<uint8_t> ours(theirs.size());
    try {
      ours = executor.run(kernel);
    } catch (const Error& error) {
      result.failed.push_back(file + ": " + error.what());
    }
    ++result.kernels;
    for (size_t s = 0; s < kernel.slots.size(); ++s) {
      Difference d = compare(kernel.slots[s], theirs, ours, dump.is_open() ? &dump : nullptr);
      d.file = file, d.kernel = kernel.name, d.slot = int(s);
      result.rows += size_t(d.rows);
      if (d.differing)
        result.differing.push_back(d);
      else
        ++result.agreeing;
    }
  }
  Result visit(const GoldenFile& file) {
    const std::string name = file.path.filename().string();
    Result result;
    try {
      golden::Executor executor(file);
      const Gpu::Module module = gpu.load(file.text);
      for (const Kernel& kernel : file.kernels)
        if (!kernel.fails) compare_kernel(name, module, kernel, executor, result);
      gpu.unload(module);
    } catch (const Error& error) {
      result.failed.push_back(name + ": " + error.what());
    }
    return result;
  }
  bool sound() {
    try {
      gpu.wait();
      return true;
    } catch (const Error&) {
      return false;  // after a fault only a new process can use the GPU again
    }
  }
};

nlohmann::json as_json(const Result& r) {
  nlohmann::json differing = nlohmann::json::array();
  for (const Difference& d : r.differing)
    differing.push_back({{"file", d.file},
                         {"kernel", d.kernel},
                         {"slot", d.slot},
                         {"spelling", d.label},
                         {"rows", d.rows},
                         {"differing", d.differing},
                         {"largest_ulp", d.largest},
                         {"bound", golden::bound_of(d.label)},
                         {"examples", d.examples}});
  return {{"differing", differing},
          {"failed", r.failed},
          {"agree", r.agreeing},
          {"rows", r.rows},
          {"kernels", r.kernels}};
}

// Visits the files from `first` on in a process of its own, until one of them faults; their results, a line each. What one may crash is
// the driver's compiler too.
std::vector<nlohmann::json> visit_files(const std::vector<std::filesystem::path>& paths,
                                        size_t first, const std::string& dump, std::string& device,
                                        std::string& ended_by) {
  int ends[2];
  if (pipe(ends) != 0) throw Error{"twin", "no pipe"};
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    FILE* out = fdopen(ends[1], "w");
    try {
      Visit visit;
      visit.put_input();
      if (!dump.empty()) visit.dump.open(dump, std::ios::app);
      std::fprintf(out, "%s\n",
                   nlohmann::json({{"device", visit.gpu.name()}, {"driver", visit.gpu.driver()}})
                       .dump()
                       .c_str());
      std::fflush(out);
      for (size_t i = first; i < paths.size(); ++i) {
        std::fprintf(out, "%s\n",
                     as_json(visit.visit(golden::read_golden(paths[i]))).dump().c_str());
        std::fflush(out);
        visit.dump.flush();
        if (!visit.sound()) break;
      }
    } catch (const Error& error) {
      std::fprintf(stderr, "twin: %s\n", error.what());
    }
    std::fclose(out);
    _exit(0);
  }
  close(ends[1]);
  std::string text;
  char buffer[65536];
  for (ssize_t n; (n = read(ends[0], buffer, sizeof buffer)) > 0;) text.append(buffer, size_t(n));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  ended_by = WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "";
  std::vector<nlohmann::json> results;
  std::istringstream lines(text);
  std::getline(lines, device);
  for (std::string line; std::getline(lines, line);) results.push_back(nlohmann::json::parse(line));
  return results;
}

std::string option(const std::vector<std::string>& arguments, const std::string& name) {
  for (size_t i = 0; i + 1 < arguments.size(); ++i)
    if (arguments[i] == name) return arguments[i + 1];
  return "";
}

int main_of(const std::vector<std::string>& arguments) {
  if (arguments.empty())
    throw Error{"twin", "which folder of golden files?",
                "twin tests/golden/forms [--json FILE] [--dump FILE]"};
  const std::vector<std::filesystem::path> paths = golden::golden_paths(arguments[0]);
  std::vector<nlohmann::json> results;
  std::string device, ended_by;
  while (results.size() < paths.size()) {
    const auto more =
        visit_files(paths, results.size(), option(arguments, "--dump"), device, ended_by);
    if (device.empty()) throw Error{"twin", "the GPU cannot be used"};
    results.insert(results.end(), more.begin(), more.end());
    if (results.size() == paths.size() || (!more.empty() && ended_by.empty())) continue;
    Result crashed;
    crashed.failed.push_back(paths[results.size()].filename().string() + ": crashes, " +
                             (ended_by.empty() ? "nothing came of it" : ended_by));
    results.push_back(as_json(crashed));
  }
  nlohmann::json all = nlohmann::json::parse(device), differing = nlohmann::json::array(),
                 failed = nlohmann::json::array();
  size_t agree = 0, rows = 0, kernels = 0, approximate = 0;
  for (const nlohmann::json& r : results) {
    agree += r["agree"].get<size_t>(), rows += r["rows"].get<size_t>(),
        kernels += r["kernels"].get<size_t>();
    for (const auto& f : r["failed"]) failed.push_back(f);
    for (const auto& d : r["differing"]) differing.push_back(d);
  }
  for (const auto& f : failed) std::printf("failed   %s\n", f.get<std::string>().c_str());
  for (auto& d : differing) {
    const std::string bound = d["bound"];
    approximate += !bound.empty();
    std::printf("differs  %s %s %d  %-32s %3d of %d rows%s%s\n",
                d["file"].get<std::string>().c_str(), d["kernel"].get<std::string>().c_str(),
                d["slot"].get<int>(), d["spelling"].get<std::string>().c_str(),
                d["differing"].get<int>(), d["rows"].get<int>(),
                bound.empty() ? ""
                              : (", at most " + std::to_string(d["largest_ulp"].get<uint64_t>()) +
                                 " ulp; the manual: " + bound)
                                    .c_str(),
                d["examples"].get<std::string>().c_str());
    d.erase("examples");
  }
  const size_t others = differing.size() - approximate;
  std::printf(
      "%zu files, %zu kernels, %zu rows: %zu spellings agree bit for bit, %zu approximate ones "
      "differ, %zu others differ; %zu failures\n",
      paths.size(), kernels, rows, agree, approximate, others, failed.size());
  all.update({{"files", paths.size()},
              {"kernels", kernels},
              {"rows", rows},
              {"agree", agree},
              {"approximate_differ", approximate},
              {"others_differ", others},
              {"failed", failed},
              {"differing", differing}});
  if (const std::string path = option(arguments, "--json"); !path.empty())
    std::ofstream(path) << all.dump(1) << "\n";
  return others || !failed.empty() ? 1 : 0;
}

}  // namespace
}  // namespace headroom::fuzz

int main(int count, char** arguments) {
  try {
    return headroom::fuzz::main_of({arguments + 1, arguments + count});
  } catch (const headroom::Error& error) {
    std::fprintf(stderr, "twin: %s\n", error.what());
    return error.exit_code;
  }
}
