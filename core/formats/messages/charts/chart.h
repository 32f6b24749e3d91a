// What a sequence chart means, whatever notation it was written in: readers only take texts apart.
//
// A chart has no times, so its rows count. Participants are lanes. Messages are links, named by
// their label, with the arrow's kind as group; a lost one has no target. Boxes, sections and
// activations are states of the lanes that they cover, notes events; what crosses the whole chart
// is on the lane "Chart". What is of many participants at once is bounded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/formats/base/by_name.h"
#include "core/trace/event_sink.h"

namespace weft::formats::charts {

// Returns one line of valid UTF-8, for names.
std::string as_name(std::string_view text);

// What stands at an item.
struct Said {
  std::string_view kind;   // "signal", "note", "loop"
  std::string label = {};  // one line; empty: the item is called by its kind
  std::optional<uint32_t> color = {};
  ParamsId params = ParamsId::none();
};

// The participants from one to another.
struct Range {
  size_t first;
  size_t last;

  static Range of(size_t a, size_t b) { return a < b ? Range{a, b} : Range{b, a}; }
};

class Chart {
 public:
  // `lanes` is the kind of the participants: kAsync where what covers them need not nest.
  Chart(trace::EventSink& sink, trace::LaneKind lanes) : sink_(sink), lane_kind_(lanes) {}

  // Returns the participant that the notation knows by this name, and whether it is new.
  std::pair<size_t, bool> participant(std::string_view key);
  size_t participants() const { return participants_.size(); }
  std::string_view key_of(size_t participant) const { return keys_.entries()[participant].first; }
  // Sets the name that is shown, and the place among the others.
  void describe(size_t participant, const std::string& name, int32_t sort_index = 0);
  // Sets the colour of labelled messages that leave it.
  void set_color(size_t participant, std::optional<uint32_t> color) {
    participants_[participant].color = color;
  }
  // Participants that come now stand together below a lane, until the group ends.
  void begin_group(const std::string& name);
  void end_group() { group_ = LaneId::none(); }
  bool is_in_group() const { return !group_.is_none(); }

  int64_t row() const { return row_; }
  int64_t last_row() const { return row_ > 0 ? row_ - 1 : 0; }
  void next_row() { ++row_; }
  // What comes next stands beside what came last.
  void repeat_row() { row_ = last_row(); }

  // Gives a message at this row. Without a source it comes from beyond the chart, without a target
  // it is lost; one of them there is. It arrives `rows` below.
  void message(const Said& said, std::optional<size_t> source, std::optional<size_t> target,
               int64_t rows = 0);
  void box(const Said& said, Range range, size_t offset);
  void note(const Said& said, Range range, size_t offset);
  // Gives a mark across the whole chart.
  void mark(const Said& said);

  // Begins a section, whose head is a row. Without a range it covers what it turns out to involve.
  void begin_section(const Said& said, std::optional<Range> range, size_t offset);
  void end_section();
  bool is_in_section() const { return !sections_.empty(); }

  // A participant is active from the last row on. `caller` gets what it returns.
  void activate(size_t participant, std::optional<size_t> caller, size_t offset);
  // Returns false if the participant is not active.
  bool deactivate(size_t participant);
  // Returns who became active last and still is, with its caller.
  std::optional<std::pair<size_t, std::optional<size_t>>> last_active();

  // Whether one more item on one more lane is affordable: an item of a few characters may involve
  // thousands.
  bool is_affordable(size_t offset);

  // Ends what is open where a chart ends; others may follow. Activations may be open: many authors
  // leave them so.
  void end_chart();
  // Gives what waits for the last row.
  void finish();

 private:
  struct Active {
    int64_t begin;
    std::optional<size_t> caller;
  };
  struct Participant {
    LaneId lane;
    LaneId group;
    std::optional<uint32_t> color;
    std::vector<Active> active;  // the innermost last
  };
  struct Section {
    Said said;
    std::optional<Range> range;  // none: nothing yet
    bool is_fixed;               // the range
    int64_t row;
    size_t offset;
  };
  struct Skipped {
    trace::LinkEvent link;
    int64_t rows;
  };

  EventTypeId type_of(trace::Category category, const Said& said);
  LaneId chart_lane();
  void involve(Range range);
  void give_state(LaneId lane, EventTypeId type, ParamsId params, int64_t begin, int64_t end);
  void end_activation(Participant& participant, int64_t end);

  trace::EventSink& sink_;
  trace::LaneKind lane_kind_;
  std::vector<Participant> participants_;
  ByName<size_t> keys_;  // of participants, in the same order
  LaneId chart_ = LaneId::none();
  LaneId group_ = LaneId::none();
  std::vector<Section> sections_;  // that are open
  std::vector<size_t> activated_;  // in order; some may have ended
  std::vector<Skipped> skipped_;
  int64_t row_ = 0;
  uint64_t shares_left_ = uint64_t{1} << 22;
};

}  // namespace weft::formats::charts
