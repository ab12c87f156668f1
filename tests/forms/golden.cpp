#include "forms/golden.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <sstream>

#include "base/error.h"
#include "base/read_file.h"
#include "forms/input.h"
#include "kernel/kernel.h"
#include "kernel/machine_code.h"
#include "sim/machine_code.h"
#include "sim/simulate.h"

namespace headroom::golden {

std::vector<std::filesystem::path> golden_paths(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".ptx") paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

namespace {

Dim3 dimensions(const std::string& text) {  // "4", "4x2"
  Dim3 out;
  std::sscanf(text.c_str(), "%ux%ux%u", &out.x, &out.y, &out.z);
  return out;
}

Kernel directed(const std::string& directive) {
  Kernel kernel;
  std::istringstream words(directive);
  for (std::string key, value; words >> key >> value;) {
    if (key == "grid")
      kernel.grid = dimensions(value);
    else if (key == "block")
      kernel.block = dimensions(value);
    else if (key == "cluster")
      kernel.cluster = dimensions(value);
    else if (key == "shared")
      kernel.dynamic_shared = std::stoull(value);
    else if (key == "out")
      kernel.out_bytes = std::stoull(value);
    else if (key == "fails")
      kernel.fails = value == "1";
    else
      throw Error{"//: " + directive, "a golden file's kernel has no '" + key + "'",
                  "grid, block, cluster, shared, out or fails"};
  }
  return kernel;
}

void note_slot(Kernel& kernel, const std::string& line) {
  const size_t found = line.find("[%out+");
  if (found == std::string::npos) return;
  const size_t at = std::stoull(line.substr(found + 6));
  if (at % slot_bytes) return;
  size_t begin = line.find_first_not_of(" ");
  if (line[begin] == '@') begin = line.find(' ', begin) + 1;
  kernel.slots.push_back({line.substr(begin, line.find_first_of(" ;", begin) - begin), at});
  kernel.out_bytes = std::max(kernel.out_bytes, at + slot_bytes);
}

}  // namespace

GoldenFile golden_of(std::string text, const std::filesystem::path& path) {
  GoldenFile file{path, std::move(text), {}};
  std::istringstream lines(file.text);
  Kernel next;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("//:")) next = directed(line.substr(3));
    const size_t entry = line.find(".entry ");
    if (entry != std::string::npos && !line.starts_with("//")) {
      next.name = line.substr(entry + 7, line.find_first_of(" (", entry + 7) - entry - 7);
      next.more = line.find("more[64]") != std::string::npos;
      file.kernels.push_back(next);
      next = {};
    } else if (!file.kernels.empty()) {
      note_slot(file.kernels.back(), line);
    }
  }
  for (Kernel& kernel : file.kernels)
    if (kernel.slots.empty()) kernel.slots.push_back({kernel.name, 0, kernel.out_bytes});
  return file;
}

GoldenFile read_golden(const std::filesystem::path& path) {
  return golden_of(load_file(path), path);
}

std::vector<uint8_t> arguments(const Kernel& kernel, uint64_t in, uint64_t out) {
  std::vector<uint8_t> bytes(kernel.more ? 80 : 16);
  std::memcpy(bytes.data(), &in, 8);
  std::memcpy(bytes.data() + 8, &out, 8);
  for (size_t i = 16; i < bytes.size(); ++i) bytes[i] = uint8_t(i * 73 + 5);
  return bytes;
}

uint64_t hash(const uint8_t* bytes, size_t count) {
  uint64_t h = 0xcbf29ce484222325;
  for (size_t i = 0; i < count; ++i) h = (h ^ bytes[i]) * 0x100000001b3;
  return h;
}

std::string describe(const Slot& slot, const std::vector<uint8_t>& out) {
  char text[96];
  std::snprintf(text, sizeof text, " %016llx ",
                static_cast<unsigned long long>(hash(&out[slot.at], slot.bytes)));
  std::string line = "  " + slot.label + text;
  for (size_t word = 0; word < 6 && (word + 1) * 16 <= slot.bytes; ++word) {
    uint64_t value;
    std::memcpy(&value, &out[slot.at + (2 + word) * 16 % slot.bytes], 8);
    std::snprintf(text, sizeof text, " %llx", static_cast<unsigned long long>(value));
    line += text;
  }
  return line + "\n";
}

struct Executor::State {
  std::unique_ptr<sim::Memory> memory = std::make_unique<sim::Memory>(1ull << 32);
  sim::LoadedModule module;
  std::shared_ptr<const sass::Module> code;
  std::map<std::string, Resources> resources;  // of the machine code
  uint64_t in = 0;
  int architecture = 90;

  std::shared_ptr<const sim::Program> decode(const Kernel& kernel) {
    if (!code) return sim::decode(module, kernel.name);
    const Resources& needs = resources[kernel.name];
    sim::MachineOptions options;
    options.clustered = kernel.cluster.count() > 1;
    options.local_bytes = needs.stack.value_or(0);
    options.static_shared = needs.static_shared.value_or(0);
    return sim::decode(module, code, kernel.name, options);
  }

  uint64_t allocate(size_t bytes) {
    if (const auto address = memory->allocate(bytes)) return *address;
    throw Error{"golden files", "no device memory of " + std::to_string(bytes) + " bytes is left"};
  }
};

Executor::Executor(const GoldenFile& file, int architecture) : state(std::make_unique<State>()) {
  state->architecture = architecture;
  state->module = sim::load_module(
      std::make_shared<ptx::Module>(ptx::parse(file.text, file.path.filename().string())),
      *state->memory);
  static const std::vector<uint8_t> data = input();
  state->in = state->allocate(data.size());
  std::memcpy(reinterpret_cast<void*>(state->in), data.data(), data.size());
}
Executor::Executor(const GoldenFile& file, const std::vector<std::byte>& cubin, int architecture)
    : Executor(file, architecture) {
  const std::string name = file.path.filename().string();
  state->code = std::make_shared<sass::Module>(read_machine_code({cubin, name}));
  state->resources = cubin_resources(cubin, name);
}
Executor::~Executor() = default;

std::vector<uint8_t> Executor::run(const Kernel& kernel) {
  const uint64_t out = state->allocate(kernel.out_bytes);
  std::memset(reinterpret_cast<void*>(out), 0, kernel.out_bytes);
  Launch launch;
  launch.shape = {.kernel = kernel.name, .grid = kernel.grid, .block = kernel.block};
  launch.shape.dynamic_shared = kernel.dynamic_shared;
  if (kernel.cluster.count() > 1) launch.shape.cluster = kernel.cluster;
  for (uint8_t byte : arguments(kernel, state->in, out))
    launch.arguments.push_back(std::byte(byte));
  const sim::Outcome outcome = sim::simulate(*state->decode(kernel), launch, *state->memory,
                                             sim::Limits{4, 2, 1'000'000'000, state->architecture});
  if (!outcome.completed && kernel.fails) return {};
  if (outcome.completed == kernel.fails)
    throw Error{kernel.name,
                outcome.findings.empty() ? "did not complete" : outcome.findings[0].what};
  std::vector<uint8_t> bytes(kernel.out_bytes);
  std::memcpy(bytes.data(), reinterpret_cast<void*>(out), bytes.size());
  state->memory->free(out);
  return bytes;
}

}  // namespace headroom::golden
