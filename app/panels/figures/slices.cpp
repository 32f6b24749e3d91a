#include "app/panels/figures/slices.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>

#include "core/base/text.h"
#include "core/query/metrics/active_time.h"
#include "core/query/metrics/group_names.h"

namespace weft::app {
namespace {

constexpr SliceMetric kMetrics[] = {
    {"count", "Number of events", false, false},
    {"duration", "Time in states", true, true},
    {"self", "Self time", true, false},
    {"active", "Active time", true, false},
    {"latency", "Latency of messages", true, true},
    {"unreceived", "Never received", false, false},
    {"dropped", "Dropped", false, false},
    {"unsent", "Of unknown senders", false, false},
    {"unanswered", "Never answered", false, false},
};

constexpr TableColumn kSliceColumns[] = {
    {.id = "name", .title = "Name", .width_px = 260, .has_filter = true},
    {.id = "share", .title = "%", .width_px = 70, .is_number = true},
    figure_column("value", "Value", 136),
    figure_column("count", "Count", 100),
    figure_column("mean", "Mean", 100),
    figure_column("least", "Min", 100),
    figure_column("most", "Max", 100),
};
constexpr size_t kColumnsWithoutSpread = 4;

double value_of(const SliceMetric& metric, const query::Group& group) {
  if (metric.id == "count") return static_cast<double>(group.count);
  return static_cast<double>(metric.id == "self" ? group.self : group.total);
}

void add_to(Slice& folder, Slice part) {
  query::Group& sum = folder.figures;
  const query::Group& more = part.figures;
  const bool is_first = folder.parts.empty();
  sum.count += more.count;
  sum.total = saturating_add(sum.total, more.total);
  sum.self = saturating_add(sum.self, more.self);
  sum.min = is_first ? more.min : std::min(sum.min, more.min);
  sum.max = is_first ? more.max : std::max(sum.max, more.max);
  folder.value += part.value;
  part.level = 1;
  folder.parts.push_back(std::move(part));
}

bool comes_before(const Slice& a, const Slice& b, size_t column) {
  switch (column) {
    case kSliceName:
      return a.name < b.name;
    case kSliceCount:
      return a.figures.count < b.figures.count;
    case kSliceMean:
      return a.figures.mean() < b.figures.mean();
    case kSliceLeast:
      return a.figures.min < b.figures.min;
    case kSliceMost:
      return a.figures.max < b.figures.max;
    default:
      return a.value < b.value;
  }
}

// Folders for what is gathered come last, whatever the order.
bool is_gathered(const Slice& slice) {
  return slice.kind == Slice::Kind::kAggregated || slice.kind == Slice::Kind::kExcluded;
}

uint64_t bytes_of(const std::vector<Slice>& slices) {
  uint64_t bytes = slices.capacity() * sizeof(Slice);
  for (const Slice& slice : slices) bytes += slice.name.capacity() + bytes_of(slice.parts);
  return bytes;
}

class Arranger {
 public:
  explicit Arranger(const ArrangeKey& key)
      : options_(key.options), display_(key.display), filters_(key.options.table, kSliceColumns) {
    table_.measured = key.measured;
    excluded_.kind = Slice::Kind::kExcluded;
    excluded_.name = kExcludedName;
    for (const Measured::Item& item : key.measured->items) take(item);
    for (const auto* of : {&slices_, &merged_}) {
      for (const Slice& slice : *of) magnitude_ += std::abs(slice.value);
    }
  }

  SliceTable arrange() && {
    aggregate();
    for (Slice& slice : merged_) {
      if (!slice.parts.empty()) slices_.push_back(std::move(slice));
    }
    for (const Slice& slice : slices_) {
      table_.sum += slice.value;
      whole_ += std::max(0.0, slice.value);
    }
    if (!excluded_.parts.empty()) slices_.push_back(std::move(excluded_));
    for (Slice& slice : slices_) share(slice);
    std::ranges::stable_sort(slices_, [](const Slice& a, const Slice& b) {
      return is_gathered(a) != is_gathered(b) ? is_gathered(b) : a.value > b.value;
    });
    for (const Slice& slice : slices_) {
      if (slice.kind == Slice::Kind::kExcluded || slice.value <= 0) continue;
      table_.pie.push_back(slice);
      table_.pie.back().parts.clear();
    }
    sort(slices_);
    for (Slice& slice : slices_) list(std::move(slice));
    return std::move(table_);
  }

 private:
  void take(const Measured::Item& item) {
    Slice slice;
    slice.name = item.name;
    slice.id = item.group.id;
    slice.value = item.value;
    slice.figures = item.group;
    ++table_.total;
    if (matches(slice)) ++table_.matched;
    if (options_.excluded.contains(item.name)) {
      add_to(excluded_, std::move(slice));
    } else if (Slice* merged = merged_of(item.name)) {
      add_to(*merged, std::move(slice));
    } else {
      slices_.push_back(std::move(slice));
    }
  }

  Slice* merged_of(const std::string& name) {
    if (merged_.empty()) {
      for (const MergedSlice& of : options_.merged) {
        Slice& slice = merged_.emplace_back();
        slice.kind = Slice::Kind::kMerged;
        slice.name = of.name;
        slice.rgb = of.rgb;
      }
    }
    for (size_t i = 0; i < merged_.size(); ++i) {
      const auto& of = options_.merged[i].of;
      if (std::ranges::find(of, name) != of.end()) return &merged_[i];
    }
    return nullptr;
  }

  // One slice that is small stays what it is: a folder of one would say less. Several become a
  // folder, unless the user excluded or merged what it gathers.
  void aggregate() {
    const auto size = [](const Slice& slice) { return std::abs(slice.value); };
    std::ranges::stable_sort(slices_, std::ranges::greater(), size);
    const auto first_small = std::ranges::partition_point(
        slices_, [&](const Slice& slice) { return size(slice) >= kLeastShare * magnitude_; });
    const std::ranges::subrange small(first_small, slices_.end());
    if (small.size() < 2) return;
    Slice folder;
    folder.kind = Slice::Kind::kAggregated;
    folder.name = kAggregatedName;
    Slice* merged = merged_of(folder.name);
    Slice& into = options_.excluded.contains(folder.name) ? excluded_ : merged ? *merged : folder;
    for (Slice& slice : small) add_to(into, std::move(slice));
    slices_.erase(small.begin(), small.end());
    if (!folder.parts.empty()) slices_.push_back(std::move(folder));
  }

  void share(Slice& slice) {
    const bool counts = slice.kind != Slice::Kind::kExcluded && whole_ > 0;
    const auto share_of = [&](double value) { return counts ? std::max(0.0, value) / whole_ : 0; };
    slice.share = share_of(slice.value);
    slice.part_count = slice.parts.size();
    for (Slice& part : slice.parts) part.share = share_of(part.value);
    sort(slice.parts);
  }

  void sort(std::vector<Slice>& slices) const {
    const auto by = sort_column(options_.table, kSliceColumns);
    const bool is_descending = by ? options_.table.is_descending : true;
    const size_t column = by.value_or(kSliceValue);
    std::ranges::stable_sort(slices, [&](const Slice& a, const Slice& b) {
      if (is_gathered(a) != is_gathered(b)) return is_gathered(b);
      return is_descending ? comes_before(b, a, column) : comes_before(a, b, column);
    });
  }

  bool matches(const Slice& slice) const {
    return filters_.take([&](size_t column) {
      return column == kSliceName ? slice.name
                                  : slice_cell(slice, *table_.measured, column, display_);
    });
  }

  // A folder is listed where it or one of its parts is taken by the filter.
  void list(Slice slice) {
    std::vector<Slice> parts = std::move(slice.parts);
    slice.parts.clear();
    const bool takes_folder = filters_.is_empty() || (parts.empty() && matches(slice));
    if (!takes_folder) std::erase_if(parts, [&](const Slice& part) { return !matches(part); });
    if (!takes_folder && parts.empty()) return;
    // A slice that was filtered for is shown without opening its folder.
    slice.is_open = !takes_folder || options_.open.contains(slice.name);
    slice.parts = parts;
    table_.rows.push_back(slice);
    if (slice.is_open) std::ranges::move(parts, std::back_inserter(table_.rows));
  }

  const SliceOptions& options_;
  TimeDisplay display_;
  TableFilters filters_;
  SliceTable table_;
  std::vector<Slice> slices_, merged_;
  Slice excluded_;
  double magnitude_ = 0;  // of all values that are not excluded, as if none were below 0 …
  double whole_ = 0;      // … and of the slices above 0: what shares are of
};

}  // namespace

std::span<const SliceMetric> slice_metrics() { return kMetrics; }

std::optional<Measured> measure_slices(const MeasureKey& key, ThreadPool& pool,
                                       const std::stop_token& stop) {
  const query::Selection selection = selection_of(key);
  const query::Work work(pool, stop);
  const std::string_view id = key.metric->id;
  const auto measure = [&] {
    if (id == "active") return query::active_time(*key.trace, selection, key.by, work);
    const query::Metric& metric = *query::metric_from_id(id == "self" ? "duration" : id);
    return metric.measure(*key.trace, selection, key.by, work);
  };
  Measured measured = {key, {}};
  const std::vector<query::Group> groups = measure().groups;
  if (stop.stop_requested()) return std::nullopt;
  std::vector<std::string> names = query::lasting_names_of(groups, key.by, key.trace->dictionary());
  for (size_t i = 0; i < groups.size(); ++i)
    measured.items.push_back({std::move(names[i]), groups[i], value_of(*key.metric, groups[i])});
  return measured;
}

SliceOptions slice_options(const Json& options) {
  return {slice_choice(options), table_options(options)};
}

std::span<const TableColumn> slice_columns(const SliceMetric& metric) {
  const std::span<const TableColumn> columns = kSliceColumns;
  return metric.has_spread ? columns : columns.first(kColumnsWithoutSpread);
}

std::string slice_cell(const Slice& slice, const Measured& measured, size_t column,
                       const TimeDisplay& display) {
  const auto value = [&](double v) {
    if (!measured.key.metric->is_time) return format_count(static_cast<uint64_t>(v));
    return length_cell(display, {static_cast<int64_t>(v)},
                       measured.key.trace->dictionary().time_base);
  };
  switch (column) {
    case kSliceName:
      return slice.parts.empty() ? slice.name
                                 : fmt::format("{} ({})", slice.name, slice.parts.size());
    case kSliceShare:
      return slice.share > 0 ? fmt::format("{:.2f}", 100 * slice.share) : std::string("–");
    case kSliceValue:
      return value(slice.value);
    case kSliceCount:
      return format_count(slice.figures.count);
    case kSliceMean:
      return value(slice.figures.mean());
    case kSliceLeast:
      return value(static_cast<double>(slice.figures.min));
    default:
      return value(static_cast<double>(slice.figures.max));
  }
}

uint64_t Measured::size_bytes() const {
  uint64_t bytes = items.capacity() * sizeof(Item);
  for (const Item& item : items) bytes += item.name.capacity();
  return bytes;
}

SliceTable arrange_slices(const ArrangeKey& key) {
  SliceTable table = Arranger(key).arrange();
  table.size_bytes = key.measured->size_bytes() + bytes_of(table.pie) + bytes_of(table.rows);
  return table;
}

Sheet sheet_of(const std::shared_ptr<const SliceTable>& slices) {
  enum Column : size_t { kName, kFolder, kShare, kValue, kCount, kMean, kLeast, kMost };
  struct Line {
    const Slice* slice;
    const Slice* folder;
  };
  std::vector<Line> lines;
  for (const Slice& slice : slices->rows) {
    if (slice.level > 0) continue;  // an open folder's, which has them, too
    if (slice.parts.empty()) lines.push_back({&slice, nullptr});
    for (const Slice& part : slice.parts) lines.push_back({&part, &slice});
  }
  const SliceMetric& metric = *slices->measured->key.metric;
  const auto cell = [slices, lines, &metric](uint64_t row, size_t column) -> Cell {
    const Slice& slice = *lines[row].slice;
    const query::Group& figures = slice.figures;
    switch (column) {
      case kName:
        return slice.name;
      case kFolder:
        return lines[row].folder ? Cell(lines[row].folder->name) : Cell();
      case kShare:
        return slice.share;
      case kValue:
        return metric.id == "count" ? Cell(figures.count)
                                    : Cell(metric.id == "self" ? figures.self : figures.total);
      case kCount:
        return figures.count;
      case kMean:
        return figures.mean();
      case kLeast:
        return figures.min;
      default:
        return figures.max;
    }
  };
  std::vector<std::string> columns = {"name",  "folder", "share", std::string(metric.id),
                                      "count", "mean",   "least", "most"};
  if (metric.id == "count") {
    columns.resize(kCount);
  } else if (!metric.has_spread) {
    columns.resize(kMean);
  }
  return sheet_of_cells(std::move(columns), lines.size(), cell);
}

}  // namespace weft::app
