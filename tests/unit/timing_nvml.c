/* A management library for tests: it knows one GPU, and answers as NVIDIA's does, except that it
   has no nvmlDeviceGetTemperature. tests/unit/timing_clocks.cpp finds it as libnvidia-ml.so.1. */
#include <string.h>

static int started = 0, readings = 0;
static char gpu;

enum { success = 0, uninitialized = 1, invalid_argument = 2, not_found = 6, insufficient_size = 7 };

int nvmlInit_v2(void) {
  started = 1;
  return success;
}

int nvmlDeviceGetHandleByPciBusId_v2(const char* address, void** device) {
  if (!started) return uninitialized;
  if (strcmp(address, "0000:01:00.0") != 0) return not_found;
  *device = &gpu;
  return success;
}

int nvmlDeviceGetClockInfo(void* device, int kind, unsigned* megahertz) {
  if (device != &gpu || (kind != 1 && kind != 2)) return invalid_argument;
  *megahertz = kind == 1 ? 1980 - 15 * (unsigned)readings : 3201;
  return success;
}

int nvmlDeviceGetMaxClockInfo(void* device, int kind, unsigned* megahertz) {
  if (device != &gpu || kind != 1) return invalid_argument;
  *megahertz = 1980;
  return success;
}

/* Held down by the power limit from the second reading on. */
int nvmlDeviceGetCurrentClocksThrottleReasons(void* device, unsigned long long* reasons) {
  if (device != &gpu) return invalid_argument;
  *reasons = readings++ > 0 ? 0x4 : 0;
  return success;
}

int nvmlDeviceGetComputeRunningProcesses_v3(void* device, unsigned* count, void* processes) {
  if (device != &gpu) return invalid_argument;
  *count = 2;
  return processes ? success : insufficient_size;
}
