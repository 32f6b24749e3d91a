#include "core/formats/kernel/ctf_text/ctf_text_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/clock_text.h"
#include "core/base/text.h"
#include "core/formats/base/head_lines.h"
#include "core/formats/base/text.h"
#include "core/formats/base/text_lines.h"
#include "core/formats/base/time_form.h"
#include "core/formats/base/unit_of_places.h"
#include "core/formats/kernel/ctf/events_ahead.h"
#include "core/formats/kernel/ctf/graph.h"
#include "core/formats/kernel/ctf/player.h"
#include "core/formats/kernel/ctf_text/event_line.h"
#include "core/formats/kernel/ctf_text/recording.h"

namespace weft::formats {
namespace {

constexpr std::string_view kDiscarded = "Tracer discarded ", kFolder = "Trace directory: ";

// The times of a text are all written alike: a time of day, with its date or without, seconds, or
// cycles of a clock, which are taken for nanoseconds.
class Times {
 public:
  // The time of the next event.
  std::optional<Time> next(std::string_view text) {
    const auto time = parse(text);
    if (time) last_ = time;
    return time;
  }
  // The time of something that may precede the last event.
  std::optional<Time> parse(std::string_view text) {
    if (!form_) form_ = form_of(text);
    return form_ ? form_->parse(text, last_) : std::nullopt;
  }
  const std::optional<Time>& last() const { return last_; }
  bool are_cycles() const { return are_cycles_; }
  // Midnight of the first day, where the text says no date: the last event is not later than the
  // text's last change.
  Time begin(const std::optional<Time>& changed) const {
    constexpr int64_t kDay = kDaySeconds * 1'000'000'000;
    if (!lack_date_ || !changed || !last_) return {0};
    return {std::max<int64_t>(0, (changed->ticks - last_->ticks) / kDay * kDay)};
  }

 private:
  std::optional<TimeForm> form_of(std::string_view text) {
    if (text.find(':') != std::string_view::npos) {
      lack_date_ = text.find('-') == std::string_view::npos;
      return TimeForm::of(text);
    }
    are_cycles_ = text.find('.') == std::string_view::npos;
    const auto form = TimeForm::compile(are_cycles_ ? "ns" : "s", {}, '.');
    return form ? std::optional(*form) : std::nullopt;
  }

  std::optional<TimeForm> form_;
  std::optional<Time> last_;
  bool are_cycles_ = false;
  bool lack_date_ = false;
};

// "WARNING: Tracer discarded 2 packets between [10:15:09.000000040] and [10:15:09.000000041] in …"
struct Discarded {
  uint64_t count = 0;
  bool are_packets = false;
  std::optional<TimeRange> when;
};

std::optional<Discarded> discarded_from(std::string_view line, Times& times) {
  const size_t at = line.find(kDiscarded);
  if (at == std::string_view::npos) return std::nullopt;
  line.remove_prefix(at + kDiscarded.size());
  const auto count = take_number<uint64_t>(line);
  if (!count) return std::nullopt;
  Discarded discarded{*count, line.starts_with(" packet"), std::nullopt};
  std::optional<Time> ends[2];
  for (auto& end : ends) {
    line.remove_prefix(std::min(line.find('['), line.size()));
    if (line.empty()) return discarded;
    end = times.parse(line.substr(1, line.find(']') - 1));
    line.remove_prefix(1);
  }
  if (ends[0] && ends[1] && *ends[0] <= *ends[1]) discarded.when = TimeRange{*ends[0], *ends[1]};
  return discarded;
}

}  // namespace

int sniff_ctf_text(std::span<const std::byte> head) {
  constexpr int kMostLines = 40;
  const std::string_view text = as_chars(head);
  HeadLines lines(text, kMostLines);
  ctf_text::EventLine event;
  while (const auto line = lines.next()) {
    Times times;
    if (!event.parse(*line) || !times.next(event.time)) continue;
    if (event.is_broken) return 0;
    return event.groups.empty() ? 20 : 80;
  }
  return 0;
}

Status read_ctf_text(io::Source& source, trace::EventSink& sink, const ReadContext& context) {
  WEFT_TRY_ASSIGN(const auto recording, ctf_text::Recording::create());
  Times times;
  ctf_text::EventLine event;
  std::vector<Discarded> discarded;
  const auto add_other = [&](const io::Line& line) {
    if (auto what = discarded_from(line.text, times)) {
      constexpr size_t kMostPlaces = 1 << 12;
      if (discarded.size() < kMostPlaces) return discarded.push_back(*what);
      discarded.back().count += what->count;
      discarded.back().when.reset();
      return;
    }
    if (!line.text.starts_with(kFolder)) return sink.loss("line that is not an event", line.offset);
    sink.set_metadata("trace directory", valid_utf8(line.text.substr(kFolder.size())));
  };
  for_each_ended_line(source, sink, [&](const io::Line& line) {
    const auto before = times.last();
    const auto time = event.parse(line.text) ? times.next(event.time) : std::nullopt;
    if (!time || time->ticks < 0) return add_other(line);
    if (before && *time < *before) sink.loss("time before that of the event before", line.offset);
    if (event.is_broken) sink.loss("fields that cannot be understood", line.offset);
    const std::string_view lost = recording->add(event, *time);
    if (!lost.empty()) sink.loss(lost, line.offset);
  });
  if (!recording->has_events()) return fail("holds no event as babeltrace prints it");
  if (times.are_cycles()) sink.set_metadata("clock", "cycles, taken for nanoseconds");
  const Time begin = times.begin(context.changed);
  WEFT_TRY_ASSIGN(const auto folders, recording->finish(begin));
  ctf::Graph graph;
  for (const auto& folder : folders) WEFT_TRY(graph.add({folder}));
  UnitOfPlaces in_events(sink, trace::PlaceUnit::kEvent);
  ctf::Player player(in_events, context);
  WEFT_TRY(ctf::play_ahead(graph, player));
  WEFT_TRY(player.finish());
  for (const Discarded& each : discarded) {
    trace::LossPlace place = trace::LossPlace::nowhere();
    if (each.when) {
      place.time = each.when->begin + Duration{begin.ticks};
      place.duration = each.when->length();
    }
    sink.loss(each.are_packets ? ctf::kLostPackets : ctf::kLostEvents, place, each.count);
  }
  sink.progress(source.disk_bytes_total(), source.disk_bytes_total());
  return {};
}

}  // namespace weft::formats
