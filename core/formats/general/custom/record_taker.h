// Records on their way through the rules: which rule takes each, what becomes of it, and what is
// counted where nothing does.
#pragma once

#include <cstdint>
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
  // `unknown`: the kind of loss of a record that no rule takes.
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

  // Of a log without years: the first record is not before that.
  void begin_behind(std::optional<Time> begin) { begin_ = begin; }
  void take(Record& record);
  void finish();

  uint64_t taken() const { return taken_; }  // records, but those of no interest
  bool knows_any() const { return knows_any_; }
  bool knows_none() const { return has_unknown_ && !knows_any_; }

 private:
  // `before`: the time of the record before.
  void apply(const CompiledRule& rule, const Record& record, std::optional<Time> before);
  void add_child(const CompiledRule& rule, const Record& record);
  void give_pending();

  // A rule that reached its limits so often is asked no more: a trace costs seconds, not hours.
  static constexpr uint32_t kMostHardRecords = 256;

  const Rules& rules_;
  trace::EventSink& sink_;
  EventMaker maker_;
  std::string unknown_;
  Observer* observer_;
  std::vector<uint32_t> hard_records_;  // by rule: on which its expressions took too long
  Event events_[2];                     // kept for their memory
  Event* event_ = &events_[0];
  Event* pending_ = &events_[1];  // where children may follow
  bool is_pending_ = false;
  NamedTexts child_;
  size_t child_bytes_ = 0;  // of the pending event
  std::optional<Time> begin_, last_;
  Time last_end_ = Time::min();
  uint64_t taken_ = 0;
  bool knows_any_ = false, has_unknown_ = false;
};

}  // namespace weft::formats::custom
