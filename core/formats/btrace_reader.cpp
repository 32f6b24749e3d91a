#include "core/formats/btrace_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/base/text.h"
#include "core/formats/btrace/btrace_line.h"
#include "core/formats/btrace/message_pairing.h"
#include "core/formats/chrome_json/json_text.h"
#include "core/io/line_reader.h"

namespace weft::formats {
namespace {

using btrace::BtraceLine;
using btrace::MessageNote;

constexpr std::string_view kSend = "MESSAGE_SEND";
constexpr std::string_view kReceive = "MESSAGE_RECEIVE";
constexpr std::string_view kData = "MESSAGE_DATA";
constexpr std::string_view kDone = "MESSAGE_DONE";
constexpr std::string_view kDrop = "MESSAGE_DROP";
constexpr std::array kMessageKinds = {kSend, kReceive, kData, kDone, kDrop};

bool is_message(std::string_view kind) {
  return std::ranges::find(kMessageKinds, kind) != kMessageKinds.end();
}

// Fields that have a place of their own in the model.
bool has_place(std::string_view key) {
  constexpr std::array<std::string_view, 6> kPlaced = {"Uid",  "Sender", "Receiver",
                                                       "Type", "Data",   "Queue"};
  return std::ranges::find(kPlaced, key) != kPlaced.end();
}

// `"key":value`: numbers stay numbers, unless they are written as nobody would write one ("006").
void append_member(std::string& json, std::string_view key, std::string_view value) {
  if (!json.empty()) json += ',';
  chrome_json::append_quoted(json, valid_utf8(key));
  json += ':';
  const auto number = btrace::parse_number(value);
  if (number && fmt::to_string(*number) == value) {
    json += value;
  } else {
    chrome_json::append_quoted(json, valid_utf8(value));
  }
}

class BtraceReader {
 public:
  BtraceReader(trace::EventSink& sink, const ReadContext& context)
      : sink_(sink), pairing_(sink, context.memory_bytes, [this](LaneId lane) {
          return lane_names_.at(lane.value());
        }) {}

  void add(const io::Line& line) {
    if (line.is_cut) return sink_.loss("line too long", line.offset);
    if (line.text.empty()) return;
    if (line.text.front() == '#') return add_comment(line.text.substr(1));
    uint32_t bad_fields = 0;
    const bool has_words = parse_line(line.text, line_, bad_fields);
    const auto time = has_words ? btrace::parse_btrace_time(line_.time) : std::nullopt;
    if (!time) return sink_.loss("line without a time and an event", line.offset);
    if (bad_fields > 0) sink_.loss("field without a name", line.offset, bad_fields);
    choose_time_base(btrace::is_in_seconds(line_.time), line.offset);
    is_message(line_.kind) ? add_message(*time, line.offset) : add_other(*time);
  }

  void finish() {
    pairing_.finish();
    if (!has_time_base_) sink_.set_time_base(TimeBase::kTicks);
  }

 private:
  void add_comment(std::string_view text) {
    const size_t colon = text.find(':');
    if (colon == std::string_view::npos) return;
    const std::string_view key = btrace::trimmed(text.substr(0, colon));
    const std::string_view value = btrace::trimmed(text.substr(colon + 1));
    if (key.empty()) return;
    sink_.set_metadata(valid_utf8(key), valid_utf8(value));
    if (key != "time_base" || has_time_base_) return;
    if (const auto base = time_base_from_name(value)) said_base_ = *base;
  }

  // The first event decides.
  void choose_time_base(bool is_in_seconds, uint64_t offset) {
    if (has_time_base_) {
      if (is_in_seconds != is_in_seconds_) sink_.loss("time in another form", offset, 1, false);
      return;
    }
    has_time_base_ = true;
    is_in_seconds_ = is_in_seconds;
    sink_.set_time_base(is_in_seconds ? TimeBase::kNanoseconds : said_base_);
  }

  void add_message(Time time, uint64_t offset) {
    const auto uid_text = line_.field("Uid");
    const auto uid = uid_text ? btrace::parse_number(*uid_text) : std::nullopt;
    if (!uid) return sink_.loss("message without a uid", offset);
    if (line_.kind == kDone) return end_handling(*uid, time, offset);
    MessageNote note{.uid = *uid, .offset = offset, .time = time};
    note.sender = lane_of("Sender");
    note.receiver = lane_of("Receiver");
    if (const auto type = line_.field("Type")) note.type = message_type(*type);
    if (const auto data = line_.field("Data")) add_data(*data, note);
    if (line_.kind == kSend) {
      append_fields(note.params);
      if (note.sender.is_none()) return sink_.loss("send without a sender", offset);
      pairing_.send(note);
    } else if (line_.kind == kReceive) {
      if (note.receiver.is_none()) return sink_.loss("receive without a receiver", offset);
      pairing_.receive(note);
      handlings_[note.receiver.value()] = {*uid, time};
    } else {
      if (line_.kind == kDrop) add_drop(note);
      pairing_.add(note);
    }
  }

  static void add_data(std::string_view data, MessageNote& note) {
    if (auto bytes = btrace::parse_bytes(data)) {
      note.payload = std::move(*bytes);
    } else {
      append_member(note.params, "data", data);
    }
  }

  void add_drop(MessageNote& note) {
    append_fields(note.params);
    append_member(note.params, "dropped", "1");
    const LaneId lane = note.receiver.is_none() ? lane_of_events() : note.receiver;
    punctual(note.time, lane, "message dropped", note.uid);
  }

  // The queue handles one message at a time.
  void end_handling(uint64_t uid, Time time, uint64_t offset) {
    const LaneId lane = lane_of("Receiver");
    const auto handling = handlings_.find(lane.value());
    if (handling == handlings_.end() || handling->second.uid != uid ||
        time < handling->second.begin)
      return sink_.loss("end of a handling that did not begin", offset);
    const EventTypeId type = pairing_.type_of(uid);
    const std::string_view name = type.is_none() ? btrace::kPlainType : names_.at(type.value());
    const trace::StateEvent state{.begin = handling->second.begin,
                                  .duration = time - handling->second.begin,
                                  .params = sink_.params('{' + uid_member(uid) + '}'),
                                  .lane = lane,
                                  .type = sink_.type(trace::Category::kState, name)};
    sink_.states({&state, 1});
    handlings_.erase(handling);
  }

  void add_other(Time time) {
    const LaneId queue = lane_of("Queue");
    const LaneId lane = queue.is_none() ? lane_of("Sender") : queue;
    const auto uid = line_.field("Uid");
    punctual(time, lane.is_none() ? lane_of_events() : lane, line_.kind,
             uid ? btrace::parse_number(*uid) : std::nullopt);
  }

  void punctual(Time time, LaneId lane, std::string_view name,
                std::optional<uint64_t> uid = std::nullopt) {
    std::string params = uid ? uid_member(*uid) : std::string();
    append_fields(params);
    const trace::PunctualEvent event{
        .time = time,
        .params = params.empty() ? ParamsId::none() : sink_.params('{' + params + '}'),
        .lane = lane,
        .type = sink_.type(trace::Category::kPunctual, valid_utf8(name))};
    sink_.punctuals({&event, 1});
  }

  void append_fields(std::string& json) const {
    for (const auto& [key, value] : line_.fields) {
      if (!has_place(key)) append_member(json, key, value);
    }
  }

  // The lane that a field names; none where there is no such field. "process/queue" is a lane
  // below a lane.
  LaneId lane_of(std::string_view key) {
    const auto text = line_.field(key);
    return text && !text->empty() ? lane_named(*text) : LaneId::none();
  }
  LaneId lane_of_events() { return lane_named("events"); }

  LaneId lane_named(std::string_view text) {
    const auto known = lanes_.find(std::string(text));
    if (known != lanes_.end()) return known->second;
    const size_t slash = text.find('/');
    const bool has_process = slash != std::string_view::npos && slash > 0;
    const std::string name =
        valid_utf8(btrace::canonical_id(has_process ? text.substr(slash + 1) : text));
    const std::string process(has_process ? text.substr(0, slash) : "");
    LaneId& lane = lane_by_name_[process + '/' + name];
    if (lane.is_none()) {
      LaneId parent = LaneId::none();
      if (has_process) {
        LaneId& of_process = processes_[process];
        if (of_process.is_none())
          of_process =
              sink_.add_lane({.name = valid_utf8(process), .kind = trace::LaneKind::kProcess});
        parent = of_process;
      }
      lane = sink_.add_lane({.name = name, .parent = parent, .kind = trace::LaneKind::kQueue});
    }
    lane_names_.try_emplace(lane.value(), has_process ? process + '/' + name : name);
    lanes_.emplace(text, lane);
    return lane;
  }

  static std::string uid_member(uint64_t uid) { return fmt::format(R"("uid":{})", uid); }

  EventTypeId message_type(std::string_view text) {
    const std::string name = valid_utf8(btrace::canonical_id(text));
    const EventTypeId type = sink_.type(trace::Category::kLink, name);
    names_.try_emplace(type.value(), name);
    return type;
  }

  struct Handling {
    uint64_t uid;
    Time begin;
  };

  trace::EventSink& sink_;
  btrace::MessagePairing pairing_;
  BtraceLine line_;
  TimeBase said_base_ = TimeBase::kTicks;
  bool has_time_base_ = false;
  bool is_in_seconds_ = false;
  std::unordered_map<std::string, LaneId> lanes_;         // by text, as written
  std::unordered_map<std::string, LaneId> lane_by_name_;  // by process and canonical name
  std::unordered_map<std::string, LaneId> processes_;
  std::unordered_map<uint32_t, std::string> lane_names_;  // of queues
  std::unordered_map<uint32_t, Handling> handlings_;      // by lane
  std::unordered_map<uint32_t, std::string> names_;       // of message types
};

}  // namespace

int sniff_btrace(std::span<const std::byte> head) {
  constexpr int kLinesLookedAt = 32;
  std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
  for (int i = 0; i < kLinesLookedAt && !text.empty(); ++i) {
    const size_t end = text.find('\n');
    BtraceLine line;
    uint32_t bad_fields = 0;
    const bool has_words = parse_line(text.substr(0, end), line, bad_fields);
    if (has_words && btrace::parse_btrace_time(line.time) && is_message(line.kind)) return 85;
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return 0;
}

Status read_btrace(io::Source& source, trace::EventSink& sink, const ReadContext& context) {
  constexpr uint32_t kLinesBetweenLooks = 4096;
  io::LineReader lines(source);
  BtraceReader reader(sink, context);
  for (uint32_t i = 1; const auto line = lines.next(); ++i) {
    reader.add(*line);
    if (i % kLinesBetweenLooks != 0) continue;
    sink.progress(source.disk_bytes_read(), source.disk_bytes_total());
    if (!sink.keep_going()) break;
  }
  reader.finish();
  if (lines.error()) sink.loss("input ends early: " + lines.error()->message, lines.offset());
  return {};
}

}  // namespace weft::formats
