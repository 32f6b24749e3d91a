#include "core/formats/profiles/dhat/dhat_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/text.h"
#include "core/formats/base/args_text.h"
#include "core/formats/base/json_document.h"
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
using Said = std::array<std::optional<int64_t>, std::size(kKeys)>;

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
    std::ranges::sort(points_, [](const Point& left, const Point& right) {
      return std::ranges::lexicographical_compare(left.frames, right.frames, {},
                                                  &EventTypeId::value, &EventTypeId::value);
    });
    for (uint8_t value = 0; value < kValues; ++value) show(static_cast<Value>(value));
    timeline_.finish();
  }

 private:
  struct Point {
    std::vector<EventTypeId> frames;  // the outermost first
    int64_t values[kValues] = {};
    ParamsId params = ParamsId::none();
  };

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
    shown_ = {units_,
              blocks_,
              fmt::format("most {} at a time", units_),
              fmt::format("{} then", blocks_),
              fmt::format("{} at the peak of all", units_),
              fmt::format("{} at the peak of all", blocks_),
              fmt::format("{} at the end", units_),
              fmt::format("{} at the end", blocks_),
              "bytes read",
              "bytes written"};
    lifetime_ = fmt::format("mean lifetime ({})", time_);
  }

  void add_frame(std::string_view text) {
    frames_.push_back(EventTypeId::none());
    names_.emplace_back(text);
  }
  EventTypeId type_of(size_t number) {
    EventTypeId& type = frames_[number];
    if (!type.is_none()) return type;
    const ValgrindFrame frame = valgrind_frame(names_[number]);
    return type = sink_.type(trace::Category::kState, name_of_valgrind_frame(frame), frame.where);
  }

  void add_point(Element element, uint64_t number) {
    Point point;
    stack_.clear();
    bool is_known = true;
    for (json::Numbers frames(member(element, "fs")); frames.next();) {
      const int64_t frame = frames.index();
      const bool is_there = frame >= 0 && static_cast<uint64_t>(frame) < frames_.size();
      is_known &= is_there;
      if (!is_there) continue;
      const auto at = static_cast<size_t>(frame);
      point.frames.push_back(type_of(at));
      if (!stack_.empty()) stack_ += " <- ";
      stack_ += names_[at];
    }
    if (!is_known) sink_.loss("frame that is not there", number);
    if (point.frames.empty())
      point.frames.push_back(sink_.type(trace::Category::kState, "(unknown)"));
    std::ranges::reverse(point.frames);
    Said said;
    for (size_t i = 0; i < said.size(); ++i) said[i] = json::integer(member(element, kKeys[i]));
    for (size_t i = 0; i < kValues; ++i)
      point.values[i] = std::max<int64_t>(said[kPlaces[i]].value_or(0), 0);
    if (point.values[kTotal] <= 0) return sink_.loss("program point without a size", number);
    const size_t bytes = sizeof(Point) + point.frames.size() * sizeof(EventTypeId);
    if (bytes > free_bytes_) return sink_.loss("program point beyond the memory", number);
    free_bytes_ -= bytes;
    point.params = params_of(element, said);
    points_.push_back(std::move(point));
  }

  // That of the stack that was read last.
  ParamsId params_of(Element element, const Said& said) {
    params_.clear();
    const auto add = [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i)
        if (said[i]) params_.add(shown_[i], *said[i]);
    };
    constexpr size_t kBeforeLifetime = 2;
    add(0, kBeforeLifetime);
    const auto lifetimes = json::number(member(element, "tl"));
    const auto blocks = json::number(member(element, "tbk"));
    if (lifetimes && blocks && *blocks > 0) {
      params_.name(lifetime_);
      params_.number(*lifetimes / *blocks);
    }
    add(kBeforeLifetime, said.size());
    read_accesses(element);
    if (!accesses_.empty()) params_.add("accesses of each byte", accesses_);
    params_.add("stack", stack_);
    return sink_.params(params_.whole());
  }

  // How often the bytes of a block were accessed: [-8,1000,-56,0] is 1000 of the first eight, and
  // none of the others.
  void read_accesses(Element element) {
    accesses_.clear();
    int64_t bytes = 1;
    for (json::Numbers numbers(member(element, "acc")); numbers.next();) {
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
      if (value == kTotal) sink_.punctuals({&punctual, 1});
      stacks.add(point.frames, point.values[value]);
    }
  }

  Element root_;
  trace::EventSink& sink_;
  stacks::StackTimeline timeline_;
  uint64_t free_bytes_;
  std::string units_, blocks_, time_, verb_;
  std::array<std::string, std::size(kKeys)> shown_;  // the names of parameters
  std::string lifetime_;
  ArgsText params_;                  // of the point that is read, kept for their memory: its
  std::string stack_, accesses_;     // stack, and how often its bytes were accessed
  std::vector<EventTypeId> frames_;  // by their number; none: not used yet
  std::vector<std::string> names_;
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
