#include "core/trace/event_wire.h"

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

#include "core/base/write_all.h"

namespace weft::trace {
namespace {

constexpr size_t kFlushBytes = 256 << 10;
constexpr auto kFlushAfter = std::chrono::milliseconds(50);  // so that it is seen growing
constexpr size_t kEventsAtOnce = 1024;
constexpr uint32_t kMostMessageBytes = 1u << 30;

struct WireHeader {
  uint32_t kind;
  uint32_t bytes;
};

}  // namespace

// ---- Writing

// Appends fields to the buffer; its size is known when it is destroyed.
class WireWriter::Message {
 public:
  Message(WireWriter& writer, WireKind kind) : writer_(writer), begin_(writer.buffer_.size()) {
    add(WireHeader{static_cast<uint32_t>(kind), 0});
  }
  ~Message() {
    const auto bytes = static_cast<uint32_t>(writer_.buffer_.size() - begin_ - sizeof(WireHeader));
    std::memcpy(writer_.buffer_.data() + begin_ + offsetof(WireHeader, bytes), &bytes,
                sizeof bytes);
    if (writer_.buffer_.size() >= kFlushBytes) writer_.flush();
  }
  Message(const Message&) = delete;
  Message& operator=(const Message&) = delete;

  template <class T>
  Message& add(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    return add_bytes(&value, sizeof value);
  }
  Message& add_text(std::string_view text) {
    add(static_cast<uint32_t>(text.size()));
    return add_bytes(text.data(), text.size());
  }
  Message& add_bytes(const void* data, size_t size) {
    writer_.buffer_.append(static_cast<const char*>(data), size);
    return *this;
  }

 private:
  WireWriter& writer_;
  size_t begin_;
};

void WireWriter::flush() {
  is_broken_ = is_broken_ || !write_all(fd_, buffer_);
  buffer_.clear();
  flushed_ = std::chrono::steady_clock::now();
}

void WireWriter::set_time_base(TimeBase base) { Message(*this, WireKind::kTimeBase).add(base); }

void WireWriter::set_metadata(std::string_view key, std::string_view value) {
  Message(*this, WireKind::kMetadata).add_text(key).add_text(value);
}

LaneId WireWriter::add_lane(const Lane& lane) {
  Message(*this, WireKind::kAddLane)
      .add(lane.parent)
      .add(lane.kind)
      .add(lane.sort_index)
      .add_text(lane.name);
  return LaneId(lanes_++);
}

void WireWriter::update_lane(LaneId id, const Lane& lane) {
  Message(*this, WireKind::kUpdateLane)
      .add(id)
      .add(lane.parent)
      .add(lane.kind)
      .add(lane.sort_index)
      .add_text(lane.name);
}

EventTypeId WireWriter::type(Category category, std::string_view name, std::string_view group) {
  text_.assign(1, static_cast<char>(category)).append(group).append(1, '\0').append(name);
  const auto [number, is_new] = type_numbers_.add(text_);
  if (is_new) Message(*this, WireKind::kType).add(category).add_text(name).add_text(group);
  return EventTypeId(number);
}

void WireWriter::set_type_color(EventTypeId id, uint32_t rgb) {
  Message(*this, WireKind::kTypeColor).add(id).add(rgb);
}

ParamsId WireWriter::keep_params(std::string_view json, std::span<const std::byte> payload) {
  std::string_view text = json;
  if (!payload.empty()) {
    text_.assign(json).push_back('\0');
    text_.append(reinterpret_cast<const char*>(payload.data()), payload.size());
    text = text_;
  }
  const uint64_t hash = TextHash()(text);
  Recent* const recent = reuse_.is_looked_for(hash) ? &recent_[hash % kRecent] : nullptr;
  const bool is_known = recent != nullptr && recent->text == text;
  if (recent != nullptr) reuse_.found(is_known);
  if (is_known) return recent->id;
  Message(*this, WireKind::kParams).add_text(json).add_bytes(payload.data(), payload.size());
  const ParamsId id(params_++);
  if (recent != nullptr) {
    recent->text.assign(text);
    recent->id = id;
  }
  return id;
}

// Readers give events one by one; a message, and what becomes of it, costs less for many.
template <class Event>
void WireWriter::Waiting<Event>::add(WireWriter& writer, std::span<const Event> given) {
  while (!given.empty()) {
    const auto some = given.first(std::min(given.size(), kEventsAtOnce - events.size()));
    events.insert(events.end(), some.begin(), some.end());
    given = given.subspan(some.size());
    if (events.size() == kEventsAtOnce) send(writer);
  }
}

template <class Event>
void WireWriter::Waiting<Event>::send(WireWriter& writer) {
  if (events.empty()) return;
  Message(writer, kind).add_bytes(events.data(), events.size() * sizeof(Event));
  events.clear();
}

void WireWriter::states(std::span<const StateEvent> events) { states_.add(*this, events); }
void WireWriter::punctuals(std::span<const PunctualEvent> events) { punctuals_.add(*this, events); }
void WireWriter::links(std::span<const LinkEvent> events) { links_.add(*this, events); }
void WireWriter::variables(std::span<const VariableSample> events) {
  variables_.add(*this, events);
}

void WireWriter::send_waiting() {
  states_.send(*this);
  punctuals_.send(*this);
  links_.send(*this);
  variables_.send(*this);
}

void WireWriter::loss(std::string_view kind, const LossPlace& place, uint64_t count,
                      bool is_damage) {
  Message(*this, WireKind::kLoss)
      .add(place.offset)
      .add(place.unit)
      .add(place.lane)
      .add(place.time.has_value())
      .add(place.time.value_or(Time{}))
      .add(place.duration)
      .add(count)
      .add(is_damage)
      .add_text(kind);
}

void WireWriter::set_end(Time end) {
  send_waiting();
  Message(*this, WireKind::kRecordedUntil).add(end);
}

void WireWriter::progress(uint64_t bytes_done, uint64_t bytes_total) {
  Message(*this, WireKind::kProgress).add(bytes_done).add(bytes_total);
  if (std::chrono::steady_clock::now() - flushed_ < kFlushAfter) return;
  send_waiting();
  flush();
}

void WireWriter::touch(std::span<const std::string> names) {
  const std::string waiting = std::exchange(buffer_, {});
  {
    Message message(*this, WireKind::kTouched);
    message.add(static_cast<uint32_t>(names.size()));
    for (const std::string& name : names) message.add_text(name);
  }
  flush();
  buffer_ = waiting;
}

void WireWriter::end(const Status& status) {
  send_waiting();
  Message(*this, WireKind::kEnd)
      .add(status.has_value())
      .add_text(status ? std::string() : status.error().message);
  flush();
}

// ---- Playing

// Takes the fields of a message one after the other; false once there are too few bytes.
class WirePlayer::Fields {
 public:
  explicit Fields(std::span<const std::byte> body) : left_(body) {}

  template <class T>
  bool take(T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (left_.size() < sizeof value) return false;
    std::memcpy(&value, left_.data(), sizeof value);
    left_ = left_.subspan(sizeof value);
    return true;
  }
  // A byte is read as a number first: not every one is a bool or an enumerator.
  bool take(bool& value) {
    uint8_t byte = 0;
    if (!take(byte) || byte > 1) return false;
    value = byte == 1;
    return true;
  }
  template <class Enum>
  bool take_enum(Enum& value, Enum last) {
    std::underlying_type_t<Enum> number{};
    if (!take(number) || number < 0 || number > static_cast<decltype(number)>(last)) return false;
    value = static_cast<Enum>(number);
    return true;
  }
  bool take_text(std::string_view& text) {
    uint32_t size = 0;
    if (!take(size) || left_.size() < size) return false;
    text = {reinterpret_cast<const char*>(left_.data()), size};
    left_ = left_.subspan(size);
    return true;
  }
  bool take_lane(Lane& lane) {
    std::string_view name;
    if (!take(lane.parent) || !take_enum(lane.kind, LaneKind::kCounter) || !take(lane.sort_index) ||
        !take_text(name))
      return false;
    lane.name = name;
    return true;
  }
  std::span<const std::byte> rest() const { return left_; }

 private:
  std::span<const std::byte> left_;
};

namespace {

Error malformed() { return Error{"its reader said what no reader says"}; }

}  // namespace

Status WirePlayer::take(std::span<const std::byte> bytes) {
  // Whole messages are played from where they arrived; only what is cut is copied.
  if (!waiting_.empty()) {
    const size_t before = waiting_.size();
    waiting_.resize(before + bytes.size());
    std::ranges::copy(bytes, waiting_.data() + before);
    bytes = waiting_;
  }
  size_t at = 0;
  while (bytes.size() - at >= sizeof(WireHeader)) {
    WireHeader header{};
    std::memcpy(&header, bytes.data() + at, sizeof header);
    if (header.kind >= static_cast<uint32_t>(WireKind::kCount) ||
        header.bytes > kMostMessageBytes || ended_) {
      return fail(malformed());
    }
    if (bytes.size() - at - sizeof header < header.bytes) break;
    WEFT_TRY(
        play(static_cast<WireKind>(header.kind), bytes.subspan(at + sizeof header, header.bytes)));
    at += sizeof header + header.bytes;
  }
  if (bytes.data() == waiting_.data()) {
    waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<ptrdiff_t>(at));
  } else {
    waiting_.assign(bytes.begin() + static_cast<ptrdiff_t>(at), bytes.end());
  }
  return {};
}

Status WirePlayer::play(WireKind kind, std::span<const std::byte> body) {
  Fields fields(body);
  has_given_ |= kind != WireKind::kTouched && kind != WireKind::kEnd;
  switch (kind) {
    case WireKind::kTimeBase: {
      TimeBase base{};
      if (!fields.take_enum(base, TimeBase::kTicks)) return fail(malformed());
      sink_.set_time_base(base);
      return {};
    }
    case WireKind::kMetadata: {
      std::string_view key, value;
      if (!fields.take_text(key) || !fields.take_text(value)) return fail(malformed());
      sink_.set_metadata(key, value);
      return {};
    }
    case WireKind::kAddLane:
      return play_new_lane(fields);
    case WireKind::kUpdateLane:
      return play_changed_lane(fields);
    case WireKind::kType:
      return play_type(fields);
    case WireKind::kTypeColor: {
      EventTypeId id;
      uint32_t rgb = 0;
      if (!fields.take(id) || !fields.take(rgb) || id.value() >= types_.size())
        return fail(malformed());
      sink_.set_type_color(types_[id.value()].id, rgb);
      return {};
    }
    case WireKind::kParams: {
      std::string_view json;
      if (!fields.take_text(json)) return fail(malformed());
      params_.push_back(sink_.params(json, fields.rest()));
      return {};
    }
    case WireKind::kStates:
      return play_events(body, states_, Category::kState, &EventSink::states);
    case WireKind::kPunctuals:
      return play_events(body, punctuals_, Category::kPunctual, &EventSink::punctuals);
    case WireKind::kLinks:
      return play_events(body, links_, Category::kLink, &EventSink::links);
    case WireKind::kVariables:
      return play_events(body, variables_, Category::kVariable, &EventSink::variables);
    case WireKind::kLoss:
      return play_loss(fields);
    case WireKind::kTouched:
      return play_touched(fields);
    case WireKind::kRecordedUntil: {
      Time end;
      if (!fields.take(end)) return fail(malformed());
      sink_.set_end(end);
      return {};
    }
    case WireKind::kProgress: {
      uint64_t done = 0, total = 0;
      if (!fields.take(done) || !fields.take(total)) return fail(malformed());
      bytes_done_ = done;
      sink_.progress(done, total);
      return {};
    }
    case WireKind::kEnd: {
      bool is_good = false;
      std::string_view message;
      if (!fields.take(is_good) || !fields.take_text(message)) return fail(malformed());
      ended_ = is_good ? Status() : Status(fail(std::string(message)));
      return {};
    }
    case WireKind::kCount:
      break;
  }
  return fail(malformed());
}

Status WirePlayer::play_new_lane(Fields& fields) {
  Lane lane;
  if (!fields.take_lane(lane) || !map(lane.parent)) return fail(malformed());
  lanes_.push_back(sink_.add_lane(lane));
  return {};
}

Status WirePlayer::play_changed_lane(Fields& fields) {
  LaneId id;
  Lane lane;
  if (!fields.take(id) || !fields.take_lane(lane) || !map(id) || id.is_none() || !map(lane.parent))
    return fail(malformed());
  sink_.update_lane(id, lane);
  return {};
}

Status WirePlayer::play_type(Fields& fields) {
  Category category{};
  std::string_view name, group;
  if (!fields.take_enum(category, Category::kVariable) || !fields.take_text(name) ||
      !fields.take_text(group))
    return fail(malformed());
  types_.push_back({sink_.type(category, name, group), category});
  return {};
}

Status WirePlayer::play_loss(Fields& fields) {
  LossPlace place;
  bool has_time = false, is_damage = false;
  Time time;
  uint64_t count = 0;
  std::string_view kind;
  if (!fields.take(place.offset) || !fields.take_enum(place.unit, PlaceUnit::kNone) ||
      !fields.take(place.lane) || !fields.take(has_time) || !fields.take(time) ||
      !fields.take(place.duration) || !fields.take(count) || !fields.take(is_damage) ||
      !fields.take_text(kind) || !map(place.lane))
    return fail(malformed());
  if (has_time) place.time = time;
  sink_.loss(kind, place, count, is_damage);
  return {};
}

Status WirePlayer::play_touched(Fields& fields) {
  uint32_t count = 0;
  if (!fields.take(count)) return fail(malformed());
  touched_.clear();
  for (uint32_t i = 0; i < count; ++i) {
    std::string_view name;
    if (!fields.take_text(name)) return fail(malformed());
    touched_.emplace_back(name);
  }
  return {};
}

// The events go to the sink with its ids; `events` is kept for its memory.
template <class Event>
Status WirePlayer::play_events(std::span<const std::byte> body, std::vector<Event>& events,
                               Category category, void (EventSink::*give)(std::span<const Event>)) {
  static_assert(std::is_trivially_copyable_v<Event>);
  if (body.size() % sizeof(Event) != 0) return fail(malformed());
  events.resize(body.size() / sizeof(Event));
  if (!events.empty()) std::memcpy(events.data(), body.data(), body.size());
  for (Event& event : events) {
    bool is_good = map(event.params) && map(event.type, category);
    if constexpr (requires { event.target; }) {
      is_good = is_good && map(event.source) && map(event.target) &&
                !(event.source.is_none() && event.target.is_none());
    } else {
      is_good = is_good && map(event.lane) && !event.lane.is_none();
    }
    if constexpr (requires { event.duration; }) is_good = is_good && event.duration >= Duration{};
    if (!is_good) return fail(malformed());
  }
  has_events_ |= !events.empty();
  (sink_.*give)(events);
  return {};
}

bool WirePlayer::map(LaneId& id) const {
  if (id.is_none()) return true;
  if (id.value() >= lanes_.size()) return false;
  id = lanes_[id.value()];
  return true;
}

bool WirePlayer::map(ParamsId& id) const {
  if (id.is_none()) return true;
  if (id.value() >= params_.size()) return false;
  id = params_[id.value()];
  return true;
}

bool WirePlayer::map(EventTypeId& id, Category category) const {
  if (id.value() >= types_.size() || types_[id.value()].category != category) return false;
  id = types_[id.value()].id;
  return true;
}

}  // namespace weft::trace
