#include "core/formats/general/perfetto/system_names.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/formats/base/text.h"

namespace weft::formats::perfetto {
namespace {

// Names from number 0 on; "-": none of that number.
constexpr std::string_view kProcess = R"(
- - vm_size_kb vm_rss_kb rss_anon_kb rss_file_kb rss_shmem_kb vm_swap_kb vm_locked_kb vm_hwm_kb
oom_score_adj - - chrome_private_footprint_kb chrome_peak_resident_set_kb - smr_rss_kb smr_pss_kb
smr_pss_anon_kb smr_pss_file_kb smr_pss_shmem_kb runtime_user_mode runtime_kernel_mode
smr_swap_pss_kb dmabuf_rss_kb
)";
constexpr std::string_view kCpu = R"(
- - user_ns user_nice_ns system_mode_ns idle_ns io_wait_ns irq_ns softirq_ns steal_ns
)";
constexpr std::string_view kDisk = R"(
- - read_sectors read_time_ms write_sectors write_time_ms discard_sectors discard_time_ms
flush_count flush_time_ms
)";
constexpr std::string_view kMemory = R"(
unspecified mem_total mem_free mem_available buffers cached swap_cached active inactive
active_anon inactive_anon active_file inactive_file unevictable mlocked swap_total swap_free dirty
writeback anon_pages mapped shmem slab slab_reclaimable slab_unreclaimable kernel_stack
page_tables commit_limit commited_as vmalloc_total vmalloc_used vmalloc_chunk cma_total cma_free
gpu zram misc ion_heap ion_heap_pool
)";
constexpr std::string_view kVirtualMemory = R"(
unspecified nr_free_pages nr_alloc_batch nr_inactive_anon nr_active_anon nr_inactive_file
nr_active_file nr_unevictable nr_mlock nr_anon_pages nr_mapped nr_file_pages nr_dirty nr_writeback
nr_slab_reclaimable nr_slab_unreclaimable nr_page_table_pages nr_kernel_stack nr_overhead
nr_unstable nr_bounce nr_vmscan_write nr_vmscan_immediate_reclaim nr_writeback_temp
nr_isolated_anon nr_isolated_file nr_shmem nr_dirtied nr_written nr_pages_scanned
workingset_refault workingset_activate workingset_nodereclaim nr_anon_transparent_hugepages
nr_free_cma nr_swapcache nr_dirty_threshold nr_dirty_background_threshold pgpgin pgpgout
pgpgoutclean pswpin pswpout pgalloc_dma pgalloc_normal pgalloc_movable pgfree pgactivate
pgdeactivate pgfault pgmajfault pgrefill_dma pgrefill_normal pgrefill_movable pgsteal_kswapd_dma
pgsteal_kswapd_normal pgsteal_kswapd_movable pgsteal_direct_dma pgsteal_direct_normal
pgsteal_direct_movable pgscan_kswapd_dma pgscan_kswapd_normal pgscan_kswapd_movable
pgscan_direct_dma pgscan_direct_normal pgscan_direct_movable pgscan_direct_throttle pginodesteal
slabs_scanned kswapd_inodesteal kswapd_low_wmark_hit_quickly kswapd_high_wmark_hit_quickly
pageoutrun allocstall pgrotated drop_pagecache drop_slab pgmigrate_success pgmigrate_fail
compact_migrate_scanned compact_free_scanned compact_isolated compact_stall compact_fail
compact_success compact_daemon_wake unevictable_pgs_culled unevictable_pgs_scanned
unevictable_pgs_rescued unevictable_pgs_mlocked unevictable_pgs_munlocked unevictable_pgs_cleared
unevictable_pgs_stranded nr_zspages nr_ion_heap nr_gpu_heap allocstall_dma allocstall_movable
allocstall_normal compact_daemon_free_scanned compact_daemon_migrate_scanned nr_fastrpc
nr_indirectly_reclaimable nr_ion_heap_pool nr_kernel_misc_reclaimable nr_shadow_call_stack_bytes
nr_shmem_hugepages nr_shmem_pmdmapped nr_unreclaimable_pages nr_zone_active_anon
nr_zone_active_file nr_zone_inactive_anon nr_zone_inactive_file nr_zone_unevictable
nr_zone_write_pending oom_kill pglazyfree pglazyfreed pgrefill pgscan_direct pgscan_kswapd
pgskip_dma pgskip_movable pgskip_normal pgsteal_direct pgsteal_kswapd swap_ra swap_ra_hit
workingset_restore allocstall_device allocstall_dma32 balloon_deflate balloon_inflate
balloon_migrate cma_alloc_fail cma_alloc_success nr_file_hugepages nr_file_pmdmapped
nr_foll_pin_acquired nr_foll_pin_released nr_sec_page_table_pages nr_shadow_call_stack
nr_swapcached nr_throttled_written pgalloc_device pgalloc_dma32 pgdemote_direct pgdemote_kswapd
pgreuse pgscan_anon pgscan_file pgskip_device pgskip_dma32 pgsteal_anon pgsteal_file
thp_collapse_alloc thp_collapse_alloc_failed thp_deferred_split_page thp_fault_alloc
thp_fault_fallback thp_fault_fallback_charge thp_file_alloc thp_file_fallback
thp_file_fallback_charge thp_file_mapped thp_migration_fail thp_migration_split
thp_migration_success thp_scan_exceed_none_pte thp_scan_exceed_share_pte thp_scan_exceed_swap_pte
thp_split_page thp_split_page_failed thp_split_pmd thp_swpout thp_swpout_fallback
thp_zero_page_alloc thp_zero_page_alloc_failed vma_lock_abort vma_lock_miss vma_lock_retry
vma_lock_success workingset_activate_anon workingset_activate_file workingset_nodes
workingset_refault_anon workingset_refault_file workingset_restore_anon workingset_restore_file
)";

// "number name;"
constexpr std::string_view kPackets = R"(
1 ftrace_events; 2 process_tree; 4 inode_file_map; 5 chrome_events; 6 clock_snapshot; 7 sys_stats;
9 process_stats; 11 track_event; 33 trace_config; 34 ftrace_stats; 35 trace_stats;
36 synchronization_marker; 37 profile_packet; 38 battery; 39 android_log; 40 power_rails;
43 process_descriptor; 44 thread_descriptor; 45 system_info; 46 trigger; 47 packages_list;
48 chrome_benchmark_metadata; 49 perfetto_metatrace; 50 compressed_packets; 51 chrome_metadata;
52 gpu_counter_event; 53 gpu_render_stage_event; 54 streaming_profile_packet;
55 profiled_frame_symbols; 56 heap_graph; 57 graphics_frame_event; 60 track_descriptor;
61 module_symbols; 62 vulkan_memory_event; 63 gpu_log; 64 deobfuscation_mapping;
65 vulkan_api_event; 66 perf_sample; 67 cpu_info; 68 smaps_packet; 69 service_event;
70 initial_display_state; 71 gpu_mem_total_event; 72 extension_descriptor;
73 memory_tracker_snapshot; 74 streaming_allocation; 75 streaming_free; 76 frame_timeline_event;
77 android_energy_estimation_breakdown; 78 ui_state; 80 android_camera_frame_event;
81 android_camera_session_stats; 82 translation_table; 83 android_game_intervention_list;
84 statsd_atom; 86 android_system_property; 88 network_packet; 89 trace_uuid;
90 track_event_range_of_interest; 91 entity_state_residency; 92 network_packet_bundle;
93 surfaceflinger_layers_snapshot; 94 surfaceflinger_transactions; 95 etw_events;
96 shell_transition; 97 shell_handler_mappings; 99 v8_js_code; 100 v8_internal_code;
101 v8_wasm_code; 102 v8_reg_exp_code; 103 v8_code_move; 104 protolog_message;
105 protolog_viewer_config; 106 android_input_event; 107 remote_clock_sync; 109 chrome_trigger;
110 pixel_modem_events; 111 pixel_modem_token_database; 112 winscope_extensions;
113 clone_snapshot_trigger; 114 bluetooth_trace_event; 115 kernel_wakelock_data;
116 app_wakelock_bundle; 117 generic_kernel_task_state_event; 118 generic_kernel_cpu_freq_event;
119 cpu_per_uid_data; 120 generic_kernel_task_rename_event; 121 evdev_event;
122 generic_kernel_process_tree; 123 user_list; 124 trace_provenance; 125 protovms;
126 trace_attributes; 127 android_aflags; 128 gpu_info; 129 generic_gpu_frequency_event;
130 interrupt_info; 131 art_process_metadata; 132 journald_event; 133 zstd_compressed_packets;
134 concurrent_session_event; 135 stack_sample; 900 for_testing;
)";
constexpr std::string_view kPressure = R"(
- cpu_some cpu_full io_some io_full memory_some memory_full
)";

using Names = std::vector<std::string_view>;

Names words_of(std::string_view text) {
  Names names;
  for (auto word = take_word(text); !word.empty(); word = take_word(text))
    names.push_back(word == "-" ? std::string_view() : word);
  return names;
}

std::string_view name_in(const Names& names, uint64_t number) {
  return number < names.size() ? names[static_cast<size_t>(number)] : std::string_view();
}

}  // namespace

std::string_view packet_kind(uint32_t field) {
  static const auto kinds = [] {
    std::vector<std::pair<uint32_t, std::string_view>> all;
    std::string_view rest = kPackets;
    while (const auto number = take_number<uint32_t>(rest = trimmed(rest))) {
      std::string_view name = take_word(rest);
      name.remove_suffix(1);
      all.emplace_back(*number, name);
    }
    return all;
  }();
  const auto it = std::ranges::find(kinds, field, &std::pair<uint32_t, std::string_view>::first);
  return it == kinds.end() ? std::string_view() : it->second;
}

std::string_view process_counter(uint32_t field) {
  static const Names names = words_of(kProcess);
  return name_in(names, field);
}

std::string_view cpu_counter(uint32_t field) {
  static const Names names = words_of(kCpu);
  return name_in(names, field);
}

std::string_view disk_counter(uint32_t field) {
  static const Names names = words_of(kDisk);
  return name_in(names, field);
}

std::string_view memory_counter(uint64_t key) {
  static const Names names = words_of(kMemory);
  return name_in(names, key);
}

std::string_view virtual_memory_counter(uint64_t key) {
  static const Names names = words_of(kVirtualMemory);
  return name_in(names, key);
}

std::string_view pressure_counter(uint64_t key) {
  static const Names names = words_of(kPressure);
  return name_in(names, key);
}

}  // namespace weft::formats::perfetto
