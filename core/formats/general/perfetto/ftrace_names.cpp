#include "core/formats/general/perfetto/ftrace_names.h"

#include <algorithm>

#include "core/formats/base/text.h"

namespace weft::formats::perfetto {
namespace {

// "number name field…;", in order of their numbers. A tracepoint's fields are numbered from 1.
constexpr std::string_view kNames = R"(
3 print ip buf; 4 sched_switch prev_comm prev_pid prev_prio prev_state next_comm next_pid
next_prio; 11 cpu_frequency state cpu_id; 12 cpu_frequency_limits min_freq max_freq cpu_id; 13
cpu_idle state cpu_id; 14 clock_enable name state cpu_id; 15 clock_disable name state cpu_id; 16
clock_set_rate name state cpu_id; 17 sched_wakeup comm pid prio success target_cpu; 18
sched_blocked_reason pid caller io_wait; 19 sched_cpu_hotplug affected_cpu error status; 20
sched_waking comm pid prio success target_cpu; 21 ipi_entry reason; 22 ipi_exit reason; 23
ipi_raise target_cpus reason; 24 softirq_entry vec; 25 softirq_exit vec; 26 softirq_raise vec; 27
i2c_read adapter_nr msg_nr addr flags len; 28 i2c_write adapter_nr msg_nr addr flags len - buf; 29
i2c_result adapter_nr nr_msgs ret; 30 i2c_reply adapter_nr msg_nr addr flags len - buf; 31
smbus_read adapter_nr flags addr command protocol; 32 smbus_write adapter_nr addr flags command
len protocol; 33 smbus_result adapter_nr addr flags read_write command res protocol; 34
smbus_reply adapter_nr addr flags command len protocol; 35 lowmemory_kill comm pid pagecache_size
pagecache_limit free; 36 irq_handler_entry irq name handler; 37 irq_handler_exit irq ret; 38
sync_pt timeline value; 39 sync_timeline name value; 40 sync_wait name status begin; 41
ext4_da_write_begin dev ino pos len flags; 42 ext4_da_write_end dev ino pos len copied; 43
ext4_sync_file_enter dev ino parent datasync; 44 ext4_sync_file_exit dev ino ret; 45
block_rq_issue dev sector nr_sector bytes rwbs comm cmd; 46 mm_vmscan_direct_reclaim_begin order
may_writepage gfp_flags; 47 mm_vmscan_direct_reclaim_end nr_reclaimed; 48 mm_vmscan_kswapd_wake
nid order zid; 49 mm_vmscan_kswapd_sleep nid; 50 binder_transaction debug_id target_node to_proc
to_thread reply code flags; 51 binder_transaction_received debug_id; 52 binder_set_priority proc
thread old_prio new_prio desired_prio; 53 binder_lock tag; 54 binder_locked tag; 55 binder_unlock
tag; 56 workqueue_activate_work work function; 57 workqueue_execute_end work function; 58
workqueue_execute_start work function; 59 workqueue_queue_work work function - req_cpu cpu
workqueue; 60 regulator_disable name; 61 regulator_disable_complete name; 62 regulator_enable
name; 63 regulator_enable_complete name; 64 regulator_enable_delay name; 65 regulator_set_voltage
name min max; 66 regulator_set_voltage_complete name val; 67 cgroup_attach_task dst_root dst_id
pid comm cname dst_level dst_path; 68 cgroup_mkdir root id cname level path; 69 cgroup_remount
root ss_mask name; 70 cgroup_rmdir root id cname level path; 71 cgroup_transfer_tasks dst_root
dst_id pid comm cname dst_level dst_path; 72 cgroup_destroy_root root ss_mask name; 73
cgroup_release root id cname level path; 74 cgroup_rename root id cname level path; 75
cgroup_setup_root root ss_mask name; 76 mdp_cmd_kickoff ctl_num kickoff_cnt; 77 mdp_commit num
play_cnt clk_rate bandwidth; 78 mdp_perf_set_ot pnum xin_id rd_lim is_vbif_rt; 79 mdp_sspp_change
num play_cnt mixer stage flags format img_w img_h src_x src_y src_w src_h dst_x dst_y dst_w dst_h;
80 tracing_mark_write pid trace_name trace_begin; 81 mdp_cmd_pingpong_done ctl_num intf_num pp_num
koff_cnt; 82 mdp_compare_bw new_ab new_ib new_wb old_ab old_ib old_wb params_changed update_bw; 83
mdp_perf_set_panic_luts pnum fmt mode panic_lut robust_lut; 84 mdp_sspp_set num play_cnt mixer
stage flags format img_w img_h src_x src_y src_w src_h dst_x dst_y dst_w dst_h; 85
mdp_cmd_readptr_done ctl_num koff_cnt; 86 mdp_misr_crc block_id vsync_cnt crc; 87
mdp_perf_set_qos_luts pnum fmt intf rot fl lut linear; 88 mdp_trace_counter pid counter_name
value; 89 mdp_cmd_release_bw ctl_num; 90 mdp_mixer_update mixer_num; 91 mdp_perf_set_wm_levels
pnum use_space priority_bytes wm0 wm1 wm2 mb_cnt mb_size; 92 mdp_video_underrun_done ctl_num
underrun_cnt; 93 mdp_cmd_wait_pingpong ctl_num kickoff_cnt; 94 mdp_perf_prefill_calc pnum
latency_buf ot y_buf y_scaler pp_lines pp_bytes post_sc fbc_bytes prefill_bytes; 95
mdp_perf_update_bus client ab_quota ib_quota; 96 rotator_bw_ao_as_context state; 97
mm_filemap_add_to_page_cache pfn i_ino index s_dev page; 98 mm_filemap_delete_from_page_cache pfn
i_ino index s_dev page; 99 mm_compaction_begin zone_start migrate_pfn free_pfn zone_end sync; 100
mm_compaction_defer_compaction nid idx order considered defer_shift order_failed; 101
mm_compaction_deferred nid idx order considered defer_shift order_failed; 102
mm_compaction_defer_reset nid idx order considered defer_shift order_failed; 103 mm_compaction_end
zone_start migrate_pfn free_pfn zone_end sync status; 104 mm_compaction_finished nid idx order
ret; 105 mm_compaction_isolate_freepages start_pfn end_pfn nr_scanned nr_taken; 106
mm_compaction_isolate_migratepages start_pfn end_pfn nr_scanned nr_taken; 107
mm_compaction_kcompactd_sleep nid; 108 mm_compaction_kcompactd_wake nid order classzone_idx
highest_zoneidx; 109 mm_compaction_migratepages nr_migrated nr_failed; 110 mm_compaction_suitable
nid idx order ret; 111 mm_compaction_try_to_compact_pages order gfp_mask mode prio; 112
mm_compaction_wakeup_kcompactd nid order classzone_idx highest_zoneidx; 113 suspend_resume action
val start; 114 sched_wakeup_new comm pid prio success target_cpu; 115 block_bio_backmerge dev
sector nr_sector rwbs comm; 116 block_bio_bounce dev sector nr_sector rwbs comm; 117
block_bio_complete dev sector nr_sector error rwbs; 118 block_bio_frontmerge dev sector nr_sector
rwbs comm; 119 block_bio_queue dev sector nr_sector rwbs comm; 120 block_bio_remap dev sector
nr_sector old_dev old_sector rwbs; 121 block_dirty_buffer dev sector size; 122 block_getrq dev
sector nr_sector rwbs comm; 123 block_plug comm; 124 block_rq_abort dev sector nr_sector errors
rwbs cmd; 125 block_rq_complete dev sector nr_sector errors rwbs cmd error; 126 block_rq_insert
dev sector nr_sector bytes rwbs comm cmd; 128 block_rq_remap dev sector nr_sector old_dev
old_sector nr_bios rwbs; 129 block_rq_requeue dev sector nr_sector errors rwbs cmd; 130
block_sleeprq dev sector nr_sector rwbs comm; 131 block_split dev sector new_sector rwbs comm; 132
block_touch_buffer dev sector size; 133 block_unplug nr_rq comm; 134 ext4_alloc_da_blocks dev ino
data_blocks meta_blocks; 135 ext4_allocate_blocks dev ino block len logical lleft lright goal
pleft pright flags; 136 ext4_allocate_inode dev ino dir mode; 137 ext4_begin_ordered_truncate dev
ino new_size; 138 ext4_collapse_range dev ino offset len; 139 ext4_da_release_space dev ino
i_blocks freed_blocks reserved_data_blocks reserved_meta_blocks allocated_meta_blocks mode; 140
ext4_da_reserve_space dev ino i_blocks reserved_data_blocks reserved_meta_blocks mode md_needed;
141 ext4_da_update_reserve_space dev ino i_blocks used_blocks reserved_data_blocks
reserved_meta_blocks allocated_meta_blocks quota_claim mode; 142 ext4_da_write_pages dev ino
first_page nr_to_write sync_mode b_blocknr b_size b_state io_done pages_written; 143
ext4_da_write_pages_extent dev ino lblk len flags; 144 ext4_direct_IO_enter dev ino pos len rw;
145 ext4_direct_IO_exit dev ino pos len rw ret; 146 ext4_discard_blocks dev blk count; 147
ext4_discard_preallocations dev ino len needed; 148 ext4_drop_inode dev ino drop; 149
ext4_es_cache_extent dev ino lblk len pblk status; 150 ext4_es_find_delayed_extent_range_enter dev
ino lblk; 151 ext4_es_find_delayed_extent_range_exit dev ino lblk len pblk status; 152
ext4_es_insert_extent dev ino lblk len pblk status; 153 ext4_es_lookup_extent_enter dev ino lblk;
154 ext4_es_lookup_extent_exit dev ino lblk len pblk status found; 155 ext4_es_remove_extent dev
ino lblk len; 156 ext4_es_shrink dev nr_shrunk scan_time nr_skipped retried; 157
ext4_es_shrink_count dev nr_to_scan cache_cnt; 158 ext4_es_shrink_scan_enter dev nr_to_scan
cache_cnt; 159 ext4_es_shrink_scan_exit dev nr_shrunk cache_cnt; 160 ext4_evict_inode dev ino
nlink; 161 ext4_ext_convert_to_initialized_enter dev ino m_lblk m_len u_lblk u_len u_pblk; 162
ext4_ext_convert_to_initialized_fastpath dev ino m_lblk m_len u_lblk u_len u_pblk i_lblk i_len
i_pblk; 163 ext4_ext_handle_unwritten_extents dev ino flags lblk pblk len allocated newblk; 164
ext4_ext_in_cache dev ino lblk ret; 165 ext4_ext_load_extent dev ino pblk lblk; 166
ext4_ext_map_blocks_enter dev ino lblk len flags; 167 ext4_ext_map_blocks_exit dev ino flags pblk
lblk len mflags ret; 168 ext4_ext_put_in_cache dev ino lblk len start; 169 ext4_ext_remove_space
dev ino start end depth; 170 ext4_ext_remove_space_done dev ino start end depth partial eh_entries
pc_lblk pc_pclu pc_state; 171 ext4_ext_rm_idx dev ino pblk; 172 ext4_ext_rm_leaf dev ino partial
start ee_lblk ee_pblk ee_len pc_lblk pc_pclu pc_state; 173 ext4_ext_show_extent dev ino pblk lblk
len; 174 ext4_fallocate_enter dev ino offset len mode pos; 175 ext4_fallocate_exit dev ino pos
blocks ret; 176 ext4_find_delalloc_range dev ino from to reverse found found_blk; 177 ext4_forget
dev ino block is_metadata mode; 178 ext4_free_blocks dev ino block count flags mode; 179
ext4_free_inode dev ino uid gid blocks mode; 180 ext4_get_implied_cluster_alloc_exit dev flags
lblk pblk len ret; 181 ext4_get_reserved_cluster_alloc dev ino lblk len; 182
ext4_ind_map_blocks_enter dev ino lblk len flags; 183 ext4_ind_map_blocks_exit dev ino flags pblk
lblk len mflags ret; 184 ext4_insert_range dev ino offset len; 185 ext4_invalidatepage dev ino
index offset length; 186 ext4_journal_start dev ip blocks rsv_blocks nblocks revoke_creds; 187
ext4_journal_start_reserved dev ip blocks; 188 ext4_journalled_invalidatepage dev ino index offset
length; 189 ext4_journalled_write_end dev ino pos len copied; 190 ext4_load_inode dev ino; 191
ext4_load_inode_bitmap dev group; 192 ext4_mark_inode_dirty dev ino ip; 193 ext4_mb_bitmap_load
dev group; 194 ext4_mb_buddy_bitmap_load dev group; 195 ext4_mb_discard_preallocations dev needed;
196 ext4_mb_new_group_pa dev ino pa_pstart pa_lstart pa_len; 197 ext4_mb_new_inode_pa dev ino
pa_pstart pa_lstart pa_len; 198 ext4_mb_release_group_pa dev pa_pstart pa_len; 199
ext4_mb_release_inode_pa dev ino block count; 200 ext4_mballoc_alloc dev ino orig_logical
orig_start orig_group orig_len goal_logical goal_start goal_group goal_len result_logical
result_start result_group result_len found groups buddy flags tail cr; 201 ext4_mballoc_discard
dev ino result_start result_group result_len; 202 ext4_mballoc_free dev ino result_start
result_group result_len; 203 ext4_mballoc_prealloc dev ino orig_logical orig_start orig_group
orig_len result_logical result_start result_group result_len; 204 ext4_other_inode_update_time dev
ino orig_ino uid gid mode; 205 ext4_punch_hole dev ino offset len mode; 206
ext4_read_block_bitmap_load dev group prefetch; 207 ext4_readpage dev ino index; 208
ext4_releasepage dev ino index; 209 ext4_remove_blocks dev ino from to partial ee_pblk ee_lblk
ee_len pc_lblk pc_pclu pc_state; 210 ext4_request_blocks dev ino len logical lleft lright goal
pleft pright flags; 211 ext4_request_inode dev dir mode; 212 ext4_sync_fs dev wait; 213
ext4_trim_all_free dev_major dev_minor group start len; 214 ext4_trim_extent dev_major dev_minor
group start len; 215 ext4_truncate_enter dev ino blocks; 216 ext4_truncate_exit dev ino blocks;
217 ext4_unlink_enter dev ino parent size; 218 ext4_unlink_exit dev ino ret; 219 ext4_write_begin
dev ino pos len flags; 230 ext4_write_end dev ino pos len copied; 231 ext4_writepage dev ino
index; 232 ext4_writepages dev ino nr_to_write pages_skipped range_start range_end writeback_index
sync_mode for_kupdate range_cyclic; 233 ext4_writepages_result dev ino ret pages_written
pages_skipped writeback_index sync_mode; 234 ext4_zero_range dev ino offset len mode; 235
task_newtask pid comm clone_flags oom_score_adj; 236 task_rename pid oldcomm newcomm
oom_score_adj; 237 sched_process_exec filename pid old_pid; 238 sched_process_exit comm pid tgid
prio; 239 sched_process_fork parent_comm parent_pid child_comm child_pid; 240 sched_process_free
comm pid prio; 241 sched_process_hang comm pid; 242 sched_process_wait comm pid prio; 243
f2fs_do_submit_bio dev btype sync sector size; 244 f2fs_evict_inode dev ino pino mode size nlink
blocks advise; 245 f2fs_fallocate dev ino mode offset len size blocks ret; 246 f2fs_get_data_block
dev ino iblock bh_start bh_size ret; 247 f2fs_get_victim dev type gc_type alloc_mode gc_mode
victim ofs_unit pre_victim prefree free cost; 248 f2fs_iget dev ino pino mode size nlink blocks
advise; 249 f2fs_iget_exit dev ino ret; 250 f2fs_new_inode dev ino ret; 251 f2fs_readpage dev ino
index blkaddr type dir dirty uptodate; 252 f2fs_reserve_new_block dev nid ofs_in_node; 253
f2fs_set_page_dirty dev ino type dir index dirty uptodate; 254 f2fs_submit_write_page dev ino type
index block; 255 f2fs_sync_file_enter dev ino pino mode size nlink blocks advise; 256
f2fs_sync_file_exit dev ino need_cp datasync ret cp_reason; 257 f2fs_sync_fs dev dirty wait; 258
f2fs_truncate dev ino pino mode size nlink blocks advise; 259 f2fs_truncate_blocks_enter dev ino
size blocks from; 260 f2fs_truncate_blocks_exit dev ino ret; 261 f2fs_truncate_data_blocks_range
dev ino nid ofs free; 262 f2fs_truncate_inode_blocks_enter dev ino size blocks from; 263
f2fs_truncate_inode_blocks_exit dev ino ret; 264 f2fs_truncate_node dev ino nid blk_addr; 265
f2fs_truncate_nodes_enter dev ino nid blk_addr; 266 f2fs_truncate_nodes_exit dev ino ret; 267
f2fs_truncate_partial_nodes dev ino nid depth err; 268 f2fs_unlink_enter dev ino size blocks name;
269 f2fs_unlink_exit dev ino ret; 270 f2fs_vm_page_mkwrite dev ino type dir index dirty uptodate;
271 f2fs_write_begin dev ino pos len flags; 272 f2fs_write_checkpoint dev is_umount msg reason
phase; 273 f2fs_write_end dev ino pos len copied; 274 alloc_pages_iommu_end gfp_flags order; 275
alloc_pages_iommu_fail gfp_flags order; 276 alloc_pages_iommu_start gfp_flags order; 277
alloc_pages_sys_end gfp_flags order; 278 alloc_pages_sys_fail gfp_flags order; 279
alloc_pages_sys_start gfp_flags order; 280 dma_alloc_contiguous_retry tries; 281 iommu_map_range
chunk_size len pa va; 282 iommu_sec_ptbl_map_range_end len num pa sec_id va; 283
iommu_sec_ptbl_map_range_start len num pa sec_id va; 284 ion_alloc_buffer_end client_name flags
heap_name len mask; 285 ion_alloc_buffer_fail client_name error flags heap_name len mask; 286
ion_alloc_buffer_fallback client_name error flags heap_name len mask; 287 ion_alloc_buffer_start
client_name flags heap_name len mask; 288 ion_cp_alloc_retry tries; 289 ion_cp_secure_buffer_end
align flags heap_name len; 290 ion_cp_secure_buffer_start align flags heap_name len; 291
ion_prefetching len; 292 ion_secure_cma_add_to_pool_end is_prefetch len pool_total; 293
ion_secure_cma_add_to_pool_start is_prefetch len pool_total; 294 ion_secure_cma_allocate_end align
flags heap_name len; 295 ion_secure_cma_allocate_start align flags heap_name len; 296
ion_secure_cma_shrink_pool_end drained_size skipped_size; 297 ion_secure_cma_shrink_pool_start
drained_size skipped_size; 298 kfree call_site ptr; 299 kmalloc bytes_alloc bytes_req call_site
gfp_flags ptr; 300 kmalloc_node bytes_alloc bytes_req call_site gfp_flags node ptr; 301
kmem_cache_alloc bytes_alloc bytes_req call_site gfp_flags ptr; 302 kmem_cache_alloc_node
bytes_alloc bytes_req call_site gfp_flags node ptr; 303 kmem_cache_free call_site ptr; 304
migrate_pages_end mode; 305 migrate_pages_start mode; 306 migrate_retry tries; 307 mm_page_alloc
gfp_flags migratetype order page pfn; 308 mm_page_alloc_extfrag alloc_migratetype alloc_order
fallback_migratetype fallback_order page change_ownership pfn; 309 mm_page_alloc_zone_locked
migratetype order page pfn; 310 mm_page_free order page pfn; 311 mm_page_free_batched cold page
pfn; 312 mm_page_pcpu_drain migratetype order page pfn; 313 rss_stat member size curr mm_id; 314
ion_heap_shrink heap_name len total_allocated; 315 ion_heap_grow heap_name len total_allocated;
316 fence_init context driver seqno timeline; 317 fence_destroy context driver seqno timeline; 318
fence_enable_signal context driver seqno timeline; 319 fence_signaled context driver seqno
timeline; 320 clk_enable name; 321 clk_disable name; 322 clk_set_rate name rate; 323
binder_transaction_alloc_buf data_size debug_id offsets_size extra_buffers_size; 324
signal_deliver code sa_flags sig; 325 signal_generate code comm group pid result sig; 326
oom_score_adj_update comm oom_score_adj pid; 327 generic; 328 mm_event_record avg_lat count
max_lat type; 329 sys_enter id args; 330 sys_exit id ret; 331 zero flag name pid value; 332
gpu_frequency gpu_id state; 333 sde_tracing_mark_write pid trace_name trace_type value
trace_begin; 334 mark_victim pid; 335 ion_stat buffer_id len total_allocated; 336
ion_buffer_create addr len; 337 ion_buffer_destroy addr len; 338 scm_call_start arginfo x0 x5; 339
scm_call_end; 340 gpu_mem_total gpu_id pid size; 341 thermal_temperature id temp temp_prev
thermal_zone; 342 cdev_update target type; 343 cpuhp_exit cpu idx ret state; 344 cpuhp_multi_enter
cpu fun idx target; 345 cpuhp_enter cpu fun idx target; 346 cpuhp_latency cpu ret state time; 347
fastrpc_dma_stat cid len total_allocated; 348 dpu_tracing_mark_write pid trace_name trace_begin
name type value; 349 g2d_tracing_mark_write pid - - name type value; 350 mali_tracing_mark_write
name pid type value; 351 dma_heap_stat inode len total_allocated; 352 cpuhp_pause active_cpus cpus
pause time; 353 sched_pi_setprio comm newprio oldprio pid; 354 sde_sde_evtlog evtlog_tag pid
tag_id d00 d01 d02 d03 d04 d05 d06 d07 d08 d09 d10 d11 d12 d13 d14; 355 sde_sde_perf_calc_crtc
bw_ctl_ebi bw_ctl_llcc bw_ctl_mnoc core_clk_rate crtc ib_ebi ib_llcc ib_mnoc; 356
sde_sde_perf_crtc_update bw_ctl_ebi bw_ctl_llcc bw_ctl_mnoc core_clk_rate crtc params
per_pipe_ib_ebi per_pipe_ib_llcc per_pipe_ib_mnoc stop_req update_bus update_clk; 357
sde_sde_perf_set_qos_luts fl fmt lut lut_usage pnum rt; 358 sde_sde_perf_update_bus ab_quota
bus_id client ib_quota; 359 rss_stat_throttled curr member mm_id size; 360 netif_receive_skb len
name skbaddr; 361 net_dev_xmit len name rc skbaddr; 362 inet_sock_set_state daddr dport family
newstate oldstate protocol saddr skaddr sport; 363 tcp_retransmit_skb daddr dport saddr skaddr
skbaddr sport state; 364 cros_ec_sensorhub_data current_time current_timestamp delta
ec_fifo_timestamp ec_sensor_num fifo_timestamp; 365 napi_gro_receive_entry data_len gso_size
gso_type hash ip_summed l4_hash len mac_header mac_header_valid name napi_id nr_frags protocol
queue_mapping skbaddr truesize vlan_proto vlan_tagged vlan_tci; 366 napi_gro_receive_exit ret; 367
kfree_skb location protocol skbaddr; 368 kvm_access_fault ipa; 369 kvm_ack_irq irqchip pin; 370
kvm_age_hva end start; 371 kvm_age_page gfn hva level referenced; 372 kvm_arm_clear_debug
guest_debug; 373 kvm_arm_set_dreg32 name value; 374 kvm_arm_set_regset len name; 375
kvm_arm_setup_debug guest_debug vcpu; 376 kvm_entry vcpu_pc; 377 kvm_exit esr_ec ret vcpu_pc; 378
kvm_fpu load; 379 kvm_get_timer_map direct_ptimer direct_vtimer emul_ptimer vcpu_id; 380
kvm_guest_fault hsr hxfar ipa vcpu_pc; 381 kvm_handle_sys_reg hsr; 382 kvm_hvc_arm64 imm r0
vcpu_pc; 383 kvm_irq_line irq_num level type vcpu_idx; 384 kvm_mmio gpa len type val; 385
kvm_mmio_emulate cpsr instr vcpu_pc; 386 kvm_set_guest_debug guest_debug vcpu; 387 kvm_set_irq gsi
irq_source_id level; 388 kvm_set_spte_hva hva; 389 kvm_set_way_flush cache vcpu_pc; 390
kvm_sys_access CRm CRn Op0 Op1 Op2 is_write name vcpu_pc; 391 kvm_test_age_hva hva; 392
kvm_timer_emulate should_fire timer_idx; 393 kvm_timer_hrtimer_expire timer_idx; 394
kvm_timer_restore_state ctl cval timer_idx; 395 kvm_timer_save_state ctl cval timer_idx; 396
kvm_timer_update_irq irq level vcpu_id; 397 kvm_toggle_cache now vcpu_pc was; 398
kvm_unmap_hva_range end start; 399 kvm_userspace_exit reason; 400 kvm_vcpu_wakeup ns valid waited;
401 kvm_wfx_arm64 is_wfe vcpu_pc; 402 trap_reg fn is_write reg write_value; 403
vgic_update_irq_pending irq level vcpu_id; 404 wakeup_source_activate name state; 405
wakeup_source_deactivate name state; 406 ufshcd_command dev_name doorbell intr lba opcode str tag
transfer_len group_id str_t; 407 ufshcd_clk_gating dev_name state; 408 console msg; 409
drm_vblank_event crtc high_prec seq time; 410 drm_vblank_event_delivered crtc file seq; 411
drm_sched_job entity fence hw_job_count id job_count name; 412 drm_run_job entity fence
hw_job_count id job_count name; 413 drm_sched_process_job fence; 414 dma_fence_init context driver
seqno timeline; 415 dma_fence_emit context driver seqno timeline; 416 dma_fence_signaled context
driver seqno timeline; 417 dma_fence_wait_start context driver seqno timeline; 418
dma_fence_wait_end context driver seqno timeline; 419 f2fs_iostat app_bio app_brio app_dio
app_drio app_mio app_mrio app_rio app_wio dev fs_cdrio fs_cp_dio fs_cp_mio fs_cp_nio fs_dio
fs_discard fs_drio fs_gc_dio fs_gc_nio fs_gdrio fs_mio fs_mrio fs_nio fs_nrio; 420
f2fs_iostat_latency d_rd_avg d_rd_cnt d_rd_peak d_wr_as_avg d_wr_as_cnt d_wr_as_peak d_wr_s_avg
d_wr_s_cnt d_wr_s_peak dev m_rd_avg m_rd_cnt m_rd_peak m_wr_as_avg m_wr_as_cnt m_wr_as_peak
m_wr_s_avg m_wr_s_cnt m_wr_s_peak n_rd_avg n_rd_cnt n_rd_peak n_wr_as_avg n_wr_as_cnt n_wr_as_peak
n_wr_s_avg n_wr_s_cnt n_wr_s_peak; 421 sched_cpu_util_cfs active capacity capacity_orig cpu
cpu_importance cpu_util exit_lat group_capacity grp_overutilized idle_cpu nr_running spare_cap
task_fits wake_group_util wake_util; 422 v4l2_qbuf bytesused field flags index minor sequence
timecode_flags timecode_frames timecode_hours timecode_minutes timecode_seconds timecode_type
timecode_userbits0 timecode_userbits1 timecode_userbits2 timecode_userbits3 timestamp type; 423
v4l2_dqbuf bytesused field flags index minor sequence timecode_flags timecode_frames
timecode_hours timecode_minutes timecode_seconds timecode_type timecode_userbits0
timecode_userbits1 timecode_userbits2 timecode_userbits3 timestamp type; 424 vb2_v4l2_buf_queue
field flags minor sequence timecode_flags timecode_frames timecode_hours timecode_minutes
timecode_seconds timecode_type timecode_userbits0 timecode_userbits1 timecode_userbits2
timecode_userbits3 timestamp; 425 vb2_v4l2_buf_done field flags minor sequence timecode_flags
timecode_frames timecode_hours timecode_minutes timecode_seconds timecode_type timecode_userbits0
timecode_userbits1 timecode_userbits2 timecode_userbits3 timestamp; 426 vb2_v4l2_qbuf field flags
minor sequence timecode_flags timecode_frames timecode_hours timecode_minutes timecode_seconds
timecode_type timecode_userbits0 timecode_userbits1 timecode_userbits2 timecode_userbits3
timestamp; 427 vb2_v4l2_dqbuf field flags minor sequence timecode_flags timecode_frames
timecode_hours timecode_minutes timecode_seconds timecode_type timecode_userbits0
timecode_userbits1 timecode_userbits2 timecode_userbits3 timestamp; 428 dsi_cmd_fifo_status header
payload; 429 dsi_rx cmd - rx_buf; 430 dsi_tx last - type tx_buf; 431 android_fs_dataread_end bytes
ino offset; 432 android_fs_dataread_start bytes cmdline i_size ino offset pathbuf pid; 433
android_fs_datawrite_end bytes ino offset; 434 android_fs_datawrite_start bytes cmdline i_size ino
offset pathbuf pid; 435 android_fs_fsync_end bytes ino offset; 436 android_fs_fsync_start cmdline
i_size ino pathbuf pid; 437 funcgraph_entry depth func; 438 funcgraph_exit calltime depth func
overrun rettime; 439 virtio_video_cmd stream_id type; 440 virtio_video_cmd_done stream_id type;
441 virtio_video_resource_queue data_size0 data_size1 data_size2 data_size3 queue_type resource_id
stream_id timestamp; 442 virtio_video_resource_queue_done data_size0 data_size1 data_size2
data_size3 queue_type resource_id stream_id timestamp; 443 mm_shrink_slab_start cache_items delta
gfp_flags lru_pgs nr_objects_to_shrink pgs_scanned shr shrink total_scan nid priority; 444
mm_shrink_slab_end new_scan retval shr shrink total_scan unused_scan nid; 445 trusty_smc r0 r1 r2
r3; 446 trusty_smc_done ret; 447 trusty_std_call32 r0 r1 r2 r3; 448 trusty_std_call32_done ret;
449 trusty_share_memory len lend nents; 450 trusty_share_memory_done handle len lend nents ret;
451 trusty_reclaim_memory id; 452 trusty_reclaim_memory_done id ret; 453 trusty_irq irq; 454
trusty_ipc_handle_event chan event_id srv_name; 455 trusty_ipc_connect chan port state; 456
trusty_ipc_connect_end chan err state; 457 trusty_ipc_write buf_id chan kind_shm len_or_err
shm_cnt srv_name; 458 trusty_ipc_poll chan poll_mask srv_name; 460 trusty_ipc_read chan srv_name;
461 trusty_ipc_read_end buf_id chan len_or_err shm_cnt srv_name; 462 trusty_ipc_rx buf_id chan
srv_name; 464 trusty_enqueue_nop arg1 arg2 arg3; 465 cma_alloc_start align count name; 466
cma_alloc_info align count err_iso err_mig err_test name nr_mapped nr_migrated nr_reclaimed pfn;
467 lwis_tracing_mark_write lwis_name type pid func_name value; 468 virtio_gpu_cmd_queue ctx_id
dev fence_id flags name num_free seqno type vq; 469 virtio_gpu_cmd_response ctx_id dev fence_id
flags name num_free seqno type vq; 470 mali_KCPU_CQS_SET id info_val1 info_val2 kctx_id
kctx_tgid; 471 mali_KCPU_CQS_WAIT_START id info_val1 info_val2 kctx_id kctx_tgid; 472
mali_KCPU_CQS_WAIT_END id info_val1 info_val2 kctx_id kctx_tgid; 473
mali_KCPU_FENCE_SIGNAL info_val1 info_val2 kctx_tgid kctx_id id; 474
mali_KCPU_FENCE_WAIT_START info_val1 info_val2 kctx_tgid kctx_id id; 475
mali_KCPU_FENCE_WAIT_END info_val1 info_val2 kctx_tgid kctx_id id; 476 hyp_enter; 477
hyp_exit; 478 host_hcall id invalid; 479 host_smc id forwarded; 480 host_mem_abort esr addr; 481
suspend_resume_minimal start; 482 mali_CSF_INTERRUPT_START kctx_tgid kctx_id info_val; 483
mali_CSF_INTERRUPT_END kctx_tgid kctx_id info_val; 484 samsung_tracing_mark_write pid
trace_name trace_begin trace_type value; 485 binder_command cmd; 486 binder_return cmd; 487
sched_switch_with_ctrs old_pid new_pid cctr ctr0 ctr1 ctr2 ctr3 lctr0 lctr1 ctr4 ctr5 prev_comm
prev_pid cyc inst stallbm l3dm next_pid next_comm prev_state amu0 amu1 amu2; 488 gpu_work_period
gpu_id uid start_time_ns end_time_ns total_active_duration_ns; 489 rpm_status name status; 490
panel_write_generic pid trace_name trace_begin name type value; 491 sched_migrate_task comm pid
prio orig_cpu dest_cpu running load; 492 dpu_dsi_cmd_fifo_status header payload; 493 dpu_dsi_rx
cmd - rx_buf; 494 dpu_dsi_tx type - last delay_ms tx_buf; 495 f2fs_background_gc dev wait_ms
prefree free; 496 f2fs_gc_begin dev sync background dirty_nodes dirty_dents dirty_imeta free_sec
free_seg reserved_seg prefree_seg gc_type no_bg_gc nr_free_secs; 497 f2fs_gc_end dev ret seg_freed
sec_freed dirty_nodes dirty_dents dirty_imeta free_sec free_seg reserved_seg prefree_seg; 498
fastrpc_dma_free cid phys size; 499 fastrpc_dma_alloc cid phys size attr mflags; 500
fastrpc_dma_unmap cid phys size; 501 fastrpc_dma_map cid fd phys size len attr mflags; 502
google_icc_event event timestamp; 503 google_irm_event event timestamp; 504
device_pm_callback_start device driver parent pm_ops event; 505 device_pm_callback_end device
driver error; 506 thermal_exynos_acpm_bulk tz_id current_temp ctrl_temp cdev_state pid_et_p
pid_power_range pid_p pid_i k_p k_i timestamp; 507 thermal_exynos_acpm_high_overhead tz_id
current_temp ctrl_temp cdev_state pid_et_p k_p k_i; 508 dcvsh_freq cpu freq; 509
kgsl_gpu_frequency gpu_freq gpu_id; 510 mali_PM_MCU_HCTL_CORES_DOWN_SCALE_NOTIFY_PEND
kctx_tgid kctx_id info_val; 511 mali_PM_MCU_HCTL_CORES_NOTIFY_PEND kctx_tgid kctx_id
info_val; 512 mali_PM_MCU_HCTL_CORE_INACTIVE_PEND kctx_tgid kctx_id info_val; 513
mali_PM_MCU_HCTL_MCU_ON_RECHECK kctx_tgid kctx_id info_val; 514
mali_PM_MCU_HCTL_SHADERS_CORE_OFF_PEND kctx_tgid kctx_id info_val; 515
mali_PM_MCU_HCTL_SHADERS_PEND_OFF kctx_tgid kctx_id info_val; 516
mali_PM_MCU_HCTL_SHADERS_PEND_ON kctx_tgid kctx_id info_val; 517
mali_PM_MCU_HCTL_SHADERS_READY_OFF kctx_tgid kctx_id info_val; 518 mali_PM_MCU_IN_SLEEP
kctx_tgid kctx_id info_val; 519 mali_PM_MCU_OFF kctx_tgid kctx_id info_val; 520
mali_PM_MCU_ON kctx_tgid kctx_id info_val; 521 mali_PM_MCU_ON_CORE_ATTR_UPDATE_PEND
kctx_tgid kctx_id info_val; 522 mali_PM_MCU_ON_GLB_REINIT_PEND kctx_tgid kctx_id info_val;
523 mali_PM_MCU_ON_HALT kctx_tgid kctx_id info_val; 524 mali_PM_MCU_ON_HWCNT_DISABLE
kctx_tgid kctx_id info_val; 525 mali_PM_MCU_ON_HWCNT_ENABLE kctx_tgid kctx_id info_val; 526
mali_PM_MCU_ON_PEND_HALT kctx_tgid kctx_id info_val; 527 mali_PM_MCU_ON_PEND_SLEEP
kctx_tgid kctx_id info_val; 528 mali_PM_MCU_ON_SLEEP_INITIATE kctx_tgid kctx_id info_val; 529
mali_PM_MCU_PEND_OFF kctx_tgid kctx_id info_val; 530 mali_PM_MCU_PEND_ON_RELOAD
kctx_tgid kctx_id info_val; 531 mali_PM_MCU_POWER_DOWN kctx_tgid kctx_id info_val; 532
mali_PM_MCU_RESET_WAIT kctx_tgid kctx_id info_val; 533 bcl_irq_trigger id throttle cpu0_limit
cpu1_limit cpu2_limit tpu_limit gpu_limit voltage capacity; 534 kgsl_adreno_cmdbatch_queued id
timestamp queued flags prio; 535 kgsl_adreno_cmdbatch_submitted id timestamp inflight flags ticks
secs usecs prio rb_id rptr wptr q_inflight dispatch_queue; 536 kgsl_adreno_cmdbatch_sync id
timestamp ticks prio; 537 kgsl_adreno_cmdbatch_retired id timestamp inflight recovery flags start
retire prio rb_id rptr wptr q_inflight fault_recovery dispatch_queue submitted_to_rb
retired_on_gmu active; 538 pixel_mm_kswapd_wake whatever; 539 pixel_mm_kswapd_done
delta_nr_scanned delta_nr_reclaimed delta_nr_allocated duration_ns; 540 sched_wakeup_task_attr pid
cpu_affinity task_util uclamp_min vruntime; 541 devfreq_frequency dev_name freq prev_freq
busy_time total_time; 542 kprobe_event; 543 param_set_value_cpm body value timestamp; 544
do_sys_open filename flags mode; 545 open_exec filename; 546 block_io_start dev sector nr_sector
bytes ioprio rwbs comm cmd; 547 block_io_done dev sector nr_sector bytes ioprio rwbs comm cmd; 548
mali_gpu_power_state change_ns from_state to_state; 549 dpu_disp_dpu_underrun id frames_pending
vsync_count; 550 dpu_disp_vblank_irq_enable id output_id enable; 551 hrtimer_start hrtimer
function expires softexpires mode; 552 hrtimer_cancel hrtimer; 553 hrtimer_expire_entry hrtimer
now function; 554 hrtimer_expire_exit hrtimer; 555 timer_start timer function expires now
deferrable flags bucket_expiry; 556 timer_cancel timer; 557 timer_expire_entry timer now function
baseclk; 558 timer_expire_exit timer; 559 local_timer_entry vector; 560 local_timer_exit vector;
561 dwc3_alloc_request name req actual length status zero short_not_ok no_interrupt; 562
dwc3_complete_trb name trb allocated queued bpl bph size ctrl type enqueue dequeue; 563
dwc3_ctrl_req bRequestType bRequest wValue wIndex wLength str; 564 dwc3_ep_dequeue name req actual
length status zero short_not_ok no_interrupt; 565 dwc3_ep_queue name req actual length status zero
short_not_ok no_interrupt; 566 dwc3_event event ep0state str; 567 dwc3_free_request name req
actual length status zero short_not_ok no_interrupt; 568 dwc3_gadget_ep_cmd name cmd param0 param1
param2 cmd_status; 569 dwc3_gadget_ep_disable name maxpacket maxpacket_limit max_streams maxburst
flags direction trb_enqueue trb_dequeue; 570 dwc3_gadget_ep_enable name maxpacket maxpacket_limit
max_streams maxburst flags direction trb_enqueue trb_dequeue; 571 dwc3_gadget_generic_cmd cmd
param status; 572 dwc3_gadget_giveback name req actual length status zero short_not_ok
no_interrupt; 573 dwc3_prepare_trb name trb allocated queued bpl bph size ctrl type enqueue
dequeue; 574 dwc3_readl base offset value msg; 575 dwc3_writel base offset value msg; 576
cma_alloc_finish name pfn page count align errorno; 577 mm_alloc_contig_migrate_range_info start
end nr_migrated nr_reclaimed nr_mapped migratetype; 578 host_ffa_call func_id res_a1 res_a2 res_a3
res_a4 handled err; 579 dmabuf_rss_stat rss rss_delta i_ino; 580 iommu_idmap from to prot; 581
psci_mem_protect count was; 582 hypervisor_host_hcall id invalid; 583 hypervisor_host_smc id
forwarded; 584 hypervisor_hyp_exit; 585 hypervisor_iommu_idmap from to prot; 586
hypervisor_psci_mem_protect count was; 587 hypervisor_host_mem_abort esr addr; 588
hypervisor_hyp_enter; 589 hypervisor_iommu_idmap_complete map; 590 hypervisor_vcpu_illegal_trap
esr; 591 drm_sched_job_add_dep fence_context fence_seqno ctx seqno; 592 drm_sched_job_done
fence_context fence_seqno; 593 drm_sched_job_queue name job_count hw_job_count dev fence_context
fence_seqno client_id; 594 drm_sched_job_run name job_count hw_job_count dev fence_context
fence_seqno client_id; 595 drm_sched_job_unschedulable fence_context fence_seqno ctx seqno; 596
fwtp_perfetto_counter timestamp track_id category name value; 597 scsi_dispatch_cmd_error host_no
channel id lun rtn opcode cmd_len data_sglen prot_sglen prot_op - driver_tag scheduler_tag cmnd;
598 scsi_dispatch_cmd_timeout host_no channel id lun result opcode cmd_len data_sglen prot_sglen
prot_op - driver_tag scheduler_tag sense_key asc ascq cmnd; 599 scsi_eh_wakeup host_no; 600
fwtp_perfetto_slice timestamp track_id category name begin; 601 gpu_power_state old_state
new_state; 602 gram_collision panel_index collision_cnt; 603 f2fs_lock_elapsed_time dev comm pid
prio ioprio_class ioprio_data lock_name is_write total_time running_time runnable_time
io_sleep_time other_time; 604 sched_group_tracker comm pid group group_num; 605
dpu_disp_frame_done_timeout display_id output_id frames_pending te_count during_disable; 606
dpu_disp_frame_start_timeout display_id output_id frames_pending te_count; 607
mm_vmscan_memcg_reclaim_begin order may_writepage gfp_flags; 608 mm_vmscan_memcg_reclaim_end
nr_reclaimed; 609 dpu_disp_frame_done_missing display_id output_id frames_pending te_count; 610
dpu_disp_frame_start_missing display_id output_id frames_pending te_count; 611 panel_settings_full
panel_index hbm irc h_pwm fi_auto fi_manual early_exit min_rr max_rr te_freq; 612
panel_settings_lite panel_index vrr min_rr max_rr te_freq; 613 dpu_disp_dpu_line_underrun id
frames_pending vsync_count; 614 psci_domain_idle_exit cpu_id state s2idle; 615
psci_domain_idle_enter cpu_id state s2idle; 616 long_irq irq latency count; 617 long_softirq
vec_nr latency count;
)";

std::vector<TracepointNames> parse_names() {
  std::vector<TracepointNames> all;
  std::string_view rest = kNames;
  for (size_t end = rest.find(';'); end != std::string_view::npos; end = rest.find(';')) {
    std::string_view row = trimmed(rest.substr(0, end));
    rest.remove_prefix(end + 1);
    TracepointNames names;
    names.number = take_number<uint32_t>(row).value_or(0);
    names.name = take_word(row);
    for (auto field = take_word(row); !field.empty(); field = take_word(row))
      names.fields.push_back(field);
    all.push_back(std::move(names));
  }
  return all;
}

}  // namespace

const TracepointNames* tracepoint_names(uint32_t number) {
  static const std::vector<TracepointNames> all_names = parse_names();
  const auto it = std::ranges::lower_bound(all_names, number, {}, &TracepointNames::number);
  return it == all_names.end() || it->number != number ? nullptr : &*it;
}

}  // namespace weft::formats::perfetto
