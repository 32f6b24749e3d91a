// An EventSink that keeps everything and writes it as text: what a reader gave, to be compared.
//
// The text does not depend on the order in which events of different kinds or lanes arrive, but on
// everything else. One line for each thing, most important first.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "core/trace/event_sink.h"

namespace weft::test {

class RecordingSink : public trace::EventSink {
 public:
  void set_time_base(TimeBase base) override;
  void set_metadata(std::string_view key, std::string_view value) override;
  LaneId add_lane(const trace::Lane& lane) override;
  void update_lane(LaneId id, const trace::Lane& lane) override;
  EventTypeId type(trace::Category category, std::string_view name,
                   std::string_view group = {}) override;
  void set_type_color(EventTypeId id, uint32_t rgb) override;
  ParamsId keep_params(std::string_view json, std::span<const std::byte> payload) override;
  void states(std::span<const trace::StateEvent> events) override;
  void punctuals(std::span<const trace::PunctualEvent> events) override;
  void links(std::span<const trace::LinkEvent> events) override;
  void variables(std::span<const trace::VariableSample> events) override;
  void loss(std::string_view kind, const trace::LossPlace& place, uint64_t count,
            bool is_damage) override;
  void set_end(Time end) override { end_ = end; }
  void progress(uint64_t, uint64_t) override {}
  bool keep_going() const override { return true; }

  const trace::Dictionary& dictionary() const { return dictionary_; }
  const std::vector<trace::StateEvent>& state_events() const { return states_; }
  const std::vector<trace::PunctualEvent>& punctual_events() const { return punctuals_; }
  const std::vector<trace::LinkEvent>& link_events() const { return links_; }
  const std::vector<trace::VariableSample>& samples() const { return variables_; }
  uint64_t loss_count(std::string_view kind) const;
  // The JSON, and the payload in hexadecimal where there is one.
  const std::string& params_of(ParamsId id) const { return params_.at(id.value()); }
  uint64_t total() const {
    return states_.size() + punctuals_.size() + links_.size() + variables_.size();
  }

  // Lanes in display order, types in order of creation, events in order of time.
  std::string dump() const;

 private:
  void dump_lane(std::string& out, LaneId id) const;
  void dump_losses(std::string& out) const;
  std::string place_text(const trace::LossPlace& place) const;
  std::string lane_text(LaneId id) const;
  std::string type_text(EventTypeId id) const;
  std::string params_text(ParamsId id) const;
  std::vector<std::string> event_lines() const;

  trace::Dictionary dictionary_;
  std::optional<Time> end_;
  std::map<std::tuple<trace::Category, std::string, std::string>, uint32_t> type_ids_;
  std::map<std::string, uint64_t> params_ids_;
  std::vector<std::string> params_;
  std::vector<trace::StateEvent> states_;
  std::vector<trace::PunctualEvent> punctuals_;
  std::vector<trace::LinkEvent> links_;
  std::vector<trace::VariableSample> variables_;
};

}  // namespace weft::test
