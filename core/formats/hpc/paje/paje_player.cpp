#include "core/formats/hpc/paje/paje_player.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <utility>

#include "core/base/text.h"
#include "core/formats/base/json_text.h"
#include "core/formats/base/text.h"
#include "core/formats/hpc/paje/paje_text.h"

namespace weft::formats::paje {
namespace {

constexpr size_t kBytesOfWaiting = 192;  // about what an end that waits takes
constexpr size_t kMostDepth = 1 << 17;   // as deep as a lane is shown
constexpr std::string_view kRoots[] = {"0", "/", ""};

bool is_root(std::string_view name) { return std::ranges::find(kRoots, name) != std::end(kRoots); }

// "1 0.5 0", "1,0.5,0": shares of red, green and blue; "ff8000".
std::optional<uint32_t> parse_color(std::string_view text) {
  constexpr size_t kHexDigits = 6;
  constexpr int kHex = 16;
  std::string shares(text);
  std::ranges::replace(shares, ',', ' ');
  std::string_view rest = shares, word;
  uint32_t rgb = 0;
  for (int i = 0; i < 3; ++i) {
    if (!take_word(rest, word)) return std::nullopt;
    if (i == 0 && word.size() == kHexDigits && rest.empty())
      return parse_number<uint32_t>(word, kHex);
    const auto share = parse_number<double>(word);
    if (!share || *share < 0 || *share > 1) return std::nullopt;
    rgb = rgb << 8 | static_cast<uint32_t>(std::lround(*share * 255));
  }
  return rgb;
}

trace::Category category_of_kind(size_t kind) {
  constexpr trace::Category kCategories[] = {trace::Category::kState, trace::Category::kState,
                                             trace::Category::kPunctual, trace::Category::kVariable,
                                             trace::Category::kLink};
  return kCategories[kind];
}

}  // namespace

Player::Player(trace::EventSink& sink, uint64_t memory_bytes, OnFile on_file)
    : sink_(sink),
      most_waiting_bytes_(std::max<size_t>(memory_bytes, 1024 * kBytesOfWaiting)),
      on_file_(std::move(on_file)) {
  sink_.set_time_base(TimeBase::kNanoseconds);
}

void Player::add(const Event& event) {
  switch (event.kind()) {
    case EventKind::kDefineContainerType:
      return define_type(event, TypeKind::kContainer);
    case EventKind::kDefineStateType:
      return define_type(event, TypeKind::kState);
    case EventKind::kDefineEventType:
      return define_type(event, TypeKind::kEvent);
    case EventKind::kDefineVariableType:
      return define_type(event, TypeKind::kVariable);
    case EventKind::kDefineLinkType:
      return define_type(event, TypeKind::kLink);
    case EventKind::kDefineEntityValue:
      return define_value(event);
    case EventKind::kTraceFile:
      return name_file(event);
    case EventKind::kOther:
      return sink_.loss("event of a kind that Pajé does not have", event.offset());
    default:
      break;
  }
  if (!take_time(event)) return;
  switch (event.kind()) {
    case EventKind::kCreateContainer:
      return create_container(event);
    case EventKind::kDestroyContainer:
      return destroy_container(event);
    case EventKind::kNewEvent:
      return add_punctual(event);
    case EventKind::kSetState:
    case EventKind::kPushState:
    case EventKind::kPopState:
    case EventKind::kResetState:
      return change_state(event);
    case EventKind::kSetVariable:
    case EventKind::kAddVariable:
    case EventKind::kSubVariable:
      return change_variable(event);
    default:
      return add_link_end(event);
  }
}

void Player::finish() {
  for (Container& container : containers_) {
    for (auto& [type, states] : container.states) {
      for (const OpenState& state : states) {
        sink_.note("state without an end", {state.offset, container.lane, state.begin});
      }
      end_states(container.lane, states, 0, last_);
    }
  }
  give_waiting();
}

// ---- definitions

void Player::define_type(const Event& event, TypeKind kind) {
  std::string_view name = event[Field::kName];
  std::string_view alias = event[Field::kAlias];
  if (name.empty()) name = alias;
  if (alias.empty()) alias = name;
  if (name.empty()) return sink_.loss("type without a name", event.offset());
  const auto id = static_cast<uint32_t>(types_.size());
  types_.push_back({kind, valid_utf8(name), parse_color(event[Field::kColor]), {}});
  type_by_name_.insert_or_assign(alias, id);
  type_by_name_.try_emplace(name, id);
}

void Player::define_value(const Event& event) {
  const auto* const it = type_by_name_.find(event[Field::kType]);
  if (it == nullptr) return sink_.loss("value of an unknown type", event.offset());
  Type& type = types_[it->second];
  std::string_view name = event[Field::kName];
  if (name.empty()) name = event[Field::kAlias];
  if (type.kind == TypeKind::kContainer) return sink_.loss("value of a container", event.offset());
  const EventTypeId id = type_of(type, name);
  if (!event[Field::kAlias].empty()) type.values.insert_or_assign(event[Field::kAlias], id);
  if (const auto rgb = parse_color(event[Field::kColor])) sink_.set_type_color(id, *rgb);
}

// ---- containers

void Player::create_container(const Event& event) {
  std::string_view name = event[Field::kName];
  std::string_view alias = event[Field::kAlias];
  if (name.empty()) name = alias;
  if (alias.empty()) alias = name;
  if (name.empty()) return sink_.loss("container without a name", event.offset());
  LaneId parent = LaneId::none();
  const auto id = static_cast<uint32_t>(containers_.size());
  if (const std::string_view within = event[Field::kContainer]; !is_root(within)) {
    if (!find_container(event, within)) return;
    parent = containers_[container_].lane;
    containers_[container_].inner.push_back(id);
  }
  const auto* const type = type_by_name_.find(event[Field::kType]);
  const std::string_view type_name =
      type == nullptr ? event[Field::kType] : types_[type->second].name;
  const LaneId lane =
      sink_.add_lane({.name = valid_utf8(name), .parent = parent, .kind = lane_kind(type_name)});
  add_container(lane);
  container_by_name_.insert_or_assign(alias, id);
  container_by_name_.try_emplace(name, id);
  name_file(event);
}

uint32_t Player::add_container(LaneId lane) {
  containers_.emplace_back(lane, &memory_);
  return static_cast<uint32_t>(containers_.size() - 1);
}

// A container's events may lie in a separate file; writers without one give "0".
void Player::name_file(const Event& event) {
  for (const Shape::Extra& extra : event.extras()) {
    const std::string_view file = event[extra];
    const bool is_name = extra.name == "FileName" || extra.name == "Filename";
    if (is_name && !file.empty() && file != "0") on_file_(file, event.offset());
  }
}

void Player::destroy_container(const Event& event) {
  std::string_view name = event[Field::kName];
  if (name.empty()) name = event[Field::kContainer];
  if (!find_container(event, name)) return;
  // It stays known, and what is in it: links may still end there.
  std::vector<uint32_t> ended{container_};
  for (size_t i = 0; i < ended.size(); ++i) {
    Container& container = containers_[ended[i]];
    for (auto& [type, states] : container.states) end_states(container.lane, states, 0, now_);
    container.destroyed = now_;
    // They end but once.
    for (const uint32_t inner : std::exchange(container.inner, {})) ended.push_back(inner);
  }
}

// ---- events

void Player::add_punctual(const Event& event) {
  if (!find_both(event, TypeKind::kEvent)) return;
  sink_.give(trace::PunctualEvent{.time = now_,
                                  .params = params_of(event),
                                  .lane = containers_[container_].lane,
                                  .type = type_of(types_[type_], event[Field::kValue])});
}

void Player::change_state(const Event& event) {
  if (!find_both(event, TypeKind::kState)) return;
  Container& container = containers_[container_];
  std::vector<OpenState>& states = container.states[type_];
  const trace::LossPlace here{event.offset(), container.lane, now_};
  if (event.kind() == EventKind::kPopState) {
    if (states.empty()) return sink_.loss("end of a state that never began", here);
    return end_states(container.lane, states, states.size() - 1, now_);
  }
  if (event.kind() != EventKind::kPushState) end_states(container.lane, states, 0, now_);
  if (event.kind() == EventKind::kResetState) return;
  if (states.size() >= kMostDepth) return sink_.loss("states nested too deep", here);
  states.push_back(
      {now_, type_of(types_[type_], event[Field::kValue]), params_of(event), event.offset()});
}

void Player::change_variable(const Event& event) {
  if (!find_both(event, TypeKind::kVariable)) return;
  const auto given = parse_number<double>(event[Field::kValue]);
  if (!given) return sink_.loss("value that is not a number", event.offset());
  double& value = containers_[container_].variables[type_];
  switch (event.kind()) {
    case EventKind::kAddVariable:
      value += *given;
      break;
    case EventKind::kSubVariable:
      value -= *given;
      break;
    default:
      value = *given;
      break;
  }
  sink_.give(trace::VariableSample{.time = now_,
                                   .value = value,
                                   .params = params_of(event),
                                   .lane = containers_[container_].lane,
                                   .type = type_of(types_[type_], {})});
}

void Player::add_link_end(const Event& event) {
  const bool is_start = event.kind() == EventKind::kStartLink;
  const Field lane_field = is_start ? Field::kStartContainer : Field::kEndContainer;
  if (!find_type(event, TypeKind::kLink) || !find_container(event, event[lane_field])) return;
  LinkEnd end{is_start,
              now_,
              containers_[container_].lane,
              type_of(types_[type_], event[Field::kValue]),
              std::string(extras_of(event)),
              event.offset()};
  key_.assign(reinterpret_cast<const char*>(&type_), sizeof type_);
  key_.append(event[Field::kContainer]).append(1, '\0').append(event[Field::kKey]);
  const auto it = waiting_.find(key_);
  if (it != waiting_.end() && it->second.front().is_start != is_start) {
    std::list<LinkEnd>& others = it->second;
    const LinkEnd other = std::move(others.front());
    others.pop_front();
    if (others.empty()) waiting_.erase(it);
    --waiting_count_;
    waiting_bytes_ -= kBytesOfWaiting + key_.size() + other.extras.size();
    const std::string_view key = event[Field::kKey];
    return is_start ? give_link(key, &end, &other) : give_link(key, &other, &end);
  }
  const size_t bytes = kBytesOfWaiting + key_.size() + end.extras.size();
  if (waiting_bytes_ + bytes > most_waiting_bytes_ && waiting_count_ > 0) {
    sink_.loss("link whose other end was no longer waited for", event.offset(), waiting_count_);
    give_waiting();
  }
  waiting_[key_].push_back(std::move(end));
  ++waiting_count_;
  waiting_bytes_ += bytes;
}

// ---- parts

bool Player::take_time(const Event& event) {
  const auto time = event.time();
  if (!time) {
    sink_.loss("event without a time", event.offset());
    return false;
  }
  now_ = *time;
  last_ = has_time_ ? std::max(last_, now_) : now_;
  has_time_ = true;
  return true;
}

bool Player::find_type(const Event& event, TypeKind kind) {
  const std::string_view name = event[Field::kType];
  if (last_type_ == nullptr || last_type_->first != name) last_type_ = type_by_name_.find(name);
  const bool is_known = last_type_ != nullptr;
  if (is_known && types_[last_type_->second].kind == kind) {
    type_ = last_type_->second;
    return true;
  }
  sink_.loss(is_known ? "event of a type of another kind" : "event of an unknown type",
             event.offset());
  return false;
}

bool Player::find_container(const Event& event, std::string_view name) {
  if (last_container_ == nullptr || last_container_->first != name)
    last_container_ = container_by_name_.find(name);
  if (last_container_ != nullptr) {
    container_ = last_container_->second;
    return true;
  }
  if (!is_root(name)) {
    sink_.loss("event of an unknown container", event.offset());
    return false;
  }
  // The root has a lane where something happens on it.
  container_ = add_container(sink_.add_lane({.name = "root"}));
  for (const std::string_view root : kRoots) container_by_name_.try_emplace(root, container_);
  return true;
}

bool Player::find_both(const Event& event, TypeKind kind) {
  if (!find_type(event, kind) || !find_container(event, event[Field::kContainer])) return false;
  const Container& container = containers_[container_];
  if (container.destroyed && now_ > *container.destroyed)
    sink_.note("event of a container that was destroyed", {event.offset(), container.lane, now_});
  return true;
}

EventTypeId Player::type_of(Type& type, std::string_view value) {
  if (const auto* const it = type.values.find(value)) return it->second;
  const trace::Category category = category_of_kind(static_cast<size_t>(type.kind));
  const EventTypeId id = value.empty() ? sink_.type(category, type.name)
                                       : sink_.type(category, valid_utf8(value), type.name);
  if (type.rgb) sink_.set_type_color(id, *type.rgb);
  type.values.try_emplace(value, id);
  return id;
}

void Player::separate() {
  if (json_.size() > 1) json_ += ',';
}

void Player::append_member(std::string_view name, std::string_view value, bool is_number) {
  separate();
  json::append_quoted(json_, valid_utf8(name));
  json_ += ':';
  if (const auto number = is_number ? parse_number<int64_t>(value) : std::nullopt) {
    fmt::format_to(std::back_inserter(json_), "{}", *number);
  } else if (const auto real = is_number ? parse_number<double>(value) : std::nullopt) {
    fmt::format_to(std::back_inserter(json_), "{}", *real);
  } else {
    json::append_quoted(json_, valid_utf8(value));
  }
}

std::string_view Player::extras_of(const Event& event) {
  json_ = '{';
  for (const Shape::Extra& extra : event.extras())
    append_member(extra.name, event[extra], extra.is_number);
  return std::string_view(json_).substr(1);
}

ParamsId Player::params_from_json() {
  return json_.size() == 1 ? ParamsId::none() : sink_.params(json_ += '}');
}

ParamsId Player::params_of(const Event& event) {
  (void)extras_of(event);
  return params_from_json();
}

ParamsId Player::params_of_link(std::string_view key, const LinkEnd* start, const LinkEnd* end) {
  const std::string_view sent = start != nullptr ? start->extras : std::string_view();
  const std::string_view received = end != nullptr ? end->extras : std::string_view();
  json_ = '{';
  if (!key.empty()) append_member("key", key, false);
  if (!sent.empty()) {
    separate();
    json_ += sent;
  }
  if (!received.empty() && received != sent) {
    separate();
    fmt::format_to(std::back_inserter(json_), "\"end\":{{{}}}", received);
  }
  return params_from_json();
}

void Player::end_states(LaneId lane, std::vector<OpenState>& states, size_t depth, Time end) {
  for (size_t i = depth; i < states.size(); ++i) {
    const OpenState& open = states[i];
    if (end < open.begin)
      sink_.loss("state that ends before it begins", {open.offset, lane, open.begin});
    sink_.give(trace::StateEvent{.begin = open.begin,
                                 .duration = std::max(end, open.begin) - open.begin,
                                 .params = open.params,
                                 .lane = lane,
                                 .type = open.type,
                                 .nesting = static_cast<uint32_t>(i)});
  }
  states.erase(states.begin() + static_cast<ptrdiff_t>(depth), states.end());
}

void Player::give_link(std::string_view key, const LinkEnd* start, const LinkEnd* end) {
  trace::LinkEvent link{.send = {},
                        .receive = {},
                        .params = params_of_link(key, start, end),
                        .type = (start != nullptr ? start : end)->type};
  if (end != nullptr) {
    link.receive = end->time;
    link.target = end->lane;
  }
  if (start != nullptr) {
    link.send = start->time;
    link.source = start->lane;
  }
  sink_.give(link);
}

void Player::give_waiting() {
  struct Alone {
    std::string_view key;
    const LinkEnd* end;
  };
  std::vector<Alone> ends;
  for (const auto& [name, waiting] : waiting_) {
    const std::string_view key = std::string_view(name).substr(name.find('\0', sizeof type_) + 1);
    for (const LinkEnd& end : waiting) ends.push_back({key, &end});
  }
  std::ranges::sort(ends, {}, [](const Alone& alone) { return alone.end->offset; });
  for (const auto& [key, end] : ends) {
    sink_.loss(end->is_start ? "link without an end" : "link without a start",
               {end->offset, end->lane, end->time});
    give_link(key, end->is_start ? end : nullptr, end->is_start ? nullptr : end);
  }
  waiting_.clear();
  waiting_count_ = waiting_bytes_ = 0;
}

}  // namespace weft::formats::paje
