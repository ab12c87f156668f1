// The golden files on a GPU and on the executor, bit by bit:
//
//   twin tests/golden/forms --json forms.json
//
//   differs  ex2.approx.ftz.f32      412 of 528 rows, at most 2 ulp     the manual: 2^-22 relative
//   4312 spellings agree, 38 approximate ones differ, 0 others differ
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "forms/golden.h"
#include "forms/input.h"
#include "forms/spellings.h"
#include "gpu.h"

namespace headroom::fuzz {
namespace {

using golden::GoldenFile, golden::Kernel, golden::Slot;

// What the manual promises of approximations.
struct Bound {
  std::string_view spelling, text;
};
constexpr Bound bounds[] = {
    {"div.approx", "2 ulp for 2^-126 <= |b| <= 2^126"}, {"div.full", "2 ulp"},      {"rcp.approx.ftz.f64", "its 20 leading bits"}, {"rcp.approx", "1 ulp"}, {"sqrt.approx", "2^-23 relative"}, {"rsqrt.approx.f64", "2^-22 relative"},
    {"rsqrt.approx.ftz.f64", "its 20 leading bits"}, {"rsqrt.approx", "2^-22.9 relative"}, {"sin.approx", "2^-20.5 absolute in [-2 pi, 2 pi]"}, {"cos.approx", "2^-20.5 absolute in [-2 pi, 2 pi]"}, {"lg2.approx", "2^-22.6"},
    {"ex2.approx.f16", "2^-9.9 relative"}, {"ex2.approx.ftz.bf16", "2^-7 relative"}, {"ex2.approx", "2 ulp"}, {"tanh.approx.f16", "2^-10.987 absolute"}, {"tanh.approx.bf16", "2^-8 absolute"}, {"tanh.approx", "2^-11 relative"}};
std::string_view bound_of(const std::string& label) {
  for (const Bound& bound : bounds)
    if (label.starts_with(bound.spelling)) return bound.text;
  return "";
}

struct Difference {
  std::string file, kernel, label;
  int slot = 0, rows = 0, differing = 0;
  uint64_t largest = 0;   // ulp
  std::string examples;
};

// Floats in the order of the numbers they stand for.
int64_t ordered(uint64_t bits, int width) {
  const uint64_t sign = 1ull << (width - 1);
  return bits & sign ? -int64_t(bits & (sign - 1)) : int64_t(bits);
}
uint64_t distance(const uint8_t* a, const uint8_t* b, const std::string& label) {
  const auto types = golden::split(label).types();
  const std::string type = types.empty() ? "f32" : types[0];
  const int width = type == "f64" ? 64 : type == "f32" ? 32 : 16, parts = type.ends_with("x2") ? 2 : 1;
  uint64_t most = 0;
  for (int p = 0; p < parts; ++p) {
    uint64_t x = 0, y = 0;
    std::memcpy(&x, a + p * width / 8, size_t(width / 8));
    std::memcpy(&y, b + p * width / 8, size_t(width / 8));
    const int64_t far = ordered(x, width) - ordered(y, width);
    most = std::max(most, uint64_t(far < 0 ? -far : far));
  }
  return most;
}

std::string hex(const uint8_t* bytes) {
  char text[40];
  uint64_t low, high;
  std::memcpy(&low, bytes, 8);
  std::memcpy(&high, bytes + 8, 8);
  std::snprintf(text, sizeof text, "%llx:%llx", static_cast<unsigned long long>(low), static_cast<unsigned long long>(high));
  return text;
}

Difference compare(const Slot& slot, const std::vector<uint8_t>& gpu, const std::vector<uint8_t>& ours) {
  Difference d;
  d.label = slot.label;
  for (size_t at = slot.at; at + 16 <= slot.at + slot.bytes; at += 16) {
    ++d.rows;
    if (std::memcmp(&gpu[at], &ours[at], 16) == 0) continue;
    ++d.differing;
    d.largest = std::max(d.largest, distance(&gpu[at], &ours[at], slot.label));
    if (d.differing <= 4) d.examples += "  row " + std::to_string((at - slot.at) / 16) + ": " + hex(&gpu[at]) + " not " + hex(&ours[at]);
  }
  return d;
}

struct Visit {
  Gpu gpu;
  uint64_t in = 0;
  std::vector<Difference> differing;
  std::vector<std::string> refused;
  size_t agreeing = 0, rows = 0, files = 0, kernels = 0;

  void put_input() {
    const std::vector<uint8_t> data = golden::input();
    in = gpu.allocate(data.size());
    gpu.put(in, data.data(), data.size());
  }
  std::vector<uint8_t> run(Gpu::Module module, const Kernel& kernel) {
    const uint64_t out = gpu.allocate(kernel.out_bytes);
    gpu.clear(out, kernel.out_bytes);
    gpu.launch(module, kernel.name, kernel.grid, kernel.block, kernel.dynamic_shared, golden::arguments(kernel, in, out));
    gpu.wait();
    std::vector<uint8_t> bytes(kernel.out_bytes);
    gpu.get(bytes.data(), out, bytes.size());
    gpu.free(out);
    return bytes;
  }
  void visit(const GoldenFile& file) {
    const std::string name = file.path.filename().string();
    try {
      golden::Executor executor(file);
      const Gpu::Module module = gpu.load(file.text);
      for (const Kernel& kernel : file.kernels) {
        if (kernel.fails) continue;
        const std::vector<uint8_t> theirs = run(module, kernel), ours = executor.run(kernel);
        ++kernels;
        for (size_t s = 0; s < kernel.slots.size(); ++s) {
          Difference d = compare(kernel.slots[s], theirs, ours);
          d.file = name, d.kernel = kernel.name, d.slot = int(s);
          rows += size_t(d.rows);
          if (d.differing) differing.push_back(d);
          else ++agreeing;
        }
      }
      gpu.unload(module);
      ++files;
    } catch (const Error& error) {
      refused.push_back(name + ": " + error.what());
      std::printf("failed   %s\n", refused.back().c_str());
      try { gpu.wait(); } catch (const Error&) { gpu.reset(); put_input(); }
    }
  }
};

int main_of(const std::vector<std::string>& arguments) {
  if (arguments.empty()) throw Error{"twin", "which folder of golden files?", "twin tests/golden/forms [--json FILE]"};
  Visit visit;
  visit.put_input();
  std::printf("%s, driver %d\n", visit.gpu.name().c_str(), visit.gpu.driver());
  for (const auto& path : golden::golden_paths(arguments[0])) visit.visit(golden::read_golden(path));
  size_t approximate = 0;
  nlohmann::json table = nlohmann::json::array();
  for (const Difference& d : visit.differing) {
    const bool approx = !bound_of(d.label).empty();
    approximate += approx;
    std::printf("differs  %s %s %d  %-32s %3d of %d rows%s%s\n", d.file.c_str(), d.kernel.c_str(), d.slot, d.label.c_str(), d.differing, d.rows,
                approx ? (", at most " + std::to_string(d.largest) + " ulp; the manual: " + std::string(bound_of(d.label))).c_str() : "", d.examples.c_str());
    table.push_back({{"file", d.file}, {"kernel", d.kernel}, {"slot", d.slot}, {"spelling", d.label}, {"rows", d.rows}, {"differing", d.differing}, {"largest_ulp", d.largest}, {"bound", bound_of(d.label)}});
  }
  const size_t others = visit.differing.size() - approximate;
  std::printf("%zu files, %zu kernels, %zu rows: %zu spellings agree bit for bit, %zu approximate ones differ, %zu others differ; %zu files failed\n", visit.files, visit.kernels, visit.rows, visit.agreeing, approximate, others,
              visit.refused.size());
  if (arguments.size() == 3 && arguments[1] == "--json") {
    const nlohmann::json all = {{"device", visit.gpu.name()}, {"driver", visit.gpu.driver()}, {"files", visit.files}, {"kernels", visit.kernels}, {"rows", visit.rows}, {"agree", visit.agreeing},
                                {"approximate_differ", approximate}, {"others_differ", others}, {"failed", visit.refused}, {"differing", table}};
    std::ofstream(arguments[2]) << all.dump(1) << "\n";
  }
  return others || !visit.refused.empty() ? 1 : 0;
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
