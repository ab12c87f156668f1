#include "twin/random_machine.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "forms/assemble.h"
#include "forms/golden.h"
#include "kernel/kernel.h"
#include "twin/random_ptx.h"

namespace headroom::fuzz {
namespace {

constexpr uint64_t batch = 16;  // kernels: what a start of ptxas takes is shared

using Bytes = std::vector<uint8_t>;

std::vector<std::byte> assembled(const std::string& text, int architecture) {
  std::vector<Caveat> caveats;
  std::vector<std::byte> cubin = ptxas_code(text, architecture, caveats, "");
  if (cubin.empty())
    throw Error{"ptxas", caveats.empty() ? "it gave nothing" : caveats.front().cause};
  return cubin;
}

MachineDifference difference(uint64_t seed, const Bytes& machine, const Bytes& ptx) {
  MachineDifference d;
  d.seed = seed;
  for (size_t at = 0; at + 4 <= ptx.size(); at += 4) {
    if (std::memcmp(&machine[at], &ptx[at], 4) == 0 || d.words++) continue;
    d.first = at;
    std::memcpy(&d.machine, &machine[at], 4);
    std::memcpy(&d.ptx, &ptx[at], 4);
  }
  return d;
}

golden::Fitted fit(const std::string& text, int architecture) {
  if (architecture == 90) return {text};
  return golden::fitted(text, architecture, [](const std::string&) { return true; });
}

struct Batches {
  int architecture;
  const std::function<void(const MachineDifference&)>& differs;
  MachineTotals totals;

  void compare(const golden::Kernel& kernel, uint64_t seed, golden::Opcodes& opcodes,
               golden::Executor& machine, golden::Executor& ptx) {
    const MachineDifference d = difference(seed, machine.run(kernel), ptx.run(kernel));
    totals.agree += d.words == 0;
    if (!d.words) return totals.opcodes.merge(opcodes);
    totals.differing.push_back(d);
    differs(d);
  }
  void run(const std::vector<Kernel>& kernels) {
    const golden::Fitted fitting = fit(text(kernels), architecture);
    totals.lines_left_out += fitting.lines;
    const golden::GoldenFile file = golden::golden_of(fitting.text, "random.ptx");
    const std::vector<std::byte> cubin = assembled(file.text, architecture);
    golden::Executor machine(file, cubin, architecture), ptx(file, architecture);
    auto opcodes = golden::opcodes_of(cubin);
    for (size_t k = 0; k < kernels.size(); ++k) {
      try {
        const golden::Kernel& kernel = file.kernels.at(k);
        compare(kernel, kernels[k].seed, opcodes[kernel.name], machine, ptx);
      } catch (const Error& error) {
        totals.not_run[error.what()].push_back(kernels[k].seed);
      }
    }
  }
};

}  // namespace

MachineTotals run_machine(uint64_t first, uint64_t last, const std::vector<std::string>& templates,
                          int architecture,
                          const std::function<void(const MachineDifference&)>& differs) {
  Batches batches{architecture, differs, {}};
  for (uint64_t begin = first; begin < last; begin += batch) {
    std::vector<Kernel> kernels;
    for (uint64_t seed = begin; seed < std::min(begin + batch, last); ++seed)
      kernels.push_back(random_kernel(seed, templates));
    try {
      batches.run(kernels);
    } catch (const Error& error) {  // ptxas refuses all of them
      for (const Kernel& kernel : kernels)
        batches.totals.not_run[error.what()].push_back(kernel.seed);
    }
  }
  return std::move(batches.totals);
}

std::string of_architecture(const std::string& text, int architecture) {
  return fit(text, architecture).text;
}

std::vector<uint8_t> on_machine(const std::string& text, int architecture) {
  const golden::GoldenFile file = golden::golden_of(text, "random.ptx");
  golden::Executor executor(file, assembled(text, architecture), architecture);
  return executor.run(file.kernels.at(0));
}

}  // namespace headroom::fuzz
