#include "core/formats/writers/trace_writer.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "core/base/text.h"
#include "core/base/time.h"

namespace weft::formats {

void TraceWriter::set_time_base(TimeBase base) {
  dictionary_.time_base = base;
  left_out_.set_time_base(base);
}

void TraceWriter::set_metadata(std::string_view key, std::string_view value) {
  dictionary_.metadata.insert_or_assign(std::string(key), std::string(value));
}

LaneId TraceWriter::add_lane(const trace::Lane& lane) {
  dictionary_.lanes.push_back(lane);
  return LaneId(static_cast<uint32_t>(dictionary_.lanes.size() - 1));
}

void TraceWriter::update_lane(LaneId id, const trace::Lane& lane) {
  dictionary_.lanes[id.value()] = lane;
}

EventTypeId TraceWriter::type(trace::Category category, std::string_view name,
                              std::string_view group) {
  dictionary_.types.push_back({name, group, category});
  return EventTypeId(static_cast<uint32_t>(dictionary_.types.size() - 1));
}

void TraceWriter::set_type_color(EventTypeId id, uint32_t rgb) {
  dictionary_.types.set_color(id, rgb);
}

ParamsId TraceWriter::keep_params(std::string_view json, std::span<const std::byte> payload) {
  params_.push_back({std::string(json), hexadecimal(payload)});
  return ParamsId(params_.size() - 1);
}

std::string_view TraceWriter::json_of(ParamsId id) const {
  return id.is_none() ? std::string_view() : std::string_view(params_[id.value()].json);
}

std::string_view TraceWriter::payload_of(ParamsId id) const {
  return id.is_none() ? std::string_view() : std::string_view(params_[id.value()].payload);
}

void TraceWriter::leave_out_characters(bool (*is_changed)(std::string_view name)) {
  std::set<std::string_view> names;
  for (const trace::Lane& lane : dictionary_.lanes) names.insert(lane.name);
  for (const trace::EventType& type : dictionary_.types) {
    names.insert(type.name);
    names.insert(type.group);
  }
  leave_out(LeftOut::What::kCharacters,
            static_cast<uint64_t>(std::ranges::count_if(names, is_changed)));
}

template <class Event>
void TraceWriter::write_all(std::span<const Event> events) {
  if (events.empty()) return;
  for (const Event& event : events) write(event);
  params_.clear();
}

void TraceWriter::states(std::span<const trace::StateEvent> events) { write_all(events); }
void TraceWriter::punctuals(std::span<const trace::PunctualEvent> events) { write_all(events); }
void TraceWriter::links(std::span<const trace::LinkEvent> events) { write_all(events); }
void TraceWriter::variables(std::span<const trace::VariableSample> events) { write_all(events); }

std::string seconds_text(int64_t ns) {
  const uint64_t size = ns < 0 ? -static_cast<uint64_t>(ns) : static_cast<uint64_t>(ns);
  return fmt::format("{}{}.{:09}", ns < 0 ? "-" : "", size / kNsPerSecond, size % kNsPerSecond);
}

}  // namespace weft::formats
