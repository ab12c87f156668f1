// Which GPU, driver and toolkit this is: measures nothing. `headroom machine measure` asks it
// first.
//
//   {"device": {"gpu": "NVIDIA H200", "address": "0000:01:00.0", "driver": "580.95.05", …}}
//
// The driver's own version is what NVML says, found at run time; without it, the CUDA version that
// the driver supports.
#include <dlfcn.h>

#include "machines/probes/probe.cuh"

namespace {

std::string driver_version() {
  char version[96] = "";
  if (void* library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL)) {
    const auto start = reinterpret_cast<int (*)()>(dlsym(library, "nvmlInit_v2"));
    const auto ask =
        reinterpret_cast<int (*)(char*, unsigned)>(dlsym(library, "nvmlSystemGetDriverVersion"));
    if (start && ask && start() == 0 && ask(version, sizeof version) == 0) return version;
  }
  int supported = 0;
  PROBE_CALL(cudaDriverGetVersion(&supported));
  return "for CUDA " + std::to_string(supported / 1000) + "." +
         std::to_string(supported % 1000 / 10);
}

}  // namespace

int main(int count, char** arguments) {
  probe::Probe probe(count, arguments);
  char address[32] = "";
  PROBE_CALL(cudaDeviceGetPCIBusId(address, sizeof address, probe.gpu));
  std::printf(
      "{\"device\": {\"gpu\": \"%s\", \"address\": \"%s\", \"driver\": \"%s\", \"toolkit\": "
      "\"%d.%d.%d\"}}\n",
      probe.device.name, address, driver_version().c_str(), __CUDACC_VER_MAJOR__,
      __CUDACC_VER_MINOR__, __CUDACC_VER_BUILD__);
  return probe.end();
}
