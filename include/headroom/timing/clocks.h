// The clocks of a GPU, and what holds them down, as NVIDIA's management library (NVML) tells. It is
// found at run time: where it is missing, or keeps something to itself, that is unknown, no error.
//
//   ClockWatch watch("0000:01:00.0");     the PCI address of cudaDeviceGetPCIBusId
//   Clocks now = watch.read();            now.sm_mhz 1980, now.memory_mhz 3201, now.reasons 0
//
// Source: NVIDIA, "NVML API Reference Guide" (functions, and nvmlClocksEventReasons).
#pragma once
#if defined(__linux__)
#include <dlfcn.h>
#endif

#include <optional>
#include <string>
#include <vector>

namespace headroom::timing {

struct Clocks {
  size_t sample = 0;                           // how many samples there were before
  std::optional<unsigned> sm_mhz, memory_mhz;  // now
  std::optional<unsigned> max_sm_mhz;          // what the GPU can reach
  std::optional<unsigned> celsius;
  std::optional<unsigned long long> reasons;  // why clocks are held down: bits below
  std::optional<unsigned> processes;          // that compute on this GPU, ours among them
};

struct Reason {
  unsigned long long bit;
  const char* name;
};

// Those that make a figure doubtful. Idleness (0x1) and clocks that somebody chose (0x2, 0x100) do
// not: they are how this GPU runs.
constexpr Reason throttle_reasons[] = {
    {0x04, "the power limit"},
    {0x08, "a hardware slowdown"},
    {0x10, "another GPU's clocks"},
    {0x20, "the temperature, by the driver"},
    {0x40, "the temperature, by the hardware"},
    {0x80, "the power supply"},
};

// The library: found once, and kept to the program's end.
class Nvml {
 public:
  using Device = void*;
  using Figure = int (*)(Device, int, unsigned*);

  static const Nvml& library() {
    static const Nvml found;
    return found;
  }

  Device device(const std::string& pci_address) const {
    Device found = nullptr;
    const bool known = device_by_address && device_by_address(pci_address.c_str(), &found) == 0;
    return known ? found : nullptr;
  }

  Figure clock = nullptr, max_clock = nullptr, temperature = nullptr;
  int (*reasons)(Device, unsigned long long*) = nullptr;
  int (*processes)(Device, unsigned*, void*) = nullptr;

 private:
  Nvml() {
#if defined(__linux__)
    void* library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
    int (*start)() = nullptr;
    find(library, "nvmlInit_v2", start);
    if (!start || start() != 0) return;
    find(library, "nvmlDeviceGetHandleByPciBusId_v2", device_by_address);
    find(library, "nvmlDeviceGetClockInfo", clock);
    find(library, "nvmlDeviceGetMaxClockInfo", max_clock);
    find(library, "nvmlDeviceGetTemperature", temperature);
    find(library, "nvmlDeviceGetCurrentClocksEventReasons", reasons);
    find(library, "nvmlDeviceGetCurrentClocksThrottleReasons", reasons);  // its older name
    find(library, "nvmlDeviceGetComputeRunningProcesses_v3", processes);
#endif
  }

#if defined(__linux__)
  template <typename Function>
  static void find(void* library, const char* name, Function& function) {
    if (!function) function = reinterpret_cast<Function>(dlsym(library, name));
  }
#endif

  int (*device_by_address)(const char*, Device*) = nullptr;
};

class ClockWatch {
 public:
  explicit ClockWatch(const std::string& pci_address)
      : device_(Nvml::library().device(pci_address)) {}

  Clocks read() const {
    constexpr int sm = 1, memory = 2, gpu_sensor = 0, more_than_asked_for = 7;
    const Nvml& library = Nvml::library();
    Clocks now;
    if (!device_) return now;
    now.sm_mhz = figure(library.clock, sm);
    now.memory_mhz = figure(library.clock, memory);
    now.max_sm_mhz = figure(library.max_clock, sm);
    now.celsius = figure(library.temperature, gpu_sensor);
    unsigned long long reasons = 0;
    if (library.reasons && library.reasons(device_, &reasons) == 0) now.reasons = reasons;
    unsigned count = 0;  // asked for none of them, it says how many there are
    if (library.processes) {
      const int result = library.processes(device_, &count, nullptr);
      if (result == 0 || result == more_than_asked_for) now.processes = count;
    }
    return now;
  }

 private:
  std::optional<unsigned> figure(Nvml::Figure read, int kind) const {
    unsigned value = 0;
    if (!read || read(device_, kind, &value) != 0) return {};
    return value;
  }

  Nvml::Device device_;
};

}  // namespace headroom::timing
