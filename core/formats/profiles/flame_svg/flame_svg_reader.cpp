#include "core/formats/profiles/flame_svg/flame_svg_reader.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/large_vector.h"
#include "core/base/saturating.h"
#include "core/formats/base/text.h"
#include "core/formats/base/xml_stream.h"
#include "core/formats/profiles/flame_svg/frame_rows.h"
#include "core/formats/profiles/stack_text/call_tree.h"
#include "core/formats/profiles/stack_text/stack_output.h"

namespace weft::formats {
namespace {

constexpr int64_t kNoTotal = -1;
constexpr std::string_view kLane = "stacks", kNoCaller = "frame without a caller below it";

struct Frame {
  double x = 0, y = 0, width = 0;
  int64_t total = 0;
  std::optional<int64_t> begin;  // in the unit of totals: inferno says it
  EventTypeId type;
  uint64_t offset = 0;
};

// "fib(int) (1,040 samples, 80.00%)": the name, and the number behind the last bracket; of a
// comparison, "fib(int) (-2 sample weight, 1,040 samples, 80.00%)", that of the samples.
std::optional<int64_t> take_total(std::string_view& title) {
  const size_t bracket = title.rfind(" (");
  if (bracket == std::string_view::npos || !title.ends_with(')')) return std::nullopt;
  std::string_view number = title.substr(bracket + 2);
  const size_t samples = number.find(" samples,");
  const size_t before = number.substr(0, std::min(samples, number.size())).rfind(", ");
  if (samples != std::string_view::npos && before != std::string_view::npos)
    number.remove_prefix(before + 2);
  std::string digits;
  for (const char c : number) {
    if (c == ',') continue;
    if (c < '0' || c > '9') break;
    digits += c;
  }
  title = trimmed(title.substr(0, bracket));
  return parse_number<int64_t>(digits);
}

// What a frame says while the mouse is over it; until 2013 that was all that it said of itself:
// "s('main (1040 samples, 80.00%)')".
std::string_view said_on_hover(std::span<const XmlAttribute> attributes) {
  std::string_view text;
  for (const auto& [name, value] : attributes) {
    if (name == "onmouseover") text = value;
  }
  if (!take_prefix(text, "s('") || !text.ends_with("')")) return {};
  text.remove_suffix(2);
  return text;
}

class FlameSvgReader final : public XmlStream {
 public:
  FlameSvgReader(trace::EventSink& sink, uint64_t memory_bytes)
      : XmlStream(sink), most_frames_(memory_bytes / 2 / sizeof(Frame)), output_(sink) {
    sink.set_time_base(TimeBase::kTicks);
  }

  // Callees lie above their callers, or below: the outermost row is the lowest or the highest,
  // whichever is wider.
  Status finish() {
    if (!has_totals_ || frames_.empty())
      return fail("is an SVG without the frames of a flame graph");
    estimate_totals();
    const auto [highest, lowest] = std::ranges::minmax(frames_, {}, &Frame::y);
    const double root_y = width_of_row(lowest.y) >= width_of_row(highest.y) ? lowest.y : highest.y;
    double row = 0;  // its height: the least distance of two
    for (const Frame& frame : frames_) {
      const double distance = std::abs(frame.y - root_y);
      if (distance > 0 && (row == 0 || distance < row)) row = distance;
    }
    const auto depth_of = [&](const Frame& frame) {
      return row == 0 ? size_t{0}
                      : static_cast<size_t>(std::llround(std::abs(frame.y - root_y) / row));
    };
    std::ranges::stable_sort(
        frames_, {}, [&](const Frame& frame) { return std::tuple(frame.x, depth_of(frame)); });
    std::vector<size_t> depths;
    depths.reserve(frames_.size());
    for (const Frame& frame : frames_) depths.push_back(depth_of(frame));
    const bool is_rounded = std::ranges::all_of(frames_, [](const Frame& frame) {
      return frame.x == std::round(frame.x) && frame.width == std::round(frame.width);
    });
    if (is_rounded) nest(depths);
    if (is_chart_ || has_repeated_calls(depths, is_rounded)) {
      give_chart(depths);
    } else {
      give_tree(depths);
    }
    return {};
  }

 private:
  // Frames that a file of names gave a title of their own say no total, but are as wide as it; so
  // are those of less than one unit, for whose sake all totals become thousandths.
  void estimate_totals() {
    constexpr int64_t kParts = 1000;
    const auto is_part = [](const Frame& frame) { return frame.total == 0 && frame.width > 0; };
    const auto widest = std::ranges::max_element(
        frames_, {}, [](const Frame& frame) { return frame.total <= 0 ? 0 : frame.width; });
    const bool has_parts = std::ranges::any_of(frames_, is_part);
    if (has_parts && std::ranges::max(frames_, {}, &Frame::total).total < INT64_MAX / kParts)
      unit_ = kParts;
    if (widest->total > 0 && widest->width > 0)
      per_width_ = static_cast<double>(widest->total * unit_) / widest->width;
    for (Frame& frame : frames_) {
      if (frame.total > 0) frame.total *= unit_;
      if (!is_part(frame) && frame.total != kNoTotal) continue;
      sink().note(is_part(frame)
                      ? "frame of less than 1: it is as much as it is wide, in thousandths"
                      : "frame without a total: it is as much as it is wide",
                  frame.offset);
      frame.total = std::max<int64_t>(saturating_round(frame.width * per_width_), 0);
    }
  }

  // Puts each frame behind its caller, where places are whole pixels.
  void nest(std::vector<size_t>& depths) {
    std::vector<flame_svg::RowFrame> placed;
    placed.reserve(frames_.size());
    for (size_t i = 0; i < frames_.size(); ++i)
      placed.push_back({frames_[i].x, frames_[i].width, depths[i], frames_[i].total});
    const flame_svg::Nesting nesting = flame_svg::nest_rows(placed);
    for (const size_t i : nesting.without_caller) sink().loss(kNoCaller, frames_[i].offset);
    std::vector<Frame> nested;
    nested.reserve(nesting.order.size());
    depths.clear();
    for (const size_t i : nesting.order) {
      nested.push_back(frames_[i]);
      depths.push_back(placed[i].depth);
    }
    frames_ = std::move(nested);
  }

  void give_tree(const std::vector<size_t>& depths) {
    stack_text::CallTree tree(output_);
    for (size_t i = 0; i < frames_.size(); ++i) {
      const Frame& frame = frames_[i];
      if (!tree.add(depths[i], frame.type, frame.total, std::nullopt))
        sink().loss(kNoCaller, frame.offset);
    }
    tree.begin(kLane);  // all are over
    output_.finish();
  }

  // A graph has one callee of a name in each frame; in a chart, whose width is time, there may be
  // more, with something else between them.
  bool has_repeated_calls(const std::vector<size_t>& depths, bool is_rounded) const {
    const double rounding = is_rounded ? 2 : 0.2;  // of places, in pixels or in tenths
    LargePool memory;
    std::pmr::unordered_map<uint64_t, double> ends{&memory};  // by caller and type
    std::vector<uint64_t> open;                               // the latest frame of each row
    for (size_t i = 0; i < frames_.size(); ++i) {
      const Frame& frame = frames_[i];
      if (depths[i] > open.size()) continue;
      open.resize(depths[i]);
      const uint64_t caller = open.empty() ? 0 : open.back() + 1;
      open.push_back(i);
      const auto [end, is_new] = ends.try_emplace(caller << 32 | frame.type.value(), 0);
      if (!is_new && frame.x - end->second > rounding) return true;
      end->second = frame.x + frame.width;
    }
    return false;
  }

  // Frames where they are drawn. Places are rounded: they stay within their callers, and behind
  // those before them.
  void give_chart(const std::vector<size_t>& depths) {
    const LaneId lane =
        sink().add_lane({.name = std::string(kLane), .kind = trace::LaneKind::kThread});
    const double left = frames_.front().x;
    std::vector<TimeRange> row;  // the latest frame of each
    size_t open = 0;             // rows in which there is one
    for (size_t i = 0; i < frames_.size(); ++i) {
      const Frame& frame = frames_[i];
      const size_t depth = depths[i];
      if (depth > open) {
        sink().loss(kNoCaller, frame.offset);
        continue;
      }
      open = depth + 1;
      if (row.size() < open) row.push_back({Time::min(), Time::min()});
      const TimeRange caller = depth > 0 ? row[depth - 1] : TimeRange{Time::min(), Time::max()};
      const Time drawn{frame.begin ? *frame.begin * unit_
                                   : saturating_round((frame.x - left) * per_width_)};
      const Time begin = std::min(std::max({drawn, caller.begin, row[depth].end}), caller.end);
      row[depth] = {begin, std::min(begin + Duration{frame.total}, caller.end)};
      sink().give(trace::StateEvent{.begin = begin,
                                    .duration = row[depth].length(),
                                    .lane = lane,
                                    .type = frame.type,
                                    .nesting = static_cast<uint32_t>(depth)});
    }
  }

  double width_of_row(double y) const {
    double width = 0;
    for (const Frame& frame : frames_) width += frame.y == y ? frame.width : 0;
    return width;
  }

  bool has_events() const override { return has_totals_; }

  void begin_element(std::string_view name, std::span<const XmlAttribute> attributes) override {
    is_title_ = name == "title";
    is_text_ = name == "text";
    const bool was_group = std::exchange(is_group_, name == "g" || name == "a");
    if (is_title_) {
      is_of_group_ = was_group;
      title_.clear();
      title_offset_ = offset();
      return;
    }
    const bool is_frame = name == "rect";
    if (!is_frame && name != "g") return;
    if (const std::string_view said = said_on_hover(attributes); !said.empty()) {
      hover_ = said;
      if (title_.empty()) title_offset_ = offset();
    }
    if (is_frame && (!title_.empty() || !hover_.empty())) add_frame(attributes);
  }
  void end_element() override { is_title_ = is_text_ = false; }
  void add_text(std::string_view text) override {
    constexpr size_t kMostTitle = 1 << 16;
    is_chart_ |= is_text_ && frames_.empty() && trimmed(text) == "Flame Chart";
    if (is_title_ && title_.size() + text.size() <= kMostTitle) title_ += text;
  }

  // The rectangle behind a title is its frame. A file of names may give it a title of its own.
  void add_frame(std::span<const XmlAttribute> attributes) {
    Frame frame;
    frame.offset = title_offset_;
    const std::string title = std::exchange(title_, {}), hover = std::exchange(hover_, {});
    constexpr double kMostBegin = 1e15;
    bool has_place = false;
    for (const auto& [key, value] : attributes) {
      std::string_view rest = value;  // "10.0", or "0.8333%"
      const auto taken = take_number<double>(rest);
      const bool is_number = taken && std::isfinite(*taken);
      const double number = is_number ? *taken : 0;
      if (key == "x") frame.x = number;
      if (key == "y") frame.y = number;
      if (key == "width") frame.width = number;
      has_place |= key == "y" && is_number;
      if (key == "fg:x" && is_number && std::abs(number) < kMostBegin)
        frame.begin = static_cast<int64_t>(number);
    }
    std::string_view name = title;
    auto total = take_total(name);
    if (!total) {
      name = hover;
      total = take_total(name);
    }
    if (!total) name = is_of_group_ ? trimmed(title) : std::string_view();
    has_totals_ |= total.has_value();
    if (!has_place || (name.empty() && !total))
      return sink().loss("frame without a total", title_offset_);
    if (frames_.size() == most_frames_) return sink().loss("frames beyond the memory", offset());
    frame.total = total.value_or(kNoTotal);
    frame.type = output_.type_of({name});
    frames_.push_back(frame);
  }

  uint64_t most_frames_;
  stack_text::StackOutput output_;
  std::vector<Frame> frames_;
  std::string title_, hover_;  // before their frame
  uint64_t title_offset_ = 0;
  bool is_title_ = false, is_text_ = false, has_totals_ = false;
  bool is_chart_ = false;  // the page's title says so
  int64_t unit_ = 1;       // of the totals that are said
  double per_width_ = 0;
  bool is_group_ = false, is_of_group_ = false;  // the element before; the title, in a group
};

}  // namespace

int sniff_flame_svg(std::span<const std::byte> head) {
  const std::string_view text = as_chars(head);
  const bool is_svg = (text.starts_with("<?xml") || text.starts_with("<svg")) &&
                      text.find("<svg") != std::string_view::npos;
  const bool has_frames = text.find("func_g") != std::string_view::npos ||
                          text.find("flamegraph") != std::string_view::npos ||
                          text.find("Flame Graph") != std::string_view::npos ||
                          text.find("Flame Chart") != std::string_view::npos ||
                          text.find("onmouseover=\"s('") != std::string_view::npos;
  return is_svg && has_frames ? 85 : 0;
}

Status read_flame_svg(io::Source& source, trace::EventSink& sink, const ReadContext& context) {
  FlameSvgReader reader(sink, context.memory_bytes);
  WEFT_TRY(reader.read(source));
  return reader.finish();
}

}  // namespace weft::formats
