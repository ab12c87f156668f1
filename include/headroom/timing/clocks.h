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
  std::optional<unsigned> most_sm_mhz;         // what the GPU can reach
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

class ClockWatch {
 public:
  ClockWatch() = default;  // knows nothing
  explicit ClockWatch(const std::string& pci_address) { open(pci_address); }
  ClockWatch(const ClockWatch&) = delete;
  ClockWatch& operator=(const ClockWatch&) = delete;
  ~ClockWatch() {
#if defined(__linux__)
    if (library_) {
      if (auto shutdown = find<int (*)()>("nvmlShutdown")) shutdown();
      dlclose(library_);
    }
#endif
  }

  bool knows() const { return device_; }

  Clocks read() const {
    Clocks now;
    if (!device_) return now;
    now.sm_mhz = clock(clock_now_, 1);
    now.memory_mhz = clock(clock_now_, 2);
    now.most_sm_mhz = clock(clock_most_, 1);
    now.celsius = clock(temperature_, 0);
    unsigned long long reasons = 0;
    if (reasons_ && reasons_(device_, &reasons) == 0) now.reasons = reasons;
    unsigned count = 0;  // asked for none, it says how many there are (7: not enough room)
    if (processes_) {
      const int result = processes_(device_, &count, nullptr);
      if (result == 0 || result == 7) now.processes = count;
    }
    return now;
  }

 private:
  using Device = void*;
  using Figure = int (*)(Device, int, unsigned*);

  template <typename Function>
  Function find(const char* name) const {
#if defined(__linux__)
    return library_ ? reinterpret_cast<Function>(dlsym(library_, name)) : nullptr;
#else
    return nullptr;
#endif
  }

  void open(const std::string& pci_address) {
#if defined(__linux__)
    library_ = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
#endif
    const auto start = find<int (*)()>("nvmlInit_v2");
    const auto by_address = find<int (*)(const char*, Device*)>("nvmlDeviceGetHandleByPciBusId_v2");
    if (!start || !by_address || start() != 0) return;
    if (by_address(pci_address.c_str(), &device_) != 0) device_ = nullptr;
    clock_now_ = find<Figure>("nvmlDeviceGetClockInfo");
    clock_most_ = find<Figure>("nvmlDeviceGetMaxClockInfo");
    temperature_ = find<Figure>("nvmlDeviceGetTemperature");
    for (const char* name :
         {"nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons"}) {
      if (!reasons_) reasons_ = find<int (*)(Device, unsigned long long*)>(name);
    }
    for (const char* name :
         {"nvmlDeviceGetComputeRunningProcesses_v3", "nvmlDeviceGetComputeRunningProcesses_v2"}) {
      if (!processes_) processes_ = find<int (*)(Device, unsigned*, void*)>(name);
    }
  }

  std::optional<unsigned> clock(Figure figure, int kind) const {
    unsigned value = 0;
    if (!figure || figure(device_, kind, &value) != 0) return {};
    return value;
  }

  void* library_ = nullptr;
  Device device_ = nullptr;
  Figure clock_now_ = nullptr, clock_most_ = nullptr, temperature_ = nullptr;
  int (*reasons_)(Device, unsigned long long*) = nullptr;
  int (*processes_)(Device, unsigned*, void*) = nullptr;
};

}  // namespace headroom::timing
