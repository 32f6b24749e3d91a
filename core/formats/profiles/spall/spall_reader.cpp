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

#include "core/base/large_vector.h"
#include "core/base/saturating.h"
#include "core/base/text.h"
#include "core/formats/base/binary.h"
#include "core/formats/base/by_name.h"
#include "core/formats/base/byte_window.h"
#include "core/formats/base/json_text.h"
#include "core/formats/base/text.h"
#include "core/formats/profiles/spall/spall_event.h"
#include "core/formats/stacks/open_states.h"

namespace weft::formats {
namespace {

constexpr uint64_t kMagic = 0x0BADF00D;
constexpr uint64_t kAutomaticMagic = 0xABADF00D;
constexpr size_t kHeaderBytes = 32;
constexpr size_t kAutomaticHeaderBytes = 34;

class SpallReader {
 public:
  SpallReader(io::Source& source, trace::EventSink& sink)
      : window_(source, sink), sink_(sink), open_(sink) {
    sink_.set_time_base(TimeBase::kNanoseconds);
  }

  Status read() {
    WEFT_TRY(read_header());
    if (version_ < 3 && !is_automatic_) {
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
    is_automatic_ = magic == kAutomaticMagic;
    if (magic != kMagic && !is_automatic_) return fail("does not begin as a Spall trace does");
    version_ = *take_little<uint64_t>(header);
    if (version_ > 3 || version_ == 2 || (version_ == 0 && is_automatic_))
      return fail(fmt::format("is of version {} of Spall; versions {}1 and 3 are read", version_,
                              is_automatic_ ? "" : "0, "));
    const double unit = *take_little<double>(header);
    constexpr double kNanosecondsInMicrosecond = 1000;
    const bool is_of_microseconds = version_ < 3 && !is_automatic_;
    ns_per_tick_ = is_of_microseconds ? unit * kNanosecondsInMicrosecond : unit;
    if (!std::isfinite(unit) || unit <= 0) {
      sink_.loss("unit of time that is not a length", 16);
      ns_per_tick_ = 1;
    }
    if (is_automatic_) return read_program();
    window_.skip(kHeaderBytes);
    return {};
  }

  // Reads the program and its load address: since version 3 as an offset to subtract.
  Status read_program() {
    const auto head = window_.peek(kAutomaticHeaderBytes);
    if (!head) return fail("ends within its header");
    std::string_view header = head->substr(24);
    const uint64_t address = *take_little<uint64_t>(header);
    const size_t length = *take_little<uint16_t>(header);
    window_.skip(kAutomaticHeaderBytes);
    const auto path = window_.peek(length);
    if (!path) return fail("ends within its header");
    const std::string_view name = path->substr(path->find_last_of("/\\") + 1);  // npos + 1 is 0
    sink_.set_metadata("program", valid_utf8(*path));
    if (version_ >= 3) {
      base_ = address;
    } else {
      sink_.set_metadata("address of spall_auto_init", fmt::format("{:#x}", address));
    }
    sink_.update_lane(process(), {.name = valid_utf8(name), .kind = trace::LaneKind::kProcess});
    window_.skip(length);
    return {};
  }

  // A buffer of one thread; false at the end.
  bool read_buffer() {
    const size_t bytes = is_automatic_ && version_ < 3 ? 8 : 20;
    const auto head = window_.peek(bytes);
    if (!head) return false;
    std::string_view header = *head;
    const uint32_t size = *take_little<uint32_t>(header);
    tid_ = *take_little<uint32_t>(header);
    if (!is_automatic_) pid_ = *take_little<uint32_t>(header);
    before_ = {.ticks = take_little<uint64_t>(header).value_or(0)};
    window_.skip(bytes);
    return read_events(size);
  }

  // The events of so many bytes; false where nothing can be read behind them.
  bool read_events(uint64_t size) {
    constexpr uint64_t kMostEventBytes = 32 + 2 * 65535;
    while (size > 0) {
      const size_t most = std::min(size, kMostEventBytes);
      std::string_view bytes = window_.peek_some(1, most);
      size_t before = bytes.size();
      spall::Event event;
      spall::Parsed parsed = take_event(bytes, event);
      while (parsed == spall::Parsed::kCut && before < most) {  // the rest may still come
        bytes = window_.peek_some(before + 1, most);
        if (bytes.size() == before) break;
        before = bytes.size();
        parsed = take_event(bytes, event);
      }
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

  spall::Parsed take_event(std::string_view& bytes, spall::Event& event) {
    return is_automatic_ ? spall::take_automatic_event(bytes, version_, before_, event)
                         : spall::take_event(bytes, version_, event);
  }

  // If a buffer gives its size, the next one can be read.
  bool skip_damage(spall::Parsed parsed, uint64_t& size) {
    sink_.loss(parsed == spall::Parsed::kUnknown ? "event of an unknown kind"
                                                 : "event that does not fit its buffer",
               window_.offset());
    if (version_ >= 3 || is_automatic_) return skip(size, size);
    window_.skip(std::numeric_limits<uint64_t>::max());
    return false;
  }

  bool skip(uint64_t& size, uint64_t n) {
    n = std::min(n, size);
    size -= n;
    return window_.skip(n);
  }

  void add(const spall::Event& event) {
    if (version_ < 3 && !is_automatic_) {
      pid_ = event.pid;
      tid_ = event.tid;
    }
    switch (event.kind) {
      case spall::Kind::kBegin:
        if (const auto time = time_of(event))
          open_.begin(thread(), type_of(event), *time, params_of(event), window_.offset());
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
    const long double ticks = version_ < 3 && !is_automatic_
                                  ? static_cast<long double>(event.time)
                                  : static_cast<long double>(event.ticks);
    const auto ns = checked_round(ticks * ns_per_tick_);
    if (!ns) {
      sink_.loss("time out of range", window_.offset());
      return std::nullopt;
    }
    const Time time{*ns};
    end_ = std::max(end_, time);
    return time;
  }

  EventTypeId type_of(const spall::Event& event) {
    const bool is_named = !is_automatic_ || !event.name.empty();
    const std::string address = is_named ? std::string() : place_of(event.address);
    const std::string_view name = is_named ? event.name : address;
    EventTypeId& type = value_of(types_, name, EventTypeId::none());
    if (type.is_none()) type = sink_.type(trace::Category::kState, valid_utf8(name));
    return type;
  }

  // An address in the program.
  std::string place_of(uint64_t address) const { return fmt::format("{:#x}", address - base_); }

  ParamsId params_of(const spall::Event& event) {
    if (event.caller != 0)
      return sink_.params(fmt::format(R"({{"caller":"{}"}})", place_of(event.caller)));
    if (event.arguments.empty()) return ParamsId::none();
    json_ = R"({"args":)";
    json::append_quoted(json_, valid_utf8(event.arguments));
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
  bool is_automatic_ = false;
  uint64_t base_ = 0;     // of the program's addresses
  spall::Before before_;  // in the buffer
  double ns_per_tick_ = 1;
  uint32_t pid_ = 0, tid_ = 0;  // of the event
  Time end_ = Time::min();
  ByName<EventTypeId> types_;
  LargePool memory_;
  std::pmr::map<uint32_t, LaneId> processes_{&memory_};
  std::pmr::map<std::pair<uint32_t, uint32_t>, LaneId> threads_{&memory_};
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
