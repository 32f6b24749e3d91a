#include "core/formats/xplane_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/formats/binary.h"
#include "core/formats/perfetto/args_text.h"
#include "core/formats/perfetto/fields.h"
#include "core/formats/whole_input.h"

namespace weft::formats {
namespace {

using perfetto::ArgsText;
using perfetto::Field;
using perfetto::for_each_field;
using trace::Category;

// The numbers of fields.
enum SpaceField : uint32_t { kPlanes = 1, kErrors = 2, kWarnings = 3, kHostNames = 4 };
enum PlaneField : uint32_t { kName = 2, kLines = 3, kEventNames = 4, kStatNames = 5, kStats = 6 };

enum StatField : uint32_t { kReal = 2, kUnsigned, kSigned, kText, kBytes, kReference };

// What many events of a plane have in common.
struct EventName {
  std::string text;
  std::string params;  // an object, or empty
};

struct Line {
  std::string name;
  int64_t begin_ns = 0;
  bool has_events = false;
};

// Two ends of a link meet by what they say both of.
class Meetings {
 public:
  enum class Kind : uint8_t { kContext, kCorrelation };
  using Key = std::pair<std::pair<Kind, uint64_t>, uint64_t>;  // with the type of a context
  struct End {
    LaneId lane;
    Time time;
    bool is_producer = false;
  };

  explicit Meetings(trace::EventSink& sink) : sink_(sink) {}

  void add(const Key& key, const End& end) {
    constexpr size_t kMost = 1 << 20;
    if (count_++ < kMost) return ends_[key].push_back(end);
    if (count_ == kMost + 1)
      sink_.loss("links of more events than are kept", trace::LossPlace::nowhere());
  }

  // From the producer, or the first of those that correlate, to all others.
  void finish() {
    for (auto& [key, ends] : ends_) {
      const bool is_context = key.first.first == Kind::kContext;
      std::ranges::stable_sort(ends, {}, &End::time);
      const auto from =
          is_context ? std::ranges::find(ends, true, &End::is_producer) : ends.begin();
      if (from == ends.end()) continue;
      for (const End& to : ends) {
        if (to.is_producer || to.lane == from->lane) continue;
        const trace::LinkEvent link{
            .send = from->time,
            .receive = to.time,
            .source = from->lane,
            .target = to.lane,
            .type = sink_.type(Category::kLink, is_context ? "consumes" : "correlation")};
        sink_.links({&link, 1});
      }
    }
  }

 private:
  trace::EventSink& sink_;
  std::map<Key, std::vector<End>> ends_;
  size_t count_ = 0;
};

class PlaneReader {
 public:
  PlaneReader(trace::EventSink& sink, Meetings& meetings, const char* begin)
      : sink_(sink), meetings_(meetings), begin_(begin) {}

  bool read(std::string_view plane) {
    bool are_parts_good = true;
    std::vector<std::string_view> event_names, lines, stats;
    const bool is_good = for_each_field(plane, [&](const Field& field) {
      if (field.number == kName) name_ = valid_utf8(field.bytes);
      if (field.number == kLines) lines.push_back(field.bytes);
      if (field.number == kEventNames) event_names.push_back(field.bytes);
      if (field.number == kStatNames) are_parts_good &= take_stat_name(field.bytes);
      if (field.number == kStats) stats.push_back(field.bytes);
    });
    for (const std::string_view each : event_names) are_parts_good &= take_event_name(each);
    for (const std::string_view each : stats) are_parts_good &= say(each);
    for (const std::string_view each : lines) are_parts_good &= read_line(each);
    return is_good && are_parts_good;
  }

 private:
  struct Stat {
    std::string_view name;
    Field value;  // 0: none
  };
  // What an event says of others.
  struct Contexts {
    std::optional<uint64_t> producer, consumer, correlation;
    uint64_t producer_type = 0, consumer_type = 0;
  };

  uint64_t offset_of(std::string_view bytes) const {
    return static_cast<uint64_t>(bytes.data() - begin_);
  }

  // An entry of a map: a number, and what it stands for.
  static bool take_entry(std::string_view entry, int64_t& key, std::string_view& value) {
    return for_each_field(entry, [&](const Field& field) {
      if (field.number == 1) key = field.integer();
      if (field.number == 2) value = field.bytes;
    });
  }

  bool take_stat_name(std::string_view entry) {
    int64_t id = 0;
    std::string_view described;
    return take_entry(entry, id, described) && for_each_field(described, [&](const Field& field) {
             if (field.number == 2) stat_names_[id] = field.bytes;
           });
  }

  bool take_event_name(std::string_view entry) {
    int64_t id = 0;
    std::string_view described, name, shown;
    bool is_good = take_entry(entry, id, described);
    ArgsText params;
    is_good &= for_each_field(described, [&](const Field& field) {
      constexpr uint32_t kShown = 4, kStat = 5;
      if (field.number == 2) name = field.bytes;
      if (field.number == kShown) shown = field.bytes;
      if (field.number == kStat) is_good &= add_stat(params, field.bytes, nullptr);
    });
    if (!shown.empty() && !name.empty() && shown != name) params.add("name", name);
    event_names_[id] = {valid_utf8(shown.empty() ? name : shown), params.take()};
    return is_good;
  }

  std::optional<Stat> stat_of(std::string_view message) const {
    Stat stat;
    const bool is_good = for_each_field(message, [&](const Field& field) {
      if (field.number != 1) {
        stat.value = field;
        return;
      }
      const auto it = stat_names_.find(field.integer());
      if (it != stat_names_.end()) stat.name = it->second;
    });
    return is_good ? std::optional(stat) : std::nullopt;
  }

  // False: damaged.
  bool add_stat(ArgsText& params, std::string_view message, Contexts* contexts) const {
    const auto stat = stat_of(message);
    if (!stat) return false;
    if (contexts != nullptr) note(*stat, *contexts);
    if (stat->value.number == 0) return true;
    params.name(stat->name.empty() ? "stat" : stat->name);
    add_value(params, stat->value);
    return true;
  }

  void add_value(ArgsText& params, const Field& value) const {
    switch (value.number) {
      case kReal:
        return params.number(value.real());
      case kUnsigned:
        return params.number(value.value);
      case kSigned:
        return params.number(value.integer());
      case kText:
        return params.text(value.bytes);
      case kBytes:  // a program, and the like
        return params.text(fmt::format("{} bytes", value.bytes.size()));
      case kReference: {
        const auto it = stat_names_.find(value.integer());
        return params.text(it == stat_names_.end() ? std::string_view() : it->second);
      }
      default:
        return params.nothing();
    }
  }

  static void note(const Stat& stat, Contexts& contexts) {
    const auto is_one_of = [&](std::string_view a, std::string_view b) {
      return stat.name == a || stat.name == b;
    };
    if (is_one_of("producer_id", "_p")) contexts.producer = stat.value.value;
    if (is_one_of("consumer_id", "_c")) contexts.consumer = stat.value.value;
    if (is_one_of("producer_type", "_pt")) contexts.producer_type = stat.value.value;
    if (is_one_of("consumer_type", "_ct")) contexts.consumer_type = stat.value.value;
    if (stat.name == "correlation_id") contexts.correlation = stat.value.value;
  }

  // Of the plane as a whole.
  bool say(std::string_view message) {
    const auto stat = stat_of(message);
    if (!stat || stat->value.number == 0) return stat.has_value();
    ArgsText value;
    add_value(value, stat->value);
    const std::string text =
        stat->value.number == kText ? valid_utf8(stat->value.bytes) : value.take_value();
    sink_.set_metadata(fmt::format("{}: {}", name_, valid_utf8(stat->name)), text);
    return true;
  }

  bool read_line(std::string_view message) {
    Line line;
    std::string_view name, shown;
    int64_t id = 0;
    constexpr uint32_t kId = 1, kLineName = 2, kBegin = 3, kEvents = 4, kShown = 11;
    const bool is_good = for_each_field(message, [&](const Field& field) {
      if (field.number == kId) id = field.integer();
      if (field.number == kLineName) name = field.bytes;
      if (field.number == kShown) shown = field.bytes;
      if (field.number == kBegin) line.begin_ns = field.integer();
      line.has_events |= field.number == kEvents;
    });
    if (!line.has_events) return is_good;
    if (lane_.is_none()) {
      lane_ = sink_.add_lane(
          {.name = name_.empty() ? "plane" : name_, .kind = trace::LaneKind::kProcess});
    }
    line.name = valid_utf8(shown.empty() ? name : shown);
    if (line.name.empty()) line.name = fmt::format("line {}", id);
    // Lines with the same number are parts of one.
    const auto [it, is_new] = lanes_.try_emplace({id, line.name}, LaneId::none());
    if (is_new) {
      it->second =
          sink_.add_lane({.name = line.name, .parent = lane_, .kind = trace::LaneKind::kThread});
    }
    const LaneId lane = it->second;
    // Its time may stand behind them.
    for_each_field(message, [&](const Field& field) {
      if (field.number != kEvents || !sink_.keep_going()) return;
      if (!add_event(line, lane, field.bytes)) sink_.loss("event damaged", offset_of(field.bytes));
    });
    return is_good;
  }

  bool add_event(const Line& line, LaneId lane, std::string_view message) {
    int64_t id = 0, offset_ps = 0, duration_ps = 0, times = 0;
    bool are_stats_good = true;
    Contexts contexts;
    ArgsText params;
    const bool is_good = for_each_field(message, [&](const Field& field) {
      constexpr uint32_t kId = 1, kOffset = 2, kDuration = 3, kStat = 4, kTimes = 5;
      if (field.number == kId) id = field.integer();
      if (field.number == kOffset) offset_ps = field.integer();
      if (field.number == kDuration) duration_ps = field.integer();
      if (field.number == kTimes) times = field.integer();
      if (field.number == kStat) are_stats_good &= add_stat(params, field.bytes, &contexts);
    });
    if (!is_good || !are_stats_good) return false;
    if (times > 0) {
      sink_.loss("event that is only counted, without times", offset_of(message), 1, false);
      return true;
    }
    constexpr int64_t kPerNs = 1000;
    int64_t end_ps = 0, begin = 0, end = 0;
    if (duration_ps < 0 || __builtin_add_overflow(offset_ps, duration_ps, &end_ps) ||
        __builtin_add_overflow(line.begin_ns, offset_ps / kPerNs, &begin) ||
        __builtin_add_overflow(line.begin_ns, end_ps / kPerNs, &end))
      return false;
    give(lane, id, Time{begin}, Time{end}, duration_ps, params.take());
    meet(contexts, lane, Time{begin});
    return true;
  }

  void give(LaneId lane, int64_t id, Time begin, Time end, int64_t duration_ps,
            std::string params) {
    const auto it = event_names_.find(id);
    const EventName none;
    const EventName& name = it == event_names_.end() ? none : it->second;
    if (!name.params.empty())
      params = params.empty() ? name.params : perfetto::merged(name.params, params);
    const std::string_view text = name.text.empty() ? "event" : std::string_view(name.text);
    if (duration_ps == 0) {
      const trace::PunctualEvent instant{.time = begin,
                                         .params = sink_.params(params),
                                         .lane = lane,
                                         .type = sink_.type(Category::kPunctual, text)};
      return sink_.punctuals({&instant, 1});
    }
    const trace::StateEvent state{.begin = begin,
                                  .duration = end - begin,
                                  .params = sink_.params(params),
                                  .lane = lane,
                                  .type = sink_.type(Category::kState, text)};
    sink_.states({&state, 1});
  }

  void meet(const Contexts& contexts, LaneId lane, Time time) {
    using Kind = Meetings::Kind;
    if (contexts.producer)
      meetings_.add({{Kind::kContext, contexts.producer_type}, *contexts.producer},
                    {lane, time, true});
    if (contexts.consumer)
      meetings_.add({{Kind::kContext, contexts.consumer_type}, *contexts.consumer},
                    {lane, time, false});
    if (contexts.correlation)
      meetings_.add({{Kind::kCorrelation, 0}, *contexts.correlation}, {lane, time, false});
  }

  trace::EventSink& sink_;
  Meetings& meetings_;
  const char* begin_;
  std::string name_;
  LaneId lane_ = LaneId::none();
  std::map<std::pair<int64_t, std::string>, LaneId> lanes_;  // of lines, by number and name
  std::map<int64_t, std::string_view> stat_names_;
  std::map<int64_t, EventName> event_names_;
};

}  // namespace

// A plane first, which has its number and its name first.
int sniff_xplane(std::span<const std::byte> head) {
  std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
  constexpr uint8_t kPlaneKey = 0x0A, kIdKey = 0x08, kNameKey = 0x12;
  const auto takes = [&](uint8_t key) {
    if (text.empty() || static_cast<uint8_t>(text.front()) != key) return false;
    text.remove_prefix(1);
    return true;
  };
  if (!takes(kPlaneKey) || !take_varint(text)) return 0;
  if (takes(kIdKey) && !take_varint(text)) return 0;
  const bool has_name = takes(kNameKey);
  const auto size = has_name ? take_varint(text) : std::nullopt;
  const auto name = size ? take_bytes(text, *size) : std::nullopt;
  if (!name) return 0;
  constexpr std::string_view kBegins[] = {"/host:", "/device:", "/custom", "#Chip", "Task Env"};
  const bool is_known = std::ranges::any_of(
      kBegins, [&](std::string_view begin) { return name->starts_with(begin); });
  return is_known ? 92 : 0;
}

Status read_xplane(io::Source& source, trace::EventSink& sink, const ReadContext& context) {
  WEFT_TRY_ASSIGN(const std::string space, read_whole(source, sink, context.memory_bytes));
  sink.set_time_base(TimeBase::kNanoseconds);
  Meetings meetings(sink);
  uint64_t after = 0;
  const bool is_whole = for_each_field(space, [&](const Field& field) {
    const auto say = [&](std::string_view key) { sink.set_metadata(key, valid_utf8(field.bytes)); };
    if (field.number == kErrors) say("error");
    if (field.number == kWarnings) say("warning");
    if (field.number == kHostNames) say("host");
    if (field.number != kPlanes || !field.is_bytes) return;
    const auto offset = static_cast<uint64_t>(field.bytes.data() - space.data());
    after = offset + field.bytes.size();
    if (!PlaneReader(sink, meetings, space.data()).read(field.bytes))
      sink.loss("plane that is damaged in parts", offset);
  });
  if (!is_whole) sink.loss("input ends within a plane", after);
  meetings.finish();
  return {};
}

}  // namespace weft::formats
