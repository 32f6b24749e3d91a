#include "core/formats/profiles/flamebearer/flamebearer_reader.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/formats/base/args_text.h"
#include "core/formats/base/json_document.h"
#include "core/formats/base/text.h"

namespace weft::formats {
namespace flamebearer {
namespace {

using json::Element;
using json::member;

class GraphReader {
 public:
  GraphReader(Element root, trace::EventSink& sink)
      : sink_(sink), graph_(member(root, "flamebearer")), metadata_(member(root, "metadata")) {
    if (!graph_) graph_ = member(root, "flamegraph");
    if (!graph_) graph_ = root;
  }

  void read() {
    std::string_view format = json::text(member(metadata_, "format"));
    if (format.empty()) format = json::text(member(graph_, "format"));
    is_double_ = format == "double";
    describe();
    json::for_each_element(member(graph_, "names"), [this](Element name) {
      names_.push_back(sink_.type(trace::Category::kState, json::text(name), {}));
    });
    add_lanes();
    uint32_t depth = 0;
    json::for_each_part(member(graph_, "levels"), [&](Element level) {
      const auto values = member(level, "values");
      read_level(values.value_or(level), depth++);
    });
    if (depth == 0) sink_.loss("profile without samples", trace::LossPlace::nowhere());
  }

 private:
  void describe() {
    const std::string_view units = json::text(member(metadata_, "units"));
    const int64_t rate = json::integer(member(metadata_, "sampleRate")).value_or(0);
    constexpr int64_t kSecond = 1'000'000'000;
    const bool is_time = units == "samples" && rate > 0 && kSecond % rate == 0;
    if (is_time) ticks_ = kSecond / rate;
    sink_.set_time_base(is_time ? TimeBase::kNanoseconds : TimeBase::kTicks);
    unit_ = is_time ? "time" : units;
    for (const std::string_view key : {"name", "appName", "spyName", "units", "sampleRate"}) {
      const std::string value = json::plain(member(metadata_, key));
      if (!value.empty()) sink_.set_metadata(key, valid_utf8(value));
    }
  }

  void add_lanes() {
    const std::string stacks = unit_.empty() ? "stacks" : "stacks (" + valid_utf8(unit_) + ")";
    if (is_double_)
      lanes_[1] = sink_.add_lane({.name = stacks + " before", .kind = trace::LaneKind::kThread});
    lanes_[0] = sink_.add_lane({.name = stacks, .kind = trace::LaneKind::kThread});
  }

  // A server's answer has texts of numbers.
  static int64_t whole_number(const json::Numbers& each) {
    const int64_t number = each.index();
    if (number != json::kNoIndex) return number;
    return parse_number<int64_t>(json::text(each.value())).value_or(json::kNoIndex);
  }

  // Of two profiles the first is the one that the other is compared with.
  void read_level(Element level, uint32_t depth) {
    constexpr size_t kOfOne = 4, kOfTwo = 7, kSides = 2;
    std::array<int64_t, kSides> ends{};
    std::array<int64_t, kOfTwo> bar{};
    const size_t size = is_double_ ? kOfTwo : kOfOne;
    size_t count = 0;
    for (json::Numbers each(level); each.next();) {
      bar[count++] = whole_number(each);
      if (count < size) continue;
      count = 0;
      if (std::ranges::any_of(std::span(bar).first(size), [](int64_t n) { return n < 0; })) {
        sink_.loss("frame of no numbers", depth);
        continue;
      }
      if (is_double_) add(lanes_[1], {bar.data(), 3}, bar[size - 1], depth, ends[1]);
      add(lanes_[0], {bar.data() + size - kOfOne, 3}, bar[size - 1], depth, ends[0]);
    }
    if (count > 0) sink_.loss("frame that is cut", depth);
  }

  // `bar`: what is free before it, its total, what it has itself. `end` is that of the bar before.
  void add(LaneId lane, std::span<const int64_t> bar, int64_t name, uint32_t depth, int64_t& end) {
    const int64_t begin = saturating_add(end, bar[0]);
    end = saturating_add(begin, bar[1]);
    if (bar[1] == 0) return;
    constexpr int64_t kMost = int64_t{1} << 62;
    if (end > kMost / ticks_ || static_cast<uint64_t>(name) >= names_.size())
      return sink_.loss("frame that is not there", {depth, lane});
    args_.add("self", bar[2]);
    sink_.give(trace::StateEvent{.begin = {begin * ticks_},
                                 .duration = {bar[1] * ticks_},
                                 .params = sink_.params(args_.take()),
                                 .lane = lane,
                                 .type = names_[static_cast<size_t>(name)],
                                 .nesting = depth});
  }

  trace::EventSink& sink_;
  std::optional<Element> graph_, metadata_;
  bool is_double_ = false;
  int64_t ticks_ = 1;  // of a unit
  std::string_view unit_;
  std::vector<EventTypeId> names_;
  std::array<LaneId, 2> lanes_ = {LaneId::none(), LaneId::none()};  // the profile, the one before
  ArgsText args_;
};

}  // namespace
}  // namespace flamebearer

int sniff_flamebearer(std::span<const std::byte> head) {
  constexpr int kSure = 95;
  const std::string_view text = trimmed(as_chars(head));
  const bool is_one =
      text.starts_with('{') &&
      (text.contains("\"flamebearer\"") || trimmed(text.substr(1)).starts_with("\"flamegraph\""));
  return is_one && (text.contains("\"names\"") || text.contains("\"levels\"")) ? kSure : 0;
}

Status read_flamebearer(io::Source& source, trace::EventSink& sink, const ReadContext& context) {
  WEFT_TRY_ASSIGN(const json::Document document,
                  json::Document::read(source, sink, context.memory_bytes));
  flamebearer::GraphReader(document.root(), sink).read();
  return {};
}

}  // namespace weft::formats
