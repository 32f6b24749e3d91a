#include "core/formats/general/perfetto/memory_graphs.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/formats/base/args_text.h"
#include "core/formats/general/perfetto/packet_field.h"
#include "core/formats/general/perfetto/system_names.h"

namespace weft::formats::perfetto {
namespace {

constexpr size_t kMostClasses = 1 << 20, kMostPaths = 1 << 16;

using ValueName = std::pair<uint32_t, std::string_view>;  // by a field's number
constexpr ValueName kOfEntry[] = {{2, "size"},           {3, "private dirty"}, {4, "swap"},
                                  {11, "private clean"}, {12, "shared dirty"}, {13, "shared clean"},
                                  {14, "locked"},        {15, "proportional"}};
constexpr ValueName kOfColumn[] = {{4, "size"},
                                   {5, "resident"},
                                   {6, "anonymous"},
                                   {7, "swap"},
                                   {8, "shared clean"},
                                   {9, "shared dirty"},
                                   {10, "private clean"},
                                   {11, "private dirty"},
                                   {12, "locked"},
                                   {13, "proportional"},
                                   {14, "proportional dirty"},
                                   {15, "proportional swap"}};

using KbByPath = std::map<std::string_view, double>;
using Mapped = std::map<std::string_view, KbByPath>;  // by what is counted

std::string_view name_of_value(std::span<const ValueName> names, uint32_t number) {
  const auto name = std::ranges::find(names, number, &ValueName::first);
  return name == names.end() ? std::string_view() : name->second;
}

bool add_entry(std::string_view entry, Mapped& mapped) {
  constexpr uint32_t kPath = 1, kFile = 5;
  std::string_view path;
  bool is_good = for_each_field(entry, [&](const Field& field) {
    if (field.number == kPath || (field.number == kFile && path.empty())) path = field.bytes;
  });
  is_good &= for_each_field(entry, [&](const Field& field) {
    const std::string_view name = name_of_value(kOfEntry, field.number);
    if (!name.empty()) mapped[name][path] += static_cast<double>(field.value);
  });
  return is_good;
}

// A column for each value. Without numbers of names, they are those of the table in its order.
bool add_columns(std::string_view columns, Mapped& mapped) {
  constexpr uint32_t kTable = 1, kNames = 2;
  std::vector<std::string_view> table;
  std::vector<uint64_t> names;
  bool is_good = true;
  is_good &= for_each_field(columns, [&](const Field& field) {
    if (field.number == kTable) table.push_back(field.bytes);
    if (field.number == kNames)
      is_good &= for_each_number(field, [&](uint64_t n) { names.push_back(n); });
  });
  const auto path_of_row = [&](size_t row) {
    const uint64_t name = names.empty() ? row : row < names.size() ? names[row] : table.size();
    return name < table.size() ? table[static_cast<size_t>(name)] : std::string_view();
  };
  std::map<uint32_t, size_t> rows;  // that were read, by column
  is_good &= for_each_field(columns, [&](const Field& field) {
    const std::string_view name = name_of_value(kOfColumn, field.number);
    if (name.empty()) return;
    KbByPath& by_path = mapped[name];
    size_t& row = rows[field.number];
    is_good &= for_each_number(
        field, [&](uint64_t kb) { by_path[path_of_row(row++)] += static_cast<double>(kb); });
  });
  return is_good;
}

// "size [kB]":{"libc.so":12,"(without a path)":4,"(7 others)":3}. Nothing where no path is known.
void add_largest(std::string_view name, const KbByPath& by_path, ArgsText& args) {
  constexpr size_t kMost = 16;
  const bool is_named =
      std::ranges::any_of(by_path, [](const auto& mapping) { return !mapping.first.empty(); });
  if (!is_named) return;
  std::vector<std::pair<double, std::string_view>> mappings;
  for (const auto& [path, kb] : by_path)
    if (kb > 0) mappings.emplace_back(-kb, path);
  std::ranges::sort(mappings);
  const size_t shown = std::min(mappings.size(), kMost);
  args.name(fmt::format("{} [kB]", name));
  args.begin('{');
  for (const auto& [kb, path] : std::span(mappings).first(shown)) {
    args.name(path.empty() ? "(without a path)" : path);
    args.number(-kb);
  }
  double others = 0;
  for (const auto& [kb, path] : std::span(mappings).subspan(shown)) others -= kb;
  if (mappings.size() > shown) {
    args.name(fmt::format("({} others)", mappings.size() - shown));
    args.number(others);
  }
  args.end('}');
}

}  // namespace

bool MemoryGraphs::add(const Field& data, const Sequence& sequence, std::optional<Time> time,
                       uint64_t offset) {
  bool is_good = true;
  if (data.number == kHeapGraph) {
    is_good = add_graph(data.bytes, sequence, time, offset);
  } else if (data.number == kMemoryDump || data.number == kMemoryMap) {
    if (!time) {
      sink_.loss("packet without a time", offset);
      return true;
    }
    is_good = data.number == kMemoryDump ? add_dump(data.bytes, *time, offset)
                                         : add_memory_map(data.bytes, *time);
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

// Adds what a process has mapped (smaps): sums, since singly there would be thousands, and an event
// with the largest.
bool MemoryGraphs::add_memory_map(std::string_view message, Time time) {
  int32_t pid = -1;
  Mapped mapped;
  bool is_good = true;
  is_good &= for_each_field(message, [&](const Field& field) {
    if (field.number == 1) pid = field.int32();
    if (field.number == 2) is_good &= add_entry(field.bytes, mapped);
    if (field.number == 3) is_good &= add_columns(field.bytes, mapped);
  });
  const LaneId lane = pid < 0 ? counters_.group("Mapped") : lanes_.process(pid);
  ArgsText largest;
  for (const auto& [name, by_path] : mapped) {
    double sum = 0;
    for (const auto& [path, kb] : by_path) sum += kb;
    counters_.sample(lane, fmt::format("mapped, {} [kB]", name), sum, time);
    add_largest(name, by_path, largest);
  }
  if (!largest.is_empty())
    sink_.give(trace::PunctualEvent{
        .time = time,
        .params = sink_.params(largest.take()),
        .lane = lane,
        .type = sink_.type(trace::Category::kPunctual, "largest mappings", "memory")});
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
