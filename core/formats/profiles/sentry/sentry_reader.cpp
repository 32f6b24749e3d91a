#include "core/formats/profiles/sentry/sentry_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/formats/base/decimal_time.h"
#include "core/formats/base/json_document.h"
#include "core/formats/base/text.h"
#include "core/formats/stacks/sampled_stacks.h"
#include "core/formats/stacks/stack_timeline.h"

namespace weft::formats {
namespace sentry {
namespace {

using json::Element;
using json::member;

// Numbers may be written as texts: "10498000".
std::optional<Time> time_in(std::optional<Element> value, DecimalUnit unit) {
  return value ? nearest_time(json::plain(value), unit) : std::nullopt;
}

class ProfileReader {
 public:
  ProfileReader(Element root, trace::EventSink& sink) : root_(root), sink_(sink), timeline_(sink) {}

  void read() {
    sink_.set_time_base(TimeBase::kNanoseconds);
    for (const std::string_view key : {"platform", "release", "environment", "timestamp"}) {
      const std::string value = json::plain(member(root_, key));
      if (!value.empty() && value != "null") sink_.set_metadata(key, valid_utf8(value));
    }
    const auto profile = member(root_, "profile");
    read_frames(member(profile, "frames"));
    json::for_each_element(member(profile, "stacks"), [&](Element stack) { read_stack(stack); });
    threads_described_ = member(profile, "thread_metadata");
    json::for_each_element(member(profile, "samples"), [&](Element sample) { add_sample(sample); });
    if (samples_ == 0) sink_.loss("profile without samples", trace::LossPlace::nowhere());
    for (auto& [id, thread] : threads_) thread.samples.finish();
    timeline_.finish();
    json::for_each_element(member(root_, "transactions"),
                           [&](Element transaction) { add_transaction(transaction); });
    json::for_each_member(
        member(root_, "measurements"),
        [&](std::string_view name, Element measured) { add_measurement(name, measured); });
  }

 private:
  struct Thread {
    stacks::SampledStacks samples;
    Time last = Time::min();
  };

  void read_frames(std::optional<Element> frames) {
    json::for_each_element(frames, [&](Element frame) {
      const auto text = [&](std::string_view name) { return json::text(member(frame, name)); };
      std::string_view name = text("function"), place = text("module");
      if (name.empty()) name = text("instruction_addr");
      for (const std::string_view each : {"package", "filename", "abs_path"}) {
        if (place.empty()) place = text(each);
      }
      frames_.push_back(
          sink_.type(trace::Category::kState, name.empty() ? "(anonymous)" : name, place));
    });
  }

  // The innermost frame comes first.
  void read_stack(Element stack) {
    const uint64_t index = stacks_.size();
    std::vector<EventTypeId>& types = stacks_.emplace_back();
    for (json::Numbers each(stack); each.next();) {
      const int64_t frame = each.index();
      if (frame >= 0 && static_cast<uint64_t>(frame) < frames_.size()) {
        types.push_back(frames_[static_cast<size_t>(frame)]);
      } else {
        sink_.loss("frame that is not there", index);
      }
    }
    std::ranges::reverse(types);
  }

  void add_sample(Element sample) {
    const uint64_t index = samples_++;
    const auto time = time_of(sample);
    if (!time) return sink_.loss("sample without a time", index);
    // Where a thread was idle, some name no stack.
    const auto stack = member(sample, "stack_id");
    const int64_t number = json::integer(stack).value_or(json::kNoIndex);
    const bool is_there = number >= 0 && static_cast<uint64_t>(number) < stacks_.size();
    if (!is_there && stack && !stack->is_null())
      return sink_.loss("sample of a stack that is not there", index);
    Thread& thread = thread_of(json::plain(member(sample, "thread_id")));
    if (*time < thread.last) return sink_.note("sample before the one before it", index);
    thread.last = *time;
    thread.samples.add(*time,
                       is_there ? std::span<const EventTypeId>(stacks_[static_cast<size_t>(number)])
                                : std::span<const EventTypeId>());
  }

  // Of a sample, or of what was measured.
  static std::optional<Time> time_of(Element of) {
    const auto since_start = member(of, "elapsed_since_start_ns");
    return since_start ? time_in(since_start, DecimalUnit::kNanoseconds)
                       : time_in(member(of, "timestamp"), DecimalUnit::kSeconds);
  }

  Thread& thread_of(const std::string& id) {
    const auto it = threads_.find(id);
    if (it != threads_.end()) return it->second;
    const std::string_view name = json::text(member(member(threads_described_, id), "name"));
    const std::string shown = name.empty() ? fmt::format("thread {}", id.empty() ? "?" : id)
                                           : fmt::format("{} ({})", name, id);
    const LaneId lane =
        sink_.add_lane({.name = valid_utf8(shown), .kind = trace::LaneKind::kThread});
    return threads_.emplace(id, Thread{.samples = stacks::SampledStacks(timeline_, lane)})
        .first->second;
  }

  // What the profile was taken of; newer libraries say no times of it.
  void add_transaction(Element transaction) {
    const auto begin = time_in(member(transaction, "relative_start_ns"), DecimalUnit::kNanoseconds);
    const auto end = time_in(member(transaction, "relative_end_ns"), DecimalUnit::kNanoseconds);
    if (!begin || !end || *end < *begin) return;
    const std::string_view name = json::text(member(transaction, "name"));
    sink_.give(
        trace::StateEvent{.begin = *begin,
                          .duration = *end - *begin,
                          .lane = lane_of_own("transactions"),
                          .type = sink_.type(trace::Category::kState,
                                             name.empty() ? "transaction" : name, "transactions")});
  }

  // "cpu_usage": {"unit": "percent", "values": [{"elapsed_since_start_ns": …, "value": 12.5}]}
  void add_measurement(std::string_view name, Element measured) {
    const std::string_view unit = json::text(member(measured, "unit"));
    const EventTypeId type =
        sink_.type(trace::Category::kVariable,
                   unit.empty() ? std::string(name) : fmt::format("{} ({})", name, unit));
    json::for_each_element(member(measured, "values"), [&](Element each) {
      const auto time = time_of(each);
      const auto value = json::number(member(each, "value"));
      if (!time || !value) return sink_.loss("measurement without a time or value", samples_);
      sink_.give(trace::VariableSample{
          .time = *time, .value = *value, .lane = lane_of_own("measurements"), .type = type});
    });
  }

  LaneId lane_of_own(std::string_view name) {
    const auto [it, is_new] = lanes_.try_emplace(name);
    if (is_new) it->second = sink_.add_lane({.name = std::string(name)});
    return it->second;
  }

  Element root_;
  trace::EventSink& sink_;
  stacks::StackTimeline timeline_;
  std::optional<Element> threads_described_;
  std::vector<EventTypeId> frames_;
  std::vector<std::vector<EventTypeId>> stacks_;  // outermost first
  std::map<std::string, Thread> threads_;         // by id
  std::map<std::string_view, LaneId> lanes_;
  uint64_t samples_ = 0;
};

}  // namespace
}  // namespace sentry

int sniff_sentry(std::span<const std::byte> head) {
  constexpr std::string_view kProfile = "\"profile\"", kBetween = " \t\r\n:{";
  constexpr std::string_view kParts[] = {"\"frames\"", "\"samples\"", "\"stacks\"",
                                         "\"thread_metadata\"", "\"queue_metadata\""};
  const std::string_view text = as_chars(head);
  const auto has = [&](std::string_view what) { return text.find(what) != std::string_view::npos; };
  if (!trimmed(text).starts_with('{') ||
      (!has("\"stack_id\"") && !has("\"function\"") && !has("\"instruction_addr\"")))
    return 0;
  for (size_t at = text.find(kProfile); at != std::string_view::npos;
       at = text.find(kProfile, at + kProfile.size())) {
    std::string_view behind = text.substr(at + kProfile.size());
    behind.remove_prefix(std::min(behind.find_first_not_of(kBetween), behind.size()));
    const auto begins = [&](std::string_view part) { return behind.starts_with(part); };
    if (std::ranges::any_of(kParts, begins)) return 90;
  }
  return 0;
}

Status read_sentry(io::Source& source, trace::EventSink& sink, const ReadContext& context) {
  WEFT_TRY_ASSIGN(const json::Document document,
                  json::Document::read(source, sink, context.memory_bytes));
  sentry::ProfileReader(document.root(), sink).read();
  return {};
}

}  // namespace weft::formats
