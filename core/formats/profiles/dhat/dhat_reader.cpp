#include "core/formats/profiles/dhat/dhat_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/formats/base/args_text.h"
#include "core/formats/base/json_document.h"
#include "core/formats/base/json_text.h"
#include "core/formats/base/text.h"
#include "core/formats/profiles/heap_text/valgrind_frame.h"
#include "core/formats/stacks/stack_timeline.h"
#include "core/formats/stacks/weighted_stacks.h"

namespace weft::formats {
namespace {

using json::Element;
using json::member;

// The numbers of a program point that add up over all of them, in the order of their lanes.
enum Value : uint8_t { kTotal, kBlocks, kAtPeak, kAtEnd, kOwnPeak, kRead, kWritten, kValues };
// Those that are parameters, in their order there …
constexpr std::string_view kKeys[] = {"tb",  "tbk", "mb",  "mbk", "gb",
                                      "gbk", "eb",  "ebk", "rb",  "wb"};
// … and which of them each value is.
constexpr size_t kPlaces[kValues] = {0, 1, 4, 6, 2, 8, 9};

class DhatReader {
 public:
  DhatReader(Element root, trace::EventSink& sink, uint64_t memory_bytes)
      : root_(root), sink_(sink), timeline_(sink), free_bytes_(memory_bytes) {}

  void read() {
    sink_.set_time_base(TimeBase::kTicks);
    add_head();
    json::for_each_element(member(root_, "ftbl"),
                           [&](Element frame) { add_frame(json::text(frame)); });
    uint64_t number = 0;
    json::for_each_element(member(root_, "pps"),
                           [&](Element point) { add_point(point, number++); });
    // Points that share callers become adjacent.
    std::ranges::sort(points_, [this](const Point& left, const Point& right) {
      return std::ranges::lexicographical_compare(stack_of(left), stack_of(right));
    });
    for (uint8_t value = 0; value < kValues; ++value) show(static_cast<Value>(value));
    timeline_.finish();
  }

 private:
  struct Point {
    size_t first_frame, frames;  // in stacks_
    int64_t values[kValues] = {};
    ParamsId params = ParamsId::none();
  };

  std::span<const EventTypeId> stack_of(const Point& point) const {
    return std::span(stacks_).subspan(point.first_frame, point.frames);
  }

  std::string text_or(std::string_view key, std::string_view otherwise) const {
    const std::string_view text = json::text(member(root_, key));
    return std::string(text.empty() ? otherwise : text);
  }

  void add_head() {
    units_ = text_or("bsu", "bytes");
    blocks_ = text_or("bksu", "blocks");
    time_ = text_or("tu", "instrs");
    verb_ = text_or("verb", "Allocated");
    if (!verb_.empty()) verb_[0] = to_lower(verb_[0]);
    sink_.set_metadata("mode", text_or("mode", "heap"));
    const auto add = [&](const std::string& name, std::string_view key) {
      if (const auto value = member(root_, key)) sink_.set_metadata(name, json::plain(value));
    };
    add("command", "cmd");
    add("process", "pid");
    add(fmt::format("end ({})", time_), "te");
    add(fmt::format("peak of all ({})", time_), "tg");
    add(fmt::format("short-lived below ({})", time_), "tuth");
    const std::string shown[] = {units_,
                                 blocks_,
                                 fmt::format("most {} at a time", units_),
                                 fmt::format("{} then", blocks_),
                                 fmt::format("{} at the peak of all", units_),
                                 fmt::format("{} at the peak of all", blocks_),
                                 fmt::format("{} at the end", units_),
                                 fmt::format("{} at the end", blocks_),
                                 "bytes read",
                                 "bytes written"};
    for (size_t i = 0; i < shown_.size(); ++i) shown_[i] = QuotedName(shown[i]);
    lifetime_ = QuotedName(fmt::format("mean lifetime ({})", time_));
  }

  void add_frame(std::string_view text) {
    frames_.push_back(EventTypeId::none());
    names_.emplace_back(text);
    std::string& quoted = quoted_.emplace_back();
    json::append_quoted(quoted, text);
    quoted = quoted.substr(1, quoted.size() - 2);  // quotes are put around the stack
  }
  EventTypeId type_of(size_t number) {
    EventTypeId& type = frames_[number];
    if (!type.is_none()) return type;
    const ValgrindFrame frame = valgrind_frame(names_[number]);
    return type = sink_.type(trace::Category::kState, name_of_valgrind_frame(frame), frame.where);
  }

  // What a program point says, taken in the order in which its members come.
  struct Said {
    std::array<std::optional<int64_t>, std::size(kKeys)> numbers;
    std::optional<double> lifetimes, blocks;
    bool has_frames = false, has_accesses = false;
    bool is_known = true;  // all frames are there
  };

  Said take_members(Element element) {
    Said said;
    stack_.clear();
    accesses_.clear();
    const json::TextScope scope(element);
    json::Members members(element);
    size_t expected = 0;  // most writers have them in this order
    while (const auto member = members.next()) {
      if (member->name == "fs") {
        if (!std::exchange(said.has_frames, true)) said.is_known = take_frames(member->value);
      } else if (member->name == "acc") {
        if (!std::exchange(said.has_accesses, true)) take_accesses(member->value);
      } else if (member->name == "tl") {
        if (!said.lifetimes) said.lifetimes = json::number(member->value);
      } else {
        const auto from = std::begin(kKeys) + expected;
        const bool is_next = from != std::end(kKeys) && *from == member->name;
        const auto key = is_next ? from : std::ranges::find(kKeys, member->name);
        if (key == std::end(kKeys)) continue;
        expected = static_cast<size_t>(key - std::begin(kKeys));
        auto& number = said.numbers[expected++];
        if (!number) number = json::integer(member->value);
        if (member->name == "tbk" && !said.blocks) said.blocks = json::number(member->value);
      }
    }
    return said;
  }

  // Of the point that is read, from the innermost on. False: one of them is not there.
  bool take_frames(Element numbers) {
    bool is_known = true;
    for (json::Numbers frames(numbers); frames.next();) {
      const int64_t frame = frames.index();
      const bool is_there = frame >= 0 && static_cast<uint64_t>(frame) < frames_.size();
      is_known &= is_there;
      if (!is_there) continue;
      const auto at = static_cast<size_t>(frame);
      stacks_.push_back(type_of(at));
      if (!stack_.empty()) stack_ += " <- ";
      stack_ += quoted_[at];
    }
    return is_known;
  }

  void add_point(Element element, uint64_t number) {
    const size_t first = stacks_.size();
    const Said said = take_members(element);
    if (!said.is_known) sink_.loss("frame that is not there", number);
    if (stacks_.size() == first)
      stacks_.push_back(sink_.type(trace::Category::kState, "(unknown)"));
    std::reverse(stacks_.begin() + static_cast<ptrdiff_t>(first), stacks_.end());
    Point point{.first_frame = first, .frames = stacks_.size() - first};
    for (size_t i = 0; i < kValues; ++i)
      point.values[i] = std::max<int64_t>(said.numbers[kPlaces[i]].value_or(0), 0);
    const size_t bytes = sizeof(Point) + point.frames * sizeof(EventTypeId);
    const bool is_empty = point.values[kTotal] <= 0;
    if (is_empty || bytes > free_bytes_) {
      stacks_.resize(first, EventTypeId::none());
      return sink_.loss(
          is_empty ? "program point without a size" : "program point beyond the memory", number);
    }
    free_bytes_ -= bytes;
    point.params = params_of(said);
    points_.push_back(point);
  }

  // That of the stack that was read last.
  ParamsId params_of(const Said& said) {
    params_.clear();
    const auto add = [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i)
        if (said.numbers[i]) params_.add(shown_[i], *said.numbers[i]);
    };
    constexpr size_t kBeforeLifetime = 2;
    add(0, kBeforeLifetime);
    if (said.lifetimes && said.blocks && *said.blocks > 0) {
      params_.name(lifetime_);
      params_.number(*said.lifetimes / *said.blocks);
    }
    add(kBeforeLifetime, said.numbers.size());
    if (!accesses_.empty()) params_.add(accesses_name_, accesses_);
    params_.name(stack_name_);
    params_.known_text(stack_);
    return sink_.params(params_.whole());
  }

  // How often the bytes of a block were accessed: [-8,1000,-56,0] is 1000 of the first eight, and
  // none of the others.
  void take_accesses(Element counts) {
    int64_t bytes = 1;
    for (json::Numbers numbers(counts); numbers.next();) {
      const double number = numbers.number();
      constexpr double kMost = 1e15;
      if (!(number > -kMost && number < kMost)) return accesses_.clear();
      if (number < 0) {
        bytes = static_cast<int64_t>(-number);
        continue;
      }
      if (!accesses_.empty()) accesses_ += ", ";
      append_number(accesses_, static_cast<int64_t>(number));
      if (bytes != 1) append_number(accesses_ += " x ", bytes);
      bytes = 1;
    }
  }

  std::string name_of(Value value) const {
    switch (value) {
      case kTotal:
        return fmt::format("{} ({})", verb_, units_);
      case kBlocks:
        return fmt::format("{} ({})", verb_, blocks_);
      case kAtPeak:
        return fmt::format("at the peak of all ({})", units_);
      case kAtEnd:
        return fmt::format("at the end ({})", units_);
      case kOwnPeak:
        return fmt::format("at peaks of their own ({})", units_);
      case kRead:
        return "read (bytes)";
      default:
        return "written (bytes)";
    }
  }

  void show(Value value) {
    const bool is_there = std::ranges::any_of(
        points_, [value](const Point& point) { return point.values[value] > 0; });
    if (!is_there) return;
    const LaneId lane =
        sink_.add_lane({.name = valid_utf8(name_of(value)), .kind = trace::LaneKind::kThread});
    const EventTypeId event = sink_.type(trace::Category::kPunctual, "program point");
    stacks::WeightedStacks stacks(timeline_, lane);
    for (const Point& point : points_) {
      if (point.values[value] <= 0) continue;
      const trace::PunctualEvent punctual{
          .time = stacks.now(), .params = point.params, .lane = lane, .type = event};
      if (value == kTotal) sink_.give(punctual);
      stacks.add(stack_of(point), point.values[value]);
    }
  }

  Element root_;
  trace::EventSink& sink_;
  stacks::StackTimeline timeline_;
  uint64_t free_bytes_;
  std::string units_, blocks_, time_, verb_;
  std::array<QuotedName, std::size(kKeys)> shown_;  // the names of parameters
  QuotedName lifetime_;
  const QuotedName accesses_name_{"accesses of each byte"}, stack_name_{"stack"};
  ArgsText params_;                  // of the point that is read, kept for their memory: its
  std::string stack_, accesses_;     // stack, and how often its bytes were accessed
  std::vector<EventTypeId> frames_;  // by their number; none: not used yet
  std::vector<std::string> names_;
  std::vector<std::string> quoted_;  // the names, as texts of JSON have them
  std::vector<EventTypeId> stacks_;  // of all points, the outermost frame of each first
  std::vector<Point> points_;
};

}  // namespace

int sniff_dhat(std::span<const std::byte> head) {
  constexpr size_t kNear = 64;
  const std::string_view text = as_chars(head);
  return text.starts_with('{') && text.find("\"dhatFileVersion\"") < kNear ? 95 : 0;
}

Status read_dhat(io::Source& source, trace::EventSink& sink, const ReadContext& context) {
  WEFT_TRY_ASSIGN(const json::Document document,
                  json::Document::read(source, sink, context.memory_bytes));
  DhatReader(document.root(), sink, context.memory_bytes).read();
  return {};
}

}  // namespace weft::formats
