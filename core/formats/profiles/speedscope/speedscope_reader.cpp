#include "core/formats/profiles/speedscope/speedscope_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/saturating.h"
#include "core/formats/base/decimal_time.h"
#include "core/formats/base/json_document.h"
#include "core/formats/base/text.h"
#include "core/formats/stacks/open_states.h"
#include "core/formats/stacks/source_place.h"
#include "core/formats/stacks/stack_timeline.h"

namespace weft::formats {
namespace {

using json::Element;
using json::member;

struct Unit {
  std::string_view name;
  double ns;               // 0: it is not a time
  std::string_view ticks;  // what a tick is where profiles of times and others are together
};
constexpr Unit kUnits[] = {{"nanoseconds", 1, "ns"},    {"microseconds", 1e3, "ns"},
                           {"milliseconds", 1e6, "ns"}, {"seconds", 1e9, "ns"},
                           {"bytes", 0, "bytes"},       {"none", 0, "weight"}};

// Null: it says none that is known.
const Unit* unit_of(Element profile) {
  const auto* const it =
      std::ranges::find(kUnits, json::text(member(profile, "unit")), &Unit::name);
  return it == std::end(kUnits) ? nullptr : it;
}

constexpr double kFineWeight = 1e6;  // ticks of a weight, where some have fractions

// Whether its weights, megabytes, say, are not whole numbers, and all together are few enough.
bool has_fine_weights(Element profile) {
  constexpr double kMost = 1e12;
  double sum = 0;
  bool has_some = false;
  const auto add = [&](double value) {
    if (std::isnan(value)) return;
    has_some |= is_finer_than_ticks(value);
    sum += std::abs(value);
  };
  for (json::Numbers weights(member(profile, "weights")); weights.next();) add(weights.number());
  double last = 0;
  json::for_each_element(member(profile, "events"), [&](Element event) {
    const double at = json::number(member(event, "at")).value_or(NAN);
    add(at - std::exchange(last, at));
  });
  return has_some && sum < kMost;
}

class SpeedscopeReader {
 public:
  SpeedscopeReader(Element root, trace::EventSink& sink)
      : sink_(sink), root_(root), open_(sink), timeline_(sink) {}

  void read() {
    read_frames();
    const auto profiles = member(root_, "profiles");
    set_time_base(profiles);
    for (const std::string_view key : {"name", "exporter"}) {
      const std::string_view value = json::text(member(root_, key));
      if (!value.empty()) sink_.set_metadata(key, value);
    }
    json::for_each_part(profiles, [&](Element profile) { read_profile(profile); });
    open_.finish({});
    timeline_.finish();
  }

 private:
  // Each is one of its own, as speedscope shows them: of a function there may be one for each line.
  void read_frames() {
    json::for_each_element(member(member(root_, "shared"), "frames"), [&](Element frame) {
      const std::string_view name = json::text(member(frame, "name"));
      frames_.push_back(sink_.type(trace::Category::kState, name.empty() ? "(anonymous)" : name,
                                   stacks::source_place(json::text(member(frame, "file")),
                                                        json::integer(member(frame, "line")),
                                                        json::integer(member(frame, "col")))));
    });
  }

  // If profiles have different units, each counts ticks of its own, which its lane names.
  void set_time_base(std::optional<Element> profiles) {
    bool has_others = false;
    std::string_view counted;
    json::for_each_part(profiles, [&](Element profile) {
      const Unit* const unit = unit_of(profile);
      if (unit != nullptr) (unit->ns > 0 ? has_times_ : has_others) = true;
      if (unit != nullptr && unit->ns > 0) return;
      if (other_scale_ == 1 && has_fine_weights(profile)) other_scale_ = kFineWeight;
      if (counted.empty()) counted = json::text(member(profile, "unit"));
    });
    if (other_scale_ > 1)
      sink_.set_metadata("one tick", counted.empty() || counted == "none"
                                         ? "a millionth of a weight"
                                         : fmt::format("a millionth of what is in {}", counted));
    is_mixed_ = has_times_ && has_others;
    const bool is_in_time = has_times_ && !is_mixed_;
    sink_.set_time_base(is_in_time ? TimeBase::kNanoseconds : TimeBase::kTicks);
  }

  void read_profile(Element profile) {
    const uint64_t index = profiles_++;
    const Unit* const unit = unit_of(profile);
    if (unit == nullptr && has_times_) sink_.note("profile without a unit", index);
    scale_ = unit != nullptr && unit->ns > 0 ? unit->ns : other_scale_;
    std::string name(json::text(member(profile, "name")));
    if (name.empty()) name = fmt::format("profile {}", profiles_);
    if (is_mixed_ && unit != nullptr) name += fmt::format(" [{}]", unit->ticks);
    lane_ = sink_.add_lane({.name = name, .kind = trace::LaneKind::kThread});
    const std::string_view type = json::text(member(profile, "type"));
    if (type == "evented") return read_events(profile);
    if (type == "sampled") return read_samples(profile);
    sink_.loss("profile that is neither evented nor sampled", index);
  }

  // Frames close in the reverse order of opening; an end that names another frame is a mistake of
  // the producer, after which nothing fits.
  void read_events(Element profile) {
    std::vector<int64_t> stack;
    Time last = time_from(json::number(member(profile, "startValue")).value_or(0)).value_or(Time{});
    uint64_t index = 0;
    json::for_each_element(member(profile, "events"), [&](Element event) {
      const uint64_t at = index++;
      const auto time = time_from(json::number(member(event, "at")).value_or(NAN));
      const int64_t frame = json::integer(member(event, "frame")).value_or(json::kNoIndex);
      const std::string_view type = json::text(member(event, "type"));
      if (!time || !is_frame(frame)) return sink_.loss("event without a time or frame", at);
      count_rounding(*json::number(member(event, "at")), at);
      last = std::max(last, *time);
      if (type == "O") {
        stack.push_back(frame);
        open_.begin(lane_, frames_[static_cast<size_t>(frame)], *time, ParamsId::none(), at);
      } else if (type == "C" && !stack.empty() && stack.back() == frame) {
        stack.pop_back();
        open_.end(lane_, *time, at);
      } else {
        sink_.loss("end of a frame that is not the innermost", at);
      }
    });
    const auto end = time_from(json::number(member(profile, "endValue")).value_or(NAN));
    open_.lose_ends(lane_, std::max(last, end.value_or(last)));
  }

  void read_samples(Element profile) {
    json::Elements samples(member(profile, "samples"));
    json::Numbers weights(member(profile, "weights"));
    double at = json::number(member(profile, "startValue")).value_or(0);
    std::vector<EventTypeId> frames;
    for (size_t i = 0; const auto sample = samples.next(); ++i) {
      weights.next();
      const double weight = weights.number();
      const auto begin = time_from(at), end = time_from(at + weight);
      if (!begin || !end || *end < *begin) {
        sink_.loss("sample without a weight", i);
        continue;
      }
      count_rounding(weight, i);
      at += weight;
      frames.clear();
      for (json::Numbers each(sample); each.next();) {
        const int64_t frame = frame_from(each);
        if (is_frame(frame)) {
          frames.push_back(frames_[static_cast<size_t>(frame)]);
        } else {
          sink_.loss("frame that is not there", i);
        }
      }
      timeline_.add(lane_, frames, *begin, *end);
    }
  }

  // Some write an array of one number, which speedscope takes for the number.
  static int64_t frame_from(const json::Numbers& number) {
    if (number.index() != json::kNoIndex) return number.index();
    const auto inner = json::indices(number.value());
    return inner.size() == 1 ? inner.front() : json::kNoIndex;
  }

  bool is_frame(int64_t frame) const {
    return frame >= 0 && static_cast<uint64_t>(frame) < frames_.size();
  }

  std::optional<Time> time_from(double value) const {
    const auto ticks = checked_round(value * scale_);
    return ticks ? std::optional(Time{*ticks}) : std::nullopt;
  }

  void count_rounding(double value, uint64_t place) {
    if (!is_finer_than_ticks(value * scale_)) return;
    const bool is_time = has_times_ && !is_mixed_;
    sink_.note(is_time ? "time rounded to nanoseconds" : "value rounded to whole ticks", place);
  }

  trace::EventSink& sink_;
  Element root_;
  stacks::OpenStates open_;
  stacks::StackTimeline timeline_;
  std::vector<EventTypeId> frames_;
  bool has_times_ = false;  // one of the profiles
  bool is_mixed_ = false;   // and another counts something else
  uint64_t profiles_ = 0;
  LaneId lane_ = LaneId::none();  // of the profile
  double scale_ = 1;              // ticks in its unit
  double other_scale_ = 1;        // in one that is not a time
};

}  // namespace

int sniff_speedscope(std::span<const std::byte> head) {
  const std::string_view text = as_chars(head);
  const auto has = [&](std::string_view what) { return text.find(what) != std::string_view::npos; };
  if (!trimmed(text).starts_with('{')) return 0;
  if (has("www.speedscope.app/file-format-schema.json")) return 98;
  const bool has_type = has("\"evented\"") || has("\"sampled\"");
  return has_type && has("\"profiles\"") ? 80 : 0;
}

Status read_speedscope(io::Source& source, trace::EventSink& sink, const ReadContext& context) {
  WEFT_TRY_ASSIGN(const json::Document document,
                  json::Document::read(source, sink, context.memory_bytes));
  SpeedscopeReader(document.root(), sink).read();
  return {};
}

}  // namespace weft::formats
