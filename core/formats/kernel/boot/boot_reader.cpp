#include "core/formats/kernel/boot/boot_reader.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/saturating.h"
#include "core/base/text.h"
#include "core/formats/base/args_text.h"
#include "core/formats/base/text.h"
#include "core/formats/base/xml_stream.h"
#include "core/formats/kernel/boot/bootchart.h"

namespace weft::formats {
namespace {

struct Bar {
  std::string state;
  double x = 0, width = 0;
};

struct DrawnState {
  std::string_view drawn, name;
};
constexpr DrawnState kDrawnStates[] = {{"security", "setting up security"},
                                       {"generators", "running generators"},
                                       {"unitsload", "loading units"}};

class BootPlotReader final : public XmlStream {
 public:
  explicit BootPlotReader(trace::EventSink& sink) : XmlStream(sink) {
    sink.set_time_base(TimeBase::kMicroseconds);
  }

 private:
  bool has_events() const override { return has_rows_; }

  // The first group is the plot, the second explains its colours.
  void begin_element(std::string_view name, std::span<const XmlAttribute> attributes) override {
    if (name == "g") ++groups_;
    text_.clear();
    is_text_ = name == "text";
    if (!is_text_ && name != "rect") return;
    Bar bar;
    for (const auto& [key, value] : attributes) {
      if (key == "class") bar.state = value;
      if (key == "x") bar.x = parse_number<double>(value).value_or(0);
      if (key == "width") bar.width = parse_number<double>(value).value_or(0);
    }
    if (is_text_) {
      text_x_ = bar.x;
      is_label_ = bar.state == "sec";
      return;
    }
    constexpr size_t kMostBars = 1000;
    if (groups_ != 1 || bar.state == "box") return;
    if (bars_.size() == kMostBars) return sink().loss("bars of a unit beyond the most", offset());
    bars_.push_back(std::move(bar));
  }

  void end_element() override {
    if (!std::exchange(is_text_, false)) return;
    if (groups_ == 0) return add_title();
    if (groups_ > 1) return;
    is_label_ ? set_scale() : add_row();
  }

  void add_text(std::string_view text) override {
    constexpr size_t kMostText = 4096;
    if (is_text_ && text_.size() + text.size() <= kMostText) text_ += text;
  }

  void add_title() {
    const bool is_summary = text_.starts_with("Startup finished");
    sink().set_metadata(is_summary ? "startup" : "system", valid_utf8(trimmed(text_)));
  }

  // "5.0s" at 500
  void set_scale() {
    std::string_view rest = trimmed(text_);
    const auto seconds = take_number<double>(rest);
    if (seconds && *seconds > 0 && rest == "s" && text_x_ > 0)
      microseconds_ = *seconds * kPerSecond / text_x_;
  }

  // "dev-mmcblk0p29.device (3.354s)"
  void add_row() {
    std::string_view name = trimmed(text_);
    const size_t bracket = name.ends_with(')') ? name.rfind(" (") : std::string_view::npos;
    ArgsText params;
    if (bracket != std::string_view::npos) {
      params.add_as_written("took", name.substr(bracket + 2, name.size() - bracket - 3));
      name = name.substr(0, bracket);
    }
    has_rows_ = true;
    close_gaps();
    const LaneId lane = sink().add_lane({.name = valid_utf8(name)});
    const ParamsId id = sink().params(params.take());
    for (size_t i = 0; i < bars_.size(); ++i) add_bar(i, lane, i == 0 ? id : ParamsId::none());
    bars_.clear();
  }

  // Places are rounded to thousandths of a unit: a bar ends where the next one begins.
  void close_gaps() {
    constexpr double kRounding = 0.0015;
    for (size_t i = 1; i < bars_.size(); ++i) {
      Bar& before = bars_[i - 1];
      const double width = bars_[i].x - before.x;
      if (before.width > 0 && std::abs(width - before.width) <= kRounding) before.width = width;
    }
  }

  // A bar without duration was not reached, or left at once.
  void add_bar(size_t index, LaneId lane, ParamsId params) {
    const Bar& bar = bars_[index];
    if (bar.width <= 0 && bars_.size() > 1) return;
    const auto known = std::ranges::find(kDrawnStates, bar.state, &DrawnState::drawn);
    const std::string name = known != std::end(kDrawnStates) ? std::string(known->name)
                             : bar.state.empty()             ? "state"
                                                             : valid_utf8(bar.state);
    const Time begin = time_of(bar.x), end = time_of(bar.x + bar.width);
    const auto holds = [&](const Bar& other) {
      return other.x <= bar.x && other.x + other.width >= bar.x + bar.width;
    };
    sink().give(trace::StateEvent{
        .begin = begin,
        .duration = std::max(end, begin) - begin,
        .params = params,
        .lane = lane,
        .type = sink().type(trace::Category::kState, name),
        .nesting = static_cast<uint32_t>(
            std::count_if(bars_.begin(), bars_.begin() + static_cast<ptrdiff_t>(index), holds))});
  }

  Time time_of(double x) const { return {saturating_round(x * microseconds_)}; }

  static constexpr double kPerSecond = 1e6;
  double microseconds_ = kPerSecond / 100;  // of a unit
  size_t groups_ = 0;
  std::vector<Bar> bars_;  // of the row whose name comes
  std::string text_;
  double text_x_ = 0;
  bool is_text_ = false, is_label_ = false, has_rows_ = false;
};

}  // namespace

int sniff_boot(std::span<const std::byte> head) {
  const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
  const bool is_svg = text.starts_with("<?xml") || text.starts_with("<svg");
  return is_svg && text.contains("systemd-analyze") && text.contains("<svg") ? 90 : 0;
}

Status read_boot(io::Source& source, trace::EventSink& sink, const ReadContext&) {
  return BootPlotReader(sink).read(source);
}

int sniff_bootchart(std::span<const std::byte> head) {
  std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
  const std::string_view time = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(time.size() + 1, text.size()));
  const bool is_file =
      text.starts_with("1 (") || (text.starts_with("cpu  ") && text.contains("\ncpu0 "));
  return parse_number<int64_t>(trimmed(time)) && is_file ? 60 : 0;
}

int sniff_bootchart_folder(const io::Source& folder) {
  return boot::chart_folder(folder) ? 100 : 0;
}

Status read_bootchart(io::Source& source, trace::EventSink& sink, const ReadContext&) {
  const auto folder = boot::chart_folder(source);
  if (!folder) return fail("holds no files of bootchart's collector, or not all");
  boot::read_chart(source, *folder, sink);
  return {};
}

}  // namespace weft::formats
