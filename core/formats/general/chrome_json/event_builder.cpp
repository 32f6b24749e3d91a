#include "core/formats/general/chrome_json/event_builder.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "core/formats/base/json_text.h"
#include "core/formats/base/text.h"
#include "core/formats/general/chrome_json/colors.h"
#include "core/formats/general/chrome_json/memory_dump.h"
#include "core/formats/kernel/ftrace/scheduler.h"

namespace weft::formats::chrome_json {
namespace {

using trace::Category;

// Flow ends that wait on one lane for its next state: a bound on what a hostile lane can cost.
constexpr uint32_t kMostWaiting = 256;

uint64_t hash_of(const Ident& ident, uint64_t hash) {
  hash = json::mix(hash, static_cast<uint64_t>(ident.number));
  return ident.text.empty() ? hash : json::mix(hash, json::hash_text(ident.text));
}

// Texts may have a sign, or no digit before the point: "+10.5", ".75".
std::optional<double> number_from(const json::RawValue& value) {
  std::string_view text = value.inner();
  const bool has_plus = text.starts_with('+');
  if (has_plus) text.remove_prefix(1);
  const bool is_number =
      !text.empty() && (is_digit(text[0]) || text[0] == '.' || (text[0] == '-' && !has_plus));
  return is_number ? parse_number<double>(text) : std::nullopt;
}

bool are_numbers(const json::RawValue& args) {
  if (!args.is_object()) return false;
  bool has_any = false, has_others = false;
  json::for_each_member(args.text, [&](const json::RawString&, const json::RawValue& value) {
    (number_from(value) ? has_any : has_others) = true;
  });
  return has_any && !has_others;
}

// Metadata with a time of its own, of a name that the format does not know, is something that
// happened. Chrome and Node give times to metadata that they mark by its category.
bool is_event(const RawEvent& metadata) {
  const std::string_view name = metadata.name.text;
  const bool is_about_lane = name.starts_with("process_") || name.starts_with("thread_");
  return metadata.ts_field == TimeField::kOk && metadata.ts.nearest() > Time{} && !is_about_lane &&
         metadata.category.text != "__metadata";
}

// The value of a member, which the event has no longer; empty where it has none.
json::RawValue take_extra(RawEvent& event, std::string_view name) {
  std::vector<Extra>& extras = event.rare.extras;
  const auto it = std::ranges::find(extras, name, [](const Extra& e) { return e.name.text; });
  if (it == extras.end()) return {};
  const json::RawValue value = it->value;
  extras.erase(it);
  return value;
}

}  // namespace

void EventBuilder::add(const RawEvent& event, uint64_t offset) {
  event_ = &event;
  offset_ = offset;
  if (event.is_key_repeated) lose(LossKind::kRepeatedKey);
  phase_ = event.phase != 0 ? event.phase : default_phase_;
  switch (phase_) {
    case 'X':
      return add_complete(LaneRole::kThread);
    case 'B':
      return add_begin();
    case 'E':
      return add_end();
    case 'i':
    case 'I':
    case 'R':
    case 'P':
    case 'c':
    case 'V':
    case '(':
    case ')':
    case '=':
      return add_instant();
    case 'v':
      return add_memory_dump();
    case 'C':
      return add_counter();
    case 's':
    case 't':
    case 'f':
      return add_flow();
    case 'b':
    case 'n':
    case 'S':
    case 'p':
    case 'N':
    case 'O':
      return add_async(false);
    case 'T':
      return event.category.text == "thread_state" && event.dur_field != TimeField::kAbsent
                 ? add_thread_state()
                 : add_async(false);
    case 'e':
    case 'F':
    case 'D':
      return add_async(true);
    case 'M':
      return add_metadata();
    case 0:  // writers begin or end their arrays with {}, so that commas are simple
      return event.is_empty ? void() : lose(LossKind::kNoPhase);
    default:
      return lose(LossKind::kUnknownPhase);
  }
}

// ---- States

void EventBuilder::add_complete(LaneRole role) {
  const RawEvent& e = *event_;
  Time begin;
  if (!time(begin)) return;
  Time end = begin;
  switch (e.dur_field) {
    case TimeField::kOk:
      end = (e.ts + e.dur).nearest();
      break;
    case TimeField::kOutOfRange:
      return lose(LossKind::kTimeRange);
    case TimeField::kNoNumber:
    case TimeField::kAbsent:
      break;
  }
  if (!e.dur.is_exact() && e.ts.is_exact()) lose(LossKind::kRounded);
  const uint32_t on = role == LaneRole::kThread ? thread_lane() : lane(role);
  if (e.dur_field == TimeField::kNoNumber) lose(LossKind::kBadDuration, on, begin);
  if (end < begin) {
    lose(LossKind::kNegativeDuration, on, begin);
    end = begin;
  }
  const bool is_cut = end == Time::max() && saturating_sub(end.ticks, e.ts.ns) < e.dur.ns;
  if (is_cut) lose(LossKind::kEndRange, on, begin);
  const uint32_t order = note_begin(on, begin);
  results_.last_time = std::max(results_.last_time, end);
  if (e.dur_field == TimeField::kAbsent) {
    lose(LossKind::kNoDuration, on, begin);
    const unsigned home = add_bound_flow(begin, on) ? Home::kFlowHome : 0u;
    results_.unfinished.push_back({begin, order, on, type(Category::kState), params(home)});
    return;
  }
  unsigned home = is_cut ? 0u : Home::kDurationHome;
  if (!e.is_plain) {
    if (add_bound_flow(begin, on)) home |= Home::kFlowHome;
    if (wait_for_stack(Category::kState, begin, end - begin, order, on, home)) return;
  }
  results_.complete.push_back({.begin = begin,
                               .duration = end - begin,
                               .params = ParamsId(params(home)),
                               .lane = LaneId(on),
                               .type = EventTypeId(type(Category::kState)),
                               .nesting = order});
}

// What the scheduler did with a thread, as Perfetto reads it: "Running", or the letters that ftrace
// prints ("R+", "D|K").
void EventBuilder::add_thread_state() {
  constexpr size_t kMostLetters = 3;
  const RawEvent& written = *event_;
  RawEvent state = written;
  if (state.name.text == "Running") {
    state.name = raw("running");
  } else if (state.name.text.size() <= kMostLetters) {
    state.name = raw(ftrace::name_of_task_state(state.name.text));
  }
  state.category = raw("scheduler");
  event_ = &state;
  const size_t before = results_.complete.size();
  add_complete(LaneRole::kScheduler);
  event_ = &written;
  if (results_.complete.size() == before) return;
  uint32_t& rgb = results_.types[results_.complete.back().type.value()].rgb;
  if (rgb == trace::EventType::kNoColor) rgb = ftrace::rgb_of_task_state(state.name.text);
}

void EventBuilder::add_begin() {
  Time begin;
  if (!time(begin)) return;
  const uint32_t on = thread_lane();
  const uint32_t order = note_begin(on, begin);
  const uint32_t of = type(Category::kState);
  const uint32_t with = params(add_bound_flow(begin, on) ? Home::kFlowHome : 0u);
  ChunkLane& lane = results_.lanes[on];
  results_.note_pair(lane, begin);
  results_.has_stacks |= !event_->rare.stack_frame.text.empty();
  results_.begins.push_back({begin, offset_, order, on, of, with, lane.top, false});
  lane.top = static_cast<uint32_t>(results_.begins.size() - 1);
  ++lane.open;
}

void EventBuilder::add_end() {
  Time end;
  if (!time(end)) return;
  const uint32_t on = thread_lane();
  const uint32_t with = params(0);
  ChunkLane& lane = results_.lanes[on];
  results_.note_pair(lane, end);
  results_.has_stacks |= !event_->rare.stack_frame.text.empty();
  const bool is_begun = lane.top != kNoIndex;
  if (!is_begun) ++lane.early_ends;
  if (!is_begun || lists_pairs_) {
    results_.ends.push_back({end, offset_, event_->name.text, on, with});
    return;
  }
  const std::string_view begin_name = results_.types[results_.begins[lane.top].type].type->raw_name;
  if (!event_->name.text.empty() && event_->name.text != begin_name) lose(LossKind::kOtherName);
  pair(lane, end, with);
}

void EventBuilder::pair(ChunkLane& lane, Time end, uint32_t end_params) {
  OpenBegin& begin = results_.begins[lane.top];
  begin.is_ended = true;
  lane.top = begin.below;
  --lane.open;
  lane.last_end = end;
  results_.paired.push_back({.begin = begin.time,
                             .duration = end - begin.time,
                             .params = ParamsId(params_.merged(begin.params, end_params)),
                             .lane = LaneId(begin.lane),
                             .type = EventTypeId(begin.type),
                             .nesting = lane.open});
  results_.early_ends_before.push_back(lane.early_ends);
}

// The state's number; flow ends that wait on the lane land on it.
uint32_t EventBuilder::note_begin(uint32_t on, Time begin) {
  ChunkLane& lane = results_.lanes[on];
  lane.last_begin = begin;
  if (lane.waiting_flow == kNoIndex) return results_.states++;
  uint32_t* link = &lane.waiting_flow;
  while (*link != kNoIndex) {
    KeyedEvent& flow = results_.keyed[*link];
    if (begin < flow.time) {
      link = &flow.next_waiting;
    } else {
      flow.next_begin = begin;
      *link = flow.next_waiting;
      --lane.waiting_flows;
    }
  }
  return results_.states++;
}

// ---- Instants and samples

// In the array "samples", whose threads are the system's.
bool EventBuilder::is_of_no_process() const {
  return default_phase_ == 'P' && event_->pid == Ident{};
}

void EventBuilder::add_instant() {
  const RawEvent& e = *event_;
  Time at;
  if (!time(at)) return;
  const bool is_global = e.rare.scope == 'g';
  const LaneRole role = is_global             ? LaneRole::kGlobal
                        : e.rare.scope == 'p' ? LaneRole::kProcess
                        : is_of_no_process()  ? LaneRole::kSampledThread
                                              : LaneRole::kThread;
  const bool is_known_scope = is_global || e.rare.scope == 'p' || e.rare.scope == 't';
  unsigned home = 0;
  if (is_known_scope) home |= Home::kScopeHome;
  if (is_global || role == LaneRole::kProcess) home |= Home::kTidApart;
  if (is_global) home |= Home::kPidApart;
  const uint32_t on = lane(role);
  if (wait_for_stack(Category::kPunctual, at, {}, 0, on, 0)) return;
  results_.punctuals.push_back({.time = at,
                                .params = ParamsId(params(home)),
                                .lane = LaneId(on),
                                .type = EventTypeId(type(Category::kPunctual))});
}

// An event as it is written, and what is used in all as variables of its process.
void EventBuilder::add_memory_dump() {
  add_instant();
  const RawEvent& e = *event_;
  if (e.ts_field != TimeField::kOk) return;
  for_each_size(e.args, [&](const json::RawString& name, uint64_t bytes) {
    results_.samples.push_back(
        {.time = e.ts.nearest(),
         .value = static_cast<double>(bytes),
         .params = ParamsId(kNoIndex),
         .lane = LaneId(lane(LaneRole::kCounter, "memory [bytes]")),
         .type = EventTypeId(type(Category::kVariable, name, raw("memory")))});
  });
}

void EventBuilder::add_counter() {
  const RawEvent& e = *event_;
  Time at;
  if (!time(at)) return;
  // Members that are not numbers are kept as parameters of the first sample.
  std::string others;
  const size_t first = results_.samples.size();
  bool is_repaired = false;
  const std::string_view name = decoded(e.name, is_repaired);
  const json::DecodedText id = json::decode_string(e.rare.id.inner());
  if (is_repaired || id.is_repaired) lose(LossKind::kInvalidText);
  // As for instants, the scope "t" assigns it to the thread: Weftscope's own export does so, with
  // an id for other programs, and has parameters beside the arguments, each number of which is a
  // variable.
  const bool is_of_thread = e.rare.scope == 't';
  const uint32_t on =
      is_of_thread ? thread_lane()
                   : lane(LaneRole::kCounter,
                          id.text.empty() ? name : stable(fmt::format("{} [{}]", name, id.text)));
  if (e.args.is_object()) {
    json::for_each_member(
        e.args.text, [&](const json::RawString& series, const json::RawValue& value) {
          const auto number = number_from(value);
          if (!number) {
            others.append(others.empty() ? "{\"" : ",\"").append(series.text).append("\":");
            json::append_compact(others, value);
            return;
          }
          const uint32_t variable = type(Category::kVariable, series, e.category);
          results_.samples.push_back({.time = at,
                                      .value = *number,
                                      .params = ParamsId(kNoIndex),
                                      .lane = LaneId(on),
                                      .type = EventTypeId(variable)});
        });
  }
  if (results_.samples.size() == first) return lose(LossKind::kBadCounter);
  if (others.empty() && e.is_plain && !e.has_tid) return;
  RawEvent rest = e;
  rest.args = is_of_thread && others.empty() ? take_extra(rest, "params") : json::RawValue{};
  if (!others.empty()) others += '}';
  others.resize(others.size() + json::kTextPadding, '\0');
  rest.is_plain = false;
  if (others[0] == '{') {
    json::Cursor cursor(others.data());
    cursor.value(rest.args);
  }
  const unsigned home =
      is_of_thread ? Home::kScopeHome | Home::kIdHome : Home::kTidApart | Home::kIdHome;
  results_.samples[first].params = ParamsId(params_.of(rest, offset_, home));
}

// ---- Events that meet others

void EventBuilder::add_flow() {
  const RawEvent& e = *event_;
  const uint32_t on = thread_lane();
  if (!add_keyed(on, type(Category::kLink), Home::kBindHome)) return;
  KeyedEvent& flow = results_.keyed.back();
  flow.binds_enclosing = flow.phase != 'f' || e.rare.bind == 'e';
  flow.last_begin = results_.lanes[on].last_begin;
  if (flow.binds_enclosing || flow.last_begin == flow.time) return;
  ChunkLane& lane = results_.lanes[on];
  if (lane.waiting_flows >= kMostWaiting) return;
  ++lane.waiting_flows;
  flow.next_waiting = lane.waiting_flow;
  lane.waiting_flow = static_cast<uint32_t>(results_.keyed.size() - 1);
}

// A state with "bind_id" is a point of a flow itself: "flow_out" leaves it, "flow_in" arrives, both
// make it a step. It counts from its begin, because its end may lie behind what it set off. Returns
// false if the event says no direction.
bool EventBuilder::add_bound_flow(Time begin, uint32_t on) {
  const RawEvent& e = *event_;
  json::RawValue id;
  bool arrives = false;
  bool leaves = false;
  for (const Extra& extra : e.rare.extras) {
    const bool is_true = extra.value.text == "true" || extra.value.text == "1";
    if (extra.name.text == "bind_id") id = extra.value;
    if (extra.name.text == "flow_in") arrives = is_true;
    if (extra.name.text == "flow_out") leaves = is_true;
  }
  if (id.text.empty() || (id.traits & json::kIsDeep) != 0 || !(arrives || leaves)) return false;
  results_.keyed.push_back({.phase = arrives && leaves ? 't'
                                     : leaves          ? 's'
                                                       : 'f',
                            .is_local_id = false,
                            .binds_enclosing = true,
                            .is_bound = true,
                            .time = begin,
                            .last_begin = Time::min(),
                            .next_begin = Time::max(),
                            .offset = offset_,
                            .name = {},
                            .category = {},
                            .id = id.inner(),
                            .lane = on,
                            .type = type(Category::kLink),
                            .params = params_.of_member(e, offset_, R"("bind_id")", id),
                            .next_waiting = kNoIndex});
  return true;
}

void EventBuilder::add_async(bool is_end) {
  const char phase = event_->phase;
  const bool is_state = phase == 'b' || phase == 'S' || phase == 'N';
  const bool is_step = phase == 'T' || phase == 'p';  // of what type depends on what is open
  const bool has_type = !is_step && (!is_end || phase == 'D');
  const uint32_t of = has_type ? type(is_state ? Category::kState : Category::kPunctual) : kNoIndex;
  add_keyed(lane(LaneRole::kProcess), of, Home::kTidApart);
}

bool EventBuilder::add_keyed(uint32_t on, uint32_t of, unsigned home) {
  const RawEvent& e = *event_;
  Time at;
  if (!time(at)) return false;
  bool is_repaired = false;  // counted with the type, where there is one
  const std::string_view name = decoded(e.name, is_repaired);
  const std::string_view category = decoded(e.category, is_repaired);
  if (is_repaired && of == kNoIndex) lose(LossKind::kInvalidText);
  std::string_view id = e.rare.id.inner();
  bool is_local = false;
  if (e.rare.id2.is_object()) {
    json::for_each_member(e.rare.id2.text,
                          [&](const json::RawString& where, const json::RawValue& value) {
                            is_local = where.text == "local";
                            id = value.inner();
                          });
  }
  if (!e.rare.id_scope.text.empty()) {
    id = stable(fmt::format("{}\n{}", e.rare.id_scope.inner(), id));
  }
  results_.keyed.push_back({.phase = e.phase,
                            .is_local_id = is_local,
                            .binds_enclosing = true,
                            .is_bound = false,
                            .time = at,
                            .last_begin = Time::min(),
                            .next_begin = Time::max(),
                            .offset = offset_,
                            .name = name,
                            .category = category,
                            .id = id,
                            .lane = on,
                            .type = of,
                            .params = params(home),
                            .next_waiting = kNoIndex});
  return true;
}

void EventBuilder::add_metadata() {
  const RawEvent& e = *event_;
  if (is_event(e)) return are_numbers(e.args) ? add_counter() : add_instant();
  std::string json;
  if (e.args.is_object() && json::append_compact(json, e.args)) lose(LossKind::kInvalidText);
  bool is_repaired = false;
  const std::string_view name = decoded(e.name, is_repaired);
  if (is_repaired) lose(LossKind::kInvalidText);
  const bool is_about_thread = name.starts_with("thread_");
  const uint32_t on = lane(is_about_thread ? LaneRole::kThread : LaneRole::kProcess);
  results_.metadata.push_back({name, stable(json), on, offset_});
}

bool EventBuilder::wait_for_stack(Category category, Time at, Duration duration, uint32_t order,
                                  uint32_t on, unsigned home) {
  const bool has_end_stack =
      std::ranges::any_of(event_->rare.extras, [](const Extra& e) { return e.name.text == "esf"; });
  if (event_->rare.stack_frame.text.empty() && !has_end_stack) return false;
  results_.stack_events.push_back({category, at, duration, order, on, type(category),
                                   params(home | Home::kDurationHome),
                                   event_->rare.stack_frame.inner(), phase_ == 'P'});
  return true;
}

// ---- Fields

bool EventBuilder::time(Time& out) {
  if (event_->ts_field != TimeField::kOk) {
    lose_time();
    return false;
  }
  if (!event_->ts.is_exact()) lose(LossKind::kRounded);
  out = event_->ts.nearest();
  results_.last_time = std::max(results_.last_time, out);
  return true;
}

void EventBuilder::lose_time() {
  switch (event_->ts_field) {
    case TimeField::kOk:
      break;
    case TimeField::kAbsent:
      return lose(LossKind::kNoTime);
    case TimeField::kNoNumber:
      return lose(LossKind::kBadTime);
    case TimeField::kOutOfRange:
      return lose(LossKind::kTimeRange);
  }
}

uint32_t EventBuilder::thread_lane() {
  const Ident& pid = event_->pid;
  const Ident& tid = event_->tid;
  if (!pid.text.empty() || !tid.text.empty()) return lane(LaneRole::kThread);
  const auto low_bits = static_cast<size_t>(tid.number + 31 * pid.number) % kRecentThreads;
  RecentThread& recent = recent_threads_[low_bits];
  if (recent.lane == kNoIndex || recent.tid != tid.number || recent.pid != pid.number) {
    recent = {pid.number, tid.number, lane(LaneRole::kThread)};
  }
  return recent.lane;
}

uint32_t EventBuilder::lane(LaneRole role, std::string_view counter) {
  const Ident pid = role == LaneRole::kGlobal ? Ident{} : event_->pid;
  const bool is_of_thread =
      role == LaneRole::kThread || role == LaneRole::kSampledThread || role == LaneRole::kScheduler;
  const Ident tid = is_of_thread ? event_->tid : Ident{};
  uint64_t hash = hash_of(tid, hash_of(pid, json::hash_seed() + static_cast<uint64_t>(role)));
  if (!counter.empty()) hash = json::mix(hash, json::hash_text(counter));
  bool is_new = false;
  auto& lanes = results_.lanes;
  const uint32_t index = results_.lane_index.find_or_add(
      hash,
      [&](uint32_t i) {
        const ChunkLane& l = lanes[i];
        return l.tid == tid && l.pid == pid && l.role == role && l.counter == counter;
      },
      is_new);
  if (is_new) {
    lanes.push_back({.role = role, .pid = pid, .tid = tid, .counter = counter, .hash = hash});
  }
  return index;
}

uint32_t EventBuilder::type(Category category) {
  static constexpr char kPadded[json::kTextPadding] =
      "sample";  // like the file's: compared in blocks
  constexpr std::string_view kSample(kPadded);
  json::RawString name = event_->name;
  if (phase_ == 'P' && name.text.empty())
    name = {.text = kSample, .hash = json::hash_text(kSample)};
  const uint32_t index = type(category, name, event_->category);
  if (event_->rare.color.text.empty()) return index;
  uint32_t& rgb = results_.types[index].rgb;
  if (rgb == trace::EventType::kNoColor) rgb = rgb_from_name(event_->rare.color.inner());
  return index;
}

uint32_t EventBuilder::type(Category category, const json::RawString& name,
                            const json::RawString& group) {
  TypeTable& table = *results_.table;
  const uint32_t index = table.use(category, name, group, results_.types);
  if (table.has_repaired() && results_.types[index].type->is_repaired) lose(LossKind::kInvalidText);
  return index;
}

// As if it were written in the input.
json::RawString EventBuilder::raw(std::string_view text) {
  const std::string_view kept = stable(text);
  return {.text = kept, .hash = json::hash_text(kept)};
}

std::string_view EventBuilder::decoded(const json::RawString& raw, bool& is_repaired) {
  if ((raw.traits & (json::kHasEscape | json::kHasNonAscii)) == 0) return raw.text;
  const json::DecodedText text = json::decode_string(raw.text);
  is_repaired |= text.is_repaired;
  return stable(text.text);
}

}  // namespace weft::formats::chrome_json
