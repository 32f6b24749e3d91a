// The log of one PE, a record a line: its kind, and numbers. What a kind has grew with the versions
// of the format; what a record lacks at its end is not there.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/flat_index.h"
#include "core/formats/hpc/projections/projections_messages.h"
#include "core/formats/hpc/projections/projections_table.h"
#include "core/formats/stacks/open_states.h"
#include "core/trace/event_sink.h"

namespace weft::formats::projections {

class PeLog {
 public:
  PeLog(const Table& table, Messages& messages, LaneId lane, trace::EventSink& sink)
      : table_(table), messages_(messages), lane_(lane), sink_(sink), open_(sink) {}

  void add(std::string_view line, uint64_t offset);
  // Ends what is open at the end of the log.
  void finish(uint64_t offset);

 private:
  // The numbers of a record, in order; what is not there is nothing.
  class Numbers {
   public:
    void read(std::string_view text);
    bool has(size_t count) const { return numbers_.size() - at_ >= count; }
    size_t left() const { return numbers_.size() - at_; }
    int64_t next() { return at_ < numbers_.size() ? numbers_[at_++] : 0; }
    bool are_all() const { return are_all_; }

   private:
    std::vector<int64_t> numbers_;
    size_t at_ = 0;
    bool are_all_ = true;
  };

  bool add_record(int64_t kind, std::string_view rest);
  bool add_plain_state(int64_t kind);
  bool add_instant(int64_t kind);
  bool add_creation(int64_t kind);
  bool begin_processing();
  bool end_processing();
  bool add_user_event(int64_t kind);
  bool add_bracketed(int64_t event, int64_t number, int64_t nested);
  bool add_value(int64_t kind);
  bool add_stat(std::string_view rest);
  bool add_function(std::string_view rest, bool is_begin);
  bool add_note(std::string_view rest, bool is_bracketed);

  // Appends the next number behind a space to the text that is made of several.
  void append_next();
  void see(int64_t time);
  EventTypeId state_type(std::string_view name, std::string_view group);
  struct Entry {
    std::string name;
    EventTypeId type = EventTypeId::none();
  };
  Entry& entry_of(int64_t entry);
  EventTypeId entry_type(int64_t entry);
  EventTypeId message_type(int64_t kind);
  LaneId user_lane();
  void member(std::string_view quoted_name, int64_t value);  // "name":
  void text_member(std::string_view name, std::string_view value);
  std::string_view params();  // the record's members, asked for once; empty where there are none
  ParamsId params_id();
  void punctual(std::string_view name, std::string_view group, ParamsId params);
  void variable(std::string_view name, double value, ParamsId params = ParamsId::none());

  const Table& table_;
  Messages& messages_;
  LaneId lane_, user_lane_ = LaneId::none();
  trace::EventSink& sink_;
  stacks::OpenStates open_;
  Time time_, last_;  // of the record; the latest so far
  bool has_ended_ = false;
  uint64_t offset_ = 0;
  Numbers numbers_;
  std::string members_;  // of the record, behind a brace
  std::string text_;     // of several numbers, a member
  std::vector<Entry> entries_;
  FlatIndex<uint64_t, NumberHash> entry_index_;  // of entries_, by their numbers
  // Of links, by the kinds that create messages.
  std::array<EventTypeId, 3> message_types_ = {EventTypeId::none(), EventTypeId::none(),
                                               EventTypeId::none()};
  // An open entry method, innermost last, to match ends against.
  struct Begun {
    EventTypeId type;
    std::optional<int64_t> cpu;
    std::vector<int64_t> counters;
  };
  std::vector<Begun> begun_;
  // The begin of a pair of records that stand behind each other.
  struct Pair {
    int64_t event, number, nested;
    Time begin;
  };
  std::optional<Pair> pair_;
};

}  // namespace weft::formats::projections
