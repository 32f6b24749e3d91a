#include "core/formats/embedded/psf/player.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "core/formats/base/binary.h"
#include "core/formats/base/text.h"
#include "core/formats/embedded/psf/print.h"

namespace weft::formats::psf {
namespace {

using trace::Category;

constexpr std::string_view kMachineGroup = "state machine";
constexpr uint32_t kFirstFixedPrint = 8;

// Options of an entry.
enum Option : uint32_t {
  kHeapEntry = 0x8000'0000,
  kExtensionEntry = 0x4000'0000,
  kMachineEntry = 0x2000'0000,
  kStateEntry = 0x1000'0000,
  kChannelEntry = 0x0800'0000,
  kCounterEntry = 0x0400'0000,
  kSetEntry = 0x0200'0000,
  kRunnableEntry = 0x0080'0000,
};

Class kind_of(uint32_t options) {
  constexpr std::pair<uint32_t, Class> kKinds[] = {{kHeapEntry, Class::kHeap},
                                                   {kExtensionEntry, Class::kExtension},
                                                   {kMachineEntry, Class::kStateMachine},
                                                   {kStateEntry, Class::kState},
                                                   {kChannelEntry, Class::kInterval},
                                                   {kCounterEntry, Class::kCounter},
                                                   {kSetEntry, Class::kIntervalSet},
                                                   {kRunnableEntry, Class::kRunnable}};
  for (const auto& [option, kind] : kKinds) {
    if ((options & option) != 0) return kind;
  }
  return Class::kNone;
}

int64_t as_signed(uint64_t value, uint32_t bytes) {
  const uint32_t unused = 64 - 8 * bytes;
  return static_cast<int64_t>(value << unused) >> unused;
}

// The place of the parameter with this name, without its sign.
std::optional<size_t> place_of(const EventInfo& info, std::string_view name) {
  std::string_view names = info.params;
  for (size_t i = 0; !names.empty(); ++i) {
    std::string_view each = take_to(names, ',');
    if (!each.empty() && std::string_view("@%#-$").find(each.front()) != std::string_view::npos)
      each.remove_prefix(1);
    if (each == name) return i;
  }
  return std::nullopt;
}

}  // namespace

void Player::start(const Session& session) {
  if (has_base_) {
    scheduler_.at(0, clock_.now());
    scheduler_.stop_all();
  }
  session_ = session;
  clock_.start(session);
  objects_.set_cores(session.cores);
  scheduler_.set_order(session.is_greater_more_urgent);
  first_values_.clear();
  first_states_.clear();
  if (has_base_) return;
  has_base_ = true;
  sink_.set_time_base(clock_.has_frequency() ? TimeBase::kNanoseconds : TimeBase::kCycles);
  sink_.set_metadata("kernel", name_of(session.kernel));
  sink_.set_metadata("version of the recording", fmt::format("{}", session.version));
  sink_.set_metadata("platform", session.platform);
  sink_.set_metadata("timer", fmt::format("{} Hz", session.frequency));
  if (session.tick_rate > 0) sink_.set_metadata("OS tick", fmt::format("{} Hz", session.tick_rate));
  if (session.cores > 1) sink_.set_metadata("cores", fmt::format("{}", session.cores));
}

void Player::add_entry(const Entry& entry) {
  if (entry.address == 0) return;
  const Class kind = kind_of(entry.options);
  Object& object = objects_.of(entry.address);
  if (kind != Class::kNone) object.kind = kind;
  objects_.set_name(entry.address, entry.symbol);
  if (kind == Class::kNone || kind == Class::kInterval) {
    object.value = entry.states[0];
    object.is_given = true;
  }
  if (kind == Class::kCounter) {
    first_values_.emplace_back(
        entry.address, static_cast<double>(as_signed(entry.states[0], session_.layout.word_bytes)));
  }
  if (kind == Class::kHeap && (heap_ == 0 || heap_ == entry.address)) {
    heap_ = entry.address;
    allocated_ = static_cast<int64_t>(entry.states[0]);
    first_values_.emplace_back(entry.address, static_cast<double>(allocated_));
    sink_.set_metadata(fmt::format("size of {}", objects_.name_of(entry.address)),
                       fmt::format("{}", entry.states[2]));
  }
  if (kind == Class::kStateMachine && entry.states[0] != 0)
    first_states_.emplace_back(entry.address, entry.states[0]);
  if (kind == Class::kExtension) add_extension(entry.address, entry.states[1], entry.states[2]);
}

void Player::add_extension(uint64_t address, uint64_t first, uint64_t count) {
  constexpr size_t kMost = 256;
  if (extensions_.size() == kMost) extensions_.erase(extensions_.begin());
  extensions_.push_back({static_cast<uint32_t>(first), static_cast<uint32_t>(count), address});
}

void Player::begin(uint32_t core, uint32_t timestamp) {
  now_ = clock_.time(timestamp);
  core_ = core;
  scheduler_.at(core, now_);
  for (const auto& [address, value] : std::exchange(first_values_, {})) {
    const bool is_counter = objects_.of(address).kind == Class::kCounter;
    add_variable(is_counter ? objects_.group("Counters") : objects_.lane(address),
                 is_counter ? objects_.name_of(address) : "allocated", value);
  }
  for (const auto& [machine, state] : std::exchange(first_states_, {})) {
    objects_.of(machine).held.change(sink_, objects_.lane(machine), objects_.name_of(state), now_,
                                     kMachineGroup, {});
  }
}

void Player::add(const Event& event, uint64_t offset) {
  begin(event.core, event.timestamp);
  bytes_ = event.params;
  words_.clear();
  for (size_t i = 0; i < bytes_.size() / session_.layout.word_bytes; ++i)
    words_.push_back(session_.layout.word(bytes_, i));
  args_.clear();
  const EventInfo* const info = event_of(session_.kernel, event.id);
  if (info == nullptr || !takes(*info, words_.size())) return add_unknown(event.id);
  act(*info, offset);
}

bool Player::knows(uint32_t id, size_t params) const {
  if (const EventInfo* const info = event_of(session_.kernel, id)) return takes(*info, params);
  return std::ranges::any_of(extensions_, [id](const Extension& each) {
    return id >= each.first && id - each.first < each.count;
  });
}

// Acts that return here show nothing else: they are states, variables or names.
void Player::act(const EventInfo& info, uint64_t offset) {
  const uint64_t first = word(0);
  switch (info.act) {
    case Act::kStart:
      return start_cores(info);
    case Act::kName:
      return objects_.set_name(first, text_from(1));
    case Act::kDefine:
      objects_.set_kind(first, info.kind);
      objects_.set_priority(first, word(1));
      return objects_.set_name(first, text_from(2));
    case Act::kRegister:
      objects_.set_kind(first, info.kind);
      return objects_.set_name(first, text_from(1));
    case Act::kReady:
      return scheduler_.wake(first);
    case Act::kActivate:
      if (words_.empty()) break;
      if (words_.size() > 1) set_priority(first, word(1));
      return scheduler_.activate(first);
    case Act::kSuspendTo:
      if (const auto task = scheduler_.running()) scheduler_.suspend(*task);
      return scheduler_.activate(first);
    case Act::kEnter:
      return scheduler_.enter(first, offset);
    case Act::kResume:
      return scheduler_.resume(first, offset);
    case Act::kSleep:
      write_params(info);
      return open_.begin(objects_.core("Power", core_), sink_.type(Category::kState, "low power"),
                         now_, params(), offset);
    case Act::kWake:
      return open_.end(objects_.core("Power", core_), now_, offset);
    case Act::kStack:
      objects_.set_kind(first, info.kind);
      return add_variable(objects_.lane(first), "unused stack", static_cast<double>(word(1)));
    case Act::kCount:
      objects_.set_kind(first, info.kind);
      return add_variable(objects_.group("Counters"), objects_.name_of(first),
                          static_cast<double>(signed_word(1)));
    case Act::kChange:
      objects_.set_kind(first, info.kind);
      return objects_.of(first).held.change(sink_, objects_.lane(first), objects_.name_of(word(1)),
                                            now_, kMachineGroup, {});
    case Act::kBegin:
      write_params(info);
      return begin_interval(offset);
    case Act::kEnd:
      return end_interval(offset);
    case Act::kRun:
    case Act::kRunEnd:
      return run(info.act == Act::kRun, offset);
    case Act::kPrint:
      return print(info.id);
    default:
      break;
  }
  write_params(info);
  act_and_show(info);
}

void Player::act_and_show(const EventInfo& info) {
  const uint64_t first = word(0);
  const ParamsId said = params();
  const LaneId here = scheduler_.here();
  add_punctual(info.name, said);
  if (info.kind != Class::kNone && info.params.starts_with('@'))
    objects_.set_kind(first, info.kind);
  add_level(info);
  switch (info.act) {
    case Act::kCreate:
      return create(info);
    case Act::kDelete:
      return remove(info);
    case Act::kPriority:
      return set_priority(first, word(1));
    case Act::kSuspend:
      return scheduler_.suspend(first);
    case Act::kBlock:
      return scheduler_.block(wait_of(info), said);
    case Act::kDelay:
      return scheduler_.block("delay", said);
    case Act::kDone:
      return scheduler_.unblock();
    case Act::kSend:
    case Act::kSendFront:
    case Act::kNotify:
      scheduler_.unblock();
      return send(objects_.of(first), {now_, here}, info);
    case Act::kReceive:
      scheduler_.unblock();
      return receive(objects_.of(first), {now_, here}, info);
    case Act::kAllocate:
      return allocate(static_cast<int64_t>(word(1)));
    case Act::kFree:
      return allocate(-static_cast<int64_t>(word(1)));
    case Act::kChannel:
      objects_.set_kind(word(1), Class::kIntervalSet);
      objects_.of(first).value = word(1);
      objects_.of(first).is_given = true;
      return;
    case Act::kExtend:
      return add_extension(first, word(2), word(3));
    default:
      return;
  }
}

void Player::start_cores(const EventInfo& info) {
  for (uint32_t i = 0; i < std::min<size_t>(words_.size(), kMostCores); ++i) {
    if (words_[i] == kNoTask && objects_.of(kNoTask).name.empty())
      objects_.set_name(kNoTask, "(startup)");
    scheduler_.at(i, now_);
    scheduler_.activate(words_[i]);
  }
  scheduler_.at(core_, now_);
  sink_.give(trace::PunctualEvent{
      .time = now_, .lane = scheduler_.cpu(), .type = sink_.type(Category::kPunctual, info.name)});
}

void Player::create(const EventInfo& info) {
  const uint64_t address = word(0);
  if (info.kind == Class::kTask) {
    objects_.lane(address);
    if (const auto place = place_of(info, "priority")) set_priority(address, word(*place));
  } else if (info.kind == Class::kCounter) {
    add_variable(objects_.group("Counters"), objects_.name_of(address),
                 static_cast<double>(signed_word(1)));
  } else if (info.kind == Class::kHeap && heap_ == 0) {
    heap_ = address;
    allocated_ = static_cast<int64_t>(word(1));
  }
}

// Later events at this address refer to another object.
void Player::remove(const EventInfo& info) {
  const uint64_t address = word(0);
  if (info.kind == Class::kTask) scheduler_.remove(address);
  flows_.forget(objects_.of(address).flow);
  objects_.forget(address);
}

void Player::set_priority(uint64_t task, uint64_t priority) {
  objects_.set_kind(task, Class::kTask);
  const Object& object = objects_.of(task);
  if (object.is_given && object.value == priority && object.has_shown_value) return;
  objects_.set_priority(task, priority);
  objects_.of(task).has_shown_value = true;
  add_variable(objects_.lane(task), "priority",
               static_cast<double>(as_signed(priority, session_.layout.word_bytes)));
}

void Player::add_level(const EventInfo& info) {
  std::string_view names = info.params;
  for (size_t i = 0; i < words_.size() && !names.empty(); ++i) {
    const std::string_view name = take_to(names, ',');
    if (!name.starts_with('#')) continue;
    add_variable(objects_.lane(word(0)), name.substr(1), static_cast<double>(word(i)));
    level_ = word(i);
    return;
  }
  level_.reset();
}

// How many a buffer holds is said in bytes, so that it does not tell how many were sent.
void Player::send(Object& object, const Origin& origin, const EventInfo& info) {
  flows_.send(object.flow, origin, info.act == Act::kSendFront);
  if (level_ && info.kind != Class::kMessageBuffer) flows_.match(object.flow, *level_);
}

void Player::receive(Object& object, const Origin& end, const EventInfo& info) {
  const std::optional<Origin> sent = flows_.receive(object.flow);
  if (level_ && info.kind != Class::kMessageBuffer) flows_.match(object.flow, *level_);
  if (!sent) return;
  const std::string_view type = info.kind == Class::kSemaphore ? "signal"
                                : info.kind == Class::kTask    ? "notification"
                                                               : "message";
  args_.add("over", objects_.name_of(word(0)));
  sink_.give(trace::LinkEvent{.send = sent->time,
                              .receive = end.time,
                              .params = params(),
                              .source = sent->lane,
                              .target = end.lane,
                              .type = sink_.type(Category::kLink, type)});
}

void Player::allocate(int64_t bytes) {
  allocated_ = saturating_add(allocated_, bytes);
  const LaneId lane = heap_ == 0 ? objects_.group(group_of(Class::kHeap)) : objects_.lane(heap_);
  add_variable(lane, "allocated", static_cast<double>(allocated_));
}

void Player::begin_interval(uint64_t offset) {
  constexpr size_t kMostOpen = 1 << 14;
  const uint64_t channel = word(0);
  objects_.set_kind(channel, Class::kInterval);
  const ParamsId said = params();
  if (intervals_.size() == kMostOpen || intervals_.contains({channel, word(1)}))
    return sink_.loss("interval that begins twice, or beyond the limit",
                      {offset, scheduler_.here(), now_});
  std::vector<bool>& rows = interval_rows_[channel];
  const auto free = static_cast<size_t>(std::ranges::find(rows, false) - rows.begin());
  if (free == rows.size()) rows.push_back(false);
  rows[free] = true;
  intervals_[{channel, word(1)}] = {now_, said, static_cast<uint32_t>(free), offset};
}

void Player::end_interval(uint64_t offset) {
  const auto it = intervals_.find({word(0), word(1)});
  if (it == intervals_.end())
    return sink_.note("end without a begin", {offset, scheduler_.here(), now_});
  give_interval(it->first.first, it->second);
  intervals_.erase(it);
}

void Player::give_interval(uint64_t channel, const Interval& interval) {
  std::vector<bool>& rows = interval_rows_[channel];
  rows[interval.row] = false;
  if (std::ranges::find(rows, true) == rows.end()) interval_rows_.erase(channel);
  sink_.give(trace::StateEvent{
      .begin = interval.begin,
      .duration = std::max(now_ - interval.begin, Duration{}),
      .params = interval.params,
      .lane = interval_lane(channel, interval.row),
      .type = sink_.type(Category::kState, objects_.name_of(channel), "interval")});
}

// Intervals of a channel may overlap: one lane for each open at once, below the channel's set.
LaneId Player::interval_lane(uint64_t channel, uint32_t row) {
  if (row == 0) {
    const Object& object = objects_.of(channel);
    if (object.lane.is_none() && object.is_given && objects_.find(object.value) != nullptr)
      objects_.set_parent(channel, objects_.lane(object.value));
    return objects_.lane(channel);
  }
  const auto [it, is_new] = interval_lanes_.try_emplace({channel, row}, LaneId::none());
  if (is_new) {
    it->second = sink_.add_lane({.name = fmt::format("{} ({})", objects_.name_of(channel), row + 1),
                                 .parent = interval_lane(channel, 0),
                                 .kind = trace::LaneKind::kGroup});
  }
  return it->second;
}

void Player::run(bool is_begin, uint64_t offset) {
  const uint64_t runnable = word(0);
  objects_.set_kind(runnable, Class::kRunnable);
  const LaneId runs = scheduler_.here();
  const auto [it, is_new] = runnable_lanes_.try_emplace(runs.value(), LaneId::none());
  if (is_new) {
    it->second =
        sink_.add_lane({.name = "runnables", .parent = runs, .kind = trace::LaneKind::kGroup});
  }
  const EventTypeId type = sink_.type(Category::kState, objects_.name_of(runnable), "runnable");
  if (is_begin) {
    open_.begin(it->second, type, now_, ParamsId::none(), offset);
  } else {
    open_.end_of(it->second, type, now_, offset);
  }
}

// The number says how many values there are; with a format that lies in the program eight more.
void Player::print(uint32_t number) {
  const bool is_fixed = number >= kFirstFixedPrint && number >= words_.size();
  std::vector<uint64_t> values;
  const auto take = [&](size_t from, size_t count) {
    for (size_t i = from; i < std::min(from + count, words_.size()); ++i)
      values.push_back(words_[i]);
  };
  if (is_fixed) {
    take(2, number - kFirstFixedPrint);
    const Object* const format = objects_.find(word(1));
    if (format == nullptr || format->name.empty()) args_.add("format", objects_.name_of(word(1)));
    return give_print(word(0), values, format == nullptr ? "" : format->name);
  }
  const size_t count = number > 0 ? number - 1 : 0;
  take(1, count);
  give_print(word(0), values, text_from(1 + count));
}

void Player::add_print(const Event& head, uint64_t channel, const std::vector<uint64_t>& values,
                       std::string_view format) {
  begin(head.core, head.timestamp);
  args_.clear();
  give_print(channel, values, until_zero(format));
}

void Player::give_print(uint64_t channel, const std::vector<uint64_t>& values,
                        std::string_view format) {
  std::string text = printed(format, values, session_.layout.word_bytes,
                             [this](uint64_t address) { return objects_.name_of(address); });
  while (text.ends_with('\n') || text.ends_with('\r')) text.pop_back();
  if (!format.empty()) args_.add("message", text);
  if (!values.empty()) {
    args_.name("arguments");
    args_.begin('[');
    for (const uint64_t value : values) args_.number(value);
    args_.end(']');
  }
  sink_.give(trace::PunctualEvent{
      .time = now_,
      .params = params(),
      .lane = scheduler_.here(),
      .type = sink_.type(Category::kPunctual, channel == 0 ? "default" : objects_.name_of(channel),
                         "print")});
}

// Adds an event of an extension or an unknown kernel.
void Player::add_unknown(uint32_t id) {
  std::string name = fmt::format("event {:#x}", id);
  for (const Extension& each : extensions_) {
    if (id >= each.first && id - each.first < each.count)
      name = fmt::format("{} {}", objects_.name_of(each.address), id - each.first);
  }
  for (size_t i = 0; i < words_.size(); ++i) {
    args_.name(fmt::format("{}", i + 1));
    args_.number(words_[i]);
  }
  add_punctual(name, params());
}

void Player::lose(uint32_t core, uint64_t count, uint64_t offset) {
  scheduler_.at(core, clock_.now());
  sink_.loss("events lost: the target could not send them",
             {offset, scheduler_.cpu(), clock_.now()}, count);
}

void Player::add_punctual(std::string_view type, ParamsId params) {
  sink_.give(trace::PunctualEvent{.time = now_,
                                  .params = params,
                                  .lane = scheduler_.here(),
                                  .type = sink_.type(Category::kPunctual, type, "kernel")});
}

void Player::add_variable(LaneId lane, std::string_view name, double value) {
  sink_.give(trace::VariableSample{
      .time = now_, .value = value, .lane = lane, .type = sink_.type(Category::kVariable, name)});
}

void Player::write_params(const EventInfo& info) {
  std::string_view names = info.params;
  for (size_t i = 0; i < words_.size(); ++i) {
    const std::string_view name = take_to(names, ',');
    if (name.starts_with('$')) return args_.add(name.substr(1), text_from(i));
    if (name.empty() || name == "*") {
      args_.name(fmt::format("{}", i + 1));
      args_.number(words_[i]);
      continue;
    }
    constexpr std::string_view kSigns = "@%#-";
    const bool has_sign = kSigns.find(name.front()) != std::string_view::npos;
    args_.name(has_sign ? name.substr(1) : name);
    if (name.front() == '@') {
      args_.text(objects_.name_of(words_[i]));
    } else if (name.front() == '%') {
      args_.pointer(words_[i]);
    } else if (name.front() == '-') {
      args_.number(signed_word(i));
    } else {
      args_.number(words_[i]);
    }
  }
}

int64_t Player::signed_word(size_t index) const {
  return as_signed(word(index), session_.layout.word_bytes);
}

std::string Player::text_from(size_t index) const {
  const size_t at = std::min(index * session_.layout.word_bytes, bytes_.size());
  return std::string(until_zero(bytes_.substr(at)));
}

std::string Player::wait_of(const EventInfo& info) const {
  if (info.kind == Class::kTask && scheduler_.running() == word(0))
    return "waits for a notification";
  if (!info.params.starts_with('@')) return fmt::format("waits: {}", info.name);
  return fmt::format("waits for {}", objects_.name_of(word(0)));
}

void Player::finish(uint64_t offset) {
  now_ = clock_.now();
  scheduler_.at(0, now_);
  scheduler_.stop_all();
  for (auto& [address, object] : objects_.all()) {
    if (!object.held.state.empty())
      object.held.change(sink_, objects_.lane(address), "", now_, kMachineGroup, {});
  }
  for (const auto& [key, interval] : intervals_) {
    sink_.note("begin without an end", {interval.offset, LaneId::none(), interval.begin});
    give_interval(key.first, interval);
  }
  open_.finish(now_);
  if (objects_.beyond_limit() > 0)
    sink_.loss("mentions of objects beyond 65536", offset, objects_.beyond_limit());
}

}  // namespace weft::formats::psf
