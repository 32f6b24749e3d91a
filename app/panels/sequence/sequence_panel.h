// The sequence diagram: who sent what to whom, for the messages (links) of the window. (TM-01 to
// TM-09)
//
//   | what it shows: order of the lanes, …          |
//   |       | names of the lanes            |       |
//   | ruler |-------------------------------| strip |
//   |       | lanes side by side, time      | of    |
//   |       | downwards: wheel zooms, drag  | the   |
//   |       | moves, click selects          | whole |
//
// It shows the same window of time as the other panels. Its content is requested in blocks of time
// (core/layout/messages.h), and stays valid while the view moves within them.
#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <stop_token>

#include "app/panels/element/element_details.h"
#include "app/panels/element_menu.h"
#include "app/panels/filter_sign.h"
#include "app/panels/panels.h"
#include "app/panels/sequence/lane_header.h"
#include "app/panels/sequence/sequence_picture.h"
#include "app/panels/time_menu.h"
#include "app/panels/timeline/hit_marks.h"
#include "app/panels/timeline/markers_down.h"
#include "app/panels/timeline/range_drag.h"
#include "core/base/latest.h"
#include "core/query/messages/traffic.h"

namespace weft::app {

class SequencePanel final : public Panel {
 public:
  explicit SequencePanel(const PanelServices& services);
  void draw(const PanelInput& input, PanelOutput& output) override;
  void paint() override;
  void present(int framebuffer_height) const override;

 private:
  struct TrafficOf : query::Traffic {
    uint64_t trace_id = 0;
  };
  struct TrafficOfKey {
    uint64_t trace_id = 0;
    store::TracePtr trace;
    bool operator==(const TrafficOfKey&) const = default;
  };
  struct LanesKey {
    std::shared_ptr<const TraceModel> model;
    std::shared_ptr<const TrafficOf> traffic = nullptr;  // null: not read yet
    layout::MessageOrder order = layout::MessageOrder::kFirst;
    Json moves = nullptr;  // moved lanes: [[path, path of the lane behind it or null], …]
    bool operator==(const LanesKey&) const = default;
  };
  struct MessagesKey {
    uint64_t trace_id = 0;
    store::TracePtr trace;
    layout::MessageGrid grid;
    std::shared_ptr<const layout::ShownLanes> shown;
    aggregate::FilterPtr filter;
    bool keeps_rest = false;
    bool joins_runs = false;
    std::vector<TimeRange> open_runs;  // among the joined runs
    std::shared_ptr<const layout::MessageRules> rules;
    std::shared_ptr<const DiagramLanes> activations_of;  // null: activations are not needed
    bool operator==(const MessagesKey&) const = default;
  };
  // With the trace that they belong to: lanes and types of one trace must not be looked up in
  // another.
  struct MessagesOf : layout::Messages {
    uint64_t trace_id = 0;
    std::vector<layout::Activation> activations;
  };
  using LatestMessages = Latest<MessagesKey, MessagesOf>;
  struct Places {
    Area header, ruler, canvas, strip, note;
  };

  // Keeps earlier answers, to be given again: the newest that fit in kMostKeptBytes. Shared by the
  // workers of the diagram and of the strip.
  class Memory {
   public:
    std::optional<MessagesOf> find(const MessagesKey& key);
    void keep(const MessagesKey& key, const MessagesOf& answer);

   private:
    static constexpr size_t kMostKeptBytes = size_t{64} << 20;
    static size_t bytes_of(const MessagesOf& answer);
    std::mutex mutex_;
    std::list<std::pair<MessagesKey, MessagesOf>> kept_;  // newest first
    size_t bytes_ = 0;
  };

  static std::optional<MessagesOf> make_outline(const MessagesKey& key,
                                                const std::stop_token& stop);
  static std::optional<MessagesOf> recall_or_make(const MessagesKey& key, Memory& memory,
                                                  ThreadPool& pool, const std::stop_token& stop);
  static std::optional<MessagesOf> make_messages(const MessagesKey& key, ThreadPool& pool,
                                                 const std::stop_token& stop);
  LatestMessages latest_messages(const PanelServices& services) const;
  std::shared_ptr<const MessagesOf> find_messages(const PanelInput& input, LatestMessages& latest,
                                                  const TimeAxis& axis, PanelOutput& output);
  std::shared_ptr<const DiagramLanes> find_lanes(const PanelInput& input, PanelOutput& output,
                                                 Area& below);
  Places arrange(const PanelInput& input, const Area& area, std::span<const LaneId> lanes);
  void draw_pictures(const PanelInput& input, const TimeAxis& axis, const Places& places,
                     PanelOutput& output);
  void draw_selection(const PanelInput& input, const Places& places) const;
  void draw_over(const PanelInput& input, const TimeAxis& axis, const Places& places,
                 PanelOutput& output);
  void draw_markers(const PanelInput& input, const Places& places,
                    const std::optional<HitBins>& hits, PanelOutput& output);
  // The lanes that an arrow under the pointer connects; otherwise the lane beside the pointer.
  std::vector<LaneId> lanes_at_pointer(const Area& canvas) const;
  void draw_strip_window(const PanelInput& input, const TimeAxis& axis, const Area& strip) const;
  double hidden_lanes_share() const;  // share of lanes that do not fit
  // Of the selected element; null: nothing is selected, or its facts are not read yet.
  std::shared_ptr<const ElementFacts> find_facts(const PanelInput& input, PanelOutput& output);
  std::string note() const;  // the line below the diagram
  // Drawn at the lower left, one legend above the other; `bottom` is where the next one ends.
  void draw_size_legend(const PanelInput& input, const Area& canvas, float& bottom) const;

  void handle_mouse(const PanelInput& input, const TimeAxis& axis, const Places& places,
                    PanelOutput& output);
  // The time of what is drawn near the pointer; otherwise the time at the pointer.
  Time snapped(ImVec2 mouse) const;
  // Handles drags of lanes by their names.
  void handle_header(const PanelInput& input, const Places& places, PanelOutput& output);
  void follow_lane(const PanelInput& input, const Area& header, PanelOutput& output);
  void handle_canvas(const PanelInput& input, const TimeAxis& axis, const Places& places,
                     PanelOutput& output);
  // Returns whether the triangle of a run is under the pointer.
  bool handle_runs(const PanelInput& input, bool is_clicked, PanelOutput& output);
  static Command toggle(const layout::MessageRun& run);  // opens or closes the run
  void handle_strip(const PanelInput& input, const Area& strip, PanelOutput& output);
  void hover(const PanelInput& input, const TimeAxis& axis, const layout::PlacedArrow& arrow,
             PanelOutput& output);
  void show_bar_tooltip(const PanelInput& input, const TimeAxis& axis,
                        const layout::TrafficBar& bar) const;
  void reveal_element(const PanelInput& input, const Area& canvas, PanelOutput& output);
  void scroll_to(const PanelInput& input, double px, uint32_t gesture, PanelOutput& output) const;

  Latest<TrafficOfKey, TrafficOf> traffic_;
  Latest<LanesKey, DiagramLanes> lanes_;
  std::shared_ptr<Memory> memory_ = std::make_shared<Memory>();
  LatestMessages messages_, outline_, strip_messages_;
  std::optional<MessagesKey> diagram_key_;  // the last question to messages_
  HitFinder hits_;
  LatestDetails details_;
  Latest<ElementFactsKey, ElementFacts> facts_;
  SequencePicture diagram_, strip_;
  LaneHeader header_;
  ElementMenu element_menu_;
  TimeMenu time_menu_;
  AxisGestures gestures_;
  RangeDrag range_drag_;
  MarkerHandles marker_handles_;
  RunGesture scroll_wheel_;
  struct LaneDrag {
    LaneId lane;
    float from_x = 0;
    bool has_moved = false;
  };
  std::optional<LaneDrag> lane_drag_;
  uint32_t strip_gesture_ = 0;  // while the strip is dragged
  std::shared_ptr<const DiagramLanes> shown_lanes_;
  double pitch_px_ = 1, left_px_ = 0, scroll_px_ = 0, most_scroll_px_ = 0;
  double scroll_at_drag_ = 0;
  bool in_order_ = false, by_size_ = false, by_type_ = false, joins_runs_ = false;
  FilterSign filter_sign_;
  bool awaits_filter_ = false;  // the messages shown are those of another filter
  bool takes_mouse_ = false;    // a marker or cursor takes it in this frame
  std::optional<Time> marked_;  // time of a marker near the pointer
  uint64_t revealed_ = 0;       // the last OpenTrace::last_reveal() that was followed
};

}  // namespace weft::app
