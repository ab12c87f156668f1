// The golden files by the machine code that ptxas makes of them, beside what they must write:
//
//   machine_forms tests/golden/forms [--architecture 80] [--only add,fma] [--json FILE] [--verbose] [--cubins FOLDER]
//   machine_forms --opcodes      those that the machine engine executes, one a line
//
//   differs  cos.ptx cos_0  0 cos.approx.f32    162 of 528 rows, at most 2 ulp; 2^-20.5 absolute
//   not run  wgmma.ptx wgmma_0            HGMMA.64x8x16.F32 …: not executed yet
//   110 files, 430 kernels: 8000 slots agree, 9 approximate ones and 3 others differ, 72 not run
//
// Approximate spellings may differ; what else differs or is not run fails. Before sm_90, what ptxas refuses is
// left out, and the PTX engine says what a kernel must write.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/error.h"
#include "forms/assemble.h"
#include "forms/golden.h"
#include "kernel/kernel.h"
#include "sim/machine_code.h"
#include "twin/bounds.h"
#include "twin/by_architecture.h"
#include "twin/opcodes.h"

namespace headroom::golden {
namespace {

struct Options {
  int architecture = 90;
  bool verbose = false;
  std::string cubins;  // where the machine code is kept, for scripts/prove/machine_code.py
};
struct Totals {
  size_t files = 0, kernels = 0, agree = 0, approximate = 0, others = 0, not_run = 0;
  size_t left_out = 0;                    // slots that the architecture does not have
  std::map<std::string, size_t> reasons;  // by what is not executed: slots
  nlohmann::json differing = nlohmann::json::array();
  Opcodes opcodes;  // of kernels that write what they must
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

// What may differ, in words; else nothing.
std::string allowance(const std::string& spelling, int architecture) {
  // The manual leaves the order of a product's sums open, and the PTX engine has that of later tensor cores.
  if (architecture == 75 && spelling.starts_with("wmma.") && spelling.find(".f16") != spelling.npos)
    return "sm_75 sums 16 products in two steps of 8";
  return std::string(bound_of(spelling));
}

void note(const std::string& kernel, size_t slot, const std::string& spelling, const Difference& d,
          const Options& options, Totals& totals) {
  const std::string bound = allowance(spelling, options.architecture);
  ++(bound.empty() ? totals.others : totals.approximate);
  totals.differing.push_back({{"kernel", kernel},
                              {"slot", slot},
                              {"spelling", spelling},
                              {"rows", d.rows},
                              {"differing", d.differing},
                              {"largest_ulp", d.largest},
                              {"bound", bound}});
  const std::string far =
      bound.empty() ? "" : ", at most " + std::to_string(d.largest) + " ulp; " + bound;
  std::printf("differs  %-30s %2zu %-28s %zu of %zu rows%s%s\n", kernel.c_str(), slot,
              spelling.c_str(), d.differing, d.rows, far.c_str(),
              options.verbose ? d.examples.c_str() : "");
}

// Right is what the lines say, without any what the PTX writes. False: it is not, or there is no comparing.
bool run_kernel(const GoldenFile& file, const Kernel& kernel, Executor& machine, Executor& ptx,
                const std::vector<std::string>* lines, const Options& options, Totals& totals) {
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
    return false;
  }
  if (kernel.fails) {
    ++totals.agree;
    return false;
  }
  const size_t others_before = totals.others;
  for (size_t s = 0; s < kernel.slots.size(); ++s) {
    const Slot& slot = kernel.slots[s];
    const Difference d = difference(slot, out, reference);
    if (lines ? s < lines->size() && describe(slot, out) == (*lines)[s] : d.differing == 0)
      ++totals.agree;
    else
      note(name, s, slot.label, d, options, totals);
  }
  return totals.others == others_before;
}

size_t slots_of(const GoldenFile& file) {
  size_t slots = 0;
  for (const Kernel& kernel : file.kernels) slots += kernel.slots.size();
  return slots;
}

// The file as an architecture has it. A kernel all of whose slots are gone goes, too.
GoldenFile read_for(const std::filesystem::path& path, int architecture, Totals& totals) {
  GoldenFile whole = read_golden(path);
  if (architecture == 90) return whole;
  const auto is_slot = [](const std::string& line) {
    return line.find("[%out+") != line.npos && line.find("entry") == line.npos;
  };
  const bool generated = whole.text.starts_with("// Made from");
  const Fitted fitting = fitted(whole.text, architecture, [&](const std::string& line) {
    return generated && is_slot(line);
  });
  GoldenFile file = golden_of(fitting.text, path);
  if (generated)
    std::erase_if(file.kernels, [](const Kernel& kernel) {
      return kernel.slots.size() == 1 && kernel.slots[0].label == kernel.name;
    });
  totals.left_out += slots_of(whole) - slots_of(file);
  return file;
}

void visit(const std::filesystem::path& path, const Options& options, Totals& totals) {
  const int architecture = options.architecture;
  const GoldenFile file = read_for(path, architecture, totals);
  ++totals.files;
  if (file.kernels.empty()) return;
  std::vector<Caveat> caveats;
  const std::vector<std::byte> cubin = ptxas_code(file.text, architecture, caveats, "");
  if (cubin.empty())
    throw Error{path.string(), caveats.empty() ? "ptxas gave nothing" : caveats.front().cause};
  if (!options.cubins.empty())
    std::ofstream(std::filesystem::path(options.cubins) / (path.stem().string() + ".cubin"))
        .write(reinterpret_cast<const char*>(cubin.data()), std::streamsize(cubin.size()));
  Executor machine(file, cubin, architecture), ptx(file, architecture);
  auto lines = expected(path);
  auto opcodes = opcodes_of(cubin);
  for (const Kernel& kernel : file.kernels) {
    if (run_kernel(file, kernel, machine, ptx, architecture == 90 ? &lines[kernel.name] : nullptr,
                   options, totals))
      totals.opcodes.merge(opcodes[kernel.name]);
    std::fflush(stdout);
  }
}

std::string option(const std::vector<std::string>& arguments, const std::string& name) {
  for (size_t i = 0; i + 1 < arguments.size(); ++i)
    if (arguments[i] == name) return arguments[i + 1];
  return "";
}

int main_of(const std::vector<std::string>& arguments) {
  if (arguments.empty()) throw Error{"machine_forms", "which folder of golden files?"};
  if (arguments[0] == "--opcodes") {
    for (const std::string_view opcode : sim::executed_opcodes())
      std::printf("%.*s\n", int(opcode.size()), opcode.data());
    return 0;
  }
  const std::string only = "," + option(arguments, "--only") + ",";
  const Options options = {
      architecture_of(option(arguments, "--architecture")),
      std::find(arguments.begin(), arguments.end(), "--verbose") != arguments.end(),
      option(arguments, "--cubins")};
  Totals totals;
  for (const auto& path : golden_paths(arguments[0])) {
    if (only != ",," && only.find("," + path.stem().string() + ",") == only.npos) continue;
    try {
      visit(path, options, totals);
    } catch (const Error& error) {
      std::printf("not run  %s: %s\n", path.filename().c_str(), error.what());
      ++totals.not_run;
    }
  }
  std::printf(
      "%zu files, %zu kernels: %zu slots agree, %zu approximate ones and %zu others differ, "
      "%zu not run, %zu left out\n",
      totals.files, totals.kernels, totals.agree, totals.approximate, totals.others, totals.not_run,
      totals.left_out);
  if (const std::string path = option(arguments, "--json"); !path.empty())
    keep_result(path, options.architecture,
                {{"files", totals.files},
                 {"kernels", totals.kernels},
                 {"agree", totals.agree},
                 {"approximate_differ", totals.approximate},
                 {"others_differ", totals.others},
                 {"not_run", totals.not_run},
                 {"left_out", totals.left_out},
                 {"opcodes", totals.opcodes},
                 {"reasons", totals.reasons},
                 {"differing", totals.differing}});
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
