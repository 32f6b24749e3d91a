#include "core/formats/profiles/xplane/xplane_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/text.h"
#include "core/formats/base/args_text.h"
#include "core/formats/base/text.h"
#include "core/formats/base/whole_input.h"
#include "core/formats/general/perfetto/fields.h"
#include "core/formats/general/perfetto/packet_stream.h"
#include "core/formats/profiles/xplane/handed_over.h"
#include "core/formats/profiles/xplane/plane_names.h"

namespace weft::formats {
namespace {

using perfetto::Field;
using perfetto::for_each_field;
using trace::LaneKind;
using xplane::EventName;
using xplane::HandedOver;
using xplane::PlaneNames;
using xplane::Role;
using xplane::Stat;

enum SpaceField : uint32_t { kPlane = 1, kError = 2, kWarning = 3, kHost = 4 };
enum PlaneField : uint32_t {
  kPlaneId = 1,
  kPlaneName = 2,
  kLine = 3,
  kEventNames = 4,
  kStatNames = 5,
  kPlaneStat = 6,
};
enum LineField : uint32_t {
  kLineName = 2,
  kLineTime = 3,
  kEvent = 4,
  kLineDisplayName = 11,
};
enum EventField : uint32_t {
  kEventName = 1,
  kOffset = 2,
  kDuration = 3,
  kEventStat = 4,
  kOccurrences = 5,
};

constexpr std::string_view kHostPlane = "/host:";
constexpr int64_t kPicosecondsPerNanosecond = 1000;
constexpr std::string_view kLaunch = "launch", kFlow = "flow", kHandedOver = "handed over";

struct Line {
  std::string_view name, display_name;
  int64_t time_ns = 0;
};

class XPlaneReader {
 public:
  explicit XPlaneReader(trace::EventSink& sink) : sink_(sink) {}

  void read(std::string_view space) {
    begin_ = space.data();
    std::vector<std::string_view> planes;
    std::string errors, warnings, hosts;
    const auto take = [&](const Field& field) {
      if (!field.is_bytes) return;
      if (field.number == kPlane) planes.push_back(field.bytes);
      if (field.number == kError) add_line(errors, field.bytes);
      if (field.number == kWarning) add_line(warnings, field.bytes);
      if (field.number == kHost) add_line(hosts, field.bytes);
    };
    if (!for_each_field(space, take)) {
      const auto cut = perfetto::cut_field(space);
      sink_.loss("profile that breaks off: names may lack", cut ? offset_of(cut->bytes) : 0);
      if (cut) take(*cut);
    }
    if (!errors.empty()) sink_.set_metadata("errors", errors);
    if (!warnings.empty()) sink_.set_metadata("warnings", warnings);
    if (!hosts.empty()) sink_.set_metadata("host", hosts);
    choose_ticks(planes);
    for (const std::string_view plane : planes) {
      if (sink_.keep_going()) read_plane(plane);
    }
    handed_over_.finish(sink_);
  }

 private:
  static void add_line(std::string& lines, std::string_view line) {
    if (!lines.empty()) lines += '\n';
    lines += valid_utf8(line);
  }
  uint64_t offset_of(std::string_view bytes) const {
    return static_cast<uint64_t>(bytes.data() - begin_);
  }

  // Picoseconds, where all times are short enough: old profiles count from 1970.
  void choose_ticks(const std::vector<std::string_view>& planes) {
    int64_t latest = 0;
    for (const std::string_view plane : planes) {
      for_each_field(plane, [&](const Field& field) {
        if (field.number == kLine) latest = std::max(latest, line_from(field.bytes).time_ns);
      });
    }
    constexpr int64_t kMost = INT64_MAX / kPicosecondsPerNanosecond / 2;
    is_in_picoseconds_ = latest < kMost;
    sink_.set_time_base(is_in_picoseconds_ ? TimeBase::kPicoseconds : TimeBase::kNanoseconds);
  }

  static Line line_from(std::string_view message) {
    Line line;
    for_each_field(message, [&](const Field& field) {
      if (field.number == kLineName) line.name = field.bytes;
      if (field.number == kLineTime) line.time_ns = field.integer();
      if (field.number == kLineDisplayName) line.display_name = field.bytes;
    });
    return line;
  }

  void read_plane(std::string_view plane) {
    PlaneNames names;
    const uint64_t damaged = names.take(plane);
    if (damaged > 0) sink_.loss("names damaged", offset_of(plane), damaged);
    std::string_view name;
    uint64_t programs = 0, lines = 0;
    for_each_field(plane, [&](const Field& field) {
      if (field.number == kPlaneName) name = field.bytes;
      programs += field.number == kEventNames ? 1 : 0;
      lines += field.number == kLine ? 1 : 0;
    });
    plane_name_ = valid_utf8(name);
    is_host_ = name.starts_with(kHostPlane);
    if (lines == 0 && programs > 0 && is_host_)
      sink_.note("programs of XLA that the profile carries are not shown", offset_of(plane),
                 programs);
    plane_lane_ = LaneId::none();
    const bool is_whole = for_each_field(plane, [&](const Field& field) {
      if (field.number == kPlaneStat) add_plane_stat(names, field.bytes);
      if (field.number == kLine) read_line(names, field.bytes);
    });
    if (is_whole) return;
    const auto cut = perfetto::cut_field(plane);
    if (cut && cut->number == kLine) read_line(names, cut->bytes);
    sink_.loss("plane damaged", offset_of(plane));
  }

  void add_plane_stat(const PlaneNames& names, std::string_view message) {
    Stat stat;
    ArgsText value;
    if (!xplane::parse_stat(message, stat)) return;
    const xplane::StatName* const name = names.stat(stat.id);
    if (name == nullptr) return;
    names.add_value(stat, value);
    std::string text = value.take_value();
    if (text.starts_with('"')) text = text.substr(1, text.size() - 2);
    sink_.set_metadata(fmt::format("{}: {}", plane_name_, valid_utf8(name->name)), text);
  }

  void read_line(const PlaneNames& names, std::string_view message) {
    const Line line = line_from(message);
    if (plane_lane_.is_none())
      plane_lane_ = sink_.add_lane({.name = plane_name_.empty() ? "(unnamed)" : plane_name_,
                                    .kind = is_host_ ? LaneKind::kProcess : LaneKind::kGroup});
    const std::string_view name = line.display_name.empty() ? line.name : line.display_name;
    lane_ = sink_.add_lane({.name = name.empty() ? "(unnamed)" : valid_utf8(name),
                            .parent = plane_lane_,
                            .kind = is_host_ ? LaneKind::kThread : LaneKind::kQueue});
    const bool is_good = for_each_field(message, [&](const Field& field) {
      if (field.number == kEvent && !read_event(names, line.time_ns, field.bytes))
        sink_.loss("event damaged", offset_of(field.bytes));
    });
    if (!is_good) sink_.loss("line damaged", offset_of(message));
  }

  // Returns false if it is damaged.
  bool read_event(const PlaneNames& names, int64_t line_ns, std::string_view message) {
    uint64_t name_id = 0, occurrences = 0;
    int64_t offset_ps = 0, duration_ps = 0;
    ArgsText params;
    stats_.clear();
    bool are_stats_good = true;
    const bool is_good = for_each_field(message, [&](const Field& field) {
      if (field.number == kEventName) name_id = field.value;
      if (field.number == kOffset) offset_ps = field.integer();
      if (field.number == kDuration) duration_ps = field.integer();
      if (field.number == kOccurrences) occurrences = field.value;
      if (field.number == kEventStat)
        are_stats_good &= xplane::parse_stat(field.bytes, stats_.emplace_back());
    });
    if (!is_good || !are_stats_good) return false;
    if (occurrences > 0) {
      sink_.note("events that are only counted have no time", offset_of(message), occurrences);
      return true;
    }
    const auto begin = time_of(line_ns, offset_ps, 0),
               end = time_of(line_ns, offset_ps, duration_ps);
    if (duration_ps < 0 || !begin || !end) return false;
    for (const Stat& stat : stats_) {
      if (!names.add(stat, params))
        sink_.note("statistics of bytes, which are for programs", offset_of(message));
    }
    hand_over(names, {lane_, *begin});
    const EventName* const name = names.event(name_id);
    std::string text = params.take();
    if (name != nullptr && !name->params.empty())
      text = text.empty() ? name->params : merged_args(name->params, text);
    give(name != nullptr ? valid_utf8(name->name) : fmt::format("event {}", name_id), *begin, *end,
         sink_.params(text));
    return true;
  }

  // Returns nullopt if the time is out of range. Begins and ends are rounded alike, so that nesting
  // is preserved.
  std::optional<Time> time_of(int64_t line_ns, int64_t offset_ps, int64_t duration_ps) const {
    int64_t ps = 0, ticks = 0;
    if (__builtin_add_overflow(offset_ps, duration_ps, &ps)) return std::nullopt;
    if (is_in_picoseconds_) {
      if (__builtin_mul_overflow(line_ns, kPicosecondsPerNanosecond, &ticks)) return std::nullopt;
    } else {
      ticks = line_ns;
      ps /= kPicosecondsPerNanosecond;
    }
    if (__builtin_add_overflow(ticks, ps, &ticks)) return std::nullopt;
    return Time{ticks};
  }

  void give(std::string_view name, Time begin, Time end, ParamsId params) {
    const auto category = end == begin ? trace::Category::kPunctual : trace::Category::kState;
    const EventTypeId type = sink_.type(category, name, plane_name_);
    if (end == begin) {
      return sink_.give(
          trace::PunctualEvent{.time = begin, .params = params, .lane = lane_, .type = type});
    }
    sink_.give(trace::StateEvent{
        .begin = begin, .duration = end - begin, .params = params, .lane = lane_, .type = type});
  }

  void hand_over(const PlaneNames& names, const HandedOver::Place& place) {
    std::optional<uint64_t> producer, consumer;
    uint64_t producer_type = 0, consumer_type = 0;
    for (const Stat& stat : stats_) {
      const xplane::StatName* const name = names.stat(stat.id);
      const uint64_t value = stat.value.value;
      switch (name == nullptr ? Role::kNone : name->role) {
        case Role::kNone:
          break;
        case Role::kCorrelation:
          if (value == 0) break;  // none
          if (is_host_) {
            handed_over_.give({kLaunch, 0, value}, place);
          } else {
            handed_over_.take({kLaunch, 0, value}, place);
          }
          break;
        case Role::kProducer:
          producer = value;
          break;
        case Role::kProducerType:
          producer_type = value;
          break;
        case Role::kConsumer:
          consumer = value;
          break;
        case Role::kConsumerType:
          consumer_type = value;
          break;
        case Role::kFlow: {
          // Two bits say whether it comes in, goes out, or both.
          constexpr uint64_t kIn = 1, kOut = 2;
          if ((value & kOut) != 0) handed_over_.give({kFlow, 0, value >> 2}, place);
          if ((value & kIn) != 0) handed_over_.take({kFlow, 0, value >> 2}, place);
        }
      }
    }
    if (producer) handed_over_.give({kHandedOver, producer_type, *producer}, place);
    if (consumer) handed_over_.take({kHandedOver, consumer_type, *consumer}, place);
  }

  trace::EventSink& sink_;
  const char* begin_ = nullptr;
  bool is_in_picoseconds_ = true;
  // State of the current plane and line.
  std::string plane_name_;
  bool is_host_ = false;
  LaneId plane_lane_ = LaneId::none(), lane_;
  std::vector<Stat> stats_;  // of the event
  HandedOver handed_over_;
};

// Which fields of a message are numbers and which bytes; of no others it has any.
struct Shape {
  uint32_t numbers = 0, bytes = 0;

  // Whether a message, whose end may be cut off unless `is_whole`, has only fields of the expected
  // kinds.
  bool fits(std::string_view message, bool is_whole) const {
    bool is_right = true;
    const bool is_well_formed = for_each_field(message, [&](const Field& field) {
      const uint32_t bit = field.number < 32 ? 1u << field.number : 0;
      is_right &= ((field.is_bytes ? bytes : numbers) & bit) != 0;
    });
    return is_right && (is_well_formed || !is_whole);
  }
};
constexpr uint32_t bits_of(std::initializer_list<uint32_t> fields) {
  uint32_t all = 0;
  for (const uint32_t each : fields) all |= 1u << each;
  return all;
}
constexpr Shape kShapeOfLine{bits_of({1, 3, 9, 10}), bits_of({2, 4, 11})};
constexpr Shape kShapeOfEntry{bits_of({1}), bits_of({2})};
constexpr Shape kShapeOfStat{bits_of({1, 2, 3, 4, 7}), bits_of({5, 6})};

bool is_name(std::string_view text) {
  return !text.empty() && is_valid_utf8(text) &&
         std::ranges::none_of(text, [](char c) { return static_cast<uint8_t>(c) < 0x20; });
}

// A plane has a name, and something in it.
class PlaneLook {
 public:
  void add(const Field& field, bool is_whole) {
    switch (field.number) {
      case kPlaneId:
        is_wrong_ |= field.is_bytes;
        break;
      case kPlaneName:
        is_named_ = field.is_bytes && is_whole && is_name(field.bytes);
        is_wrong_ |= !is_named_;
        break;
      case kLine:
        return add(kShapeOfLine, field, is_whole);
      case kEventNames:
      case kStatNames:
        return add(kShapeOfEntry, field, is_whole);
      case kPlaneStat:
        return add(kShapeOfStat, field, is_whole);
      default:
        is_wrong_ = true;
    }
  }
  bool is_right() const { return is_named_ && is_filled_ && !is_wrong_; }

 private:
  void add(const Shape& shape, const Field& field, bool is_whole) {
    is_filled_ = true;
    is_wrong_ |= !field.is_bytes || !shape.fits(field.bytes, is_whole);
  }

  bool is_named_ = false, is_filled_ = false, is_wrong_ = false;
};

}  // namespace

int sniff_xplane(std::span<const std::byte> head) {
  constexpr int kSure = 85;
  const std::string_view text = as_chars(head);
  const perfetto::PacketHead first = perfetto::head_of_packet(text);
  if (first.size == 0 || !first.is_field || first.number != kPlane) return 0;
  const std::string_view plane = text.substr(first.size, first.bytes);
  PlaneLook look;
  if (!for_each_field(plane, [&](const Field& field) { look.add(field, true); })) {
    if (plane.size() == first.bytes) return 0;
    if (const auto cut = perfetto::cut_field(plane)) look.add(*cut, false);
  }
  return look.is_right() ? kSure : 0;
}

Status read_xplane(io::Source& source, trace::EventSink& sink, const ReadContext&) {
  WEFT_TRY_ASSIGN(const WholeInput space, WholeInput::read(source, sink));
  XPlaneReader(sink).read(space.bytes());
  return {};
}

std::vector<Page> xplane_pages() {
  return {{"operations",
           "Operations",
           "SELECT type AS operation, type_group AS plane, count(*) AS times, sum(dur) AS time, "
           "max(dur) AS longest, avg(dur) AS mean "
           "FROM states WHERE begin >= :from AND begin < :to "
           "GROUP BY type_id ORDER BY time DESC",
           {"time", "longest", "mean"}}};
}

}  // namespace weft::formats
