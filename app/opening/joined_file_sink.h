// Joins one of several files to a trace: all its lanes lie below a lane with the file's name, its
// metadata and losses carry that name, and its time base must be that of the first file.
//
// A sink in front of the one that builds the trace; one per file, the first file first.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/trace/passing_sink.h"

namespace weft::app {

// State shared by the sinks of all files.
struct JoinedFiles {
  std::optional<TimeBase> time_base;  // the first file's, once it has events
  uint64_t bytes_before = 0;          // the size of the files already read
  uint64_t bytes_total = 0;           // the size of all files
};

// The files' names, each preceded by as many of its folders as distinguish it from the others, or
// with a number if a file is given twice.
std::vector<std::string> distinct_names(const std::vector<std::filesystem::path>& files);

class JoinedFileSink final : public trace::PassingSink {
 public:
  JoinedFileSink(trace::EventSink& target, std::string file_name, JoinedFiles& joined);

  // Whether the file's time base differs from that of the first: nothing of it was taken.
  bool has_other_time_base() const { return has_other_time_base_; }

  void set_time_base(TimeBase base) override { time_base_ = base; }
  void set_metadata(std::string_view key, std::string_view value) override;
  LaneId add_lane(const trace::Lane& lane) override {
    return PassingSink::add_lane(below_file(lane));
  }
  void update_lane(LaneId id, const trace::Lane& lane) override {
    PassingSink::update_lane(id, below_file(lane));
  }
  void states(std::span<const trace::StateEvent> events) override {
    if (agrees_on_time()) PassingSink::states(events);
  }
  void punctuals(std::span<const trace::PunctualEvent> events) override {
    if (agrees_on_time()) PassingSink::punctuals(events);
  }
  void links(std::span<const trace::LinkEvent> events) override {
    if (agrees_on_time()) PassingSink::links(events);
  }
  void variables(std::span<const trace::VariableSample> events) override {
    if (agrees_on_time()) PassingSink::variables(events);
  }
  void loss(std::string_view kind, const trace::LossPlace& place, uint64_t count,
            bool is_damage) override;
  void set_end(Time end) override {
    if (agrees_on_time()) PassingSink::set_end(end);
  }
  void progress(uint64_t bytes_done, uint64_t bytes_total) override;
  bool keep_going() const override { return !has_other_time_base_ && PassingSink::keep_going(); }

 private:
  trace::Lane below_file(trace::Lane lane) const;
  bool agrees_on_time();

  std::string file_name_;
  JoinedFiles& joined_;
  LaneId file_lane_;
  TimeBase time_base_ = TimeBase::kNanoseconds;
  bool has_other_time_base_ = false;
};

}  // namespace weft::app
