#include "core/formats/profiles/firefox/cleopatra.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/base/json_text.h"
#include "core/formats/profiles/firefox/firefox_markers.h"
#include "core/formats/stacks/sampled_stacks.h"

namespace weft::formats::firefox {
namespace {

using json::Element;
using json::member;

class CleopatraReader {
 public:
  CleopatraReader(Element root, trace::EventSink& sink, stacks::StackTimeline& timeline)
      : root_(root), sink_(sink), timeline_(timeline) {}

  void read() {
    read_names();
    time_from(json::number(member(member(root_, "meta"), "interval")).value_or(0), interval_);
    const auto profile = member(root_, "profileJSON");
    if (profile->is_array()) return read_samples(profile, "GeckoMain");
    const auto threads = member(profile, "threads");
    json::for_each_member(
        threads, [&](std::string_view number, Element thread) { read_thread(thread, number); });
    json::for_each_part(threads, [&](Element thread) { read_thread(thread, "thread"); });
  }

 private:
  // Reads names by number, or in the order of the table.
  void read_names() {
    const auto table = member(root_, "symbolicationTable");
    json::for_each_member(table, [&](std::string_view number, Element name) {
      names_.emplace(number, json::text(name));
    });
    size_t i = 0;
    json::for_each_element(
        table, [&](Element name) { names_.emplace(std::to_string(i++), json::text(name)); });
  }

  void read_thread(Element thread, std::string_view number) {
    const std::string_view name = json::text(member(thread, "name"));
    read_samples(member(thread, "samples"), name.empty() ? number : name);
  }

  void read_samples(std::optional<Element> samples, std::string_view name) {
    lane_ = sink_.add_lane({.name = std::string(name), .kind = trace::LaneKind::kThread});
    markers_ = delay_ = LaneId::none();
    stacks::SampledStacks stacks(timeline_, lane_, {interval_.ticks});
    std::vector<EventTypeId> frames;
    Time last = Time::min();
    uint64_t index = 0;
    json::for_each_element(samples, [&](Element sample) {
      const uint64_t at = index++;
      const auto info = member(sample, "extraInfo");
      Time time;
      const auto ms = json::number(member(info, "time"));
      if (!ms || !time_from(*ms, time)) return sink_.loss("sample without a time", at);
      read_info(info, time);
      if (time < last) return sink_.loss("sample before the one before it", at);
      frames.clear();
      json::for_each_element(member(sample, "frames"),
                             [&](Element frame) { frames.push_back(frame_of(frame)); });
      stacks.add(last = time, frames);
    });
    stacks.finish();
  }

  EventTypeId frame_of(Element frame) {
    if (frame.is_object()) frame = member(frame, "location").value_or(frame);
    std::string text(json::text(frame));
    if (const auto number = json::integer(frame)) text = std::to_string(*number);
    const auto known = names_.find(text);
    const std::string_view name = known == names_.end() ? text : known->second;
    return sink_.type(trace::Category::kState, name.empty() ? "(unknown)" : name);
  }

  void read_info(std::optional<Element> info, Time time) {
    if (const auto value = json::number(member(info, "responsiveness"))) {
      if (delay_.is_none())
        delay_ = sink_.add_lane(
            {.name = "responsiveness", .parent = lane_, .kind = trace::LaneKind::kCounter});
      sink_.give(
          trace::VariableSample{.time = time,
                                .value = *value,
                                .lane = delay_,
                                .type = sink_.type(trace::Category::kVariable, "responsiveness")});
    }
    json::for_each_element(member(info, "marker"), [&](Element marker) {
      if (markers_.is_none())
        markers_ =
            sink_.add_lane({.name = "markers", .parent = lane_, .kind = trace::LaneKind::kAsync});
      const std::string_view named = json::text(member(marker, "name"));
      const std::string_view name = named.empty() ? json::text(marker) : named;
      sink_.give(trace::PunctualEvent{
          .time = time,
          .params = marker.is_object() ? sink_.params(json::compact(marker)) : ParamsId::none(),
          .lane = markers_,
          .type = sink_.type(trace::Category::kPunctual, name.empty() ? "marker" : name)});
    });
  }

  Element root_;
  trace::EventSink& sink_;
  stacks::StackTimeline& timeline_;
  Time interval_;
  std::map<std::string, std::string, std::less<>> names_;  // by number
  LaneId lane_ = LaneId::none(), markers_ = LaneId::none(), delay_ = LaneId::none();
};

}  // namespace

bool is_cleopatra(Element root) { return member(root, "profileJSON").has_value(); }

void read_cleopatra(Element root, trace::EventSink& sink, stacks::StackTimeline& timeline) {
  CleopatraReader(root, sink, timeline).read();
}

}  // namespace weft::formats::firefox
