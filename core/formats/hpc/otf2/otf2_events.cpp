#include "core/formats/hpc/otf2/otf2_events.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <string>

#include "core/formats/base/args_text.h"

namespace weft::formats::otf2 {
namespace {

using trace::Category;
using trace::LaneKind;

constexpr int kMostDepth = 64;  // of the tree of machines

constexpr size_t kMostUnderWay = size_t{1} << 18;

// Paradigms by number; those missing here have no group of types.
constexpr std::string_view kParadigms[] = {"",
                                           "user",
                                           "compiler",
                                           "OpenMP",
                                           "MPI",
                                           "CUDA",
                                           "measurement",
                                           "pthread",
                                           "HMPP",
                                           "OmpSs",
                                           "hardware",
                                           "GASPI",
                                           "UPC",
                                           "SHMEM",
                                           "Windows threads",
                                           "Qt threads",
                                           "ACE threads",
                                           "TBB threads",
                                           "OpenACC",
                                           "OpenCL",
                                           "MTAPI",
                                           "sampling",
                                           "",
                                           "HIP",
                                           "Kokkos"};

// Whether all wait for one, one waits for all, or all for all.
enum class Waiting : uint8_t { kForRoot, kOfRoot, kForAll };
Waiting waiting_of(CollectiveOp operation) {
  switch (operation) {
    case CollectiveOp::kBroadcast:
    case CollectiveOp::kScatter:
    case CollectiveOp::kScatterv:
      return Waiting::kForRoot;
    case CollectiveOp::kGather:
    case CollectiveOp::kGatherv:
    case CollectiveOp::kReduce:
      return Waiting::kOfRoot;
    default:
      return Waiting::kForAll;
  }
}

constexpr uint32_t kInnermost = 1 << 20;  // deeper than any region

}  // namespace

std::string_view paradigm_name(size_t paradigm) {
  return paradigm < std::size(kParadigms) ? kParadigms[paradigm] : std::string_view();
}

void Events::saw(Time time) { last_ = count_++ == 0 ? time : std::max(last_, time); }

void Events::add_lanes() {
  for (const auto& [ref, group] : definitions_.location_groups) {
    const std::string& name = definitions_.string(group.name);
    group_lanes_[ref] =
        sink_.add_lane({.name = name.empty() ? fmt::format("process {}", ref) : name,
                        .parent = lane_of_node(group.parent, 0),
                        .kind = LaneKind::kProcess});
  }
  for (const auto& [ref, location] : definitions_.locations) {
    const std::string& name = definitions_.string(location.name);
    const auto group = group_lanes_.find(location.group);
    const bool is_thread = location.type == LocationType::kCpuThread;
    lanes_[ref] =
        sink_.add_lane({.name = name.empty() ? fmt::format("location {}", ref) : name,
                        .parent = group == group_lanes_.end() ? LaneId::none() : group->second,
                        .kind = is_thread                                ? LaneKind::kThread
                                : location.type == LocationType::kMetric ? LaneKind::kCounter
                                                                         : LaneKind::kQueue});
  }
}

// A tree that leads back to itself ends somewhere.
LaneId Events::lane_of_node(Ref node, int depth) {
  const auto it = definitions_.nodes.find(node);
  if (it == definitions_.nodes.end() || depth > kMostDepth) return LaneId::none();
  if (const auto known = node_lanes_.find(node); known != node_lanes_.end()) return known->second;
  const LaneId parent = lane_of_node(it->second.parent, depth + 1);
  const std::string& name = definitions_.string(it->second.name);
  const LaneId lane = sink_.add_lane({.name = name.empty() ? fmt::format("node {}", node) : name,
                                      .parent = parent,
                                      .kind = LaneKind::kMachine});
  node_lanes_[node] = lane;
  return lane;
}

LaneId Events::lane_of(LocationRef location) {
  const auto [it, is_new] = lanes_.try_emplace(location, LaneId::none());
  if (is_new) it->second = sink_.add_lane({.name = fmt::format("location {}", location)});
  return it->second;
}

const Events::Shown& Events::shown(Ref region) {
  const auto [it, is_new] = regions_.try_emplace(region);
  if (!is_new) return it->second;
  std::string name;
  std::string_view group;
  if (const auto found = definitions_.regions.find(region); found != definitions_.regions.end()) {
    name = definitions_.string(found->second.name);
    it->second.json = found->second.params;
    group = paradigm_name(found->second.paradigm);
  }
  if (name.empty()) name = fmt::format("region {}", region);
  it->second.type = sink_.type(Category::kState, name, group);
  it->second.params = sink_.params(it->second.json);
  return it->second;
}

void Events::enter(LocationRef location, Time time, Ref region, std::string_view more) {
  const Shown& state = shown(region);
  const LaneId lane = lane_of(location);
  if (more.empty())
    open_.begin(lane, state.type, time, state.params, count_);
  else
    open_.begin(lane, state.type, time, merged_args(state.json, more), count_);
  saw(time);
}

void Events::leave(LocationRef location, Time time, Ref region, std::string_view more) {
  const Shown& state = shown(region);
  open_.leave(lane_of(location), state.type, time, count_, more, state.json);
  saw(time);
}

void Events::enter_context(LocationRef location, Time time, Ref ref, std::string_view more) {
  const auto it = definitions_.calling_contexts.find(ref);
  enter(location, time, it == definitions_.calling_contexts.end() ? ref : it->second.region, more);
}

void Events::leave_context(LocationRef location, Time time, Ref ref, std::string_view more) {
  const auto it = definitions_.calling_contexts.find(ref);
  leave(location, time, it == definitions_.calling_contexts.end() ? ref : it->second.region, more);
}

void Events::add_sample(LocationRef location, Time time, Ref context, std::string_view more) {
  std::string stack, name = fmt::format("context {}", context);
  auto it = definitions_.calling_contexts.find(context);
  for (int depth = 0; it != definitions_.calling_contexts.end() && depth < kMostDepth; ++depth) {
    const std::string& region = definitions_.region_name(it->second.region);
    if (depth == 0 && !region.empty()) name = region;
    stack = stack.empty() ? region : fmt::format("{};{}", region, stack);
    it = definitions_.calling_contexts.find(it->second.parent);
  }
  ArgsText args;
  if (!more.empty()) args.continue_object(more);
  if (!stack.empty()) args.add("stack", stack);
  add_punctual(location, time, name, "sample", args.take());
}

const std::vector<LocationRef>& Events::members(Ref comm, LocationRef speaker) {
  const auto [it, is_new] = members_.try_emplace({comm, speaker});
  if (is_new) it->second = definitions_.members(comm, speaker);
  return it->second;
}

LocationRef Events::other_of(LocationRef location, Ref comm, uint32_t rank) {
  const auto& ranks = members(comm, location);
  return rank < ranks.size() ? ranks[rank] : kNoLocation;
}

Events::End Events::end_of(Time time, Message message) {
  return {.time = time,
          .bytes = message.bytes,
          .request = message.request,
          .more = std::move(message.more)};
}

void Events::send(LocationRef location, Time time, Message message) {
  saw(time);
  const LocationRef other = other_of(location, message.comm, message.rank);
  const Channel channel{location, other, message.comm, message.tag};
  const End sent = end_of(time, std::move(message));
  const std::optional<End> received = take(channel, &Pending::receives);
  if (!received) return wait(channel, &Pending::sends, sent);
  give_message(channel, sent, received);
}

// Clocks of machines differ: a receive may come before its send.
void Events::receive(LocationRef location, Time time, Message message) {
  saw(time);
  const LocationRef other = other_of(location, message.comm, message.rank);
  const Channel channel{other, location, message.comm, message.tag};
  const End received = end_of(time, std::move(message));
  const std::optional<End> sent = take(channel, &Pending::sends);
  if (!sent) return wait(channel, &Pending::receives, received);
  give_message(channel, sent, received);
}

void Events::wait(const Channel& channel, Ends ends, End end) {
  end.number = ++waiting_count_;
  waiting_.emplace(end.number, channel);
  (pending_[channel].*ends).push_back(end);
  if (waiting_.size() > kMostUnderWay) forget_oldest();
}

std::optional<Events::End> Events::take(const Channel& channel, Ends ends) {
  const auto it = pending_.find(channel);
  if (it == pending_.end() || (it->second.*ends).empty()) return std::nullopt;
  End first = (it->second.*ends).front();
  (it->second.*ends).pop_front();
  if (it->second.sends.empty() && it->second.receives.empty()) pending_.erase(it);
  waiting_.erase(first.number);
  return first;
}

// Gives unmatched sends and receives as links with one end.
void Events::forget_oldest() {
  const Channel channel = waiting_.begin()->second;
  const std::optional<End> sent = take(channel, &Pending::sends);
  give_message(channel, sent, sent ? std::nullopt : take(channel, &Pending::receives));
}

void Events::give_message(const Channel& channel, const std::optional<End>& send,
                          const std::optional<End>& receive) {
  const auto& [from, to, comm, tag] = channel;
  const uint64_t bytes = receive ? receive->bytes : send->bytes;
  ArgsText args;
  args.add("size", bytes);
  args.add("tag", tag);
  const std::string& communicator = definitions_.communicator_name(comm);
  if (!communicator.empty()) args.add("communicator", communicator);
  if (send && send->request) args.add("send_request", *send->request);
  if (receive && receive->request) args.add("receive_request", *receive->request);
  std::string params = args.take();
  if (send) params = merged_args(params, send->more);
  if (receive) params = merged_args(params, receive->more);
  trace::LinkEvent link{.send = {},
                        .receive = {},
                        .params = sink_.params(params),
                        .type = sink_.type(Category::kLink, "message", "MPI")};
  if (send) {
    link.send = send->time;
    link.source = lane_of(from);
  }
  if (receive) {
    link.receive = receive->time;
    link.target = lane_of(to);
  }
  sink_.give(link);
}

void Events::begin_collective(LocationRef location, Time time, std::optional<uint64_t> request) {
  saw(time);
  collective_begin_[{location, request}] = time;
}

bool Events::end_collective(LocationRef location, Time time, const CollectivePart& part) {
  saw(time);
  const auto begin = collective_begin_.extract({location, part.request});
  const size_t size = members(part.comm, location).size();
  if (size < 2) return false;
  const uint64_t number = collective_number_[{part.comm, location}]++;
  const auto it = collectives_.try_emplace({part.comm, number}).first;
  Collective& collective = it->second;
  collective.operation = part.operation;
  collective.root = part.root;
  collective.parts.push_back(
      {location, begin.empty() ? time : begin.mapped(), time, part.sent, part.received});
  if (collective.parts.size() < size) return true;
  give_collective(collective, part.comm);
  collectives_.erase(it);
  return true;
}

void Events::give_collective(const Collective& collective, Ref comm) {
  const auto& parts = collective.parts;
  const auto& ranks = members(comm, parts.front().location);
  const Waiting waiting = waiting_of(collective.operation);
  auto center = std::ranges::max_element(parts, {}, &Collective::Part::begin);
  if (waiting != Waiting::kForAll && collective.root < ranks.size()) {
    const auto root = std::ranges::find(parts, ranks[collective.root], &Collective::Part::location);
    if (root != parts.end()) center = root;
  }
  const EventTypeId type = sink_.type(Category::kLink, "collective", "MPI");
  ArgsText common;
  common.add("operation", name_of(collective.operation));
  const std::string& communicator = definitions_.communicator_name(comm);
  if (!communicator.empty()) common.add("communicator", communicator);
  for (auto part = parts.begin(); part != parts.end(); ++part) {
    if (part == center) continue;
    const bool is_to_center = waiting == Waiting::kOfRoot;
    const auto& from = is_to_center ? *part : *center;
    const auto& to = is_to_center ? *center : *part;
    ArgsText args = common;
    if (part->sent > 0) args.add("sent", part->sent);
    if (part->received > 0) args.add("received", part->received);
    sink_.give(trace::LinkEvent{.send = from.begin,
                                .receive = to.end,
                                .params = sink_.params(args.take()),
                                .source = lane_of(from.location),
                                .target = lane_of(to.location),
                                .type = type});
  }
}

// ---- Memory of others, and files

void Events::begin_transfer(LocationRef location, Time time, Transfer transfer) {
  saw(time);
  const Matching key{location, transfer.window, transfer.matching};
  const auto [it, is_new] = transfers_.try_emplace(key);
  if (!is_new) give_transfer(location, it->second, std::nullopt);
  it->second = {time, std::move(transfer)};
}

void Events::end_transfer(LocationRef location, Time time, Ref window, uint64_t matching) {
  saw(time);
  const auto open = transfers_.extract({location, window, matching});
  if (open.empty()) return sink_.note("completion of nothing that began", count_);
  give_transfer(location, open.mapped(), time);
}

// One that is never said to be complete has only the end of who began it.
void Events::give_transfer(LocationRef location, const OpenTransfer& open,
                           std::optional<Time> end) {
  const Transfer& transfer = open.transfer;
  const auto window = definitions_.windows.find(transfer.window);
  const LocationRef other = window == definitions_.windows.end()
                                ? kNoLocation
                                : other_of(location, window->second.comm, transfer.rank);
  const LaneId own = lane_of(location);
  const LaneId others = end && other != kNoLocation ? lane_of(other) : LaneId::none();
  sink_.give(trace::LinkEvent{.send = open.begin,
                              .receive = end.value_or(open.begin),
                              .params = sink_.params(transfer.more),
                              .source = transfer.is_to_other ? own : others,
                              .target = transfer.is_to_other ? others : own,
                              .type = sink_.type(Category::kLink, transfer.name, "RMA")});
}

void Events::begin_operation(LocationRef location, Time time, Ref handle, uint64_t matching,
                             Operation operation) {
  saw(time);
  const auto [it, is_new] = operations_.try_emplace({location, handle, matching});
  if (!is_new) {
    lose("file operation that is not said to be complete");
    give_operation(location, it->second, time, {});
  }
  it->second = {time, std::move(operation)};
}

bool Events::end_operation(LocationRef location, Time time, Ref handle, uint64_t matching,
                           std::string_view more) {
  saw(time);
  const auto open = operations_.extract({location, handle, matching});
  if (open.empty()) return false;
  give_operation(location, open.mapped(), time, more);
  return true;
}

void Events::give_operation(LocationRef location, const OpenOperation& open, Time end,
                            std::string_view more) {
  const Operation& operation = open.operation;
  LaneId lane = lane_of(location);
  if (!operation.waits) {
    const auto [it, is_new] = operation_lanes_.try_emplace(location, LaneId::none());
    if (is_new) {
      it->second = sink_.add_lane({.name = "files", .parent = lane, .kind = LaneKind::kAsync});
    }
    lane = it->second;
  }
  sink_.give(trace::StateEvent{.begin = open.begin,
                               .duration = std::max(open.begin, end) - open.begin,
                               .params = sink_.params(merged_args(operation.more, more)),
                               .lane = lane,
                               .type = sink_.type(Category::kState, operation.name, "file"),
                               .nesting = kInnermost});
}

// ----

void Events::add_metric(LocationRef location, Time time, Ref metric, size_t place, double value) {
  saw(time);
  const auto it = definitions_.metrics.find(metric);
  std::string name;
  double scale = 1;
  if (it != definitions_.metrics.end() && place < it->second.size()) {
    const auto member = definitions_.metric_members.find(it->second[place]);
    if (member != definitions_.metric_members.end()) {
      const std::string& unit = definitions_.string(member->second.unit);
      name = definitions_.string(member->second.name);
      if (!unit.empty() && unit != "#") name += fmt::format(" ({})", unit);
      scale = member->second.scale;
    }
  }
  if (name.empty()) name = fmt::format("metric {}.{}", metric, place);
  sink_.give(trace::VariableSample{.time = time,
                                   .value = value * scale,
                                   .lane = lane_of(location),
                                   .type = sink_.type(Category::kVariable, name)});
}

void Events::add_state(LocationRef location, Time begin, Time end, std::string_view name) {
  saw(begin);
  saw(end);
  sink_.give(trace::StateEvent{.begin = begin,
                               .duration = std::max(begin, end) - begin,
                               .lane = lane_of(location),
                               .type = sink_.type(Category::kState, name, "measurement")});
}

void Events::add_punctual(LocationRef location, Time time, std::string_view name,
                          std::string_view group, std::string_view more) {
  saw(time);
  sink_.give(trace::PunctualEvent{.time = time,
                                  .params = sink_.params(more),
                                  .lane = lane_of(location),
                                  .type = sink_.type(Category::kPunctual, name, group)});
}

// On a lane of their own below what they mark, since they may overlap all else.
LaneId Events::lane_of_marker(MarkerPlace place, uint64_t number) {
  LaneId marked = LaneId::none();
  if (place == MarkerPlace::kLocation) marked = lane_of(number);
  if (place == MarkerPlace::kNode) marked = lane_of_node(static_cast<Ref>(number), 0);
  if (place == MarkerPlace::kLocationGroup) {
    const auto group = group_lanes_.find(static_cast<Ref>(number));
    if (group != group_lanes_.end()) marked = group->second;
  }
  const auto [it, is_new] = marker_lanes_.try_emplace(marked, LaneId::none());
  if (is_new)
    it->second = sink_.add_lane({.name = "markers", .parent = marked, .kind = LaneKind::kAsync});
  return it->second;
}

void Events::add_marker(const TimeRange& range, MarkerPlace place, uint64_t number,
                        const Marker& marker) {
  saw(range.end);
  const LaneId lane = lane_of_marker(place, number);
  const ParamsId params = sink_.params(marker.more);
  if (range.begin < range.end) {
    return sink_.give(
        trace::StateEvent{.begin = range.begin,
                          .duration = range.length(),
                          .params = params,
                          .lane = lane,
                          .type = sink_.type(Category::kState, marker.name, marker.group)});
  }
  sink_.give(
      trace::PunctualEvent{.time = range.begin,
                           .params = params,
                           .lane = lane,
                           .type = sink_.type(Category::kPunctual, marker.name, marker.group)});
}

void Events::finish() {
  open_.finish(last_);
  while (!waiting_.empty()) forget_oldest();
  for (const auto& [key, collective] : collectives_) {
    sink_.note("collective operation that some did not end", count_);
    give_collective(collective, key.first);
  }
  for (const auto& [key, open] : transfers_) give_transfer(std::get<0>(key), open, std::nullopt);
  for (const auto& [key, open] : operations_) {
    lose("file operation that is not said to be complete");
    give_operation(std::get<0>(key), open, last_, {});
  }
}

}  // namespace weft::formats::otf2
