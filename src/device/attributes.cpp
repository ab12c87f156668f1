// One row per attribute, read off Properties or the machine.
#include "device/properties.h"

namespace headroom::device {
namespace {

struct Row {
  Attribute attribute;
  int (*read)(const Properties& p, const Machine& m);
};

#define HEADROOM_ROW(name, value)                                                                  \
  {                                                                                                \
    Attribute::name, []([[maybe_unused]] const Properties& p, [[maybe_unused]] const Machine& m) { \
      return int(value);                                                                           \
    }                                                                                              \
  }

// clang-format off
constexpr Row rows[] = {
    HEADROOM_ROW(max_threads_per_block, p.max_threads_per_block),
    HEADROOM_ROW(max_block_dim_x, p.max_threads_dim[0]),
    HEADROOM_ROW(max_block_dim_y, p.max_threads_dim[1]),
    HEADROOM_ROW(max_block_dim_z, p.max_threads_dim[2]),
    HEADROOM_ROW(max_grid_dim_x, p.max_grid_size[0]),
    HEADROOM_ROW(max_grid_dim_y, p.max_grid_size[1]),
    HEADROOM_ROW(max_grid_dim_z, p.max_grid_size[2]),
    HEADROOM_ROW(max_shared_memory_per_block, p.shared_mem_per_block),
    HEADROOM_ROW(max_shared_memory_per_block_optin, p.shared_mem_per_block_optin),
    HEADROOM_ROW(max_shared_memory_per_multiprocessor, p.shared_mem_per_multiprocessor),
    HEADROOM_ROW(reserved_shared_memory_per_block, p.reserved_shared_mem_per_block),
    HEADROOM_ROW(total_constant_memory, p.total_const_mem),
    HEADROOM_ROW(warp_size, p.warp_size),
    HEADROOM_ROW(max_pitch, p.mem_pitch),
    HEADROOM_ROW(max_registers_per_block, p.regs_per_block),
    HEADROOM_ROW(max_registers_per_multiprocessor, p.regs_per_multiprocessor),
    HEADROOM_ROW(max_threads_per_multi_processor, p.max_threads_per_multi_processor),
    HEADROOM_ROW(max_blocks_per_multiprocessor, p.max_blocks_per_multi_processor),
    HEADROOM_ROW(multi_processor_count, p.multi_processor_count),
    HEADROOM_ROW(compute_capability_major, p.major),
    HEADROOM_ROW(compute_capability_minor, p.minor),
    HEADROOM_ROW(clock_rate, m.sm_clock.value_or(0) * 1000),            // kHz
    HEADROOM_ROW(memory_clock_rate, m.memory_clock.value_or(0) * 1000),  // kHz
    HEADROOM_ROW(global_memory_bus_width, p.memory_bus_width),
    HEADROOM_ROW(l2_cache_size, p.l2_cache_size),
    HEADROOM_ROW(max_persisting_l2_cache_size, p.persisting_l2_cache_max_size),
    HEADROOM_ROW(max_access_policy_window_size, p.access_policy_max_window_size),
    HEADROOM_ROW(global_l1_cache_supported, p.global_l1_cache_supported),
    HEADROOM_ROW(local_l1_cache_supported, p.local_l1_cache_supported),
    HEADROOM_ROW(single_to_double_precision_perf_ratio,
                 m.fp64_per_clock.value_or(0) > 0 ? m.fp32_per_clock.value_or(0) / *m.fp64_per_clock : 0),
    HEADROOM_ROW(gpu_overlap, p.async_engine_count > 0),
    HEADROOM_ROW(async_engine_count, p.async_engine_count),
    HEADROOM_ROW(kernel_exec_timeout, 0),
    HEADROOM_ROW(integrated, p.integrated),
    HEADROOM_ROW(compute_mode, 0),
    HEADROOM_ROW(concurrent_kernels, p.concurrent_kernels),
    HEADROOM_ROW(ecc_enabled, p.ecc_enabled),
    HEADROOM_ROW(pci_bus_id, p.pci_bus_id),
    HEADROOM_ROW(pci_device_id, p.pci_device_id),
    HEADROOM_ROW(pci_domain_id, p.pci_domain_id),
    HEADROOM_ROW(tcc_driver, p.tcc_driver),
    HEADROOM_ROW(is_multi_gpu_board, p.is_multi_gpu_board),
    HEADROOM_ROW(multi_gpu_board_group_id, p.multi_gpu_board_group_id),
    HEADROOM_ROW(can_map_host_memory, p.can_map_host_memory),
    HEADROOM_ROW(unified_addressing, p.unified_addressing),
    HEADROOM_ROW(managed_memory, p.managed_memory),
    HEADROOM_ROW(concurrent_managed_access, p.concurrent_managed_access),
    HEADROOM_ROW(direct_managed_mem_access_from_host, p.direct_managed_mem_access_from_host),
    HEADROOM_ROW(pageable_memory_access, p.pageable_memory_access),
    HEADROOM_ROW(pageable_memory_access_uses_host_page_tables, p.pageable_memory_access_uses_host_page_tables),
    HEADROOM_ROW(host_native_atomic_supported, p.host_native_atomic_supported),
    HEADROOM_ROW(can_use_host_pointer_for_registered_mem, p.can_use_host_pointer_for_registered_mem),
    HEADROOM_ROW(host_register_supported, p.host_register_supported),
    HEADROOM_ROW(host_register_read_only_supported, p.host_register_read_only_supported),
    HEADROOM_ROW(can_flush_remote_writes, 0),
    HEADROOM_ROW(stream_priorities_supported, p.stream_priorities_supported),
    HEADROOM_ROW(compute_preemption_supported, p.compute_preemption_supported),
    HEADROOM_ROW(cooperative_launch, p.cooperative_launch),
    HEADROOM_ROW(cluster_launch, p.cluster_launch),
    HEADROOM_ROW(memory_pools_supported, p.memory_pools_supported),
    HEADROOM_ROW(memory_pool_supported_handle_types, p.memory_pool_supported_handle_types),
    HEADROOM_ROW(sparse_cuda_array_supported, p.sparse_cuda_array_supported),
    HEADROOM_ROW(deferred_mapping_cuda_array_supported, p.deferred_mapping_cuda_array_supported),
    HEADROOM_ROW(timeline_semaphore_interop_supported, p.timeline_semaphore_interop_supported),
    HEADROOM_ROW(gpu_direct_rdma_supported, p.gpu_direct_rdma_supported),
    HEADROOM_ROW(ipc_event_support, p.ipc_event_supported),
    HEADROOM_ROW(gpu_direct_rdma_flush_writes_options, 0),
    HEADROOM_ROW(gpu_direct_rdma_writes_ordering, 0),
    HEADROOM_ROW(mem_sync_domain_count, m.cc() >= 90 ? 4 : 1),
    HEADROOM_ROW(d3d12_cig_supported, 0),
    HEADROOM_ROW(vulkan_cig_supported, 0),
    HEADROOM_ROW(gpu_pci_device_id, 0),
    HEADROOM_ROW(gpu_pci_subsystem_id, 0),
    HEADROOM_ROW(host_numa_memory_pools_supported, 0),
    HEADROOM_ROW(host_numa_multinode_ipc_supported, 0),
    HEADROOM_ROW(host_memory_pools_supported, 0),
    HEADROOM_ROW(only_partial_host_native_atomic_supported, 0),
    HEADROOM_ROW(numa_config, p.device_numa_config),
    HEADROOM_ROW(numa_id, -1),
    HEADROOM_ROW(host_numa_id, p.host_numa_id),
    HEADROOM_ROW(mps_enabled, p.mps_enabled),
    HEADROOM_ROW(texture_alignment, p.texture_alignment),
    HEADROOM_ROW(texture_pitch_alignment, p.texture_pitch_alignment),
    HEADROOM_ROW(surface_alignment, p.surface_alignment),
    HEADROOM_ROW(max_texture_1d_width, p.max_texture_1d),
    HEADROOM_ROW(max_texture_1d_linear_width, 1 << 28),
    HEADROOM_ROW(max_texture_1d_mipmapped_width, p.max_texture_1d_mipmap),
    HEADROOM_ROW(max_texture_1d_layered_width, p.max_texture_1d_layered[0]),
    HEADROOM_ROW(max_texture_1d_layered_layers, p.max_texture_1d_layered[1]),
    HEADROOM_ROW(max_texture_2d_width, p.max_texture_2d[0]),
    HEADROOM_ROW(max_texture_2d_height, p.max_texture_2d[1]),
    HEADROOM_ROW(max_texture_2d_linear_width, p.max_texture_2d_linear[0]),
    HEADROOM_ROW(max_texture_2d_linear_height, p.max_texture_2d_linear[1]),
    HEADROOM_ROW(max_texture_2d_linear_pitch, p.max_texture_2d_linear[2]),
    HEADROOM_ROW(max_texture_2d_mipmapped_width, p.max_texture_2d_mipmap[0]),
    HEADROOM_ROW(max_texture_2d_mipmapped_height, p.max_texture_2d_mipmap[1]),
    HEADROOM_ROW(max_texture_2d_gather_width, p.max_texture_2d_gather[0]),
    HEADROOM_ROW(max_texture_2d_gather_height, p.max_texture_2d_gather[1]),
    HEADROOM_ROW(max_texture_2d_layered_width, p.max_texture_2d_layered[0]),
    HEADROOM_ROW(max_texture_2d_layered_height, p.max_texture_2d_layered[1]),
    HEADROOM_ROW(max_texture_2d_layered_layers, p.max_texture_2d_layered[2]),
    HEADROOM_ROW(max_texture_3d_width, p.max_texture_3d[0]),
    HEADROOM_ROW(max_texture_3d_height, p.max_texture_3d[1]),
    HEADROOM_ROW(max_texture_3d_depth, p.max_texture_3d[2]),
    HEADROOM_ROW(max_texture_3d_width_alt, p.max_texture_3d_alt[0]),
    HEADROOM_ROW(max_texture_3d_height_alt, p.max_texture_3d_alt[1]),
    HEADROOM_ROW(max_texture_3d_depth_alt, p.max_texture_3d_alt[2]),
    HEADROOM_ROW(max_texture_cubemap_width, p.max_texture_cubemap),
    HEADROOM_ROW(max_texture_cubemap_layered_width, p.max_texture_cubemap_layered[0]),
    HEADROOM_ROW(max_texture_cubemap_layered_layers, p.max_texture_cubemap_layered[1]),
    HEADROOM_ROW(max_surface_1d_width, p.max_surface_1d),
    HEADROOM_ROW(max_surface_1d_layered_width, p.max_surface_1d_layered[0]),
    HEADROOM_ROW(max_surface_1d_layered_layers, p.max_surface_1d_layered[1]),
    HEADROOM_ROW(max_surface_2d_width, p.max_surface_2d[0]),
    HEADROOM_ROW(max_surface_2d_height, p.max_surface_2d[1]),
    HEADROOM_ROW(max_surface_2d_layered_width, p.max_surface_2d_layered[0]),
    HEADROOM_ROW(max_surface_2d_layered_height, p.max_surface_2d_layered[1]),
    HEADROOM_ROW(max_surface_2d_layered_layers, p.max_surface_2d_layered[2]),
    HEADROOM_ROW(max_surface_3d_width, p.max_surface_3d[0]),
    HEADROOM_ROW(max_surface_3d_height, p.max_surface_3d[1]),
    HEADROOM_ROW(max_surface_3d_depth, p.max_surface_3d[2]),
    HEADROOM_ROW(max_surface_cubemap_width, p.max_surface_cubemap),
    HEADROOM_ROW(max_surface_cubemap_layered_width, p.max_surface_cubemap_layered[0]),
    HEADROOM_ROW(max_surface_cubemap_layered_layers, p.max_surface_cubemap_layered[1]),
};
// clang-format on
#undef HEADROOM_ROW

}  // namespace

bool attribute_of(const Machine& machine, const Properties& properties, Attribute attribute,
                  int& value) {
  for (const Row& row : rows)
    if (row.attribute == attribute) {
      value = row.read(properties, machine);
      return true;
    }
  return false;
}

}  // namespace headroom::device
