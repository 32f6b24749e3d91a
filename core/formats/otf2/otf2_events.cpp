#include "core/formats/otf2/otf2_events.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>

namespace weft::formats::otf2 {
namespace {

using trace::Category;
using trace::LaneKind;

constexpr int kMostDepth = 64;  // of the tree of machines

struct Name {
  int number;
  std::string_view name;
};
constexpr Name kParadigms[] = {
    {OTF2_PARADIGM_USER, "user"},         {OTF2_PARADIGM_COMPILER, "compiler"},
    {OTF2_PARADIGM_OPENMP, "OpenMP"},     {OTF2_PARADIGM_MPI, "MPI"},
    {OTF2_PARADIGM_CUDA, "CUDA"},         {OTF2_PARADIGM_PTHREAD, "pthread"},
    {OTF2_PARADIGM_OPENCL, "OpenCL"},     {OTF2_PARADIGM_OPENACC, "OpenACC"},
    {OTF2_PARADIGM_SHMEM, "SHMEM"},       {OTF2_PARADIGM_MEASUREMENT_SYSTEM, "measurement"},
    {OTF2_PARADIGM_SAMPLING, "sampling"}, {OTF2_PARADIGM_HIP, "HIP"},
    {OTF2_PARADIGM_KOKKOS, "Kokkos"},
};

// Whether all wait for one, one waits for all, or all for all.
enum class Waiting : uint8_t { kForRoot, kOfRoot, kForAll };
Waiting waiting_of(OTF2_CollectiveOp operation) {
  switch (operation) {
    case OTF2_COLLECTIVE_OP_BCAST:
    case OTF2_COLLECTIVE_OP_SCATTER:
    case OTF2_COLLECTIVE_OP_SCATTERV:
      return Waiting::kForRoot;
    case OTF2_COLLECTIVE_OP_GATHER:
    case OTF2_COLLECTIVE_OP_GATHERV:
    case OTF2_COLLECTIVE_OP_REDUCE:
      return Waiting::kOfRoot;
    default:
      return Waiting::kForAll;
  }
}

}  // namespace

// From where the trace begins, rounded down to nanoseconds.
Time Events::time_of(OTF2_TimeStamp ticks) {
  constexpr __int128 kNanoseconds = 1'000'000'000;
  const __int128 since = static_cast<__int128>(ticks) - definitions_.begin;
  const __int128 ns = since * kNanoseconds / definitions_.ticks_per_second;
  constexpr __int128 kMost = std::numeric_limits<int64_t>::max();
  const Time time{static_cast<int64_t>(std::clamp(ns, -kMost, kMost))};
  last_ = count_++ == 0 ? time : std::max(last_, time);
  return time;
}

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
    const bool is_thread = location.type == OTF2_LOCATION_TYPE_CPU_THREAD;
    lanes_[ref] =
        sink_.add_lane({.name = name.empty() ? fmt::format("location {}", ref) : name,
                        .parent = group == group_lanes_.end() ? LaneId::none() : group->second,
                        .kind = is_thread                                    ? LaneKind::kThread
                                : location.type == OTF2_LOCATION_TYPE_METRIC ? LaneKind::kCounter
                                                                             : LaneKind::kQueue});
  }
}

// A tree that leads back to itself ends somewhere.
LaneId Events::lane_of_node(OTF2_SystemTreeNodeRef node, int depth) {
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

LaneId Events::lane_of(OTF2_LocationRef location) {
  const auto [it, is_new] = lanes_.try_emplace(location, LaneId::none());
  if (is_new) it->second = sink_.add_lane({.name = fmt::format("location {}", location)});
  return it->second;
}

EventTypeId Events::type_of(OTF2_RegionRef region) {
  const auto [it, is_new] = types_.try_emplace(region, EventTypeId::none());
  if (!is_new) return it->second;
  const auto found = definitions_.regions.find(region);
  const bool is_known = found != definitions_.regions.end();
  const std::string name = is_known ? definitions_.string(found->second.name) : std::string();
  std::string_view group;
  if (is_known) {
    const auto* const paradigm =
        std::ranges::find(kParadigms, static_cast<int>(found->second.paradigm), &Name::number);
    if (paradigm != std::end(kParadigms)) group = paradigm->name;
  }
  it->second =
      sink_.type(Category::kState, name.empty() ? fmt::format("region {}", region) : name, group);
  return it->second;
}

void Events::enter(OTF2_LocationRef location, OTF2_TimeStamp time, OTF2_RegionRef region) {
  open_.begin(lane_of(location), type_of(region), time_of(time), ParamsId::none(), count_);
}

void Events::leave(OTF2_LocationRef location, OTF2_TimeStamp time, OTF2_RegionRef region) {
  open_.end_of(lane_of(location), type_of(region), time_of(time), count_);
}

void Events::enter_context(OTF2_LocationRef location, OTF2_TimeStamp time,
                           OTF2_CallingContextRef ref) {
  const auto it = definitions_.calling_contexts.find(ref);
  enter(location, time, it == definitions_.calling_contexts.end() ? ref : it->second);
}

void Events::leave_context(OTF2_LocationRef location, OTF2_TimeStamp time,
                           OTF2_CallingContextRef ref) {
  const auto it = definitions_.calling_contexts.find(ref);
  leave(location, time, it == definitions_.calling_contexts.end() ? ref : it->second);
}

const std::vector<OTF2_LocationRef>& Events::members(OTF2_CommRef comm, OTF2_LocationRef speaker) {
  const auto [it, is_new] = members_.try_emplace({comm, speaker});
  if (is_new) it->second = definitions_.members(comm, speaker);
  return it->second;
}

void Events::send(OTF2_LocationRef location, OTF2_TimeStamp time, uint32_t rank, OTF2_CommRef comm,
                  uint32_t tag, uint64_t bytes) {
  const auto& ranks = members(comm, location);
  const Time at = time_of(time);
  const Channel channel{location, rank < ranks.size() ? ranks[rank] : OTF2_UNDEFINED_LOCATION, comm,
                        tag};
  Pending& pending = pending_[channel];
  if (pending.receives.empty()) return pending.sends.push_back({at, bytes});
  give_message(channel, at, pending.receives.front().time, bytes);
  pending.receives.pop_front();
}

// Clocks of machines differ: a receive may come before its send.
void Events::receive(OTF2_LocationRef location, OTF2_TimeStamp time, uint32_t rank,
                     OTF2_CommRef comm, uint32_t tag, uint64_t bytes) {
  const auto& ranks = members(comm, location);
  const Time at = time_of(time);
  const Channel channel{rank < ranks.size() ? ranks[rank] : OTF2_UNDEFINED_LOCATION, location, comm,
                        tag};
  Pending& pending = pending_[channel];
  if (pending.sends.empty()) return pending.receives.push_back({at, bytes});
  give_message(channel, pending.sends.front().time, at, bytes);
  pending.sends.pop_front();
}

void Events::give_message(const Channel& channel, Time send, Time receive, uint64_t bytes) {
  const auto& [from, to, comm, tag] = channel;
  const trace::LinkEvent link{
      .send = send,
      .receive = receive,
      .params = sink_.params(fmt::format(R"({{"size":{},"tag":{}}})", bytes, tag)),
      .source = lane_of(from),
      .target = lane_of(to),
      .type = sink_.type(Category::kLink, "message", "MPI")};
  sink_.links({&link, 1});
}

void Events::give_half(const Channel& channel, Time time, uint64_t bytes, bool is_send) {
  const auto& [from, to, comm, tag] = channel;
  trace::LinkEvent link{
      .send = time,
      .receive = time,
      .params = sink_.params(fmt::format(R"({{"size":{},"tag":{}}})", bytes, tag)),
      .type = sink_.type(Category::kLink, "message", "MPI")};
  (is_send ? link.source : link.target) = lane_of(is_send ? from : to);
  sink_.links({&link, 1});
}

void Events::begin_collective(OTF2_LocationRef location, OTF2_TimeStamp time) {
  collective_begin_[location] = time_of(time);
}

void Events::end_collective(OTF2_LocationRef location, OTF2_TimeStamp time,
                            OTF2_CollectiveOp operation, OTF2_CommRef comm, uint32_t root) {
  const Time end = time_of(time);
  const auto begin = collective_begin_.find(location);
  const size_t size = members(comm, location).size();
  if (size < 2) return;
  const uint64_t number = collective_number_[{comm, location}]++;
  const auto it = collectives_.try_emplace({comm, number}).first;
  Collective& collective = it->second;
  collective.operation = operation;
  collective.root = root;
  collective.parts.push_back(
      {location, begin == collective_begin_.end() ? end : begin->second, end});
  if (collective.parts.size() < size) return;
  give_collective(collective, comm);
  collectives_.erase(it);
}

void Events::give_collective(const Collective& collective, OTF2_CommRef comm) {
  const auto& parts = collective.parts;
  const auto& ranks = members(comm, parts.front().location);
  const Waiting waiting = waiting_of(collective.operation);
  auto center = std::ranges::max_element(parts, {}, &Collective::Part::begin);
  if (waiting != Waiting::kForAll && collective.root < ranks.size()) {
    const auto root = std::ranges::find(parts, ranks[collective.root], &Collective::Part::location);
    if (root != parts.end()) center = root;
  }
  const EventTypeId type = sink_.type(Category::kLink, "collective", "MPI");
  for (auto part = parts.begin(); part != parts.end(); ++part) {
    if (part == center) continue;
    const bool is_to_center = waiting == Waiting::kOfRoot;
    const auto& from = is_to_center ? *part : *center;
    const auto& to = is_to_center ? *center : *part;
    const trace::LinkEvent link{.send = from.begin,
                                .receive = to.end,
                                .source = lane_of(from.location),
                                .target = lane_of(to.location),
                                .type = type};
    sink_.links({&link, 1});
  }
}

void Events::add_metric(OTF2_LocationRef location, OTF2_TimeStamp time, OTF2_MetricRef metric,
                        uint8_t count, const OTF2_Type* types, const OTF2_MetricValue* values) {
  const Time at = time_of(time);
  const auto it = definitions_.metrics.find(metric);
  for (size_t i = 0; i < count; ++i) {
    std::string name;
    if (it != definitions_.metrics.end() && i < it->second.size()) {
      const auto member = definitions_.metric_members.find(it->second[i]);
      if (member != definitions_.metric_members.end()) {
        const std::string& unit = definitions_.string(member->second.unit);
        name = definitions_.string(member->second.name);
        if (!unit.empty() && unit != "#") name += fmt::format(" ({})", unit);
      }
    }
    if (name.empty()) name = fmt::format("metric {}.{}", metric, i);
    const double value = types[i] == OTF2_TYPE_DOUBLE ? values[i].floating_point
                         : types[i] == OTF2_TYPE_INT64
                             ? static_cast<double>(values[i].signed_int)
                             : static_cast<double>(values[i].unsigned_int);
    const trace::VariableSample sample{.time = at,
                                       .value = value,
                                       .lane = lane_of(location),
                                       .type = sink_.type(Category::kVariable, name)};
    sink_.variables({&sample, 1});
  }
}

void Events::add_state(OTF2_LocationRef location, OTF2_TimeStamp begin, OTF2_TimeStamp end,
                       std::string_view name) {
  const Time from = time_of(begin), to = std::max(from, time_of(end));
  const trace::StateEvent state{.begin = from,
                                .duration = to - from,
                                .lane = lane_of(location),
                                .type = sink_.type(Category::kState, name, "measurement")};
  sink_.states({&state, 1});
}

void Events::add_punctual(OTF2_LocationRef location, OTF2_TimeStamp time, std::string_view name) {
  const trace::PunctualEvent event{.time = time_of(time),
                                   .lane = lane_of(location),
                                   .type = sink_.type(Category::kPunctual, name)};
  sink_.punctuals({&event, 1});
}

// What was sent and not received, or received and not sent, has one end.
void Events::finish() {
  open_.finish(last_);
  for (const auto& [channel, pending] : pending_) {
    for (const End& send : pending.sends) give_half(channel, send.time, send.bytes, true);
    for (const End& receive : pending.receives)
      give_half(channel, receive.time, receive.bytes, false);
  }
  for (const auto& [key, collective] : collectives_) {
    sink_.loss("collective operation that some did not end", count_, 1, false);
    give_collective(collective, key.first);
  }
}

}  // namespace weft::formats::otf2
