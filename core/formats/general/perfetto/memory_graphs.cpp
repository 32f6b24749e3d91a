#include "core/formats/general/perfetto/memory_graphs.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/formats/base/args_text.h"
#include "core/formats/general/perfetto/packet_field.h"
#include "core/formats/general/perfetto/system_names.h"

namespace weft::formats::perfetto {
namespace {

constexpr size_t kMostClasses = 1 << 20, kMostPaths = 1 << 16;

}  // namespace

bool MemoryGraphs::add(const Field& data, const Sequence& sequence, std::optional<Time> time,
                       uint64_t offset) {
  bool is_good = true;
  if (data.number == kHeapGraph) {
    is_good = add_graph(data.bytes, sequence, time, offset);
  } else if (data.number == kMemoryDump) {
    if (!time) {
      sink_.loss("packet without a time", offset);
      return true;
    }
    is_good = add_dump(data.bytes, *time, offset);
  } else {
    return false;
  }
  if (!is_good) sink_.loss(fmt::format("{} damaged", packet_kind(data.number)), offset);
  return true;
}

bool MemoryGraphs::add_graph(std::string_view message, const Sequence& sequence,
                             std::optional<Time> time, uint64_t offset) {
  Graph& graph = graphs_[sequence.id];
  bool is_good = true, is_continued = false;
  std::optional<uint64_t> index;
  is_good &= for_each_field(message, [&](const Field& field) {
    if (field.number == 1) graph.pid = field.int32();
    if (field.number == 2) is_good &= add_object(field.bytes, graph);
    if (field.number == 5) is_continued = field.flag();
    if (field.number == 6) index = field.value;
    if (field.number == 8) is_good &= add_path(field.bytes, graph);
    if (field.number == 9) is_good &= add_class(field.bytes, graph);
  });
  const bool is_gap = index && *index > 0 && graph.index.value_or(0) + 1 < *index;
  if (is_gap) sink_.loss("parts of a heap graph lost", offset);
  graph.index = index;
  graph.offset = offset;
  if (!graph.time) graph.time = time;
  if (graph.classes.size() >= kMostClasses) sink_.loss("classes beyond the memory", offset);
  if (is_continued) return is_good;
  keep(std::move(graph));
  graphs_.erase(sequence.id);
  return is_good;
}

// What is more than can be kept is shown at once, by the names that are known by then.
void MemoryGraphs::keep(Graph graph) {
  kept_things_ += graph.classes.size() + graph.paths.size() + 1;
  whole_.push_back(std::move(graph));
  if (kept_things_ < kMostClasses) return;
  for (const Graph& each : whole_) show(each);
  whole_.clear();
  kept_things_ = 0;
}

bool MemoryGraphs::add_path(std::string_view message, Graph& graph) {
  uint64_t number = 0;
  std::string_view path;
  const bool is_good = for_each_field(message, [&](const Field& field) {
    if (field.number == 1) number = field.value;
    if (field.number == 2) path = field.bytes;
  });
  if (graph.paths.size() < kMostPaths) graph.paths[number] = path;
  return is_good;
}

bool MemoryGraphs::add_class(std::string_view message, Graph& graph) {
  uint64_t id = 0, bytes = 0, location = 0;
  std::string name;
  const bool is_good = for_each_field(message, [&](const Field& field) {
    if (field.number == 1) id = field.value;
    if (field.number == 2) location = field.value;
    if (field.number == 3) name = valid_utf8(field.bytes);
    if (field.number == 4) bytes = field.value;
  });
  if (graph.classes.size() >= kMostClasses) return is_good;
  Class& known = graph.classes[id];
  known.name = std::move(name);
  known.location = location;
  known.object_bytes = bytes;
  return is_good;
}

// An instance without a size has that of its class; one of class 0 does not say which.
bool MemoryGraphs::add_object(std::string_view message, Graph& graph) {
  uint64_t type = 0, bytes = 0;
  const bool is_good = for_each_field(message, [&](const Field& field) {
    if (field.number == 2) type = field.value;
    if (field.number == 3) bytes = field.value;
  });
  if (graph.classes.size() >= kMostClasses && !graph.classes.contains(type)) return is_good;
  Class& of = graph.classes[type];
  ++of.objects;
  if (bytes > 0) {
    ++of.sized_objects;
    of.bytes += std::min(bytes, uint64_t{1} << 40);
  }
  return is_good;
}

// The largest first, one behind the other, from the time of the dump on or behind the one before.
void MemoryGraphs::show(const Graph& graph) {
  struct Row {
    const Class* of;
    std::string name;
    uint64_t bytes;
  };
  std::vector<Row> rows;
  for (const auto& [id, each] : graph.classes) {
    const uint64_t implied =
        (each.objects - each.sized_objects) * std::min(each.object_bytes, uint64_t{1} << 40);
    if (each.objects == 0) continue;
    const auto path = graph.paths.find(each.location);
    rows.push_back({&each,
                    symbols_.name_of_class(each.name, path == graph.paths.end()
                                                          ? std::string_view()
                                                          : std::string_view(path->second)),
                    each.bytes + implied});
  }
  std::ranges::sort(rows, [](const Row& a, const Row& b) {
    return a.bytes != b.bytes ? a.bytes > b.bytes : a.name < b.name;
  });
  const LaneId lane =
      lanes_.below(lanes_.process(graph.pid), "heap graph: classes (1 ns = 1 byte)");
  Time at = graph.time.value_or(Time{});
  if (const auto end = ends_.find(graph.pid); end != ends_.end()) at = std::max(at, end->second);
  uint64_t objects = 0, bytes = 0;
  for (const Row& row : rows) {
    objects += row.of->objects;
    bytes += row.bytes;
    ArgsText args;
    args.add("objects", row.of->objects);
    args.add("bytes", row.bytes);
    const auto ticks = static_cast<int64_t>(std::min<uint64_t>(row.bytes, INT64_MAX / 4));
    const Time end{saturating_add(at.ticks, ticks)};
    sink_.give(trace::StateEvent{
        .begin = at,
        .duration = end - at,
        .params = sink_.params(args.take()),
        .lane = lane,
        .type = sink_.type(trace::Category::kState, row.name.empty() ? "(unknown class)" : row.name,
                           "heap graph")});
    at = end;
  }
  ends_[graph.pid] = at;
  if (!graph.time) return;
  counters_.sample(lane, "objects", static_cast<double>(objects), *graph.time);
  counters_.sample(lane, "bytes", static_cast<double>(bytes), *graph.time);
}

bool MemoryGraphs::add_dump(std::string_view message, Time time, uint64_t offset) {
  bool is_good = true;
  is_good &= for_each_field(message, [&](const Field& process) {
    if (process.number != 3) return;
    int32_t pid = 0;
    is_good &= for_each_field(process.bytes, [&](const Field& field) {
      if (field.number == 1) pid = field.int32();
    });
    const LaneId lane = lanes_.below(lanes_.process(pid), "memory dumps [bytes]",
                                     trace::LaneKind::kGroup, ftrace::kBehindThreads + 2);
    is_good &= for_each_field(process.bytes, [&](const Field& field) {
      if (field.number == 2) is_good &= add_node(field.bytes, lane, time, offset);
    });
  });
  return is_good;
}

// Allocators and their parts; what lies deeper is there thousands of times.
bool MemoryGraphs::add_node(std::string_view message, LaneId process, Time time, uint64_t offset) {
  constexpr int64_t kMostParts = 2;
  std::string_view name;
  std::optional<uint64_t> bytes;
  bool is_good = true;
  is_good &= for_each_field(message, [&](const Field& field) {
    if (field.number == 2) name = field.bytes;
    if (field.number == 4) bytes = field.value;
    if (field.number != 5 || bytes) return;
    std::string_view entry;
    uint64_t value = 0;
    is_good &= for_each_field(field.bytes, [&](const Field& inner) {
      if (inner.number == 1) entry = inner.bytes;
      if (inner.number == 3) value = inner.value;
    });
    if (entry == "size") bytes = value;
  });
  if (!bytes) return is_good;
  if (std::ranges::count(name, '/') >= kMostParts) {
    sink_.note("parts of memory dumps not shown: below \"allocator/part\"", offset);
  } else {
    counters_.sample(process, name, static_cast<double>(*bytes), time);
  }
  return is_good;
}

void MemoryGraphs::finish() {
  for (auto& [sequence, graph] : graphs_) {
    sink_.loss("heap graph that breaks off", graph.offset);
    keep(std::move(graph));
  }
  graphs_.clear();
  for (const Graph& graph : whole_) show(graph);
  whole_.clear();
}

}  // namespace weft::formats::perfetto
