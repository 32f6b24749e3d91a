#include "app/session/markers.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

#include "app/session/element_args.h"
#include "core/base/text.h"

namespace weft::app {
namespace {

Marker tidied(Marker marker) {
  for (std::string* text : {&marker.name, &marker.note}) {
    if (text->size() > Markers::kMostTextBytes) text->resize(Markers::kMostTextBytes);
    *text = valid_utf8(*text);
  }
  marker.color = static_cast<uint8_t>(marker.color % kMarkerColors.size());
  marker.range.end = std::max(marker.range.begin, marker.range.end);
  marker.every = std::max(marker.every, Duration{});
  return marker;
}

Result<std::optional<Time>> time_in(const Json& json, const char* key) {
  const auto it = json.find(key);
  if (it == json.end()) return std::nullopt;
  if (!it->is_number_integer()) return fail(std::string("'") + key + "' must be an integer");
  return Time{it->get<int64_t>()};
}

Result<Marker> marker_from_json(const Json& json) {
  if (!json.is_object()) return fail("a marker must be an object");
  Marker marker;
  WEFT_TRY_ASSIGN(const auto begin, time_in(json, "begin"));
  WEFT_TRY_ASSIGN(const auto end, time_in(json, "end"));
  if (!begin) return fail("a marker lacks its 'begin'");
  marker.range = {*begin, end.value_or(*begin)};
  for (const auto& [key, text] :
       {std::pair("name", &marker.name), std::pair("note", &marker.note)}) {
    const auto it = json.find(key);
    if (it == json.end()) continue;
    if (!it->is_string()) return fail(std::string("'") + key + "' must be a text");
    *text = it->get<std::string>();
  }
  if (const auto every = json.find("every"); every != json.end()) {
    if (!every->is_number_integer()) return fail("'every' must be an integer");
    marker.every = {every->get<int64_t>()};
  }
  if (const auto element = json.find("element"); element != json.end()) {
    WEFT_TRY_ASSIGN(marker.element, element_from_json(*element));
  }
  if (const auto color = json.find("color"); color != json.end()) {
    if (!color->is_number_unsigned()) return fail("'color' must be a number");
    marker.color = static_cast<uint8_t>(color->get<uint64_t>() % kMarkerColors.size());
  }
  return marker;
}

}  // namespace

TimeRange repetition(const Marker& marker, int64_t number) {
  int64_t ticks = 0;
  if (__builtin_mul_overflow(number, marker.every.ticks, &ticks))
    ticks = number < 0 ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int64_t>::max();
  return {marker.range.begin + Duration{ticks}, marker.range.end + Duration{ticks}};
}

Repetitions repetitions_in(const Marker& marker, TimeRange range) {
  if (marker.every <= Duration{}) {
    const bool is_in = marker.range.end >= range.begin && marker.range.begin <= range.end;
    return is_in ? Repetitions{0, 0} : Repetitions{};
  }
  // How many periods from the one time to the other, rounded down.
  const auto periods = [&](Time from, Time to) {
    const int64_t ticks = (to - from).ticks;
    return ticks / marker.every.ticks - (ticks % marker.every.ticks < 0 ? 1 : 0);
  };
  return {periods(marker.range.end, range.begin - Duration{1}) + 1,
          periods(marker.range.begin, range.end)};
}

const Marker* Markers::find(uint32_t id) const {
  const auto marker = std::ranges::find(markers_, id, &Marker::id);
  return marker == markers_.end() ? nullptr : &*marker;
}

const Marker* Markers::after(Time time) const {
  const auto marker =
      std::ranges::find_if(markers_, [&](const Marker& m) { return m.range.begin > time; });
  return marker == markers_.end() ? nullptr : &*marker;
}

const Marker* Markers::before(Time time) const {
  const Marker* found = nullptr;
  for (const Marker& marker : markers_) {
    if (marker.range.begin < time) found = &marker;
  }
  return found;
}

std::optional<uint32_t> Markers::add(Marker marker) {
  if (markers_.size() >= kMost) return std::nullopt;
  marker.id = ++last_id_;
  markers_.push_back(tidied(std::move(marker)));
  sort();
  return last_id_;
}

bool Markers::change(const Marker& marker) {
  const auto it = std::ranges::find(markers_, marker.id, &Marker::id);
  if (it == markers_.end()) return false;
  *it = tidied(marker);
  sort();
  return true;
}

bool Markers::remove(uint32_t id) {
  ++generation_;
  return std::erase_if(markers_, [&](const Marker& marker) { return marker.id == id; }) > 0;
}

void Markers::set_a(std::optional<Time> time) {
  a_ = time;
  ++generation_;
}

void Markers::set_b(std::optional<Time> time) {
  b_ = time;
  ++generation_;
}

void Markers::sort() {
  std::ranges::sort(markers_, {}, [](const Marker& m) { return std::tuple(m.range.begin, m.id); });
  ++generation_;
}

Json Markers::to_json() const {
  Json json = {{"markers", Json::array()}};
  if (a_) json["a"] = a_->ticks;
  if (b_) json["b"] = b_->ticks;
  for (const Marker& marker : markers_) {
    Json entry = {{"begin", marker.range.begin.ticks}, {"color", marker.color}};
    if (!marker.range.is_empty()) entry["end"] = marker.range.end.ticks;
    if (marker.every > Duration{}) entry["every"] = marker.every.ticks;
    if (!marker.name.empty()) entry["name"] = marker.name;
    if (!marker.note.empty()) entry["note"] = marker.note;
    if (marker.element) entry["element"] = args_from_element(*marker.element);
    json["markers"].push_back(std::move(entry));
  }
  return json;
}

Result<Markers> Markers::from_json(const Json& json) {
  if (!json.is_object()) return fail("not a JSON object");
  Markers markers;
  WEFT_TRY_ASSIGN(markers.a_, time_in(json, "a"));
  WEFT_TRY_ASSIGN(markers.b_, time_in(json, "b"));
  const auto list = json.find("markers");
  if (list == json.end()) return markers;
  if (!list->is_array()) return fail("'markers' must be a list");
  for (const Json& entry : *list) {
    WEFT_TRY_ASSIGN(Marker marker, marker_from_json(entry));
    if (!markers.add(std::move(marker))) return fail("there are too many markers");
  }
  return markers;
}

}  // namespace weft::app
