#include "core/formats/embedded/dlt/dlt_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/text.h"
#include "core/base/time.h"
#include "core/formats/base/args_text.h"
#include "core/formats/base/binary.h"
#include "core/formats/base/by_name.h"
#include "core/formats/base/byte_window.h"
#include "core/formats/base/text.h"
#include "core/formats/embedded/dlt/dlt_message.h"
#include "core/formats/embedded/dlt/dlt_message_2.h"
#include "core/formats/embedded/dlt/dlt_stream.h"
#include "core/formats/stacks/open_states.h"

namespace weft::formats {
namespace {

using dlt::Kind;
using trace::Category;
using trace::LaneKind;

constexpr std::string_view kLogLevels[] = {"log",  "fatal", "error",  "warning",
                                           "info", "debug", "verbose"};
constexpr std::string_view kTraces[] = {"trace",        "variable", "function in",
                                        "function out", "state",    "virtual function bus"};
constexpr std::string_view kNetworks[] = {"network", "IPC",      "CAN",    "FlexRay",
                                          "MOST",    "Ethernet", "SOME/IP"};
constexpr std::string_view kControls[] = {"control", "control request", "control response",
                                          "control time"};

template <size_t kCount>
std::string_view name_in(const std::string_view (&names)[kCount], uint8_t detail) {
  return detail < kCount ? names[detail] : names[0];
}

class DltReader {
 public:
  DltReader(io::Source& source, trace::EventSink& sink)
      : window_(source, sink), sink_(sink), open_(sink) {}

  void read() {
    const std::string_view head = window_.peek_some(dlt::kLeastBytes, kHeadBytes);
    if (!is_stored(head)) stream_ = dlt::Stream::of(head);
    if (stream_ || head.starts_with(dlt::kMagic2)) ns_per_tick_ = 1;
    version_2_.judge_storage(head);
    sink_.set_time_base(ns_per_tick_ == 1 ? TimeBase::kNanoseconds : TimeBase::kMicroseconds);
    while (window_.is_wanted() && read_message()) {
    }
    window_.finish("a message");
    open_.finish(end_);
  }

 private:
  // Returns false at the end.
  bool read_message() {
    const std::string_view head = window_.peek_most(dlt::kLeastBytes);
    if (head.empty() || (!stream_ && head.size() < dlt::kLeastBytes)) return false;
    const bool is_2 = head.starts_with(dlt::kMagic2);
    const size_t size = stream_ ? stream_->size_of(head)
                        : is_2  ? version_2_.size_of(window_)
                                : dlt::size_of(head);
    if (size == 0) return find_message();
    if (const size_t next = find_message_within(size); next != 0) {
      sink_.loss("message that another begins in: its length is wrong", window_.offset());
      return window_.skip(next);
    }
    const auto bytes = window_.peek(size);
    if (!bytes) return false;
    if (const auto message = stream_ ? stream_->parse(*bytes)
                             : is_2  ? version_2_.parse(*bytes)
                                     : dlt::parse(*bytes)) {
      add(*message);
    } else if (stream_ && !stream_->is_serial()) {
      return find_message();
    } else {
      sink_.loss("message whose headers do not fit it", window_.offset());
    }
    return window_.skip(size);
  }

  // Returns where another message begins within this one, if neither a message nor the end follows
  // it; otherwise 0.
  size_t find_message_within(size_t size) {
    const std::string_view bytes = window_.peek_most(size + dlt::kSizeBytes);
    const std::string_view behind = bytes.substr(std::min(size, bytes.size()));
    const bool is_followed = stream_ ? stream_->size_of(behind) > 0 : is_stored(behind);
    if (is_followed || bytes.size() == size) return 0;
    const size_t at = find_start(bytes.substr(0, size), 1);
    return at == std::string_view::npos ? 0 : at;
  }

  static bool is_stored(std::string_view bytes) {
    return bytes.starts_with(dlt::kMagic) || bytes.starts_with(dlt::kMagic2);
  }

  size_t find_start(std::string_view bytes, size_t from) const {
    if (stream_) return stream_->find(bytes, from);
    return std::min(bytes.find(dlt::kMagic, from), bytes.find(dlt::kMagic2, from));
  }

  // The next that can begin one.
  bool find_message() {
    constexpr size_t kMostStart = 64;  // what is taken for the start of a message has fewer bytes
    sink_.loss("bytes that are not messages", window_.offset());
    window_.skip(1);
    return window_.skip_to(stream_ ? kMostStart : dlt::kMagic.size(),
                           [this](std::string_view bytes) { return find_start(bytes, 0); });
  }

  void add(const dlt::Message& message) {
    time_ = Time{message.time_ns / ns_per_tick_};
    end_ = std::max(end_, time_);
    lane_ = lane_of(message);
    ArgsText params;
    std::span<const std::byte> payload;
    dlt::Arguments arguments;
    if (message.is_verbose && message.segment.empty()) {
      if (!dlt::take_arguments(message, arguments))
        sink_.loss("argument that does not fit its message", {window_.offset(), lane_, time_});
      if (!arguments.json.empty()) params.continue_object(arguments.json);
      if (!arguments.text.empty()) params.add("text", arguments.text);
    } else {
      payload = add_bytes(message, params);
    }
    if (message.session) params.add("session", *message.session);
    if (message.uptime) params.add("uptime (0.1 ms)", *message.uptime);
    add_version_2(message, params);
    const ParamsId id = sink_.params(params.take(), payload);
    if (message.kind == Kind::kTrace && add_function(message, arguments.text, id)) return;
    const auto [name, group] = type_of(message);
    sink_.give(trace::PunctualEvent{.time = time_,
                                    .params = id,
                                    .lane = lane_,
                                    .type = sink_.type(Category::kPunctual, name, group)});
  }

  static void add_version_2(const dlt::Message& message, ArgsText& params) {
    if (message.sent_ns)
      params.add("sent", fmt::format("{}.{:09}", *message.sent_ns / kNsPerSecond,
                                     *message.sent_ns % kNsPerSecond));
    if (!message.file.empty()) params.add("file", message.file);
    if (message.line) params.add("line", *message.line);
    if (!message.tags.empty()) params.add("tags", message.tags);
    if (message.privacy) params.add("privacy", *message.privacy);
    if (!message.segment.empty()) params.add("segment", message.segment);
  }

  // Adds a non-verbose message's number to `params`; returns the bytes after it.
  std::span<const std::byte> add_bytes(const dlt::Message& message, ArgsText& params) {
    std::string_view bytes = message.payload;
    if (message.id) params.add("message", *message.id);
    if (message.id || !message.segment.empty()) return std::as_bytes(std::span(bytes));
    auto id = take_little<uint32_t>(bytes);
    if (!id) return std::as_bytes(std::span(message.payload));
    if (message.is_big_endian) id = __builtin_bswap32(*id);
    const bool is_control = message.has_kind && message.kind == Kind::kControl;
    params.add(is_control ? "service" : "message", *id);
    constexpr uint32_t kOverflow = 0x14, kOverflowCount = 0x23;
    constexpr size_t kStatusBytes = 1;
    if (is_control && (*id == kOverflow || *id == kOverflowCount)) {
      std::string_view count = bytes.substr(std::min(bytes.size(), kStatusBytes));
      auto lost = take_little<uint32_t>(count);
      if (lost && message.is_big_endian) lost = __builtin_bswap32(*lost);
      const bool is_counted = *id == kOverflowCount && lost.value_or(0) > 0;
      sink_.loss("messages lost: the sender's buffer was full", {window_.offset(), lane_, time_},
                 is_counted ? *lost : 1);
    }
    return std::as_bytes(std::span(bytes));
  }

  // Functions that begin and end become states.
  bool add_function(const dlt::Message& message, std::string_view text, ParamsId params) {
    constexpr uint8_t kIn = 2, kOut = 3;
    if (message.detail == kIn) {
      open_.begin(lane_, sink_.type(Category::kState, text.empty() ? "function" : valid_utf8(text)),
                  time_, params, window_.offset());
      return true;
    }
    if (message.detail != kOut) return false;
    open_.end(lane_, time_, window_.offset());
    return true;
  }

  static std::pair<std::string_view, std::string_view> type_of(const dlt::Message& message) {
    if (!message.has_kind) return {"message", "log"};
    switch (message.kind) {
      case Kind::kLog:
        return {name_in(kLogLevels, message.detail), "log"};
      case Kind::kTrace:
        return {name_in(kTraces, message.detail), "trace"};
      case Kind::kNetwork:
        return {name_in(kNetworks, message.detail), "network"};
      case Kind::kControl:
        return {name_in(kControls, message.detail), "control"};
    }
    return {"message", "unknown kind"};
  }

  LaneId lane_of(const dlt::Message& message) {
    const LaneId unit = lane_below(LaneId::none(), message.unit, "ECU", LaneKind::kProcess);
    if (message.application.empty()) return unit;
    const LaneId application =
        lane_below(unit, message.application, "application", LaneKind::kGroup);
    if (message.context.empty()) return application;
    return lane_below(application, message.context, "context", LaneKind::kThread);
  }

  LaneId lane_below(LaneId parent, std::string_view name, std::string_view otherwise,
                    LaneKind kind) {
    const uint32_t above = parent.is_none() ? UINT32_MAX : parent.value();
    LaneId& lane = value_of(lanes_[above], name, LaneId::none());
    if (lane.is_none())
      lane = sink_.add_lane(
          {.name = valid_utf8(name.empty() ? otherwise : name), .parent = parent, .kind = kind});
    return lane;
  }

  ByteWindow window_;
  trace::EventSink& sink_;
  stacks::OpenStates open_;
  dlt::Version2 version_2_;
  std::optional<dlt::Stream> stream_;  // nullopt: messages were stored
  int64_t ns_per_tick_ = 1000;
  std::map<uint32_t, ByName<LaneId>> lanes_;  // by the lane above
  Time time_, end_ = Time::min();
  LaneId lane_;  // of the message
};

}  // namespace

int sniff_dlt(std::span<const std::byte> head) {
  const std::string_view bytes = as_chars(head);
  if (bytes.starts_with(dlt::kMagic) || bytes.starts_with(dlt::kMagic2)) return 100;
  return dlt::Stream::sureness(bytes, bytes.size() < kHeadBytes);
}

Status read_dlt(io::Source& source, trace::EventSink& sink, const ReadContext&) {
  DltReader(source, sink).read();
  return {};
}

}  // namespace weft::formats
