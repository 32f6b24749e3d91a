#include "core/formats/profiles/spall/spall_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/text.h"
#include "core/formats/base/binary.h"
#include "core/formats/base/by_name.h"
#include "core/formats/base/byte_window.h"
#include "core/formats/base/text.h"
#include "core/formats/general/chrome_json/json_text.h"
#include "core/formats/profiles/spall/spall_event.h"
#include "core/formats/stacks/open_states.h"

namespace weft::formats {
namespace {

constexpr uint64_t kMagic = 0x0BADF00D;
constexpr uint64_t kAutomaticMagic = 0xABADF00D;
constexpr size_t kHeaderBytes = 32;
constexpr size_t kBufferHeaderBytes = 20;

class SpallReader {
 public:
  SpallReader(io::Source& source, trace::EventSink& sink)
      : window_(source, sink), sink_(sink), open_(sink) {
    sink_.set_time_base(TimeBase::kNanoseconds);
  }

  Status read() {
    WEFT_TRY(read_header());
    if (version_ < 3) {
      read_events(std::numeric_limits<uint64_t>::max());
    } else {
      while (read_buffer()) {
      }
    }
    open_.finish(end_);
    window_.finish("an event");
    return {};
  }

 private:
  Status read_header() {
    const auto head = window_.peek(kHeaderBytes);
    if (!head) return fail("ends within its header");
    std::string_view header = *head;
    const uint64_t magic = *take_little<uint64_t>(header);
    if (magic == kAutomaticMagic)
      return fail(
          "is a trace of automatic instrumentation, whose names lie in the program: not read");
    if (magic != kMagic) return fail("does not begin as a Spall trace does");
    version_ = *take_little<uint64_t>(header);
    if (version_ > 3 || version_ == 2)
      return fail(fmt::format("is of version {} of Spall; versions 0, 1 and 3 are read", version_));
    const double unit = *take_little<double>(header);
    constexpr double kNanosecondsInMicrosecond = 1000;
    ns_per_tick_ = version_ < 3 ? unit * kNanosecondsInMicrosecond : unit;
    if (!std::isfinite(unit) || unit <= 0) {
      sink_.loss("unit of time that is no length", 16);
      ns_per_tick_ = 1;
    }
    window_.skip(kHeaderBytes);
    return {};
  }

  // A buffer of one thread; false at the end.
  bool read_buffer() {
    const auto head = window_.peek(kBufferHeaderBytes);
    if (!head) return false;
    std::string_view header = *head;
    const uint32_t size = *take_little<uint32_t>(header);
    tid_ = *take_little<uint32_t>(header);
    pid_ = *take_little<uint32_t>(header);
    window_.skip(kBufferHeaderBytes);
    return read_events(size);
  }

  // The events of so many bytes; false where nothing can be read behind them.
  bool read_events(uint64_t size) {
    constexpr uint64_t kMostEventBytes = 32 + 2 * 255;
    while (size > 0) {
      std::string_view bytes = window_.peek_most(std::min(size, kMostEventBytes));
      const size_t before = bytes.size();
      spall::Event event;
      const spall::Parsed parsed = spall::take_event(bytes, version_, event);
      if (parsed != spall::Parsed::kEvent) {
        const bool is_end = parsed == spall::Parsed::kCut && before < size;
        return !is_end && skip_damage(parsed, size);
      }
      add(event);
      const size_t taken = before - bytes.size();
      window_.skip(taken);
      size -= taken;
      if (event.kind == spall::Kind::kPadding && !skip(size, event.padding_bytes)) return false;
      if (!window_.is_wanted()) return false;
    }
    return true;
  }

  // Where a buffer says how long it is, the next can be read.
  bool skip_damage(spall::Parsed parsed, uint64_t& size) {
    sink_.loss(parsed == spall::Parsed::kUnknown ? "event of an unknown kind"
                                                 : "event that does not fit its buffer",
               window_.offset());
    if (version_ >= 3) return skip(size, size);
    window_.skip(std::numeric_limits<uint64_t>::max());
    return false;
  }

  bool skip(uint64_t& size, uint64_t n) {
    n = std::min(n, size);
    size -= n;
    return window_.skip(n);
  }

  void add(const spall::Event& event) {
    if (version_ < 3) {
      pid_ = event.pid;
      tid_ = event.tid;
    }
    switch (event.kind) {
      case spall::Kind::kBegin:
        if (const auto time = time_of(event))
          open_.begin(thread(), type_of(event.name), *time, params_of(event.arguments),
                      window_.offset());
        break;
      case spall::Kind::kEnd:
        if (const auto time = time_of(event)) open_.end(thread(), *time, window_.offset());
        break;
      case spall::Kind::kProcessName:
        sink_.update_lane(process(), {.name = valid_utf8(event.name),
                                      .kind = trace::LaneKind::kProcess,
                                      .sort_index = sort_index(pid_)});
        break;
      case spall::Kind::kThreadName:
        sink_.update_lane(thread(), {.name = valid_utf8(event.name),
                                     .parent = process(),
                                     .kind = trace::LaneKind::kThread,
                                     .sort_index = sort_index(tid_)});
        break;
      case spall::Kind::kPadding:
        break;
    }
  }

  std::optional<Time> time_of(const spall::Event& event) {
    const long double ticks =
        version_ < 3 ? static_cast<long double>(event.time) : static_cast<long double>(event.ticks);
    const long double ns = ticks * ns_per_tick_;
    constexpr long double kMost = 9.2e18L;
    if (!std::isfinite(ns) || std::abs(ns) > kMost) {
      sink_.loss("time out of range", window_.offset());
      return std::nullopt;
    }
    const Time time{std::llround(ns)};
    end_ = std::max(end_, time);
    return time;
  }

  EventTypeId type_of(std::string_view name) {
    EventTypeId& type = value_of(types_, name, EventTypeId::none());
    if (type.is_none()) type = sink_.type(trace::Category::kState, valid_utf8(name));
    return type;
  }

  ParamsId params_of(std::string_view arguments) {
    if (arguments.empty()) return ParamsId::none();
    json_ = R"({"args":)";
    chrome_json::append_quoted(json_, valid_utf8(arguments));
    json_ += '}';
    return sink_.params(json_);
  }

  static int32_t sort_index(uint32_t id) { return static_cast<int32_t>(id & 0x7FFFFFFF); }

  LaneId process() {
    const auto [it, is_new] = processes_.try_emplace(pid_, LaneId::none());
    if (is_new) {
      it->second = sink_.add_lane({.name = fmt::format("process {}", pid_),
                                   .kind = trace::LaneKind::kProcess,
                                   .sort_index = sort_index(pid_)});
    }
    return it->second;
  }

  LaneId thread() {
    const std::pair key(pid_, tid_);
    if (last_thread_ == key) return last_lane_;
    const auto [it, is_new] = threads_.try_emplace(key, LaneId::none());
    if (is_new) {
      it->second = sink_.add_lane({.name = fmt::format("thread {}", tid_),
                                   .parent = process(),
                                   .kind = trace::LaneKind::kThread,
                                   .sort_index = sort_index(tid_)});
    }
    last_thread_ = key;
    return last_lane_ = it->second;
  }

  ByteWindow window_;
  trace::EventSink& sink_;
  stacks::OpenStates open_;
  uint64_t version_ = 0;
  double ns_per_tick_ = 1;
  uint32_t pid_ = 0, tid_ = 0;  // of the event
  Time end_ = Time::min();
  ByName<EventTypeId> types_;
  std::map<uint32_t, LaneId> processes_;
  std::map<std::pair<uint32_t, uint32_t>, LaneId> threads_;
  std::optional<std::pair<uint32_t, uint32_t>> last_thread_;
  LaneId last_lane_ = LaneId::none();  // of it
  std::string json_;                   // kept for its memory
};

}  // namespace

int sniff_spall(std::span<const std::byte> head) {
  std::string_view bytes = as_chars(head);
  const auto magic = take_little<uint64_t>(bytes);
  return magic == kMagic || magic == kAutomaticMagic ? 100 : 0;
}

Status read_spall(io::Source& source, trace::EventSink& sink, const ReadContext&) {
  return SpallReader(source, sink).read();
}

}  // namespace weft::formats
