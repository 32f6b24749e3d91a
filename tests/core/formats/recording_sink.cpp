#include "tests/core/formats/recording_sink.h"

#include <fmt/core.h>

#include <algorithm>

#include "core/base/text.h"

namespace weft::test {
namespace {

void dump_type(std::string& out, const trace::EventType& type) {
  out += fmt::format("type {} \"{}\"", trace::name_of(type.category), printable(type.name));
  if (!type.group.empty()) out += fmt::format(" of {}", printable(type.group));
  if (type.rgb != trace::EventType::kNoColor) out += fmt::format(" #{:06x}", type.rgb);
  out += '\n';
}

}  // namespace

void RecordingSink::set_time_base(TimeBase base) { dictionary_.time_base = base; }
void RecordingSink::set_metadata(std::string_view key, std::string_view value) {
  dictionary_.metadata[std::string(key)] = value;
}

LaneId RecordingSink::add_lane(const trace::Lane& lane) {
  dictionary_.lanes.push_back(lane);
  return LaneId(static_cast<uint32_t>(dictionary_.lanes.size() - 1));
}

void RecordingSink::update_lane(LaneId id, const trace::Lane& lane) {
  dictionary_.lanes.at(id.value()) = lane;
}

EventTypeId RecordingSink::type(trace::Category category, std::string_view name,
                                std::string_view group) {
  const auto key = std::tuple(category, std::string(name), std::string(group));
  const auto [it, is_new] =
      type_ids_.try_emplace(key, static_cast<uint32_t>(dictionary_.types.size()));
  if (is_new) dictionary_.types.push_back({name, group, category});
  return EventTypeId(it->second);
}

void RecordingSink::set_type_color(EventTypeId id, uint32_t rgb) {
  dictionary_.types.set_color(id, rgb);
}

ParamsId RecordingSink::keep_params(std::string_view json, std::span<const std::byte> payload) {
  std::string text(json);
  if (!payload.empty()) text += " payload " + hexadecimal(payload);
  const auto [it, is_new] = params_ids_.try_emplace(text, params_.size());
  if (is_new) params_.push_back(text);
  return ParamsId(it->second);
}

void RecordingSink::states(std::span<const trace::StateEvent> events) {
  states_.insert(states_.end(), events.begin(), events.end());
}

void RecordingSink::punctuals(std::span<const trace::PunctualEvent> events) {
  punctuals_.insert(punctuals_.end(), events.begin(), events.end());
}

void RecordingSink::links(std::span<const trace::LinkEvent> events) {
  links_.insert(links_.end(), events.begin(), events.end());
}

void RecordingSink::variables(std::span<const trace::VariableSample> events) {
  variables_.insert(variables_.end(), events.begin(), events.end());
}

void RecordingSink::loss(std::string_view kind, const trace::LossPlace& place, uint64_t count,
                         bool is_damage) {
  dictionary_.report.add(kind, place, count, is_damage);
}

uint64_t RecordingSink::loss_count(std::string_view kind) const {
  for (const trace::Loss& loss : dictionary_.report.losses()) {
    if (loss.kind == kind) return loss.count;
  }
  return 0;
}

std::string RecordingSink::dump() const {
  std::string out = fmt::format("time base {}\n", weft::name_of(dictionary_.time_base));
  for (const auto& [key, value] : dictionary_.metadata) {
    out += fmt::format("metadata {} = {}\n", printable(key), printable(value));
  }
  for (const LaneId id : dictionary_.lanes_in_order()) dump_lane(out, id);
  for (const trace::EventType& type : dictionary_.types) dump_type(out, type);
  for (const std::string& line : event_lines()) out += line;
  if (end_) out += fmt::format("recorded until {}\n", end_->ticks);
  dump_losses(out);
  return out;
}

void RecordingSink::dump_lane(std::string& out, LaneId id) const {
  const trace::Lane& lane = dictionary_.lane(id);
  out += fmt::format("lane {} ({})", lane_text(id), trace::name_of(lane.kind));
  const bool is_given =
      lane.kind == trace::LaneKind::kProcess || lane.kind == trace::LaneKind::kThread;
  if (is_given && lane.sort_index != 0) out += fmt::format(" sort {}", lane.sort_index);
  out += '\n';
}

void RecordingSink::dump_losses(std::string& out) const {
  auto losses = dictionary_.report.losses();
  std::ranges::sort(losses, {}, &trace::Loss::kind);
  for (const trace::Loss& loss : losses) {
    out += fmt::format("{} {} x {} at", loss.is_damage ? "loss" : "note", loss.kind, loss.count);
    auto first = loss.first;
    std::ranges::sort(first, {}, &trace::LossPlace::offset);
    for (const trace::LossPlace& place : first) out += ' ' + place_text(place);
    out += '\n';
  }
}

// "17", or "event 17 (lane at time)" as far as they are known; bytes are not named.
std::string RecordingSink::place_text(const trace::LossPlace& place) const {
  std::string where;
  if (!place.lane.is_none()) where = lane_text(place.lane);
  if (place.time) where += fmt::format("{}at {}", where.empty() ? "" : " ", place.time->ticks);
  if (place.duration.ticks != 0) where += fmt::format(" for {}", place.duration.ticks);
  std::string in_input = "nowhere";
  if (place.unit == trace::PlaceUnit::kByte) {
    in_input = std::to_string(place.offset);
  } else if (place.unit != trace::PlaceUnit::kNone) {
    in_input = fmt::format("{} {}", name_of(place.unit), place.offset);
  }
  return where.empty() ? in_input : fmt::format("{} ({})", in_input, where);
}

std::string RecordingSink::lane_text(LaneId id) const {
  return id.is_none() ? "nowhere" : printable(dictionary_.path_text(id));
}

std::string RecordingSink::type_text(EventTypeId id) const {
  return '"' + printable(dictionary_.type(id).name) + '"';
}

std::string RecordingSink::params_text(ParamsId id) const {
  return id.is_none() ? "" : ' ' + printable(params_.at(id.value()));
}

std::vector<std::string> RecordingSink::event_lines() const {
  // Order: time, kind, longer states first, nesting, text.
  using Key = std::tuple<int64_t, int, int64_t, uint32_t, std::string>;
  std::vector<Key> lines;
  for (const auto& e : states_) {
    const Time end = e.begin + e.duration;
    lines.emplace_back(
        e.begin.ticks, 0, -e.duration.ticks, e.nesting,
        fmt::format("state {} to {} on {}: {}{}{}\n", e.begin.ticks, end.ticks, lane_text(e.lane),
                    type_text(e.type), e.nesting == 0 ? "" : fmt::format(" nested {}", e.nesting),
                    params_text(e.params)));
  }
  for (const auto& e : punctuals_) {
    lines.emplace_back(e.time.ticks, 1, 0, 0,
                       fmt::format("punctual {} on {}: {}{}\n", e.time.ticks, lane_text(e.lane),
                                   type_text(e.type), params_text(e.params)));
  }
  for (const auto& e : links_) {
    const Time begin = e.source.is_none() ? e.receive : e.send;
    const auto end = [&](LaneId lane, Time time) {
      return lane.is_none() ? std::string("nowhere")
                            : fmt::format("{} on {}", time.ticks, lane_text(lane));
    };
    lines.emplace_back(
        begin.ticks, 2, 0, 0,
        fmt::format("link from {} to {}: {}{}\n", end(e.source, e.send), end(e.target, e.receive),
                    type_text(e.type), params_text(e.params)));
  }
  for (const auto& e : variables_) {
    lines.emplace_back(
        e.time.ticks, 3, 0, 0,
        fmt::format("variable {} on {}: {} = {}{}\n", e.time.ticks, lane_text(e.lane),
                    type_text(e.type), e.value, params_text(e.params)));
  }
  std::ranges::sort(lines);
  std::vector<std::string> text;
  for (Key& line : lines) text.push_back(std::move(std::get<4>(line)));
  return text;
}

}  // namespace weft::test
