#include "core/formats/general/chrome_json/committer.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "core/formats/base/json_text.h"
#include "core/formats/base/text.h"
#include "core/formats/general/chrome_json/fuchsia_kernel.h"
#include "core/formats/kernel/ftrace/ftrace_text.h"

namespace weft::formats::chrome_json {
namespace {

constexpr size_t kMostStackDepth = 256;
// To find the outermost frames of a deeper stack.
constexpr size_t kMostFramesWalked = 1 << 12;

template <class Id>
Id mapped(const std::vector<Id>& ids, uint64_t number) {
  return number == kNoIndex ? Id::none() : ids[number];
}

}  // namespace

std::string join_params(std::string_view first, std::string_view second) {
  if (second.empty() || first == second) return std::string(first);
  if (first.empty()) return std::string(second);
  return json::merge_objects(first, second);
}

Committer::Committer(trace::EventSink& sink, uint64_t memory_bytes)
    : sink_(sink),
      output_(sink),
      waiting_memory_(memory_bytes),
      lanes_(sink),
      stacks_(output_, waiting_memory_),
      async_(lanes_, output_, waiting_memory_),
      flows_(output_, waiting_memory_),
      most_held_bytes_(memory_bytes / 4) {}

// Events of Weftscope's own export that describe a thread's lane and the types on it.
constexpr std::string_view kLaneEvent = "thread_lane", kColorEvent = "thread_type_color";

void Committer::place_lane(const MetadataEvent& event, const ChunkLane& thread) {
  trace::Lane lane;
  std::optional<Ident> parent;
  json::for_each_member(event.args, [&](const json::RawString& name, const json::RawValue& value) {
    const std::string text = json::decode_string(value.inner()).text;
    if (name.text == "name") lane.name = text;
    if (name.text == "parent") parent = ident_from(value);
    if (name.text == "sort_index") lane.sort_index = parse_number<int32_t>(text).value_or(0);
    for (const trace::LaneKind kind : trace::kLaneKinds)
      if (name.text == "kind" && text == name_of(kind)) lane.kind = kind;
  });
  lanes_.place(thread.pid, thread.tid, std::move(lane), parent);
}

// If the hashes of two lanes collide, their order only seems wrong, which costs time.
bool Committer::is_in_order(const ChunkResults& chunk) {
  bool is_in_order = !chunk.is_unordered;
  for (const ChunkLane& lane : chunk.lanes) {
    if (lane.first_pair > lane.last_pair) continue;  // has none
    Time& last = last_pairs_.try_emplace(lane.hash, Time::min()).first->second;
    is_in_order = is_in_order && last <= lane.first_pair;
    last = std::max(last, lane.last_pair);
  }
  return is_in_order;
}

void Committer::give_held() {
  stacks_.end_disorder();
  async_.give_held();
  flows_.give_held();
  output_.flush();
}

void Committer::commit(Chunk& chunk) {
  ChunkResults& results = chunk.results;
  for (const MetadataEvent& event : results.metadata)
    if (event.name == kLaneEvent) place_lane(event, results.lanes[event.lane]);
  map_numbers(results);
  last_time_ = std::max(last_time_, results.last_time);
  output_.has_stacks |= results.has_stacks;
  for (const MetadataEvent& event : results.metadata) commit_metadata(event);
  if (flows_.is_anything_awaited()) land_flows(results);
  commit_states(results);
  commit_instants(results);
  commit_keyed(results);
  commit_stack_events(results);
  for (const UnfinishedState& u : results.unfinished) {
    unfinished_.push_back(
        {u.begin, lane_ids_[u.lane], type_ids_[u.type], mapped(params_ids_, u.params)});
  }
  for (size_t i = 0; i < results.lanes.size(); ++i) {
    const Time last = results.lanes[i].last_begin;
    if (last == Time::min()) continue;
    const uint32_t lane = lane_ids_[i].value();
    if (lane >= last_begins_.size()) last_begins_.resize(lane + 1, Time::min());
    last_begins_[lane] = last;
  }
  output_.flush();
  const auto lost = [&](LossKind kind) {
    return results.losses.entries[static_cast<size_t>(kind)].count;
  };
  has_events_ |= !results.lanes.empty() || !results.metadata.empty() ||
                 lost(LossKind::kUnknownPhase) > 0 || lost(LossKind::kMalformed) > 0;
  others_ += lost(LossKind::kNoPhase) + lost(LossKind::kNoTime) + lost(LossKind::kNoObject);
  commit_losses(results.losses);
}

// ---- The chunk's numbers → the sink's

void Committer::map_numbers(ChunkResults& chunk) {
  lane_ids_.clear();
  for (const ChunkLane& lane : chunk.lanes) {
    switch (lane.role) {
      case LaneRole::kGlobal:
        lane_ids_.push_back(lanes_.global());
        break;
      case LaneRole::kProcess:
        lane_ids_.push_back(lanes_.process(lane.pid));
        break;
      case LaneRole::kThread:
        lane_ids_.push_back(lanes_.thread(lane.pid, lane.tid));
        break;
      case LaneRole::kCounter:
        lane_ids_.push_back(lanes_.counter(lane.pid, lane.counter));
        break;
      case LaneRole::kSampledThread:
        lane_ids_.push_back(lanes_.sampled_thread(lane.tid));
        break;
      case LaneRole::kScheduler:
        lane_ids_.push_back(lanes_.scheduler(lane.pid, lane.tid));
        break;
    }
  }
  type_ids_.clear();
  for (const UsedType& used : chunk.types) {
    ChunkType& type = *used.type;
    if (type.id.is_none()) type.id = sink_.type(type.category, type.name, type.group);
    // The first colour in the trace is the type's, wherever chunks end.
    const bool has_color = used.rgb != trace::EventType::kNoColor;
    if (has_color && colored_.insert(type.id).second) sink_.set_type_color(type.id, used.rgb);
    type_ids_.push_back(type.id);
  }
  params_ids_.clear();
  for (const ChunkParams& params : chunk.params) params_ids_.push_back(sink_.params(params.json));
}

template <class Event>
void Committer::renumber(std::vector<Event>& events) const {
  for (Event& e : events) {
    e.lane = lane_ids_[e.lane.value()];
    e.type = type_ids_[e.type.value()];
    e.params = mapped(params_ids_, e.params.value());
  }
}

std::string_view Committer::json_of(const ChunkResults& chunk, uint32_t params) const {
  return params == kNoIndex ? std::string_view() : chunk.params[params].json;
}

// ---- States, instants, samples

void Committer::commit_states(ChunkResults& chunk) {
  if (chunk.is_unordered) {
    put_in_order(chunk);
  } else if (!chunk.ends.empty() || !chunk.begins.empty()) {
    commit_pairs(chunk);
  }
  if (output_.has_stacks) hold_stacked(chunk);
  for (trace::StateEvent& state : chunk.complete) state.nesting = 0;
  renumber(chunk.complete);
  renumber(chunk.paired);
  if (!chunk.complete.empty()) sink_.states(chunk.complete);
  // In the order of their ends, wherever chunks end: it is what is left where times are the same.
  output_.flush();
  if (!chunk.paired.empty()) sink_.states(chunk.paired);
}

// Ends whose begin is in an earlier chunk come first: what the chunk leaves open began after them.
// The nesting of what it pairs itself is the depth of the lane's stack before the chunk, less what
// the chunk had closed of it by then, plus the depth within the chunk.
void Committer::commit_pairs(ChunkResults& chunk) {
  struct LaneDepth {
    size_t before = 0;
    std::vector<uint32_t> closed;  // by the first, the first two, … early ends
  };
  stacks_.end_disorder();
  std::vector<LaneDepth> depths(chunk.lanes.size());
  for (size_t i = 0; i < depths.size(); ++i) depths[i].before = stacks_.depth(lane_ids_[i]);
  for (const OpenEnd& e : chunk.ends) {
    const bool has_closed = stacks_.end(lane_ids_[e.lane], end_of(chunk, e));
    std::vector<uint32_t>& closed = depths[e.lane].closed;
    closed.push_back((closed.empty() ? 0 : closed.back()) + (has_closed ? 1 : 0));
  }
  for (size_t i = 0; i < chunk.paired.size(); ++i) {
    trace::StateEvent& state = chunk.paired[i];
    const LaneDepth& depth = depths[state.lane.value()];
    const uint32_t ends = chunk.early_ends_before[i];
    const uint32_t closed = ends == 0 ? 0 : depth.closed[ends - 1];
    state.nesting += static_cast<uint32_t>(depth.before - closed) + 1;
  }
  for (const OpenBegin& b : chunk.begins)
    if (!b.is_ended) stacks_.begin(lane_ids_[b.lane], begin_of(chunk, b));
  for (size_t i = 0; i < depths.size(); ++i) {
    const Time last = chunk.lanes[i].last_end;
    if (last != Time::min()) stacks_.note_end(lane_ids_[i], last);
  }
}

void Committer::put_in_order(const ChunkResults& chunk) {
  auto b = chunk.begins.begin();
  for (const OpenEnd& e : chunk.ends) {
    for (; b != chunk.begins.end() && b->offset < e.offset; ++b)
      stacks_.put_in_order(lane_ids_[b->lane], begin_of(chunk, *b));
    stacks_.put_in_order(lane_ids_[e.lane], end_of(chunk, e));
  }
  for (; b != chunk.begins.end(); ++b)
    stacks_.put_in_order(lane_ids_[b->lane], begin_of(chunk, *b));
}

StackPairing::Begin Committer::begin_of(const ChunkResults& chunk, const OpenBegin& b) const {
  return {b.time, b.offset, type_ids_[b.type],
          StackPairing::tag_of(chunk.types[b.type].type->raw_name),
          std::string(json_of(chunk, b.params))};
}

StackPairing::End Committer::end_of(const ChunkResults& chunk, const OpenEnd& e) const {
  return {e.time, e.offset, StackPairing::tag_of(e.name), std::string(json_of(chunk, e.params))};
}

void Committer::commit_instants(ChunkResults& chunk) {
  take_profiles(chunk);
  renumber(chunk.punctuals);
  renumber(chunk.samples);
  if (!chunk.punctuals.empty()) sink_.punctuals(chunk.punctuals);
  if (!chunk.samples.empty()) sink_.variables(chunk.samples);
}

// Pieces of V8's CPU profiles become states in the end, if memory allows: until then they are kept.
void Committer::take_profiles(ChunkResults& chunk) {
  std::vector<std::optional<V8Part>> parts(chunk.types.size());  // by the chunk's types
  bool has_parts = false;
  for (size_t number = 0; number < parts.size(); ++number) {
    const ChunkType& type = *chunk.types[number].type;
    parts[number] = v8_part_of(type.name, type.group);
    has_parts |= parts[number].has_value();
  }
  if (!has_parts) return;
  std::erase_if(chunk.punctuals, [&](const trace::PunctualEvent& event) {
    const std::optional<V8Part> part = parts[event.type.value()];
    if (!part) return false;
    const std::string_view params = json_of(chunk, static_cast<uint32_t>(event.params.value()));
    if (held_bytes_ + sizeof(V8Piece) + params.size() > most_held_bytes_) {
      sink_.note("profile too long to keep", trace::LossPlace::nowhere());
      return false;
    }
    held_bytes_ += sizeof(V8Piece) + params.size();
    const uint32_t lane = event.lane.value();
    v8_pieces_.push_back({*part, lanes_.process(chunk.lanes[lane].pid), lane_ids_[lane], event.time,
                          std::string(params)});
    return *part != V8Part::kBegin;
  });
}

// ---- Events that meet others

// Flow ends of earlier chunks land on the first state of this one that begins after them.
void Committer::land_flows(const ChunkResults& chunk) {
  std::vector<bool> is_awaited;
  is_awaited.reserve(lane_ids_.size());
  for (const LaneId lane : lane_ids_) is_awaited.push_back(flows_.is_awaited(lane));
  struct Begun {
    uint32_t order;
    uint32_t lane;
    Time begin;
  };
  std::vector<Begun> states;
  const auto add = [&](uint32_t order, uint32_t lane, Time begin) {
    if (is_awaited[lane]) states.push_back({order, lane, begin});
  };
  for (const auto& s : chunk.complete) add(s.nesting, s.lane.value(), s.begin);
  for (const OpenBegin& b : chunk.begins) add(b.order, b.lane, b.time);
  for (const UnfinishedState& u : chunk.unfinished) add(u.order, u.lane, u.begin);
  for (const StackEvent& e : chunk.stack_events) {
    if (e.category == trace::Category::kState) add(e.order, e.lane, e.time);
  }
  std::ranges::sort(states, {}, &Begun::order);
  for (const Begun& s : states) flows_.land(lane_ids_[s.lane], s.begin);
}

void Committer::commit_keyed(const ChunkResults& chunk) {
  for (const KeyedEvent& event : chunk.keyed) {
    const std::string_view json = json_of(chunk, event.params);
    if (event.phase == 's' || event.phase == 't' || event.phase == 'f') {
      commit_flow(chunk, event, json);
    } else {
      async_.add(event, lane_ids_[event.lane], mapped(type_ids_, event.type), json);
    }
  }
}

void Committer::commit_flow(const ChunkResults& chunk, const KeyedEvent& event,
                            std::string_view json) {
  const LaneId lane = lane_ids_[event.lane];
  const LaneId process = lanes_.process(chunk.lanes[event.lane].pid);
  Time last_begin = event.last_begin;
  if (last_begin == Time::min() && lane.value() < last_begins_.size())
    last_begin = last_begins_[lane.value()];
  const bool is_here = event.binds_enclosing || last_begin == event.time;
  const bool is_next_known = event.next_begin != Time::max();
  const Time landing = is_here || !is_next_known ? event.time : event.next_begin;
  flows_.add(event, process, lane, type_ids_[event.type], json, landing, is_here || is_next_known);
}

// ---- What the trace says about itself

void Committer::color_type(const MetadataEvent& event) {
  constexpr int kHex = 16;
  std::string name, group;
  auto category = trace::Category::kState;
  uint32_t rgb = trace::EventType::kNoColor;
  json::for_each_member(
      event.args, [&](const json::RawString& member, const json::RawValue& value) {
        const std::string text = json::decode_string(value.inner()).text;
        if (member.text == "name") name = text;
        if (member.text == "group") group = text;
        if (member.text == "rgb")
          rgb = parse_number<uint32_t>(text, kHex).value_or(trace::EventType::kNoColor);
        for (int i = 0; i < trace::kCategoryCount; ++i) {
          const auto known = static_cast<trace::Category>(i);
          if (member.text == "category" && text == name_of(known)) category = known;
        }
      });
  const EventTypeId id = sink_.type(category, name, group);
  if (rgb <= 0xFFFFFF && colored_.insert(id).second) sink_.set_type_color(id, rgb);
}

void Committer::commit_metadata(const MetadataEvent& event) {
  if (event.name == kLaneEvent) return;  // was placed
  if (event.name == kColorEvent) return color_type(event);
  const LaneId lane = lane_ids_[event.lane];
  std::string text;
  std::string_view wanted = event.name;
  wanted.remove_prefix(std::min(wanted.size(), wanted.find('_') + 1));  // "process_name": "name"
  json::for_each_member(event.args, [&](const json::RawString& name, const json::RawValue& value) {
    if (name.text == wanted) text = json::decode_string(value.inner()).text;
  });
  if (event.name == "process_name" || event.name == "thread_name") {
    if (!text.empty()) lanes_.set_name(lane, text);
  } else if (event.name == "process_labels") {
    lanes_.set_labels(lane, text);
  } else if (event.name == "process_sort_index" || event.name == "thread_sort_index") {
    std::string_view index = text;
    lanes_.set_sort_index(lane, take_number<int32_t>(index).value_or(0));
  } else {
    add_metadata(fmt::format("{}: {}", lanes_.name(lane), event.name), event.args);
  }
}

void Committer::add_metadata(std::string_view key, std::string_view value) {
  std::string unique(key);
  const uint32_t count = ++metadata_[unique];
  if (count > 1) unique += fmt::format(" ({})", count);
  sink_.set_metadata(unique, value);
}

void Committer::add_stack_frame(std::string_view id, std::string_view name,
                                std::string_view parent) {
  frames_[std::string(id)] = {std::string(name.empty() ? "(anonymous)" : name),
                              std::string(parent)};
}

void Committer::commit_stack_events(const ChunkResults& chunk) {
  for (const StackEvent& event : chunk.stack_events) {
    const LaneId lane = lane_ids_[event.lane];
    const size_t sample_bytes = StackSamples::bytes_of(event.frame);
    if (event.is_sample && held_bytes_ + sample_bytes <= most_held_bytes_) {
      held_bytes_ += sample_bytes;
      samples_.add(lane, chunk.types[event.type].type->name, event.time, event.frame);
    } else if (event.is_sample) {
      sink_.loss("sample beyond the memory for stacks", {0, lane, event.time});
    }
    hold({event.category,
          {.begin = event.time,
           .duration = event.duration,
           .lane = lane,
           .type = type_ids_[event.type]},
          std::string(json_of(chunk, event.params))});
  }
  for (StackedEvent& event : std::exchange(output_.stacked, {})) hold(std::move(event));
}

// States of begins and ends.
void Committer::hold_stacked(ChunkResults& chunk) {
  std::erase_if(chunk.paired, [&](trace::StateEvent state) {
    const std::string_view json = json_of(chunk, static_cast<uint32_t>(state.params.value()));
    if (!may_name_stack(json)) return false;
    state.lane = lane_ids_[state.lane.value()];
    state.type = type_ids_[state.type.value()];
    hold({trace::Category::kState, state, std::string(json)});
    return true;
  });
}

void Committer::hold(StackedEvent event) {
  bool is_whole = !frames_.empty();
  const std::string json = is_whole ? with_stacks(event.json, is_whole) : event.json;
  const size_t bytes = sizeof event + event.json.size();
  // Where memory ends, the frame's number has to do.
  if (is_whole || held_bytes_ + bytes > most_held_bytes_) return emit(event, json);
  held_bytes_ += bytes;
  held_.push_back(std::move(event));
}

// The names of a stack, innermost first; none where the frame is not known. Of a stack that is too
// deep the outermost, so that those that share them still do; a circle of frames is passed once.
std::vector<std::string_view> Committer::stack_of(std::string_view frame) {
  std::vector<std::string_view> names;
  const auto first = frames_.find(std::string(frame));
  ++walks_;
  auto it = first;
  while (it != frames_.end() && it->second.walk != walks_ && names.size() < kMostFramesWalked) {
    names.push_back(it->second.name);
    it->second.walk = walks_;
    it = it->second.parent.empty() ? frames_.end() : frames_.find(it->second.parent);
  }
  const bool is_circle = it != frames_.end() && it->second.walk == walks_;
  const bool is_deep = names.size() > kMostStackDepth;
  if (is_deep) names.erase(names.begin(), names.end() - static_cast<ptrdiff_t>(kMostStackDepth));
  if ((is_circle || is_deep) && !std::exchange(first->second.is_told, true)) {
    sink_.loss(is_circle ? "stack whose frames call each other in a circle"
                         : fmt::format("stack deeper than {} frames", kMostStackDepth),
               trace::LossPlace::nowhere());
  }
  return names;
}

// The stack as a JSON array, or empty.
std::string Committer::stack_text(std::string_view frame) {
  std::string text;
  for (const std::string_view name : stack_of(frame)) {
    text += text.empty() ? '[' : ',';
    json::append_quoted(text, name);
  }
  if (!text.empty()) text += ']';
  return text;
}

// Parameters with stacks instead of the frames that they name; `is_whole` becomes false if one is
// not known.
std::string Committer::with_stacks(std::string_view json, bool& is_whole) {
  struct Named {
    std::string_view frame, stack;
  };
  constexpr Named kNamed[] = {{"sf", "stack"},         {"event.sf", "stack"},
                              {"esf", "end_stack"},    {"event.esf", "end_stack"},
                              {"end_sf", "end_stack"}, {"event.end_sf", "end_stack"}};
  std::string rest = "{", stacks = "{";
  const std::string padded = std::string(json) + std::string(json::kTextPadding, '\0');
  json::for_each_member(padded, [&](const json::RawString& name, const json::RawValue& value) {
    const auto* const named = std::ranges::find(kNamed, name.text, &Named::frame);
    const bool is_frame = named != std::end(kNamed);
    const std::string stack = is_frame ? stack_text(value.inner()) : std::string();
    is_whole &= !is_frame || !stack.empty();
    std::string& out = stack.empty() ? rest : stacks;
    if (out.size() > 1) out += ',';
    out.append("\"").append(stack.empty() ? name.text : named->stack).append("\":");
    out.append(stack.empty() ? value.text : stack);
  });
  if (stacks.size() == 1) return std::string(json);
  stacks += '}';
  return rest.size() == 1 ? stacks : join_params(rest + '}', stacks);
}

void Committer::emit(const StackedEvent& event, std::string_view json) {
  trace::StateEvent state = event.event;
  state.params = sink_.params(json);
  if (event.category == trace::Category::kState) {
    output_.states.push_back(state);
  } else {
    output_.punctuals.push_back({state.begin, state.params, state.lane, state.type});
  }
}

// ---- What the kernel's tracer wrote

void Committer::add_kernel_text(std::string text, uint64_t offset) {
  held_bytes_ += text.size();
  if (held_bytes_ > most_held_bytes_) {
    held_bytes_ -= text.size();
    return sink_.loss("top-level value too long to keep", offset);
  }
  kernel_texts_.push_back({std::move(text), offset});
}

template <class Reader>
void Committer::read_kernel_text(Reader reader) {
  for (const LaneTable::Task& task : lanes_.tasks()) {
    const auto pid = static_cast<int32_t>(task.pid), tid = static_cast<int32_t>(task.tid);
    if (pid != task.pid || tid != task.tid) continue;  // no kernel's numbers
    if (task.is_process) {
      reader.lanes().adopt_process(pid, task.lane);
    } else {
      reader.lanes().adopt_task(tid, pid, task.lane);
    }
  }
  reader.read();
}

// ---- Losses, and the end

void Committer::commit_losses(const ChunkLosses& losses) {
  for (size_t kind = 0; kind < static_cast<size_t>(LossKind::kCount); ++kind) {
    const ChunkLosses::Entry& entry = losses.entries[kind];
    const LossText text = text_of(static_cast<LossKind>(kind));
    const uint64_t known = std::min<uint64_t>(entry.count, trace::Loss::kFirstKept);
    for (uint64_t i = 0; i < known; ++i) {
      const uint64_t count = i + 1 < known ? 1 : entry.count - i;
      const ChunkLosses::Place& at = entry.first[i];
      const trace::LossPlace place = at.lane == kNoIndex
                                         ? trace::LossPlace(at.offset)
                                         : trace::LossPlace(at.offset, lane_ids_[at.lane], at.time);
      sink_.loss(text.text, place, count, text.is_damage);
    }
  }
}

void Committer::finish() {
  stacks_.finish(last_time_);
  for (std::vector<StackedEvent>* const events : {&held_, &output_.stacked}) {
    for (const StackedEvent& event : std::exchange(*events, {})) {
      bool is_whole = true;
      emit(event, with_stacks(event.json, is_whole));
    }
  }
  for (const Unfinished& u : unfinished_) {
    output_.states.push_back({u.begin, last_time_ - u.begin, u.params, u.lane, u.type});
  }
  async_.finish(last_time_);
  flows_.finish();
  output_.flush();
  V8Profiles profiles(sink_);
  for (const V8Piece& piece : v8_pieces_) profiles.add(piece);
  profiles.finish();
  samples_.give(sink_, [&](std::string_view frame) { return stack_of(frame); });
  for (const KernelText& kernel : kernel_texts_) {
    if (kernel.text.starts_with('{')) {
      read_kernel_text(FuchsiaKernel(kernel.text, kernel.offset, lanes_, sink_));
    } else {
      read_kernel_text(ftrace::InnerText(kernel.text, kernel.offset, sink_));
    }
  }
  lanes_.tell_apart();
}

}  // namespace weft::formats::chrome_json
