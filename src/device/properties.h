// The machine as programs ask for it: what the faces tell in their own structs, and single values by
// attribute.
//
//   properties_of(h200, 0, bytes).multi_processor_count            132
//   attribute_of(h200, properties, Attribute::warp_size, value)    32
#pragma once
#include <cstdint>

#include "machine/machine.h"

namespace headroom::device {

struct Properties {
  char name[256]{};
  char uuid[16]{};
  uint64_t total_global_mem = 0;
  uint64_t shared_mem_per_block = 0;
  int regs_per_block = 0;
  int warp_size = 0;
  uint64_t mem_pitch = 0;
  int max_threads_per_block = 0;
  int max_threads_dim[3]{};
  int max_grid_size[3]{};
  uint64_t total_const_mem = 0;
  int major = 0;
  int minor = 0;
  uint64_t texture_alignment = 0;
  uint64_t texture_pitch_alignment = 0;
  int multi_processor_count = 0;
  int integrated = 0;
  int can_map_host_memory = 0;
  int max_texture_1d = 0;
  int max_texture_1d_mipmap = 0;
  int max_texture_2d[2]{};
  int max_texture_2d_mipmap[2]{};
  int max_texture_2d_linear[3]{};
  int max_texture_2d_gather[2]{};
  int max_texture_3d[3]{};
  int max_texture_3d_alt[3]{};
  int max_texture_cubemap = 0;
  int max_texture_1d_layered[2]{};
  int max_texture_2d_layered[3]{};
  int max_texture_cubemap_layered[2]{};
  int max_surface_1d = 0;
  int max_surface_2d[2]{};
  int max_surface_3d[3]{};
  int max_surface_1d_layered[2]{};
  int max_surface_2d_layered[3]{};
  int max_surface_cubemap = 0;
  int max_surface_cubemap_layered[2]{};
  uint64_t surface_alignment = 0;
  int concurrent_kernels = 0;
  int ecc_enabled = 0;
  int pci_bus_id = 0;
  int pci_device_id = 0;
  int pci_domain_id = 0;
  int tcc_driver = 0;
  int async_engine_count = 0;
  int unified_addressing = 0;
  int memory_bus_width = 0;
  int l2_cache_size = 0;
  int persisting_l2_cache_max_size = 0;
  int max_threads_per_multi_processor = 0;
  int stream_priorities_supported = 0;
  int global_l1_cache_supported = 0;
  int local_l1_cache_supported = 0;
  uint64_t shared_mem_per_multiprocessor = 0;
  int regs_per_multiprocessor = 0;
  int managed_memory = 0;
  int is_multi_gpu_board = 0;
  int multi_gpu_board_group_id = 0;
  int host_native_atomic_supported = 0;
  int pageable_memory_access = 0;
  int concurrent_managed_access = 0;
  int compute_preemption_supported = 0;
  int can_use_host_pointer_for_registered_mem = 0;
  int cooperative_launch = 0;
  uint64_t shared_mem_per_block_optin = 0;
  int pageable_memory_access_uses_host_page_tables = 0;
  int direct_managed_mem_access_from_host = 0;
  int max_blocks_per_multi_processor = 0;
  int access_policy_max_window_size = 0;
  uint64_t reserved_shared_mem_per_block = 0;
  int host_register_supported = 0;
  int sparse_cuda_array_supported = 0;
  int host_register_read_only_supported = 0;
  int timeline_semaphore_interop_supported = 0;
  int memory_pools_supported = 0;
  int gpu_direct_rdma_supported = 0;
  unsigned memory_pool_supported_handle_types = 0;
  int deferred_mapping_cuda_array_supported = 0;
  int ipc_event_supported = 0;
  int cluster_launch = 0;
  int device_numa_config = 0;
  int mps_enabled = 0;
  int host_numa_id = 0;
};

// `device` is its number among the simulated ones.
Properties properties_of(const Machine&, int device, uint64_t memory_bytes);

// Both APIs number attributes alike.
enum class Attribute : int {
  max_threads_per_block = 1,
  max_block_dim_x = 2,
  max_block_dim_y = 3,
  max_block_dim_z = 4,
  max_grid_dim_x = 5,
  max_grid_dim_y = 6,
  max_grid_dim_z = 7,
  max_shared_memory_per_block = 8,
  total_constant_memory = 9,
  warp_size = 10,
  max_pitch = 11,
  max_registers_per_block = 12,
  clock_rate = 13,
  texture_alignment = 14,
  gpu_overlap = 15,
  multi_processor_count = 16,
  kernel_exec_timeout = 17,
  integrated = 18,
  can_map_host_memory = 19,
  compute_mode = 20,
  max_texture_1d_width = 21,
  max_texture_2d_width = 22,
  max_texture_2d_height = 23,
  max_texture_3d_width = 24,
  max_texture_3d_height = 25,
  max_texture_3d_depth = 26,
  max_texture_2d_layered_width = 27,
  max_texture_2d_layered_height = 28,
  max_texture_2d_layered_layers = 29,
  surface_alignment = 30,
  concurrent_kernels = 31,
  ecc_enabled = 32,
  pci_bus_id = 33,
  pci_device_id = 34,
  tcc_driver = 35,
  memory_clock_rate = 36,
  global_memory_bus_width = 37,
  l2_cache_size = 38,
  max_threads_per_multi_processor = 39,
  async_engine_count = 40,
  unified_addressing = 41,
  max_texture_1d_layered_width = 42,
  max_texture_1d_layered_layers = 43,
  max_texture_2d_gather_width = 45,
  max_texture_2d_gather_height = 46,
  max_texture_3d_width_alt = 47,
  max_texture_3d_height_alt = 48,
  max_texture_3d_depth_alt = 49,
  pci_domain_id = 50,
  texture_pitch_alignment = 51,
  max_texture_cubemap_width = 52,
  max_texture_cubemap_layered_width = 53,
  max_texture_cubemap_layered_layers = 54,
  max_surface_1d_width = 55,
  max_surface_2d_width = 56,
  max_surface_2d_height = 57,
  max_surface_3d_width = 58,
  max_surface_3d_height = 59,
  max_surface_3d_depth = 60,
  max_surface_1d_layered_width = 61,
  max_surface_1d_layered_layers = 62,
  max_surface_2d_layered_width = 63,
  max_surface_2d_layered_height = 64,
  max_surface_2d_layered_layers = 65,
  max_surface_cubemap_width = 66,
  max_surface_cubemap_layered_width = 67,
  max_surface_cubemap_layered_layers = 68,
  max_texture_1d_linear_width = 69,
  max_texture_2d_linear_width = 70,
  max_texture_2d_linear_height = 71,
  max_texture_2d_linear_pitch = 72,
  max_texture_2d_mipmapped_width = 73,
  max_texture_2d_mipmapped_height = 74,
  compute_capability_major = 75,
  compute_capability_minor = 76,
  max_texture_1d_mipmapped_width = 77,
  stream_priorities_supported = 78,
  global_l1_cache_supported = 79,
  local_l1_cache_supported = 80,
  max_shared_memory_per_multiprocessor = 81,
  max_registers_per_multiprocessor = 82,
  managed_memory = 83,
  is_multi_gpu_board = 84,
  multi_gpu_board_group_id = 85,
  host_native_atomic_supported = 86,
  single_to_double_precision_perf_ratio = 87,
  pageable_memory_access = 88,
  concurrent_managed_access = 89,
  compute_preemption_supported = 90,
  can_use_host_pointer_for_registered_mem = 91,
  cooperative_launch = 95,
  max_shared_memory_per_block_optin = 97,
  can_flush_remote_writes = 98,
  host_register_supported = 99,
  pageable_memory_access_uses_host_page_tables = 100,
  direct_managed_mem_access_from_host = 101,
  max_blocks_per_multiprocessor = 106,
  max_persisting_l2_cache_size = 108,
  max_access_policy_window_size = 109,
  reserved_shared_memory_per_block = 111,
  sparse_cuda_array_supported = 112,
  host_register_read_only_supported = 113,
  timeline_semaphore_interop_supported = 114,
  memory_pools_supported = 115,
  gpu_direct_rdma_supported = 116,
  gpu_direct_rdma_flush_writes_options = 117,
  gpu_direct_rdma_writes_ordering = 118,
  memory_pool_supported_handle_types = 119,
  cluster_launch = 120,
  deferred_mapping_cuda_array_supported = 121,
  ipc_event_support = 125,
  mem_sync_domain_count = 126,
  numa_config = 130,
  numa_id = 131,
  mps_enabled = 133,
  host_numa_id = 134,
  d3d12_cig_supported = 135,
  vulkan_cig_supported = 138,
  gpu_pci_device_id = 139,
  gpu_pci_subsystem_id = 140,
  host_numa_memory_pools_supported = 142,
  host_numa_multinode_ipc_supported = 143,
  host_memory_pools_supported = 144,
  only_partial_host_native_atomic_supported = 147,
};

// False for an attribute nobody knows.
bool attribute_of(const Machine&, const Properties&, Attribute, int& value);

}  // namespace headroom::device
