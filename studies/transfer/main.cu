// The transfer study: what it costs to bring bytes to a device and back, by the memory they lie in, the
// way they take, the API that is asked, and their number.
//
//   transfer --json transfer.json          on a GPU: 4 B to 1 GiB, about two minutes
//   headroom run -- transfer               on an executor: every way verified, nothing measured
//
//   host to device, microseconds
//
//   bytes       pageable  pageable, driver  pinned  pinned, driver  write-combined …
//   4               6.10              5.90    6.50            6.30            6.50
//
// One file an idea: host_memory (kinds), *_copies (APIs), patterns (directions), sweep, fit, pinning
// (where pinned pays), overlap (behind a kernel), steady (long copies, by the device's clock).
//
// Source: "Timing and Bandwidth Calculation", NetPIPE-style transfers: sizes, pageable and pinned,
// one-sided and round trip, runtime and driver.
#include <cctype>
#include <cstdio>
#include <headroom/timing.cuh>

#include "studies/common/check.h"
#include "studies/common/options.h"
#include "studies/common/origin.h"
#include "studies/common/random.h"
#include "studies/transfer/progress.h"
#include "studies/transfer/report.h"

namespace {

using namespace transfer;

constexpr const char* usage =
    "transfer: what it costs to bring bytes to a device and back\n\n"
    "  --least N          smallest transfer (default 4); 64K, 4M, 1G are understood\n"
    "  --most N           largest (default 1G, without hardware 256K)\n"
    "  --factor N         between two sizes (default 2, without hardware 16)\n"
    "  --quick            4 bytes to 1M, each size 16 times the one before\n"
    "  --memory NAME      only this kind: pageable, pinned, write-combined, mapped, managed\n"
    "  --most-managed N   largest transfer of managed memory (default 64M)\n"
    "  --only PART        only sweep, pinning, overlap or steady\n"
    "  --seed N           the input (default: a fresh one)\n"
    "  --json FILE        write everything there too\n\n"
    "exit code: 0 every transfer is right, 1 one is wrong or a CUDA call failed, 2 bad options,\n"
    "130 interrupted\n";

// Where all buffers of a size would not fit, it is better to say so than to be killed by the system.
void require_room(const study::Options& options, size_t most) {
  size_t free = 0, total = 0;
  CHECK(cudaMemGetInfo(&free, &total));
  if (most > free / 4) {
    options.reject("--most " + std::to_string(most) + " needs four times as much device memory; " +
                   std::to_string(free) + " bytes are free");
  }
  unsigned long long kilobytes = 0;
  if (std::FILE* file = std::fopen("/proc/meminfo", "r")) {
    char line[256];
    while (std::fgets(line, sizeof line, file)) {
      if (std::sscanf(line, "MemAvailable: %llu", &kilobytes) == 1) break;
    }
    std::fclose(file);
  }
  if (kilobytes && most / 1024 > kilobytes / 4) {
    options.reject("--most " + std::to_string(most) + " needs four times as much host memory; " +
                   std::to_string(kilobytes * 1024) + " bytes are available");
  }
}

Settings settings(study::Options& options, bool measured, int devices, std::string& only,
                  std::string& json) {
  const bool quick = options.flag("--quick");
  Settings chosen;
  chosen.measured = measured;
  chosen.devices = devices;
  chosen.least = size_t(options.bytes("--least", 4));
  chosen.most = size_t(options.bytes("--most", quick ? 1 << 20 : measured ? 1 << 30 : 1 << 18));
  chosen.factor = int(options.integer("--factor", quick || !measured ? 16 : 2, 2, 1 << 20));
  chosen.max_managed = size_t(options.bytes("--most-managed", 1 << 26));
  chosen.seed = options.seed(study::fresh_seed());
  const std::string memory = options.text("--memory", "");
  only = options.text("--only", "");
  json = options.text("--json", "");
  options.finish();

  for (const Memory each : memories) {
    if (memory.empty() || memory == name(each)) chosen.memories.push_back(each);
  }
  if (chosen.memories.empty()) options.reject("there is no memory '" + memory + "'");
  if (!only.empty() && only != "sweep" && only != "pinning" && only != "overlap" &&
      only != "steady")
    options.reject("there is no part '" + only + "'");
  if (chosen.least > chosen.most) options.reject("--least is larger than --most");
  require_room(options, chosen.most);
  options.require_writable(json);
  return chosen;
}

// The link that the device hangs on, as the system says: "32.0 GT/s PCIe x16".
std::string link_of(std::string address) {
  for (char& letter : address) letter = char(std::tolower(letter));
  const std::string folder = "/sys/bus/pci/devices/" + address + "/";
  const std::string speed = study::line_of(folder + "current_link_speed");
  return speed.empty() ? "" : speed + " x" + study::line_of(folder + "current_link_width");
}

About about(int argc, char** argv, const std::string& address) {
  About found;
  cudaDeviceProp device;
  int runtime = 0;
  CHECK(cudaGetDeviceProperties(&device, 0));
  CHECK(cudaRuntimeGetVersion(&runtime));
  found.device = device.name;
  found.driver = study::driver(has_driver());
  found.runtime = study::cuda_version(runtime);
  found.link = has_driver() ? link_of(address) : "";
  found.date = study::today();
  found.command = study::command_line(argc, argv);
  return found;
}

// The parts in their order, each followed by a look at the clocks.
void study_all(const Settings& chosen, const std::string& only,
               const headroom::timing::ClockWatch& watch, Results& results) {
  struct Part {
    const char* name;
    void (*run)(const Settings&, Results&);
  };
  for (const Part& part : {Part{"sweep", sweep}, Part{"pinning", pinning}, Part{"overlap", overlap},
                           Part{"steady", steady}}) {
    if (interrupted() || (!only.empty() && only != part.name)) continue;
    part.run(chosen, results);
    const headroom::timing::Clocks now = watch.read();
    if (now.sm_mhz || now.memory_mhz)
      results.clocks.push_back({part.name, now.sm_mhz, now.memory_mhz, now.celsius});
  }
}

}  // namespace

int main(int argc, char** argv) {
  study::Options options(argc, argv, usage);
  int devices = 0;
  if (const cudaError_t error = cudaGetDeviceCount(&devices)) {
    std::fprintf(stderr, "transfer: no device: %s; without one: headroom run -- transfer\n",
                 cudaGetErrorString(error));
    return 1;
  }
  std::string only, json;
  const bool measured = !headroom::timing::on_executor();
  watch_for_interrupt();
  const Settings chosen = settings(options, measured, devices, only, json);
  char address[32] = "";
  CHECK(cudaDeviceGetPCIBusId(address, sizeof address, 0));
  // Every measurement opens the management library; kept open, that is quick.
  const headroom::timing::ClockWatch kept(address);

  Results results;
  study_all(chosen, only, kept, results);
  results.interrupted = interrupted();
  progress_done();

  const About origin = about(argc, argv, address);
  print(chosen, origin, results);
  if (!json.empty() && !write_json(json, chosen, origin, results))
    options.reject("cannot write " + json);
  return results.interrupted ? 130 : results.wrong() ? 1 : 0;
}
