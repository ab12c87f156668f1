// The golden files by the machine code that ptxas makes of them, beside what they must write:
//
//   machine_forms tests/golden/forms [--only add,fma] [--json FILE] [--verbose]
//
//   differs  cos.ptx cos_0  0 cos.approx.f32    162 of 528 rows, at most 2 ulp; the manual: 2^-20.5 absolute
//   not run  wgmma.ptx wgmma_0            HGMMA.64x8x16.F32 …: not executed yet
//   110 files, 430 kernels: 8000 slots agree, 9 approximate ones and 3 others differ, 72 not run
//
// Approximate spellings may differ; what else differs or is not run fails.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/error.h"
#include "forms/golden.h"
#include "kernel/assembler.h"
#include "kernel/kernel.h"
#include "twin/bounds.h"

namespace headroom::golden {
namespace {

struct Totals {
  size_t files = 0, kernels = 0, agree = 0, approximate = 0, others = 0, not_run = 0;
  std::map<std::string, size_t> reasons;  // by what is not executed: slots
  nlohmann::json differing = nlohmann::json::array();
};

// "add.u32 5f0c8e7b3d1a9f02  0 1 …" by kernel: what the .out file says.
std::map<std::string, std::vector<std::string>> expected(const std::filesystem::path& path) {
  std::map<std::string, std::vector<std::string>> by_kernel;
  std::ifstream file(std::filesystem::path(path).replace_extension(".out"));
  std::string kernel;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("  "))
      kernel = line;
    else
      by_kernel[kernel].push_back(line + "\n");
  }
  return by_kernel;
}

struct Difference {
  size_t rows = 0, differing = 0;
  uint64_t largest = 0;  // ulp
  std::string examples;
};

std::string example(size_t row, const uint8_t* machine, const uint8_t* ptx) {
  unsigned long long words[4];
  std::memcpy(words, machine, 16);
  std::memcpy(words + 2, ptx, 16);
  char text[120];
  std::snprintf(text, sizeof text, "  row %zu: %llx:%llx not %llx:%llx", row, words[0], words[1],
                words[2], words[3]);
  return text;
}

Difference difference(const Slot& slot, const std::vector<uint8_t>& machine,
                      const std::vector<uint8_t>& ptx) {
  Difference d;
  for (size_t at = slot.at; at + 16 <= slot.at + slot.bytes; at += 16, ++d.rows) {
    if (std::memcmp(&machine[at], &ptx[at], 16) == 0) continue;
    d.largest = std::max(d.largest, units_apart(&machine[at], &ptx[at], slot.label));
    if (++d.differing <= 3) d.examples += example(d.rows, &machine[at], &ptx[at]);
  }
  return d;
}

void note(const std::string& kernel, size_t slot, const std::string& spelling, const Difference& d,
          bool verbose, Totals& totals) {
  const std::string bound(bound_of(spelling));
  ++(bound.empty() ? totals.others : totals.approximate);
  totals.differing.push_back({{"kernel", kernel},
                              {"slot", slot},
                              {"spelling", spelling},
                              {"rows", d.rows},
                              {"differing", d.differing},
                              {"largest_ulp", d.largest},
                              {"bound", bound}});
  const std::string far =
      bound.empty() ? "" : ", at most " + std::to_string(d.largest) + " ulp; the manual: " + bound;
  std::printf("differs  %-30s %2zu %-28s %zu of %zu rows%s%s\n", kernel.c_str(), slot,
              spelling.c_str(), d.differing, d.rows, far.c_str(),
              verbose ? d.examples.c_str() : "");
}

void run_kernel(const GoldenFile& file, const Kernel& kernel, Executor& machine, Executor& ptx,
                const std::vector<std::string>& lines, bool verbose, Totals& totals) {
  ++totals.kernels;
  const std::string name = file.path.filename().string() + " " + kernel.name;
  std::vector<uint8_t> out, reference;
  try {
    out = machine.run(kernel);
    reference = ptx.run(kernel);
  } catch (const Error& error) {
    const std::string reason = error.what();
    totals.not_run += kernel.slots.size();
    totals.reasons[reason] += kernel.slots.size();
    std::printf("not run  %-36s %s\n", name.c_str(), reason.c_str());
    return;
  }
  if (kernel.fails) {
    ++totals.agree;
    return;
  }
  for (size_t s = 0; s < kernel.slots.size(); ++s) {
    const Slot& slot = kernel.slots[s];
    if (s < lines.size() && describe(slot, out) == lines[s])
      ++totals.agree;
    else
      note(name, s, slot.label, difference(slot, out, reference), verbose, totals);
  }
}

void visit(const std::filesystem::path& path, bool verbose, Totals& totals) {
  const GoldenFile file = read_golden(path);
  ++totals.files;
  std::vector<Caveat> caveats;
  const std::vector<std::byte> cubin = ptxas_code(file.text, 90, caveats, "");
  if (cubin.empty())
    throw Error{path.string(), caveats.empty() ? "ptxas gave nothing" : caveats.front().cause};
  Executor machine(file, cubin), ptx(file);
  const auto lines = expected(path);
  for (const Kernel& kernel : file.kernels) {
    const auto found = lines.find(kernel.name);
    run_kernel(file, kernel, machine, ptx,
               found == lines.end() ? std::vector<std::string>{} : found->second, verbose, totals);
    std::fflush(stdout);
  }
}

std::string ptxas_version() {
  std::vector<Caveat> caveats;
  const Assembler* tool = assembler(caveats);
  return tool ? tool->version : "";
}

std::string option(const std::vector<std::string>& arguments, const std::string& name) {
  for (size_t i = 0; i + 1 < arguments.size(); ++i)
    if (arguments[i] == name) return arguments[i + 1];
  return "";
}

int main_of(const std::vector<std::string>& arguments) {
  if (arguments.empty()) throw Error{"machine_forms", "which folder of golden files?"};
  const std::string only = "," + option(arguments, "--only") + ",";
  bool verbose = false;
  for (const std::string& argument : arguments) verbose |= argument == "--verbose";
  Totals totals;
  for (const auto& path : golden_paths(arguments[0])) {
    if (only != ",," && only.find("," + path.stem().string() + ",") == only.npos) continue;
    try {
      visit(path, verbose, totals);
    } catch (const Error& error) {
      std::printf("not run  %s: %s\n", path.filename().c_str(), error.what());
      ++totals.not_run;
    }
  }
  std::printf(
      "%zu files, %zu kernels: %zu slots agree, %zu approximate ones and %zu others differ, "
      "%zu not run\n",
      totals.files, totals.kernels, totals.agree, totals.approximate, totals.others,
      totals.not_run);
  if (const std::string path = option(arguments, "--json"); !path.empty())
    std::ofstream(path) << nlohmann::json{{"ptxas", ptxas_version()},
                                          {"files", totals.files},
                                          {"kernels", totals.kernels},
                                          {"agree", totals.agree},
                                          {"approximate_differ", totals.approximate},
                                          {"others_differ", totals.others},
                                          {"not_run", totals.not_run},
                                          {"reasons", totals.reasons},
                                          {"differing", totals.differing}}
                               .dump(1)
                        << "\n";
  return totals.others || totals.not_run ? 1 : 0;
}

}  // namespace
}  // namespace headroom::golden

int main(int count, char** arguments) {
  try {
    return headroom::golden::main_of({arguments + 1, arguments + count});
  } catch (const headroom::Error& error) {
    std::fprintf(stderr, "machine_forms: %s\n", error.what());
    return error.exit_code;
  }
}
