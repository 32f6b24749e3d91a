#include "core/formats/general/perfetto/message_names.h"

#include <ranges>
#include <utility>

#include "core/formats/base/text.h"

namespace weft::formats::perfetto {
namespace {

// "Message number=name …": then what its bytes are (":Other"), the words of an enumeration
// ("(none|create)"; from 7 on, "(7:none|create)"; those of field 0 of another, "@Other"), or its
// form: "%f" a float, "%d" a double, "%s" a signed number, "%b" a flag, "%n" how many there are.
// "!" behind it: what the event is called. "Message -": not all of it is shown.
constexpr std::string_view kTable = R"(
TrackEvent 24=cc_scheduler_state:CompositorScheduler 25=chrome_user_event:UserEvent
  26=chrome_keyed_service:KeyedService 27=chrome_legacy_ipc:LegacyIpc
  28=chrome_histogram_sample:HistogramSample 29=chrome_latency_info:LatencyInfo
  32=chrome_frame_reporter:FrameReporter 35=chrome_message_pump:MessagePump
  38=chrome_mojo_event_info:MojoEvent 39=chrome_application_state_info:ApplicationState
  40=chrome_renderer_scheduler_state:RendererScheduler
  41=chrome_window_handle_event_info:WindowHandle
  43=chrome_content_settings_event_info:ContentSettings 49=chrome_active_processes:Processes
  50=screenshot
  1000=chrome_app_state(unspecified|foreground|background)
  1001=chrome_memory_pressure_notification:MemoryPressure 1002=chrome_task_annotator
  1003=chrome_browser_context 1004=chrome_profile_destroyer
  1005=chrome_task_posted_to_disabled_queue 1006=chrome_raster_task
  1007=chrome_message_pump_for_ui 1008=render_frame_impl_deletion
  1009=should_swap_browsing_instances_result 1010=frame_tree_node_info
  1011=chrome_hashed_performance_mark:PerformanceMark 1012=render_process_host
  1013=render_process_host_cleanup 1014=render_process_host_listener_changed
  1015=child_process_launcher_priority 1016=resource_bundle 1017=chrome_web_app_bad_navigate
  1018=chrome_extension_id 1019=site_instance 1020=render_view_host 1021=render_frame_proxy_host
  1022=android_view_dump:ViewDump 1023=parkable_string_compress_in_background
  1024=parkable_string_unpark 1025=chrome_sampling_profiler_sample_completed
  1026=send_begin_mainframe_to_commit_breakdown 1027=global_render_frame_host_id
  1028=render_frame_host 1029=thread_pool_task 1030=back_forward_cache_can_store_document_result
  1031=renderer_main_thread_task_execution 1032=event_latency 1033=process_singleton
  1034=site_instance_group 1035=browsing_context_state 1036=device_thermal_state 1037=navigation
  1038=android_ipc 1039=sql_diagnostics 1040=sequence_manager_task 1041=android_toolbar
  1042=active_processes:Processes 1043=blink_task_scope 1044=ukm_page_load_timing_update
  1046=tab_switch_measurement 1047=scroll_deltas 1048=win_render_audio_from_source
  1049=mac_auhal_stream 1050=linux_alsa_output 1051=linux_pulse_output
  1052=chrome_graphics_pipeline 1053=chromeos_cras_unified 1054=libunwindstack_unwinder
  1055=scroll_predictor_metrics 1056=page_load 1057=startup 1058=web_content_interaction
  1059=event_forwarder 1060=touch_disposition_gesture_filter 1061=view_class_name:KeyedService
  1062=cc_scheduler_state 1063=webview_startup 1064=animation_frame_timing_info
  1065=animation_frame_script_timing_info 1066=scroll_metrics 1067=main_frame_pipeline
  1068=chrome_latency_info 1069=event_timing 1070=android_choreographer_frame_callback_data
  1071=current_task 1072=web_exposed_isolation_info 1073=url_info 1074=begin_frame_id
  1075=frame_reporter 1076=input_transfer_handler 1077=response_info 1078=scroll_jank_v4
  1079=memory_dump_provider 1080=chrome_accessibility_win_notify_win_event
  1081=frame_interval_decider 1082=begin_frame_args 1083=mac_voucher_release
  1084=android_vsync_interval_decision 1085=frame_deadline_decider 2001=binder_service_name
  2002=binder_interface_name 2003=apex_name 2004=message_queue:MessageQueue 2005=bitmap:Bitmap
  2006=job_scheduler_job:SchedulerJob 2007=surfaceflinger_workload:SurfaceFlingerWorkload
  2008=broadcast_event:Broadcast 2009=freezer_event:Freezer 2010=process_start_event:ProcessStart
  2011=process_died_event:ProcessDied 2012=process_state_changed_event:ProcessStateChanged
  2013=binder_died_event:BinderDied 2014=service_state_changed_event:ServiceStateChanged
  2015=provider_state_changed_event:ProviderStateChanged
  2016=fg_service_state_changed_event:ServiceStateChanged
  2017=capability_summary_event:CapabilitySummary 2018=capability_update_event:CapabilityUpdate
  2019=proc_state_summary_event:ProcStateSummary 2020=proc_state_update_event:ProcStateUpdate
  2021=self_broadcast_event:SelfBroadcast
  3000=gpu_correlation:GpuCorrelation 3001=gpu_api(undefined|open_gl|vulkan|open_cl|cuda|hip)
GpuCorrelation 1=render_stage_submission_event_ids 2=render_stage_wait_event_ids
MemoryPressure 1=level(none|moderate|critical) 2=creation_location_iid
PerformanceMark 1=site_hash 2=site 3=mark_hash 4=mark 5=execution_context_id 6=sequence_number
ViewDump 1=activity:Activity
Activity 1=name 2=view:View
View 1=id 2=parent_id 3=is_shown%b 4=is_dirty%b 5=class_name 6=resource_name
ProcessState 0=words(998:unknown_to_proto|unknown|persistent|persistent_ui|top|
foreground_service|bound_foreground_service|important_foreground|important_background|
transient_background|backup|service|receiver|top_sleeping|heavy_weight|home|last_activity|
cached_activity|cached_activity_client|cached_recent|cached_empty|nonexistent|bound_top)
ChangeReason 0=words(none|activity|finish_receiver|start_receiver|bind_service|unbind_service|
start_service|get_provider|remove_provider|ui_visibility|allowlist|process_begin|process_end|
short_fgs_timeout|system_init|backup|shell|remove_task|uid_idle|stop_service|executing_service|
restriction_change|component_disabled|follow_up|reconfiguration|service_binder_call|
batch_update_request)
MessageQueue 1=sending_thread_name 2=receiving_thread_name 3=message_code 4=message_delay_ms
SchedulerJob 1=job_id 2=source_uid 3=proxy_uid 4=state 5=standby_bucket 6=requested_priority
  7=effective_priority 8=num_previous_attempts 9=deadline_ms 10=delay_ms 11=job_start_latency_ms
  12=num_uncompleted_work_items 13=proc_state 14=periodic_job_interval_ms
  15=periodic_job_flex_interval_ms 16=num_reschedules_due_to_abandonment 17=back_off_policy_type
  18=internal_stop_reason 19=public_stop_reason 20=job_state_flags 21=job_name_iid
Bitmap 1=size 2=width 3=height 4=density 5=config 6=mutable_pixels 7=pixel_storage_type 8=id
Broadcast 1=receiver_uid 2=receiver_pid 3=sender_uid 4=sender_pid 5=action_name
  6=receiver_type(unknown|runtime|manifest) 7=proc_start_type(unknown|warm|hot|cold)
  8=dispatch_delay_ms 9=receive_delay_ms 10=finish_delay_ms 11=package_stopped_state(unknown|
normal|stopped) 12=broadcast_type 13=delivery_group_policy(all|most_recent|merged)
  14=intent_flags 15=filter_priority 16=sender_process_state@ProcessState
  17=receiver_process_state@ProcessState 18=first_launch
Freezer 1=uid 2=pid 3=unfrozen_dur_ms 4=frozen_dur_ms 5=unfreeze_reason(none|activity|
finish_receiver|start_receiver|bind_service|unbind_service|start_service|get_provider|
remove_provider|ui_visibility|allowlist|process_begin|process_end|trim_memory||ping|file_locks|
file_lock_check_failure|binder_txns|feature_flags|short_fgs_timeout|system_init|backup|shell|
remove_task|uid_idle|stop_service|executing_service|restriction_change|component_disabled|
oom_adj_follow_up|oom_adj_reconfiguration|oom_adj_reason_service_binder_call|
oom_adj_reason_batch_update_request)
ProcessStart 1=uid 2=pid 3=process_name 4=bind_application_delay_ms 5=process_start_delay_ms
  6=hosting_name 7=hosting_type(unknown|activity|added_application|backup|broadcast|
content_provider|link_fail|on_hold|next_activity|next_top_activity|restart|service|system|
top_activity|empty|started_service|bound_service) 8=trigger_type(unknown|alarm|push_message|
push_message_over_quota|job) 9=hosting_zygote_variant(unknown|legacy|native) 10=start_seq_id
  11=package_uid 12=caller_uid 13=defining_uid
ProcessDied 1=uid 2=pid 3=process_name 4=reason(unknown|exit_self|signaled|low_memory|crash|
crash_native|anr|initialization_failure|permission_change|excessive_resource_usage|
user_requested|user_stopped|dependency_died|other|freezer|package_state_change|package_updated|
memory_limiter) 5=sub_reason(unknown|wait_for_debugger|too_many_cached|too_many_empty|
trim_empty|large_cached|memory_pressure|excessive_cpu|system_update_done|kill_all_fg|
kill_all_bg_except|kill_uid|kill_pid|invalid_start|invalid_state|imperceptible|remove_lru|
isolated_not_needed|cached_idle_forced_app_standby|freezer_binder_ioctl|
freezer_binder_transaction|force_stop|remove_task|stop_app|kill_background|package_update|
undelivered_broadcast|sdk_sandbox_died|sdk_sandbox_not_needed|excessive_binder_objects|oom_kill|
freezer_binder_async_full|excessive_outgoing_broadcasts_while_cached|anr_type_app_triggered|
anr_type_bind_application|anr_type_broadcast_of_intent|anr_type_content_provider_not_responding|
anr_type_executing_service|anr_type_foreground_service_timeout|
anr_type_foreground_short_service_timeout|anr_type_gpu_hang|anr_type_input_dispatching_timeout|
anr_type_input_dispatching_timeout_no_focused_window|anr_type_job_service_bind|
anr_type_job_service_notification_not_provided|anr_type_job_service_start|
anr_type_job_service_stop|anr_type_start_foreground_service|
anr_type_system_server_watchdog_timeout|excessive_enqueued_broadcasts_count|volume_mount|
volume_unmount|package_hidden|package_deleted|package_moved|app_data_cleared|
storage_session_reset|activity_launch_failure|restart_activity_process_timeout|
rapid_activity_launch|config_reset_restart|provider_client_reported_death) 6=importance 7=rss_kb
  8=has_foreground_services 9=start_seq_id 10=package_uid 11=defining_uid
BinderDied 1=uid 2=pid 3=process_name 4=start_seq_id
ProcessStateChanged 1=uid 2=pid 3=prev_proc_state@ProcessState 4=cur_proc_state@ProcessState
  5=prev_capability_flags 6=cur_capability_flags 7=prev_oom_score 8=cur_oom_score
  9=reason@ChangeReason 10=seq_id 11=cpu_time_reasons 12=implicit_cpu_time_reasons
  13=freeze_policy_flags
ServiceStateChanged 1=uid 2=pid 3=component_name 4=intent_action 5=bind_id
  6=foreground_service_type 7=caller_uid 8=caller_pid 9=reason_enum(unknown|start_requested|
connection|forced|persistent) 10=bind_flags
ProviderStateChanged 1=uid 2=pid 3=authority 4=caller_uid 5=caller_pid 6=is_stable
CapabilitySummary 1=is_full_update%b 2=reason@ChangeReason 3=total_processes
  4=discrepant_processes
CapabilityUpdate 1=is_full_update%b 2=reason@ChangeReason 3=pid 4=capability 5=cpu_reasons
  6=implicit_cpu_reasons 7=legacy_capability 8=legacy_cpu_reasons 9=legacy_implicit_cpu_reasons
  10=oom_adj 11=proc_state@ProcessState 12=flags
ProcStateSummary 1=is_full_update%b 2=reason@ChangeReason 3=total_processes
  4=discrepant_processes 5=known_discrepant_processes
ProcStateUpdate 1=is_full_update%b 2=reason@ChangeReason 3=pid 4=proc_state@ProcessState
  5=legacy_proc_state@ProcessState 6=oom_adj 7=flags 8=known_inconsistent_behavior
SelfBroadcast 1=pid 2=uid 3=action_name 4=process_state@ProcessState 5=broadcast_type
  6=intent_flags 7=registered_receiver_count 8=manifest_receiver_count 9=delivery_group_policy
  10=trace_cookie
SurfaceFlingerWorkload 1=source(unknown|frame_signal) 2=output_name 3=vsync_id
  4=summary:WorkloadSummary
WorkloadSummary 1=timings:WorkloadTimings 2=stats:WorkloadStats
WorkloadTimings 1=sf_cpu:CompositorTimes 2=hwc:ComposerTimes 3=re:DrawTimes 4=skia:SkiaTimes
WorkloadStats 1=gpu_composited_layers 2=dpu_composited_layers
CompositorTimes 1=frame_signal_nanos 2=commit_nanos 3=composite_nanos
ComposerTimes 1=present_nanos 2=validate_nanos 3=present_or_validate_nanos
DrawTimes 1=draw_layers_nanos 2=gpu_completion_nanos
SkiaTimes 1=flush_nanos 2=submit_nanos
Processes 1=pid
BeginFrame 1=type(unspecified|invalid|normal|missed) 2=source_id 3=sequence_number
  4=frame_time_us 5=deadline_us 6=interval_delta_us 7=on_critical_path%b 8=animate_only%b
  9=source_location_iid 10=source_location 12=frames_throttled_since_last
BeginFrameObserver 1=dropped_begin_frame_args 2=last_begin_frame_args:BeginFrame
BeginFrameSource 1=source_id 2=paused%b 3=num_observers 4=last_begin_frame_args:BeginFrame
BeginImplFrame 1=updated_at_us 2=finished_at_us 3=state(finished|using)
  4=current_args:BeginFrame 5=last_args:BeginFrame 6=timestamps_in_us:BeginFrameTimes
BeginFrameTimes 1=interval_delta 2=now_to_deadline_delta 3=frame_time_to_now_delta
  4=frame_time_to_deadline_delta 5=now 6=frame_time 7=deadline
ApplicationState 1=application_state(unknown|has_running_activities|
has_paused_activities|has_stopped_activities|has_destroyed_activities)
CompositorScheduler 1=state_machine:CompositorStateMachine
  2=observing_begin_frame_source%b 3=begin_impl_frame_deadline_task%b 4=pending_begin_frame_task%b
  5=skipped_last_frame_missed_exceeded_deadline%b 7=inside_action(unspecified|none|
send_begin_main_frame|commit|activate_sync_tree|draw_if_possible|draw_forced|draw_abort|
begin_layer_tree_frame_sink_creation|prepare_tiles|invalidate_layer_tree_frame_sink|
perform_impl_side_invalidation|notify_begin_main_frame_not_expected_until|
notify_begin_main_frame_not_expected_soon)
  8=deadline_mode(unspecified|none|immediate|regular|late|blocked) 9=deadline_us
  10=deadline_scheduled_at_us 11=now_us 12=now_to_deadline_delta_us
  13=now_to_deadline_scheduled_at_delta_us 14=begin_impl_frame_args:BeginImplFrame
  15=begin_frame_observer_state:BeginFrameObserver
  16=begin_frame_source_state:BeginFrameSource
  17=compositor_timing_history:CompositorTimingHistory
CompositorStateMachine 1=major_state:MajorState 2=minor_state:MinorState
MajorState 1=next_action(unspecified|none|send_begin_main_frame|commit|activate_sync_tree|
draw_if_possible|draw_forced|draw_abort|begin_layer_tree_frame_sink_creation|prepare_tiles|
invalidate_layer_tree_frame_sink|perform_impl_side_invalidation|
notify_begin_main_frame_not_expected_until|notify_begin_main_frame_not_expected_soon)
  2=begin_impl_frame_state(unspecified|idle|inside_begin_frame|inside_deadline)
  3=begin_main_frame_state(unspecified|idle|sent|ready_to_commit)
  4=layer_tree_frame_sink_state(unspecified|none|active|creating|waiting_for_first_commit|
waiting_for_first_activation) 5=forced_redraw_state(unspecified|idle|waiting_for_commit|
waiting_for_activation|waiting_for_draw)
MinorState 1=commit_count 2=current_frame_number 3=last_frame_number_submit_performed
  4=last_frame_number_draw_performed 5=last_frame_number_begin_main_frame_sent 6=did_draw%b
  7=did_send_begin_main_frame_for_current_frame%b 8=did_notify_begin_main_frame_not_expected_until%b
  9=did_notify_begin_main_frame_not_expected_soon%b 10=wants_begin_main_frame_not_expected%b
  11=did_commit_during_frame%b 12=did_invalidate_layer_tree_frame_sink%b
  13=did_perform_impl_side_invalidaion%b 14=did_prepare_tiles%b
  15=consecutive_checkerboard_animations
  16=pending_submit_frames 17=submit_frames_with_current_layer_tree_frame_sink 18=needs_redraw%b
  19=needs_prepare_tiles%b 20=needs_begin_main_frame%b 21=needs_one_begin_impl_frame%b 22=visible%b
  23=begin_frame_source_paused%b 24=can_draw%b 25=resourceless_draw%b 26=has_pending_tree%b
  27=pending_tree_is_ready_for_activation%b 28=active_tree_needs_first_draw%b
  29=active_tree_is_ready_to_draw%b 30=did_create_and_initialize_first_layer_tree_frame_sink%b
  31=tree_priority(unspecified|same_priority_for_both_trees|smoothness_takes_priority|
new_content_takes_priority) 32=scroll_handler_state(unspecified|affects|does_not_affect)
  33=critical_begin_main_frame_to_activate_is_fast%b
  34=main_thread_missed_last_deadline%b 36=video_needs_begin_frames%b 37=defer_begin_main_frame%b
  38=last_commit_had_no_updates%b 39=did_draw_in_last_frame%b 40=did_submit_in_last_frame%b
  41=needs_impl_side_invalidation%b 42=current_pending_tree_is_impl_side%b
  43=previous_pending_tree_was_impl_side%b 44=processing_animation_worklets_for_active_tree%b
  45=processing_animation_worklets_for_pending_tree%b
  46=processing_paint_worklets_for_pending_tree%b
ContentSettings 1=number_of_exceptions
FrameReporter 1=state(no_update_desired|presented_all|presented_partial|dropped)
  2=reason(unspecified|display_compositor|main_thread|client_compositor) 3=frame_source
  4=frame_sequence 5=affects_smoothness%b
  6=scroll_state(none|main_thread|compositor_thread|raster|unknown) 7=has_main_animation%b
  8=has_compositor_animation%b 9=has_smooth_input_main%b 10=has_missing_content%b
  11=layer_tree_host_id 12=has_high_latency%b 13=frame_type(forked|backfill)
  14=high_latency_contribution_stage
  15=checkerboarded_needs_raster%b 16=checkerboarded_needs_record%b 17=surface_frame_trace_id
  18=display_trace_id
HistogramSample 1=name_hash 2=name 3=sample 4=name_iid
KeyedService 1=name
LatencyInfo 1=trace_id 2=step(unspecified|handle_input_event_main_commit|
main_thread_scroll_update|send_input_event_ui|handle_input_event_main|handle_input_event_impl|
swap_buffers|draw_and_swap|did_handle_input_and_overscroll|handled_input_event_main_or_impl|
handled_input_event_impl|finished_swap_buffers) 3=frame_tree_node_id
  4=component_info:ComponentInfo 5=is_coalesced%b 6=gesture_scroll_id 7=touch_id
  8=input_type(unspecified_or_other|touch_moved|gesture_scroll_begin|gesture_scroll_update|
gesture_scroll_end|gesture_tap|gesture_tap_cancel)
ComponentInfo 1=component_type(unspecified|input_event_latency_begin_rwh|
input_event_latency_scroll_update_original|input_event_latency_first_scroll_update_original|
input_event_latency_original|input_event_latency_ui|input_event_latency_renderer_main|
input_event_latency_rendering_scheduled_main|input_event_latency_rendering_scheduled_impl|
input_event_latency_scroll_update_last_event|input_event_latency_ack_rwh|
input_event_latency_renderer_swap|display_compositor_received_frame|input_event_gpu_swap_buffer|
input_event_latency_frame_swap) 2=time_us
LegacyIpc 1=message_class(unspecified|automation|frame|page|view|widget|input|test|worker|
nacl|gpu_channel|media|ppapi|chrome|drag|print|extension|text_input_client|blink_test|
accessibility|prerender|chromoting|browser_plugin|android_web_view|nacl_host|encrypted_media|cast|
gin_java_bridge|chrome_utility_printing|ozone_gpu|web_test|network_hints|extensions_guest_view|
guest_view|media_player_delegate|extension_worker|subresource_filter|unfreezable_frame)
  2=message_line
MessagePump 1=sent_messages_in_queue%b 2=io_handler_location_iid
MojoEvent 1=watcher_notify_interface_tag 2=ipc_hash 3=mojo_interface_tag
  4=mojo_interface_method_iid 5=is_reply%b 6=payload_size 7=data_num_bytes
RendererScheduler 1=rail_mode(none|response|animation|idle|load) 2=is_backgrounded%b
  3=is_hidden%b
UserEvent 1=action 2=action_hash
WindowHandle 1=dpi 2=message_id 3=hwnd_ptr
CompositorTimingHistory 1=begin_main_frame_queue_critical_estimate_delta_us
  2=begin_main_frame_queue_not_critical_estimate_delta_us
  3=begin_main_frame_start_to_ready_to_commit_estimate_delta_us
  4=commit_to_ready_to_activate_estimate_delta_us 5=prepare_tiles_estimate_delta_us
  6=activate_estimate_delta_us 7=draw_estimate_delta_us

TraceConfig - 1=buffers:BufferConfig 2=data_sources:DataSource 3=duration_ms 8=write_into_file
  9=file_write_period_ms 10=max_file_size_bytes 13=flush_period_ms 18=activate_triggers
  22=unique_session_name 43=trace_all_machines
BufferConfig - 1=size_kb 4=fill_policy(unspecified|ring_buffer|discard)
DataSource - 1=config:DataSourceConfig
DataSourceConfig - 1=name 2=target_buffer 3=trace_duration_ms
Trigger 1=trigger_name! 2=producer_name 3=producer_uid 4=stop_delay_ms
ChromeTrigger 1=trigger_name! 2=trigger_name_hash 3=flow_id
ConcurrentSession
  1=state(unspecified|disabled|configured|started|disabling|cloned_read_only)! 2=session_name
  3=session_id 4=consumer_uid 5=data_sources
Metatrace 1=event_id 2=counter_id 3=duration_ns 4=counter_value 5=tid 6=has_overruns
  7=args:MetatraceArg 8=event_name! 9=counter_name! 10=interned_strings%n 11=event_name_iid
MetatraceArg 1=key 2=value 3=key_iid 4=value_iid

Journal 1=pid 2=tid 3=uid 4=gid 5=priority(emergency|alert|critical|error|warning|notice|info|debug)
  6=tag! 7=message 8=comm 9=exe 10=systemd_unit 11=hostname 12=transport 20=total 21=failed
GpuLog 1=severity(unspecified|verbose|debug|info|warning|error) 2=tag! 3=message
VulkanMemory 1=source(unspecified|driver|device|device_memory|buffer|image)
  2=operation(unspecified|create|destroy|bind|destroy_bound|annotations)! 3=timestamp 4=pid
  5=memory_address 6=memory_size 7=caller_iid
  8=allocation_scope(unspecified|command|object|cache|device|instance) 9=annotations%n 16=device
  17=device_memory 18=memory_type 19=heap 20=object_handle
VulkanApi 1=object_name:VulkanObject 2=queue_submit:VulkanSubmit
VulkanObject 1=pid 2=device 3=object_type 4=object 5=object_name
VulkanSubmit 1=duration_ns 2=pid 3=tid 4=queue 5=command_buffers 6=submission_id
GraphicsFrame 1=buffer_event:BufferEvent
BufferEvent 1=frame_number 2=type(unspecified|dequeue|queue|post|acquire_fence|latch|
hwc_composition_queued|fallback_composition|present_fence|release_fence|modify|detach|attach|cancel)!
  3=layer_name 4=duration_ns 5=buffer_id

DisplayState 1=display_state(unknown|off|on|doze|doze_suspend|vr|on_suspend) 2=brightness%d
Property 1=values:PropertyValue
PropertyValue 1=name! 2=value
NetworkPacket 1=direction(packet|received|sent)! 2=interface 3=length 4=uid 5=tag 6=ip_proto
  7=tcp_flags 8=local_port 9=remote_port 10=icmp_type 11=icmp_code
AppWakeLock 2=tag 3=flags 4=owner_pid 5=owner_uid 6=work_uid
Bluetooth 1=packet_type(unknown|HCI_CMD|HCI_EVT|HCI_ACL_RX|HCI_ACL_TX|HCI_SCO_RX|HCI_SCO_TX|
HCI_ISO_RX|HCI_ISO_TX)! 2=count 3=length 4=duration 5=op_code 6=event_code 7=subevent_code
  8=connection_handle
CameraFrame 1=session_id 2=camera_id 3=frame_number 4=request_id 5=request_received_ns
  6=request_processing_started_ns 7=start_of_exposure_ns 8=start_of_frame_ns 9=responses_all_sent_ns
  10=result(unspecified|ok|early_metadata_error|final_metadata_error|buffer_error|flush_error)
  11=skipped_sensor_frames 12=capture_intent 13=streams 14=nodes%n
CameraSession 1=session_id 2=graph
Layers - 1=elapsed_realtime_ns 2=where 3=layers:LayerList 4=hwc_blob%n 5=excludes_composition_state
  6=missed_entries 7=displays:LayerDisplay 8=vsync_id
LayerList 1=layers:Layer
Layer - 2=name
LayerDisplay - 1=id 2=name 7=is_virtual%b
Transactions - 1=elapsed_realtime_ns 2=vsync_id 3=transactions%n 4=added_layers%n
  5=destroyed_layers%n 6=added_displays%n 7=removed_displays%n 8=destroyed_layer_handles%n
  9=displays_changed 10=displays%n
Transition 1=id 2=create_time_ns 3=send_time_ns 4=dispatch_time_ns 5=merge_time_ns
  6=merge_request_time_ns 7=shell_abort_time_ns 8=wm_abort_time_ns 9=finish_time_ns
  10=start_transaction_id 11=finish_transaction_id 12=handler 13=type 14=targets:TransitionTarget
  15=merge_target 16=flags 17=starting_window_remove_time_ns
TransitionTarget 1=mode 2=layer_id 3=window_id 4=flags
TransitionHandlers 1=mapping:NumberedName
NumberedName 1=id 2=name
Input 1=motion:Motion 2=motion_redacted:Motion 3=key:Key 4=key_redacted:Key 5=dispatch:Dispatch
  6=dispatch_redacted:Dispatch
Motion 1=event_id 2=event_time_ns 3=source 4=action(down|up|move|cancel|outside|pointer_down|
pointer_up|hover_move|scroll|hover_enter|hover_exit|button_press|button_release) 5=device_id
  6=display_id%s 7=classification 8=flags 9=pointers%n 16=original_event_id 17=down_time_ns
  18=cursor_x%f 19=cursor_y%f 20=action_button 21=button_state 22=meta_state 23=policy_flags
  24=precision_x%f 25=precision_y%f
Key 1=event_id 2=event_time_ns 3=down_time_ns 4=source 5=action(down|up|multiple) 6=device_id
  7=display_id%s 8=key_code 9=scan_code 10=meta_state 11=repeat_count 12=flags 13=policy_flags
Dispatch 1=event_id 2=vsync_id 3=window_id 4=pointers%n 5=resolved_flags
Winscope 1=inputmethod_clients:MethodClientEntry 2=inputmethod_service:MethodServiceEntry
  3=inputmethod_manager_service:MethodManagerEntry 4=viewcapture:ViewCapture 5=input:Input
  6=windowmanager:WindowManager
MethodClientEntry - 1=elapsed_realtime_ns 2=where 3=client:MethodClient
MethodClient - 1=display_id 2=input_method_manager:MethodManager
MethodManager 1=cur_id 2=fullscreen_mode%b 3=display_id 4=active%b 5=served_connecting%b
  6=served_view 7=next_served_view
MethodServiceEntry - 1=elapsed_realtime_ns 2=where 3=input_method_service:MethodService
MethodService - 5=window_visible%b 10=input_started%b 14=show_input_requested%b 21=is_fullscreen%b
  24=is_input_view_shown%b
MethodManagerEntry - 1=elapsed_realtime_ns 2=where 3=input_method_manager_service:MethodManagerState
MethodManagerState - 1=cur_method_id 3=cur_client 4=cur_focused_window_name
  5=last_ime_target_window_name 6=cur_focused_window_soft_input_mode 8=cur_id 11=show_forced%b
  12=input_shown%b
WindowManager - 1=elapsed_realtime_ns 2=where 3=window_manager_service:WindowService
WindowService - 3=focused_window:WindowIdentifier 4=focused_app
  5=input_method_window:WindowIdentifier 9=focused_display_id
WindowIdentifier - 3=title
ViewCapture - 3=views%n
Evdev 1=device_id 2=input:EvdevInput 3=device_added:EvdevAddition 4=device_removed
EvdevInput 1=kernel_time_ns 2=type 3=code 4=value%s
EvdevAddition - 1=device:EvdevDevice
EvdevDevice - 1=device_id 3=name 4=physical_path
ArtProcess 1=pid 2=uid 3=process_name 4=package_name 5=oom_allocation_size 6=oom_total_bytes_free
  7=oom_free_bytes_until_oom 8=oom_stack:JavaStack 9=oom_error
JavaStack 1=frames:JavaFrame
JavaFrame 1=method 2=file 3=line

Etw 7=create_file:FileCreate 8=list_directory:FileListing 9=file_information:FileInformation
  10=read_or_write:FileAccess 11=file_operation:FileOperation 12=operation_end:FileEnd
  13=stack:StackWalk 14=path_operation:FileOfPath 15=disk:DiskIo
FileCreate 1=irp 2=file_object 3=thread 4=create_options 5=file_attributes 6=share_access 7=path
FileListing 1=irp 2=file_object 3=file_key 4=thread 5=length 6=info_class 7=file_index 8=file_name
  9=opcode
FileInformation 1=irp 2=file_object 3=file_key 4=extra_info 5=thread 6=info_class 7=opcode
FileAccess 1=offset 2=irp 3=file_object 4=file_key 5=thread 6=size 7=flags 8=opcode
FileOperation 1=irp 2=file_object 3=file_key 4=thread 5=opcode
FileEnd 1=irp 2=result 3=status
FileOfPath 1=irp 2=file_object 3=file_key 4=extra_info 5=thread 6=info_class 7=file_name 8=opcode
StackWalk 1=trigger 2=callstack_iid
DiskIo 1=disk 2=irp_flags 3=size 4=offset 5=file_object 6=request 7=response_time 8=thread 9=opcode

ChromeMetadata - 2=version_code 3=enabled_categories 5=app_package_name 6=app_version 7=channel
  8=os_name
ChromeBenchmark 1=start_time_us 2=story_run_time_us 3=name 4=description 5=label 6=story_name
  7=story_tags 8=story_run_index 9=had_failures
CpuInfo 1=cpus:Cpu
Cpu 1=processor 2=frequencies 3=capacity 4=arm_identifier:ArmCpu 5=features
ArmCpu 1=implementer 2=architecture 3=variant 4=part 5=revision
GpuInfo 1=gpus:Gpu
Gpu 1=name 2=vendor 3=model 4=architecture 5=uuid 6=extra_info:KeyValue 7=pci_bdf
KeyValue 1=key 2=value
UiState 1=timeline_start_ns 2=timeline_end_ns 3=highlight_process:HighlightProcess
HighlightProcess 1=pid 2=cmdline
Games 1=packages:Game 2=parse_error 3=read_error
Game 1=name 2=uid 3=current_mode 4=modes:GameMode
GameMode 1=mode 2=use_angle 3=resolution_downscale%f 4=fps%f
RangeOfInterest 1=start_us
UserList 1=users:User 2=error
User 1=type 2=uid
Aflags 1=flags:Aflag 2=error
Aflag 1=namespace 2=name 3=package 4=container 5=value 6=staged_value
  7=permission(unspecified|read_only|read_write) 8=value_picked_from(unspecified|default|server|local)
  9=storage(unspecified|none|aconfigd|device_config) 10=type(unspecified|boolean|integer)
Provenance 2=buffers:ProvenanceBuffer
ProvenanceBuffer 1=sequences:ProvenanceSequence
ProvenanceSequence 1=id 2=producer_id
Interrupts 1=names:NumberedName
)";

FieldName::Form form_of(std::string_view letter) {
  using Form = FieldName::Form;
  return letter == "f"   ? Form::kFloat
         : letter == "d" ? Form::kDouble
         : letter == "s" ? Form::kSigned
         : letter == "b" ? Form::kFlag
                         : Form::kCount;
}

std::vector<std::string_view> parts_of(std::string_view words) {
  std::vector<std::string_view> parts;
  for (;;) {
    const size_t end = find_any<'|'>(words);
    parts.push_back(trimmed(words.substr(0, end)));
    if (end == words.size()) return parts;
    words.remove_prefix(end + 1);
  }
}

// Takes what follows "number=".
FieldName take_field(std::string_view& rest) {
  FieldName field;
  const size_t end = find_any<' ', '\n', ':', '(', '@', '%', '!'>(rest);
  field.name = rest.substr(0, end);
  rest.remove_prefix(end);
  if (rest.starts_with(':')) {
    const size_t name = find_any<' ', '\n'>(rest);
    field.message = rest.substr(1, name - 1);
    rest.remove_prefix(name);
  } else if (rest.starts_with('(')) {
    const size_t close = find_any<')'>(rest);
    std::string_view words = rest.substr(1, close - 1);
    if (const auto first = take_number<uint32_t>(words)) {
      field.first_value = *first;
      words.remove_prefix(1);  // the ':'
    }
    field.values = parts_of(words);
    rest.remove_prefix(close + 1);
  } else if (rest.starts_with('@')) {
    const size_t name = find_any<' ', '\n'>(rest);
    field.words_of = rest.substr(1, name - 1);
    rest.remove_prefix(name);
  } else if (rest.starts_with('%')) {
    field.form = form_of(rest.substr(1, 1));
    rest.remove_prefix(2);
  }
  field.names_event = take_prefix(rest, "!");
  return field;
}

std::map<std::string_view, MessageNames> parsed_table() {
  std::map<std::string_view, MessageNames> all;
  std::string_view rest = kTable;
  MessageNames* message = nullptr;
  for (rest = trimmed(rest); !rest.empty(); rest = trimmed(rest)) {
    if (const auto number = take_number<uint32_t>(rest)) {
      rest.remove_prefix(1);  // the '='
      message->fields.emplace(*number, take_field(rest));
    } else if (const std::string_view word = take_word(rest); word == "-") {
      message->shows_others = false;
    } else {
      message = &all[word];
    }
  }
  for (auto& each : all | std::views::values) {
    for (FieldName& field : each.fields | std::views::values) {
      const auto names = all.find(field.message);
      if (names != all.end()) field.names = &names->second;
      if (field.words_of.empty()) continue;
      const FieldName& words = all.at(field.words_of).fields.at(0);
      field.values = words.values;
      field.first_value = words.first_value;
    }
  }
  return all;
}

}  // namespace

const MessageNames& names_of_message(std::string_view message) {
  static const auto all = parsed_table();
  static const MessageNames none;
  const auto it = all.find(message);
  return it == all.end() ? none : it->second;
}

}  // namespace weft::formats::perfetto
