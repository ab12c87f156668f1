// cudaDeviceProp from the machine's facts. What the facts do not hold are limits of the
// architecture: CUDA C++ Programming Guide, "Features and Technical Specifications per Compute
// Capability", the same for every architecture a program of CUDA 13 runs on; checked against an
// H200 field by field.
#include "cudart/properties.h"

#include <algorithm>
#include <cstring>

#include "cudart/function.h"

namespace headroom::cudart {
namespace {

void set(int (&to)[2], int x, int y) { to[0] = x, to[1] = y; }
void set(int (&to)[3], int x, int y, int z) { to[0] = x, to[1] = y, to[2] = z; }

void fill_identity(cudaDeviceProp& p, const Machine& machine, int device) {
  std::strncpy(p.name, machine.title.c_str(), sizeof p.name - 1);
  // Made up, but different for each device and the same in every run.
  std::strncpy(p.uuid.bytes, "headroom", sizeof p.uuid.bytes);
  p.uuid.bytes[15] = char(device);
  p.pciBusID = device + 1;
  p.major = machine.cc_major();
  p.minor = machine.cc_minor();
}

void fill_compute(cudaDeviceProp& p, const Machine& machine) {
  p.multiProcessorCount = int(machine.sm_count.value_or(1));
  p.warpSize = 32;
  p.maxThreadsPerBlock = int(machine.max_threads_per_block.value_or(1024));
  set(p.maxThreadsDim, p.maxThreadsPerBlock, p.maxThreadsPerBlock, 64);
  set(p.maxGridSize, 0x7fffffff, 65535, 65535);
  p.maxThreadsPerMultiProcessor = int(machine.max_threads_per_sm.value_or(p.maxThreadsPerBlock));
  p.maxBlocksPerMultiProcessor = int(machine.max_blocks_per_sm.value_or(1));
  p.regsPerMultiprocessor = int(machine.registers_per_sm.value_or(0));
  p.regsPerBlock = int(machine.registers_per_block.value_or(p.regsPerMultiprocessor));
}

void fill_memory(cudaDeviceProp& p, const Machine& machine, uint64_t memory_bytes) {
  p.totalGlobalMem = memory_bytes;
  p.totalConstMem = 65536;
  p.memPitch = 0x7fffffff;
  p.memoryBusWidth = int(machine.memory_bus_width.value_or(0));
  p.l2CacheSize = machine.l2_size ? int(bytes_of(machine.l2_size)) : 0;
  p.sharedMemPerBlockOptin = shared_per_block_opt_in(machine);
  p.sharedMemPerBlock = std::min<size_t>(p.sharedMemPerBlockOptin, shared_without_opt_in);
  p.sharedMemPerMultiprocessor = machine.shared_per_sm ? bytes_of(machine.shared_per_sm) : 0;
  p.reservedSharedMemPerBlock = size_t(machine.shared_reserved_per_block.value_or(0));
  if (machine.cc_major() >= 8) {  // L2 set-aside for persisting accesses
    p.persistingL2CacheMaxSize = int(p.l2CacheSize / 8 * 5);
    p.accessPolicyMaxWindowSize = 134217728;
  }
  p.globalL1CacheSupported = p.localL1CacheSupported = 1;
}

void fill_textures(cudaDeviceProp& p) {
  p.textureAlignment = p.surfaceAlignment = 512;
  p.texturePitchAlignment = 32;
  p.maxTexture1D = p.maxSurface1D = 131072;
  p.maxTextureCubemap = p.maxSurfaceCubemap = 32768;
  p.maxTexture1DMipmap = 32768;
  set(p.maxTexture2D, 131072, 65536);
  set(p.maxTexture2DMipmap, 32768, 32768);
  set(p.maxTexture2DLinear, 131072, 65000, 2097120);
  set(p.maxTexture2DGather, 32768, 32768);
  set(p.maxTexture3D, 16384, 16384, 16384);
  set(p.maxTexture3DAlt, 8192, 8192, 32768);
  set(p.maxTexture1DLayered, 32768, 2048);
  set(p.maxTexture2DLayered, 32768, 32768, 2048);
  set(p.maxTextureCubemapLayered, 32768, 2046);
  set(p.maxSurface2D, 131072, 65536);
  set(p.maxSurface3D, 16384, 16384, 16384);
  set(p.maxSurface1DLayered, 32768, 2048);
  set(p.maxSurface2DLayered, 32768, 32768, 2048);
  set(p.maxSurfaceCubemapLayered, 32768, 2046);
}

// What the stand-in does, not what the machine could: a program that asks should not be sent where
// we cannot go.
void fill_features(cudaDeviceProp& p) {
  p.canMapHostMemory = p.unifiedAddressing = p.managedMemory = p.concurrentManagedAccess = 1;
  p.canUseHostPointerForRegisteredMem = p.hostRegisterSupported = 1;
  p.concurrentKernels = p.streamPrioritiesSupported = p.computePreemptionSupported = 1;
  p.cooperativeLaunch = p.memoryPoolsSupported = 1;
  p.ECCEnabled = 1;
  p.asyncEngineCount = 3;
  p.hostNumaId = -1;
}

}  // namespace

cudaDeviceProp properties_of(const Machine& machine, int device, uint64_t memory_bytes) {
  cudaDeviceProp p{};
  fill_identity(p, machine, device);
  fill_compute(p, machine);
  fill_memory(p, machine, memory_bytes);
  fill_textures(p);
  fill_features(p);
  return p;
}

}  // namespace headroom::cudart
