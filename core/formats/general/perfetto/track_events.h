// Interprets TrackEvents: their place, name, parameters, counters and flows. Everything that
// depends on the events before it in its sequence is resolved here, in the order of the file; what
// depends on time is left to the Timeline.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/formats/base/args_text.h"
#include "core/formats/base/by_name.h"
#include "core/formats/general/perfetto/argument_names.h"
#include "core/formats/general/perfetto/clocks.h"
#include "core/formats/general/perfetto/gpu_links.h"
#include "core/formats/general/perfetto/parsed_packet.h"
#include "core/formats/general/perfetto/sequence.h"
#include "core/formats/general/perfetto/timeline.h"
#include "core/formats/general/perfetto/track_event.h"
#include "core/formats/general/perfetto/tracks.h"
#include "core/formats/general/perfetto/translations.h"
#include "core/formats/kernel/ftrace/ftrace_lanes.h"

namespace weft::formats::perfetto {

class TrackEvents {
 public:
  TrackEvents(trace::EventSink& sink, ftrace::Lanes& lanes, Tracks& tracks, Clocks& clocks,
              Timeline& timeline, GpuLinks& gpu_links, const ArgumentNames& argument_names,
              const Translations& translations)
      : sink_(sink),
        lanes_(lanes),
        tracks_(tracks),
        clocks_(clocks),
        timeline_(timeline),
        gpu_links_(gpu_links),
        argument_names_(argument_names),
        translations_(translations) {}

  // The packet's time; null where it has none.
  void add(const ParsedPacket& packet, std::string_view message, Sequence& sequence,
           const Time* packet_time);

 private:
  struct Place {
    LaneId lane;
    uint64_t stack;
    int32_t pid;
    uint32_t* stack_slot = nullptr;  // of a track
  };
  bool add_plain(const PlainTrackEvent& event, Sequence& sequence, Time time);
  void add_event(Sequence& sequence, Time time);
  Track& track_of(uint64_t uuid, Sequence& sequence);
  // Or the kind of a loss.
  std::expected<Time, std::string_view> time_within(Sequence& sequence);
  std::string_view name_text(const Sequence& sequence) const;
  std::string categories_text(const Sequence& sequence) const;
  LaneId lane_of(Track& track, const Sequence& sequence);
  EventTypeId type_of(trace::Category kind, Sequence& sequence);
  EventTypeId make_type(trace::Category kind, const Sequence& sequence);
  uint32_t number_of_name(std::string_view text);
  // The same for a type from make_type().
  uint32_t number_of_name(EventTypeId type) const {
    return type.value() < name_of_type_.size() ? name_of_type_[type.value()] : 0;
  }
  void set_type(Record& record, trace::Category category, bool is_end, Sequence& sequence);
  Place place_of(Sequence& sequence);
  Place place_of_task(int32_t tid, int32_t pid);

  void add_args(Sequence& sequence);
  void add_annotations(const Sequence& sequence);
  void add_histogram(const Sequence& sequence);
  void add_translations();
  void add_mojo_method(const Sequence& sequence);
  void add_thread_times(Sequence& sequence);
  void add_detail(const Field& field, const Sequence& sequence);
  void add_source_location(std::string_view name, std::string_view message);
  void add_log_message(std::string_view message, const Sequence& sequence);
  void add_stack(const Field& field, const Sequence& sequence);

  void add_counters(Sequence& sequence, Time time);
  void add_sample(uint64_t uuid, double value, Sequence& sequence, Time time);
  void add_legacy(Record record, const Place& place, Sequence& sequence);
  void add_legacy_flow(Record record, Sequence& sequence);
  void add_async(Record record, const Place& place, Sequence& sequence);
  LaneId lane_of_async(uint64_t id, const Place& place, const Sequence& sequence, bool is_begin,
                       bool is_end);
  void add_flows(Record& record, Sequence& sequence);
  void add_gpu_links(const Record& record);
  uint64_t legacy_id(const Place& place, const Sequence& sequence) const;
  void give(Record record);

  trace::EventSink& sink_;
  ftrace::Lanes& lanes_;
  Tracks& tracks_;
  Clocks& clocks_;
  Timeline& timeline_;
  GpuLinks& gpu_links_;
  const ArgumentNames& argument_names_;
  const Translations& translations_;
  struct OpenAsync {
    LaneId lane;
    uint32_t open;  // states of the id
  };
  std::unordered_map<uint64_t, OpenAsync> open_async_;
  ByName<uint32_t> names_;
  std::vector<uint32_t> name_of_type_;  // number_of_name()
  TrackEvent event_;                    // being read
  uint64_t offset_ = 0;
  ArgsText args_;
};

}  // namespace weft::formats::perfetto
