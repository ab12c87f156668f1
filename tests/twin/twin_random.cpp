// Random PTX, bit by bit: on a GPU beside the executor, on two instruction sets of the executor, or by the machine code of ptxas.
//
//   twin_random --seeds 0:4000 --forms tests/golden/forms                       on a GPU
//   twin_random --seeds 0:100 --forms tests/golden/forms --against portable     here
//   twin_random --seeds 0:2000 --forms tests/golden/forms --against machine [--architecture 80] [--json FILE]
//                                                                                   [--out FOLDER]
//   twin_random --seeds 7:8 --forms tests/golden/forms --print                  the PTX of a seed
//
//   seed 17 differs: 24 of 131072 bytes; 3 statements are left of it in seed_17.ptx
//   3999 of 4000 seeds agree
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/error.h"
#include "forms/golden.h"
#include "forms/input.h"
#include "twin/by_architecture.h"
#include "twin/gpu.h"
#include "twin/random_machine.h"
#include "twin/random_ptx.h"

namespace headroom::fuzz {
namespace {

std::string option(const std::vector<std::string>& arguments, const std::string& name) {
  for (size_t i = 0; i < arguments.size(); ++i)
    if (arguments[i] == name)
      return i + 1 < arguments.size() && !arguments[i + 1].starts_with("--") ? arguments[i + 1]
                                                                             : "yes";
  return "";
}

using Bytes = std::vector<uint8_t>;
using Run = std::function<Bytes(const std::string& text)>;

Bytes on_executor(const std::string& text) {
  const golden::GoldenFile file = golden::golden_of(text, "random.ptx");
  golden::Executor executor(file);
  return executor.run(file.kernels.at(0));
}

Run on_gpu(const std::shared_ptr<Gpu>& gpu) {
  auto in = std::make_shared<uint64_t>(0);
  const Bytes data = golden::input();
  *in = gpu->allocate(data.size());
  gpu->put(*in, data.data(), data.size());
  return [gpu, in](const std::string& text) {
    const golden::GoldenFile file = golden::golden_of(text, "random.ptx");
    const golden::Kernel& kernel = file.kernels.at(0);
    const Gpu::Module module = gpu->load(text);
    const uint64_t out = gpu->allocate(kernel.out_bytes);
    gpu->clear(out, kernel.out_bytes);
    gpu->launch(module, kernel.name, kernel.grid, kernel.block, kernel.dynamic_shared,
                golden::arguments(kernel, *in, out));
    gpu->wait();
    Bytes bytes(kernel.out_bytes);
    gpu->get(bytes.data(), out, bytes.size());
    gpu->free(out);
    gpu->unload(module);
    return bytes;
  };
}

int differing(const Bytes& a, const Bytes& b) {
  int n = 0;
  for (size_t i = 0; i < a.size(); ++i) n += a[i] != b[i];
  return n;
}

size_t size_of(const std::vector<Statement>& body) {
  size_t n = 0;
  for (const Statement& s : body) n += 1 + size_of(s.body) + size_of(s.otherwise);
  return n;
}

// Leaves statements out while the two still differ.
bool shrink_once(std::vector<Statement>& body, const std::function<bool()>& still) {
  bool changed = false;
  for (size_t chunk = std::max<size_t>(1, body.size() / 2);; chunk /= 2) {
    for (size_t at = 0; at + chunk <= body.size();) {
      std::vector<Statement> kept = body;
      body.erase(body.begin() + std::ptrdiff_t(at), body.begin() + std::ptrdiff_t(at + chunk));
      if (still()) {
        changed = true;
      } else {
        body = std::move(kept);
        at += chunk;
      }
    }
    if (chunk <= 1) break;
  }
  for (Statement& s : body) {
    changed |= shrink_once(s.body, still);
    changed |= shrink_once(s.otherwise, still);
  }
  return changed;
}

void shrink(Kernel& kernel, const Run& one, const Run& other) {
  const std::function<bool()> still = [&] {
    try {
      return differing(one(text(kernel)), other(text(kernel))) > 0;
    } catch (const Error&) {
      return false;
    }
  };
  for (int round = 0; round < 4 && shrink_once(kernel.body, still); ++round) {
  }
}

// Its shortest text that still differs, and where.
void show_shrunk(Kernel kernel, int bytes, const Run& one, const Run& other,
                 const std::string& folder) {
  shrink(kernel, one, other);
  const std::string path = folder + "/seed_" + std::to_string(kernel.seed) + ".ptx";
  std::ofstream(path) << text(kernel);
  std::printf("seed %llu differs: %d bytes; %zu statements are left of it in %s\n",
              static_cast<unsigned long long>(kernel.seed), bytes, size_of(kernel.body),
              path.c_str());
  const Bytes a = one(text(kernel)), b = other(text(kernel));
  for (size_t i = 0, shown = 0; i < a.size() && shown < 12; ++i)
    if (a[i] != b[i])
      std::printf("  byte %zu of thread %zu: %02x not %02x%s", i % 512, i / 512, a[i], b[i],
                  ++shown == 12 ? "" : ",");
  std::printf("\n");
  std::fflush(stdout);
}

int compare(uint64_t first, uint64_t last, const std::vector<std::string>& forms, const Run& one,
            const Run& other, const std::string& folder) {
  uint64_t agree = 0;
  for (uint64_t seed = first; seed < last; ++seed) {
    const Kernel kernel = random_kernel(seed, forms);
    int bytes = 0;
    try {
      const Bytes a = one(text(kernel)), b = other(text(kernel));
      bytes = differing(a, b);
      if (bytes == 0) {
        ++agree;
        continue;
      }
    } catch (const Error& error) {
      std::printf("seed %llu fails: %s\n", static_cast<unsigned long long>(seed), error.what());
      continue;
    }
    show_shrunk(kernel, bytes, one, other, folder);
  }
  std::printf("%llu of %llu seeds agree\n", static_cast<unsigned long long>(agree),
              static_cast<unsigned long long>(last - first));
  return agree == last - first ? 0 : 1;
}

// The hashes that this program gives with another instruction set, by seed.
std::map<uint64_t, std::string> hashes_of(const std::string& self, const std::string& isa,
                                          const std::string& seeds, const std::string& forms) {
  std::map<uint64_t, std::string> found;
  FILE* pipe = popen(("HEADROOM_ISA=" + isa + " '" + self + "' --seeds " + seeds + " --forms '" +
                      forms + "' --hashes")
                         .c_str(),
                     "r");
  if (!pipe) throw Error{self, "could not be started"};
  unsigned long long seed;
  char text[200];
  while (std::fscanf(pipe, "%llu %199s", &seed, text) == 2) found[seed] = text;
  pclose(pipe);
  return found;
}

std::string hash_of(uint64_t seed, const std::vector<std::string>& forms) {
  try {
    const Bytes bytes = on_executor(text(random_kernel(seed, forms)));
    return std::to_string(golden::hash(bytes.data(), bytes.size()));
  } catch (const Error& error) {
    std::fprintf(stderr, "seed %llu: %s\n", static_cast<unsigned long long>(seed), error.what());
    return "fails";
  }
}

nlohmann::json as_json(uint64_t first, uint64_t last, const MachineTotals& totals) {
  nlohmann::json differing = nlohmann::json::array(), not_run = nlohmann::json::array();
  for (const MachineDifference& d : totals.differing)
    differing.push_back({{"seed", d.seed}, {"words", d.words}, {"first", place_name(d.first)}});
  for (const auto& [reason, seeds] : totals.not_run)
    not_run.push_back({{"reason", reason}, {"seeds", seeds}});
  return {{"first_seed", first},       {"statements_left_out", totals.lines_left_out},
          {"seeds", last - first},     {"agree", totals.agree},
          {"opcodes", totals.opcodes}, {"differing", differing},
          {"not_run", not_run}};
}

int against_machine(uint64_t first, uint64_t last, const std::vector<std::string>& forms,
                    int architecture, const std::string& json, const std::string& folder) {
  const Run machine = [&](const std::string& text) {
    return on_machine(of_architecture(text, architecture), architecture);
  };
  const Run ptx = [&](const std::string& text) {
    return on_executor(of_architecture(text, architecture));
  };
  const auto differs = [&](const MachineDifference& d) {
    std::printf("differs  seed %llu: %s is %08x not %08x; %zu words differ\n",
                static_cast<unsigned long long>(d.seed), place_name(d.first).c_str(), d.machine,
                d.ptx, d.words);
    std::fflush(stdout);
    if (!folder.empty())
      show_shrunk(random_kernel(d.seed, forms), int(4 * d.words), machine, ptx, folder);
  };
  const MachineTotals totals = run_machine(first, last, forms, architecture, differs);
  size_t not_run = 0;
  for (const auto& [reason, seeds] : totals.not_run) {
    not_run += seeds.size();
    std::printf("not run  %zu seeds, the first %llu: %s\n", seeds.size(),
                static_cast<unsigned long long>(seeds[0]), reason.c_str());
  }
  std::printf("%llu of %llu seeds agree with their machine code, %zu differ, %zu not run\n",
              static_cast<unsigned long long>(totals.agree),
              static_cast<unsigned long long>(last - first), totals.differing.size(), not_run);
  if (!json.empty()) golden::keep_result(json, architecture, as_json(first, last, totals));
  return totals.agree == last - first ? 0 : 1;
}

int main_of(const std::string& self, const std::vector<std::string>& arguments) {
  const std::string seeds = option(arguments, "--seeds"), folder = option(arguments, "--forms"),
                    isa = option(arguments, "--against");
  unsigned long long first = 0, last = 0;
  if (std::sscanf(seeds.c_str(), "%llu:%llu", &first, &last) != 2 || folder.empty())
    throw Error{"twin_random", "which seeds, and where are the golden files?",
                "twin_random --seeds 0:100 --forms tests/golden/forms [--against portable|machine] "
                "[--architecture 80] [--print]"};
  const std::vector<std::string> forms = templates(folder);
  if (!option(arguments, "--print").empty() || !option(arguments, "--hashes").empty()) {
    for (uint64_t seed = first; seed < last; ++seed) {
      if (option(arguments, "--print").empty())
        std::printf("%llu %s\n", static_cast<unsigned long long>(seed),
                    hash_of(seed, forms).c_str());
      else
        std::printf("%s", text(random_kernel(seed, forms)).c_str());
    }
    return 0;
  }
  if (isa.empty())
    return compare(first, last, forms, on_gpu(std::make_shared<Gpu>()), on_executor,
                   option(arguments, "--out").empty() ? "." : option(arguments, "--out"));
  if (isa == "machine")
    return against_machine(first, last, forms,
                           golden::architecture_of(option(arguments, "--architecture")),
                           option(arguments, "--json"), option(arguments, "--out"));
  const auto theirs = hashes_of(self, isa, seeds, folder);
  uint64_t agree = 0;
  for (uint64_t seed = first; seed < last; ++seed) {
    const std::string mine = hash_of(seed, forms);
    const bool same = theirs.count(seed) && theirs.at(seed) == mine && mine != "fails";
    if (!same) std::printf("seed %llu differs\n", static_cast<unsigned long long>(seed));
    agree += same;
  }
  std::printf("%llu of %llu seeds agree with %s\n", static_cast<unsigned long long>(agree),
              last - first, isa.c_str());
  return agree == last - first ? 0 : 1;
}

}  // namespace
}  // namespace headroom::fuzz

int main(int count, char** arguments) {
  try {
    return headroom::fuzz::main_of(arguments[0], {arguments + 1, arguments + count});
  } catch (const headroom::Error& error) {
    std::fprintf(stderr, "twin_random: %s\n", error.what());
    return error.exit_code;
  }
}
