#include "core/formats/profiles/xctrace/xctrace_reader.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/large_vector.h"
#include "core/base/text.h"
#include "core/formats/base/text.h"
#include "core/formats/base/xml_stream.h"
#include "core/formats/stacks/sampled_stacks.h"
#include "core/formats/stacks/stack_timeline.h"

namespace weft::formats {
namespace {

using trace::LaneKind;

std::string_view attribute_of(std::span<const XmlAttribute> attributes, std::string_view name) {
  const auto it = std::ranges::find(attributes, name, &XmlAttribute::name);
  return it == attributes.end() ? std::string_view() : it->value;
}

// "main  0x8480c1 (app, pid: 7)": the thread, and in brackets its process, "app (7)".
struct ThreadNames {
  std::string thread, process;
};
ThreadNames names_of_thread(std::string_view text) {
  const size_t bracket = text.ends_with(')') ? text.rfind(" (") : std::string_view::npos;
  if (bracket == std::string_view::npos) return {std::string(trimmed(text)), {}};
  std::string_view process = text.substr(bracket + 2, text.size() - bracket - 3);
  constexpr std::string_view kNumber = ", pid: ";
  const size_t number = process.find(kNumber);
  std::string name(process.substr(0, number));
  if (number != std::string_view::npos)
    name.append(" (").append(process.substr(number + kNumber.size())).append(1, ')');
  return {std::string(trimmed(text.substr(0, bracket))), std::move(name)};
}

class XctraceReader final : public XmlStream {
 public:
  explicit XctraceReader(trace::EventSink& sink) : XmlStream(sink), timeline_(sink) {
    sink.set_time_base(TimeBase::kNanoseconds);
  }

  Status finish() {
    if (!has_stacks_) {
      return fail(
          "is an export of Instruments without sampled stacks: export a table of the schema "
          "time-profile");
    }
    for (Thread& thread : threads_) {
      if (thread.samples) thread.samples->finish();
    }
    timeline_.finish();
    return {};
  }

 private:
  enum class Part : uint8_t { kOther, kRow, kTime, kThread, kWeight, kStack, kFrame, kBinary };
  struct Thread {
    LaneId lane;
    std::optional<stacks::SampledStacks> samples;
    Time last;
  };
  struct Open {
    Part part = Part::kOther;
    std::optional<uint64_t> id;
  };

  bool has_events() const override { return has_stacks_; }

  static Part part_of(std::string_view name) {
    using enum Part;
    constexpr std::pair<std::string_view, Part> kParts[] = {
        {"row", kRow},         {"sample-time", kTime},       {"start-time", kTime},
        {"event-time", kTime}, {"thread", kThread},          {"weight", kWeight},
        {"backtrace", kStack}, {"tagged-backtrace", kStack}, {"frame", kFrame},
        {"binary", kBinary}};
    for (const auto& [known, part] : kParts)
      if (name == known) return part;
    return kOther;
  }

  void begin_element(std::string_view name, std::span<const XmlAttribute> attributes) override {
    Open& open = open_.emplace_back(Open{.part = part_of(name), .id = {}});
    text_.clear();
    open.id = parse_number<uint64_t>(attribute_of(attributes, "id"));
    const auto ref = parse_number<uint64_t>(attribute_of(attributes, "ref"));
    switch (open.part) {
      case Part::kRow:
        time_.reset();
        thread_.reset();
        frames_.clear();
        has_stack_ = false;
        weight_ = 0;
        row_offset_ = offset();
        break;
      case Part::kTime:
      case Part::kWeight:
        if (ref) take_number(open.part, looked_up(numbers_, *ref));
        break;
      case Part::kThread:
        if (is_in_stack()) break;
        thread_ = ref ? looked_up(thread_by_id_, *ref)
                      : std::optional(thread_named(attribute_of(attributes, "fmt")));
        if (!ref && open.id) thread_by_id_.insert_or_assign(*open.id, *thread_);
        break;
      case Part::kStack:
        has_stack_ = true;
        if (const auto known = ref ? looked_up(stack_by_id_, *ref) : std::nullopt)
          frames_.assign(stack_frames_.begin() + known->first,
                         stack_frames_.begin() + known->second);
        break;
      case Part::kFrame:
        frame_name_ = valid_utf8(attribute_of(attributes, "name"));
        binary_.clear();
        frame_ = ref ? looked_up(type_by_id_, *ref) : std::nullopt;
        break;
      case Part::kBinary:
        binary_ = valid_utf8(attribute_of(attributes, "name"));
        if (ref) binary_ = looked_up(binary_by_id_, *ref).value_or("");
        if (!ref && open.id) binary_by_id_.insert_or_assign(*open.id, binary_);
        break;
      case Part::kOther:
        break;
    }
  }

  void end_element() override {
    const Open open = open_.back();
    open_.pop_back();
    if (open.part == Part::kRow) return add_sample();
    if ((open.part == Part::kTime || open.part == Part::kWeight) && !text_.empty()) {
      const auto number = parse_number<int64_t>(trimmed(text_));
      take_number(open.part, number);
      if (number && open.id) numbers_.insert_or_assign(*open.id, *number);
    }
    if (open.part == Part::kFrame) add_frame(open.id);
    if (open.part == Part::kStack && open.id) {
      const auto begin = static_cast<ptrdiff_t>(stack_frames_.size());
      stack_frames_.insert(stack_frames_.end(), frames_.begin(), frames_.end());
      stack_by_id_.insert_or_assign(*open.id, std::pair(begin, std::ssize(stack_frames_)));
    }
    text_.clear();
  }

  void add_text(std::string_view text) override {
    constexpr size_t kMostText = 64;
    const Part part = open_.empty() ? Part::kOther : open_.back().part;
    if ((part == Part::kTime || part == Part::kWeight) && text_.size() + text.size() <= kMostText)
      text_ += text;
  }

  bool is_in_stack() const {
    return std::ranges::find(open_, Part::kStack, &Open::part) != open_.end();
  }

  void take_number(Part part, std::optional<int64_t> number) {
    if (part == Part::kWeight) {
      weight_ = number.value_or(0);
    } else if (number) {
      time_ = Time{*number};
    }
  }

  void add_frame(std::optional<uint64_t> id) {
    if (frame_name_.empty() && !frame_) return;
    if (!frame_) {
      frame_ = sink().type(trace::Category::kState, frame_name_, binary_);
      if (id) type_by_id_.insert_or_assign(*id, *frame_);
    }
    frames_.push_back(*frame_);
    frame_.reset();
  }

  // Its frames begin with the innermost.
  void add_sample() {
    if (!has_stack_) return;
    has_stacks_ = true;
    if (!time_ || !thread_) return sink().loss("sample without a time or a thread", row_offset_);
    Thread& thread = threads_[*thread_];
    if (!thread.samples) thread.samples.emplace(timeline_, thread.lane, Duration{weight_});
    if (*time_ < thread.last)
      return sink().loss("sample that is earlier than the one before", row_offset_);
    thread.last = *time_;
    innermost_last_.assign(frames_.rbegin(), frames_.rend());
    thread.samples->add(*time_, innermost_last_);
  }

  size_t thread_named(std::string_view text) {
    const ThreadNames names = names_of_thread(valid_utf8(text));
    const auto [known, is_new] =
        thread_by_names_.try_emplace({names.process, names.thread}, threads_.size());
    if (!is_new) return known->second;
    LaneId process = LaneId::none();
    if (!names.process.empty()) {
      LaneId& lane = processes_.try_emplace(names.process, LaneId::none()).first->second;
      if (lane.is_none())
        lane = sink().add_lane({.name = names.process, .kind = LaneKind::kProcess});
      process = lane;
    }
    const LaneId lane =
        sink().add_lane({.name = names.thread, .parent = process, .kind = LaneKind::kThread});
    threads_.push_back({.lane = lane, .samples = {}, .last = Time::min()});
    return known->second;
  }

  template <class Value>
  using ById = std::pmr::unordered_map<uint64_t, Value>;

  template <class Value>
  std::optional<Value> looked_up(const ById<Value>& values, uint64_t id) {
    const auto it = values.find(id);
    if (it != values.end()) return it->second;
    sink().loss("reference to what no row before has", offset());
    return std::nullopt;
  }

  stacks::StackTimeline timeline_;
  std::vector<Thread> threads_;
  std::map<std::pair<std::string, std::string>, size_t> thread_by_names_;
  std::map<std::string, LaneId> processes_;
  // What rows refer to.
  LargePool memory_;
  ById<int64_t> numbers_{&memory_};
  ById<size_t> thread_by_id_{&memory_};
  ById<EventTypeId> type_by_id_{&memory_};
  ById<std::string> binary_by_id_{&memory_};
  ById<std::pair<ptrdiff_t, ptrdiff_t>> stack_by_id_{&memory_};  // begins and ends in …
  LargeVector<EventTypeId> stack_frames_;
  // The row.
  std::vector<Open> open_;
  std::string text_, frame_name_, binary_;
  std::optional<Time> time_;
  std::optional<size_t> thread_;
  std::optional<EventTypeId> frame_;
  std::vector<EventTypeId> frames_, innermost_last_;
  int64_t weight_ = 0;
  uint64_t row_offset_ = 0;
  bool has_stack_ = false, has_stacks_ = false;
};

}  // namespace

int sniff_xctrace(std::span<const std::byte> head) {
  const std::string_view text = trimmed(as_chars(head));
  const bool is_export = text.starts_with("<?xml") || text.starts_with("<trace-query-result");
  return is_export && text.find("<trace-query-result") != std::string_view::npos ? 100 : 0;
}

Status read_xctrace(io::Source& source, trace::EventSink& sink, const ReadContext&) {
  XctraceReader reader(sink);
  WEFT_TRY(reader.read(source));
  return reader.finish();
}

}  // namespace weft::formats
