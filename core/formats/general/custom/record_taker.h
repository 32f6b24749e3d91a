// Runs records through the rules: finds the rule that matches, makes the event, and counts records
// that none matches.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/formats/general/custom/custom_reader.h"
#include "core/formats/general/custom/event_maker.h"
#include "core/formats/general/custom/rules.h"

namespace weft::formats::custom {

class RecordTaker {
 public:
  // `unknown` is the kind of loss for records that no rule matches.
  RecordTaker(const Rules& rules, trace::EventSink& sink, uint64_t max_bytes, std::string unknown,
              Observer* observer)
      : rules_(rules),
        sink_(sink),
        maker_(sink, max_bytes),
        unknown_(std::move(unknown)),
        observer_(observer),
        hard_records_(rules.rules.size()) {}

  RecordTaker(const RecordTaker&) = delete;
  RecordTaker& operator=(const RecordTaker&) = delete;

  // For logs without years: the first record is not before `begin`.
  void begin_behind(std::optional<Time> begin) { begin_ = begin; }
  void take(Record& record);
  void finish();

  uint64_t taken() const { return taken_; }              // matched records, ignored ones excluded
  uint64_t told_losses() const { return told_losses_; }  // events that records say were lost
  bool knows_any() const { return knows_any_; }
  bool knows_none() const { return has_unknown_ && !knows_any_; }

 private:
  // `before` is the time of the record before.
  void apply(const CompiledRule& rule, const Record& record, std::optional<Time> before);
  // Moves what the record's views are of to memory that lasts as long as its event is pending.
  void keep(Record& record);
  void add_child(const CompiledRule& rule, const Record& record);
  void add_loss(const CompiledRule& rule, const Record& record);
  // Children that follow are of a record that makes nothing.
  void pass_over();
  void end_children_before(const Record& record, Makes makes);
  void give_pending();

  // A rule that exceeded its limits this often is disabled: a trace costs seconds, not hours.
  static constexpr uint32_t kMostHardRecords = 256;

  const Rules& rules_;
  trace::EventSink& sink_;
  EventMaker maker_;
  std::string unknown_;
  Observer* observer_;
  std::vector<uint32_t> hard_records_;  // by rule: records on which it exceeded its limits
  Event events_[2];                     // kept for their memory
  Event* event_ = &events_[0];
  Event* pending_ = &events_[1];  // the event that children may extend
  bool is_pending_ = false;
  bool is_passed_over_ = false;
  std::string texts_[2];     // of records that are kept
  size_t text_ = 0;          // the record's, and …
  size_t pending_text_ = 1;  // … that of the pending event
  Event child_;
  std::deque<std::pair<std::string, std::string>> grown_;  // parameters with what children added
  size_t child_bytes_ = 0;                                 // of the pending event
  std::optional<Time> begin_, last_;
  Time last_end_ = Time::min();
  uint64_t taken_ = 0, told_losses_ = 0;
  bool knows_any_ = false, has_unknown_ = false;
};

}  // namespace weft::formats::custom
