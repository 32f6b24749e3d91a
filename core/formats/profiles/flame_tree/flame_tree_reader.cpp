#include "core/formats/profiles/flame_tree/flame_tree_reader.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/ascii.h"
#include "core/base/time.h"
#include "core/formats/base/decimal_time.h"
#include "core/formats/base/json_document.h"
#include "core/formats/base/text.h"
#include "core/formats/stacks/stack_timeline.h"
#include "core/formats/stacks/weighted_stacks.h"

namespace weft::formats {
namespace flame_tree {
namespace {

using json::Element;

constexpr double kFineScale = 1e6;  // ticks of a value, where some have fractions
constexpr double kMostTicks = 1e18;

struct Frame {
  std::string_view name, group;
  std::optional<double> value;
  std::optional<Element> children;
  bool has_difference = false;
};

Frame frame_of(Element object) {
  Frame frame;
  json::Members members(object);
  while (const auto member = members.next()) {
    const std::string_view name = member->name;
    if (name == "name" || name == "n") frame.name = json::text(member->value);
    if (name == "libtype" || name == "l") frame.group = json::text(member->value);
    if (name == "value" || name == "v") frame.value = json::number(member->value);
    if (name == "children" || name == "c") frame.children = member->value;
    frame.has_difference |= name == "delta" || name == "d";
  }
  return frame;
}

// What all values together tell of each.
class Survey {
 public:
  explicit Survey(Element root) { look_at(root, true); }

  bool are_own() const { return are_own_; }
  double scale() const {
    return has_fractions_ && sum_ * kFineScale <= kMostTicks ? kFineScale : 1;
  }

 private:
  double look_at(Element object, bool is_root) {
    const Frame frame = frame_of(object);
    double below = 0;
    json::for_each_part(frame.children, [&](Element child) { below += look_at(child, false); });
    const double said = frame.value.value_or(below);
    const double value = said >= 0 && said <= kMostTicks ? said : 0;
    sum_ += value;
    has_fractions_ |= is_finer_than_ticks(value);
    constexpr double kRounded = 1.01;  // shares that were rounded may be more than their sum
    are_own_ |= below > value * kRounded && !(is_root && value == 0);
    return value;
  }

  double sum_ = 0;
  bool are_own_ = false, has_fractions_ = false;
};

class TreeReader {
 public:
  TreeReader(Element root, trace::EventSink& sink)
      : root_(root),
        sink_(sink),
        survey_(root),
        timeline_(sink),
        stacks_(timeline_, sink.add_lane({.name = "stacks"})) {}

  void read() {
    sink_.set_time_base(TimeBase::kTicks);
    sink_.set_metadata("values", survey_.are_own() ? "own" : "with what was called");
    if (survey_.scale() > 1) sink_.set_metadata("one tick", "a millionth of a value");
    add(root_);
    if (stacks_.now() == Time{}) sink_.loss("profile without samples", trace::LossPlace::nowhere());
    timeline_.finish();
  }

 private:
  // Returns how wide the frame is.
  int64_t add(Element object) {
    const uint64_t number = frames_++;
    const Frame frame = frame_of(object);
    if (frame.has_difference) sink_.note("difference of a frame, which is not shown", number);
    stack_.push_back(sink_.type(trace::Category::kState,
                                frame.name.empty() ? "(anonymous)" : frame.name, frame.group));
    int64_t below = 0;
    json::for_each_part(frame.children,
                        [&](Element child) { below = saturating_add(below, add(child)); });
    const int64_t own = own_width(frame, below, number);
    if (below == 0 && frame.value == 0.0) sink_.note("frame as wide as 0", number);
    stacks_.add(stack_, own);
    stack_.pop_back();
    return saturating_add(below, own);
  }

  int64_t own_width(const Frame& frame, int64_t below, uint64_t number) {
    if (!frame.value && below > 0) return 0;
    const double ticks = frame.value.value_or(-1) * survey_.scale();
    if (!(ticks >= 0 && ticks <= kMostTicks)) {
      sink_.loss("frame without a value, or with one that is none", number);
      return 0;
    }
    const int64_t width = std::llround(ticks);
    return survey_.are_own() ? width : std::max<int64_t>(0, width - below);
  }

  Element root_;
  trace::EventSink& sink_;
  Survey survey_;
  stacks::StackTimeline timeline_;
  stacks::WeightedStacks stacks_;
  std::vector<EventTypeId> stack_;
  uint64_t frames_ = 0;
};

// A member's name in the head of a text, and what stands behind its colon; none where the text
// ends.
struct MemberName {
  std::string_view name, behind;
};
std::optional<MemberName> next_member(std::string_view& text) {
  for (;;) {
    const size_t begin = text.find('"');
    if (begin == std::string_view::npos) return std::nullopt;
    text.remove_prefix(begin + 1);
    size_t end = 0;
    while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
    if (end >= text.size()) return std::nullopt;
    const std::string_view name = text.substr(0, end);
    text.remove_prefix(end + 1);
    skip_white_space(text);
    if (!take_prefix(text, ":")) continue;
    skip_white_space(text);
    return MemberName{name, text};
  }
}

// Of members with either name.
struct Counts {
  int names = 0, values = 0, lists = 0;
};

// None where there are members that a tree's frames do not have.
std::optional<Counts> counts_of(std::string_view head) {
  constexpr std::string_view kOthers[] = {"libtype", "l", "delta", "d"};
  Counts counts;
  while (const auto member = next_member(head)) {
    const std::string_view name = member->name, value = member->behind;
    if (name == "name" || name == "n") {
      ++counts.names;
    } else if (name == "value" || name == "v") {
      ++counts.values;
    } else if (name == "children" || name == "c") {
      ++counts.lists;
      if (!value.empty() && value.front() != '[') return std::nullopt;
    } else if (std::ranges::find(kOthers, name) == std::end(kOthers)) {
      return std::nullopt;
    }
  }
  return counts;
}

}  // namespace
}  // namespace flame_tree

int sniff_flame_tree(std::span<const std::byte> head) {
  constexpr int kRatherSure = 75;
  const std::string_view text = trimmed(as_chars(head));
  if (!text.starts_with('{')) return 0;
  const auto counts = flame_tree::counts_of(text);
  if (!counts || counts->lists == 0 || counts->values == 0) return 0;
  // Trees of other things have values at their leaves only. Frames that the head cuts may have said
  // their name and not their value yet.
  const auto open = std::ranges::count(text, '{') - std::ranges::count(text, '}');
  return counts->names - counts->values <= std::max<ptrdiff_t>(open, 0) ? kRatherSure : 0;
}

Status read_flame_tree(io::Source& source, trace::EventSink& sink, const ReadContext& context) {
  WEFT_TRY_ASSIGN(const json::Document document,
                  json::Document::read(source, sink, context.memory_bytes));
  flame_tree::TreeReader(document.root(), sink).read();
  return {};
}

}  // namespace weft::formats
