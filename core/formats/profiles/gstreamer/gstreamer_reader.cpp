#include "core/formats/profiles/gstreamer/gstreamer_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/text.h"
#include "core/formats/base/args_text.h"
#include "core/formats/base/by_name.h"
#include "core/formats/base/text.h"
#include "core/formats/base/text_lines.h"

namespace weft::formats {
namespace {

using trace::Category;
using trace::LaneKind;

struct Level {
  std::string_view name;
  uint32_t rgb = trace::EventType::kNoColor;
};
constexpr Level kLevels[] = {
    {"ERROR", 0xD0021B}, {"WARN", 0xE6A700}, {"FIXME", 0xE6A700}, {"INFO"}, {"DEBUG"}, {"LOG"},
    {"TRACE"},           {"MEMDUMP"}};
constexpr std::string_view kTracer = "GST_TRACER";

// "0:00:00.007493087", of which the hours may have more digits.
std::optional<int64_t> parse_time(std::string_view text) {
  constexpr size_t kFraction = 9;
  constexpr int64_t kMostHours = 2'000'000, kSixty = 60, kSecond = 1'000'000'000;
  const auto hours = take_number<int64_t>(text);
  if (!hours || *hours < 0 || *hours > kMostHours) return std::nullopt;
  if (text.size() != sizeof(":00:00.") - 1 + kFraction || text[0] != ':' || text[3] != ':' ||
      text[6] != '.')
    return std::nullopt;
  const auto minutes = parse_number<uint32_t>(text.substr(1, 2));
  const auto seconds = parse_number<uint32_t>(text.substr(4, 2));
  const auto fraction = parse_number<uint32_t>(text.substr(7));
  if (!minutes || !seconds || !fraction || *minutes >= kSixty || *seconds >= kSixty)
    return std::nullopt;
  return ((*hours * kSixty + *minutes) * kSixty + *seconds) * kSecond + *fraction;
}

// Views into the line.
struct Message {
  int64_t time_ns = 0;
  uint64_t process = 0;
  std::string_view thread, category, place, function, object, text;
  const Level* level = nullptr;
};

bool is_pointer(std::string_view word) {
  take_prefix(word, "0x");
  return take_hexadecimal(word) && word.empty();
}

// "file.c:12:function:<object> text"; what has no object has a space behind the colon.
void take_place(std::string_view rest, Message& message) {
  const std::string_view whole = rest;
  const std::string_view file = take_to(rest, ':');
  std::string_view number = take_to(rest, ':');
  message.place = whole.substr(0, file.size() + 1 + number.size());
  if (!parse_number<uint32_t>(number)) {
    message.place = {};
    message.text = whole;
    return;
  }
  message.function = take_to(rest, ':');
  if (rest.starts_with('<')) {
    const size_t end = rest.find('>');
    if (end != std::string_view::npos) {
      message.object = rest.substr(1, end - 1);
      rest.remove_prefix(end + 1);
    }
  }
  message.text = trimmed(rest);
}

std::optional<Message> parse_message(std::string_view line) {
  Message message;
  const auto time = parse_time(take_word(line));
  if (!time) return std::nullopt;
  const auto process = parse_number<uint64_t>(take_word(line));
  message.thread = take_word(line);
  const std::string_view level = take_word(line);
  const auto* const known = std::ranges::find(kLevels, level, &Level::name);
  if (!process || !is_pointer(message.thread) || known == std::end(kLevels)) return std::nullopt;
  message.time_ns = *time;
  message.process = *process;
  message.level = known;
  message.category = take_word(line);
  if (message.category.empty()) return std::nullopt;
  take_place(trimmed(line), message);
  return message;
}

// Takes the value of "value, …" or of "\"value\", …", with escapes.
std::string_view take_value(std::string_view& rest) {
  const bool is_quoted = rest.starts_with('"');
  size_t end = is_quoted ? 1 : 0;
  while (end < rest.size() && (is_quoted ? rest[end] != '"' : rest[end] != ',' && rest[end] != ';'))
    end += rest[end] == '\\' ? 2 : 1;
  end = std::min(end, rest.size());
  const std::string_view value = rest.substr(is_quoted ? 1 : 0, end - (is_quoted ? 1 : 0));
  rest.remove_prefix(end);
  while (!rest.empty() && (rest[0] == '"' || rest[0] == ',' || rest[0] == ';'))
    rest.remove_prefix(1);
  return value;
}

// Calls add(name, value) for each of "name=(type)value, …;". Returns what is none.
template <class Add>
std::string_view for_each_field(std::string_view fields, const Add& add) {
  while (!fields.empty()) {
    const size_t is = fields.find("=(");
    const size_t typed = is == std::string_view::npos ? is : fields.find(')', is);
    if (typed == std::string_view::npos) break;
    const std::string_view name = trimmed(fields.substr(0, is));
    fields.remove_prefix(typed + 1);
    add(name, take_value(fields));
  }
  return trimmed(fields);
}

class GstreamerReader {
 public:
  explicit GstreamerReader(trace::EventSink& sink) : sink_(sink) {}

  void add(const io::Line& line) {
    const auto message = parse_message(line.text);
    if (!message) return add_more(line.text, line.offset);
    give();
    add(*message);
  }

  void finish() {
    give();
    for (auto& [lane, state] : states_) end_state(lane, state, last_);
  }

 private:
  struct State {
    EventTypeId type;
    Time since;
  };
  struct Process {
    LaneId lane = LaneId::none(), elements = LaneId::none(), loads = LaneId::none();
    ByName<LaneId> threads, by_element, load_of;
  };

  void add(const Message& message) {
    Process& process = process_of(message.process);
    waiting_ = {
        .time = Time{message.time_ns},
        .lane = lane_below(process.lane, process.threads, message.thread, LaneKind::kThread),
        .type = sink_.type(Category::kPunctual, valid_utf8(message.category), message.level->name)};
    if (message.level->rgb != trace::EventType::kNoColor)
      sink_.set_type_color(waiting_.type, message.level->rgb);
    last_ = std::max(last_, waiting_.time);
    has_waiting_ = true;
    text_.assign(message.text);
    params_.clear();
    if (!message.object.empty()) params_.add("object", message.object);
    if (!message.function.empty()) params_.add("function", message.function);
    if (!message.place.empty() && !message.function.empty()) params_.add("at", message.place);
    if (message.category == kTracer) add_record(process, message);
    constexpr std::string_view kReached = "completed state change to ";
    if (message.text.starts_with(kReached) && !message.object.empty())
      begin_state(element_of(process, message.object), message.text.substr(kReached.size()));
  }

  // Adds a tracer's record: its fields, and a value if it is a duration.
  void add_record(Process& process, const Message& message) {
    std::string_view fields = message.text;
    const std::string_view record = take_to(fields, ',');
    std::string_view element;
    std::optional<uint64_t> took;
    const std::string_view rest =
        for_each_field(fields, [&](std::string_view name, std::string_view value) {
          const auto number = parse_number<uint64_t>(value);
          number ? params_.add(name, *number) : params_.add(name, value);
          if (name == "element" || name == "sink-element") element = value;
          if (name == "time") took = number;
          if (name.ends_with("-cpuload") && number)
            add_load(process, record.starts_with("proc-") ? "process" : message.thread, name,
                     static_cast<double>(*number));
        });
    text_.assign(record);
    if (!rest.empty()) text_.append(1, ',').append(rest);
    if (!took || element.empty()) return;
    sink_.give(trace::VariableSample{
        .time = waiting_.time,
        .value = static_cast<double>(*took),
        .lane = element_of(process, element),
        .type = sink_.type(Category::kVariable, valid_utf8(record), kTracer)});
  }

  // Adds the load of the process or one of its threads, in thousandths.
  void add_load(Process& process, std::string_view whose, std::string_view name, double value) {
    if (process.loads.is_none())
      process.loads =
          sink_.add_lane({.name = "CPU load", .parent = process.lane, .kind = LaneKind::kGroup});
    sink_.give(trace::VariableSample{
        .time = waiting_.time,
        .value = value,
        .lane = lane_below(process.loads, process.load_of, whose, LaneKind::kCounter),
        .type = sink_.type(Category::kVariable, fmt::format("{} (per mille)", valid_utf8(name)),
                           kTracer)});
  }

  void begin_state(LaneId lane, std::string_view name) {
    const EventTypeId type =
        sink_.type(Category::kState, valid_utf8(name.substr(0, find_any<' ', '('>(name))), "state");
    const auto [it, is_first] = states_.try_emplace(lane.value(), State{type, waiting_.time});
    if (is_first) return;
    end_state(lane.value(), it->second, waiting_.time);
    it->second = {type, waiting_.time};
  }
  void end_state(uint32_t lane, const State& state, Time end) {
    sink_.give(trace::StateEvent{.begin = state.since,
                                 .duration = std::max(end, state.since) - state.since,
                                 .lane = LaneId(lane),
                                 .type = state.type});
  }

  void add_more(std::string_view text, uint64_t offset) {
    constexpr size_t kMost = 64 << 10;
    if (!has_waiting_) return sink_.note("line before the first message", offset);
    if (text_.size() + text.size() > kMost) return sink_.loss("message too long", offset);
    text_.append(1, '\n').append(text);
  }

  void give() {
    if (!std::exchange(has_waiting_, false)) return;
    params_.add("text", text_);
    waiting_.params = sink_.params(params_.take());
    sink_.give(waiting_);
  }

  Process& process_of(uint64_t number) {
    Process& process = processes_[number];
    if (process.lane.is_none())
      process.lane =
          sink_.add_lane({.name = fmt::format("process {}", number), .kind = LaneKind::kProcess});
    return process;
  }
  // The lane of "element" or "element:pad".
  LaneId element_of(Process& process, std::string_view object) {
    if (process.elements.is_none())
      process.elements =
          sink_.add_lane({.name = "elements", .parent = process.lane, .kind = LaneKind::kGroup});
    return lane_below(process.elements, process.by_element, object.substr(0, find_any<':'>(object)),
                      LaneKind::kQueue);
  }
  LaneId lane_below(LaneId parent, ByName<LaneId>& lanes, std::string_view name, LaneKind kind) {
    LaneId& lane = value_of(lanes, name, LaneId::none());
    if (lane.is_none())
      lane = sink_.add_lane({.name = valid_utf8(name), .parent = parent, .kind = kind});
    return lane;
  }

  trace::EventSink& sink_;
  std::map<uint64_t, Process> processes_;
  std::map<uint32_t, State> states_;  // by lane
  trace::PunctualEvent waiting_{};    // the last message, which may go on
  bool has_waiting_ = false;
  ArgsText params_;
  std::string text_;
  Time last_;
};

}  // namespace

int sniff_gstreamer(std::span<const std::byte> head) {
  constexpr int kSure = 96, kLikely = 70, kMostLines = 64, kEnough = 3;
  std::string_view text = as_chars(head);
  int messages = 0;
  for (int i = 0; i < kMostLines && !text.empty(); ++i) {
    const size_t end = find_any<'\n'>(text);
    if (parse_message(text.substr(0, end))) {
      if (i == 0) return kSure;
      ++messages;
    }
    text.remove_prefix(std::min(text.size(), end + 1));
  }
  return messages >= kEnough ? kLikely : 0;  // behind what the program printed
}

Status read_gstreamer(io::Source& source, trace::EventSink& sink, const ReadContext&) {
  sink.set_time_base(TimeBase::kNanoseconds);
  GstreamerReader reader(sink);
  for_each_ended_line(source, sink, [&](const io::Line& line) { reader.add(line); });
  reader.finish();
  return {};
}

}  // namespace weft::formats
