// Properties from the machine's facts. What the facts do not hold are limits of the
// architecture: CUDA C++ Programming Guide, "Features and Technical Specifications per Compute
// Capability", the same for every architecture a program of CUDA 13 runs on; checked against an
// H200 field by field.
#include "device/properties.h"

#include <algorithm>
#include <cstring>

#include "device/footprint.h"
#include "device/session.h"

namespace headroom::device {
namespace {

void set(int (&to)[2], int x, int y) { to[0] = x, to[1] = y; }
void set(int (&to)[3], int x, int y, int z) { to[0] = x, to[1] = y, to[2] = z; }

void fill_identity(Properties& p, const Machine& machine, int device) {
  std::strncpy(p.name, machine.title.c_str(), sizeof p.name - 1);
  // Made up, but different for each device and the same in every run.
  std::strncpy(p.uuid, "headroom", sizeof p.uuid);
  p.uuid[15] = char(device);
  p.pci_bus_id = device + 1;
  p.major = machine.cc_major();
  p.minor = machine.cc_minor();
}

void fill_compute(Properties& p, const Machine& machine) {
  p.multi_processor_count = int(machine.sm_count.value_or(1));
  p.warp_size = 32;
  p.max_threads_per_block = int(machine.max_threads_per_block.value_or(1024));
  set(p.max_threads_dim, p.max_threads_per_block, p.max_threads_per_block, 64);
  set(p.max_grid_size, 0x7fffffff, 65535, 65535);
  p.max_threads_per_multi_processor =
      int(machine.max_threads_per_sm.value_or(p.max_threads_per_block));
  p.max_blocks_per_multi_processor = int(machine.max_blocks_per_sm.value_or(1));
  p.regs_per_multiprocessor = int(machine.registers_per_sm.value_or(0));
  p.regs_per_block = int(machine.registers_per_block.value_or(p.regs_per_multiprocessor));
}

void fill_memory(Properties& p, const Machine& machine, uint64_t memory_bytes) {
  p.total_global_mem = memory_bytes;
  p.total_const_mem = 65536;
  p.mem_pitch = 0x7fffffff;
  p.memory_bus_width = int(machine.memory_bus_width.value_or(0));
  p.l2_cache_size = machine.l2_size ? int(bytes_of(machine.l2_size)) : 0;
  p.shared_mem_per_block_optin = shared_per_block_opt_in(machine);
  p.shared_mem_per_block = std::min<size_t>(p.shared_mem_per_block_optin, shared_without_opt_in);
  p.shared_mem_per_multiprocessor = machine.shared_per_sm ? bytes_of(machine.shared_per_sm) : 0;
  p.reserved_shared_mem_per_block = size_t(machine.shared_reserved_per_block.value_or(0));
  if (machine.cc_major() >= 8) {  // L2 set-aside for persisting accesses
    p.persisting_l2_cache_max_size = int(p.l2_cache_size / 8 * 5);
    p.access_policy_max_window_size = 134217728;
  }
  p.global_l1_cache_supported = p.local_l1_cache_supported = 1;
}

void fill_textures(Properties& p) {
  p.texture_alignment = p.surface_alignment = 512;
  p.texture_pitch_alignment = 32;
  p.max_texture_1d = p.max_surface_1d = 131072;
  p.max_texture_cubemap = p.max_surface_cubemap = 32768;
  p.max_texture_1d_mipmap = 32768;
  set(p.max_texture_2d, 131072, 65536);
  set(p.max_texture_2d_mipmap, 32768, 32768);
  set(p.max_texture_2d_linear, 131072, 65000, 2097120);
  set(p.max_texture_2d_gather, 32768, 32768);
  set(p.max_texture_3d, 16384, 16384, 16384);
  set(p.max_texture_3d_alt, 8192, 8192, 32768);
  set(p.max_texture_1d_layered, 32768, 2048);
  set(p.max_texture_2d_layered, 32768, 32768, 2048);
  set(p.max_texture_cubemap_layered, 32768, 2046);
  set(p.max_surface_2d, 131072, 65536);
  set(p.max_surface_3d, 16384, 16384, 16384);
  set(p.max_surface_1d_layered, 32768, 2048);
  set(p.max_surface_2d_layered, 32768, 32768, 2048);
  set(p.max_surface_cubemap_layered, 32768, 2046);
}

// What the stand-in does, not what the machine could: a program that asks should not be sent where
// we cannot go.
void fill_features(Properties& p) {
  p.can_map_host_memory = p.unified_addressing = p.managed_memory = p.concurrent_managed_access = 1;
  p.can_use_host_pointer_for_registered_mem = p.host_register_supported = 1;
  p.concurrent_kernels = p.stream_priorities_supported = p.compute_preemption_supported = 1;
  p.cooperative_launch = p.memory_pools_supported = 1;
  p.ecc_enabled = 1;
  p.async_engine_count = 3;
  p.host_numa_id = -1;
}

}  // namespace

Properties properties_of(const Machine& machine, int device, uint64_t memory_bytes) {
  Properties p{};
  fill_identity(p, machine, device);
  fill_compute(p, machine);
  fill_memory(p, machine, memory_bytes);
  fill_textures(p);
  fill_features(p);
  return p;
}

}  // namespace headroom::device
