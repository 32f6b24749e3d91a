#include "core/layout/links.h"

#include <algorithm>
#include <bit>

#include "core/aggregate/columns.h"
#include "core/aggregate/filter.h"
#include "core/base/flat_index.h"
#include "core/store/segment.h"

namespace weft::layout {
namespace {

struct LinkBundleKey {
  LaneId source, target;
  int64_t send_column = 0, receive_column = 0;
  MessageMark mark;
  bool operator==(const LinkBundleKey&) const = default;
};

struct LinkBundleHash {
  size_t operator()(const LinkBundleKey& key) const {
    uint64_t h = (uint64_t{key.source.value()} << 32 | key.target.value()) ^
                 uint64_t { key.mark.class_index } << 24 ^ uint64_t { key.mark.is_dropped } << 23;
    for (const int64_t column : {key.send_column, key.receive_column}) {
      h = (h ^ h >> 32 ^ static_cast<uint64_t>(column)) * 0x9e3779b97f4a7c15;
    }
    return h ^ h >> 29;
  }
};

bool is_out(const store::Row& row) { return row.kind == store::RowKind::kLinkOut; }

uint64_t share_of(uint64_t whole, uint64_t part, uint64_t parts) {
  return static_cast<uint64_t>(static_cast<__uint128_t>(whole) * part / parts);
}

// To two digits: a sample tells no more.
uint64_t about(uint64_t n) {
  uint64_t unit = 1;
  while (n / unit >= 100) unit *= 10;
  return (n + unit / 2) / unit * unit;
}

// Links are read at their send end; at their receive end only where that one is not in the view.
class LinkReader {
 public:
  LinkReader(const store::Trace& trace, TimeRange view, const MessageRules& rules,
             const ShownEnds& are_shown)
      : trace_(trace), view_(view), rules_(rules), are_shown_(are_shown) {}

  // How many link ends of the row lie in the view, in O(log n).
  uint64_t ends_in_view(const store::Row& row, TimeRange range) const {
    uint64_t bin = 0;
    if (!range.is_empty()) aggregate::density(row, range, {&bin, 1});
    return bin;
  }

  void read_all(const store::Row& row) {
    const MessageMarker marker(trace_, row, rules_);
    trace_.for_each(row, view_, [&](const store::Record& record) {
      take(row, record, marker);
      return true;
    });
  }

  // About `samples` of the `count` ends of the row in the view: runs of neighbours, evenly spaced,
  // since it is the places that cost.
  void read_share(const store::Row& row, uint64_t count, uint64_t samples) {
    constexpr uint64_t kRun = 8;
    const MessageMarker marker(trace_, row, rules_);
    std::vector<store::Record> run;
    for (const store::RowPart& part : row.parts) {
      const uint64_t first = part.lower_bound(view_.begin.ticks);
      const uint64_t in_view = part.lower_bound(view_.end.ticks) - first;
      const uint64_t runs = in_view == 0 ? 0 : 1 + share_of(samples, in_view, count) / kRun;
      for (uint64_t i = 0; i < runs; ++i) {
        const uint64_t at = share_of(in_view, i, runs);
        run.clear();
        part.read(first + at, std::min(kRun, in_view - at), run);
        for (const store::Record& record : run) take(row, record, marker);
        ends_read_ += run.size();
      }
    }
  }

  uint64_t ends_read() const { return ends_read_; }  // by read_share()
  const std::vector<LinkRecord>& links() const { return links_; }
  uint64_t hidden() const { return hidden_; }

 private:
  void take(const store::Row& row, const store::Record& record, const MessageMarker& marker) {
    const query::LinkEnds ends = query::ends_of(row.kind, row.lane, record);
    const bool is_seen_at_send = ends.is_sent() && view_.contains(ends.send);
    if (!is_out(row) && is_seen_at_send) return;
    if (are_shown_ && !are_shown_(ends.source, ends.target)) {
      ++hidden_;
      return;
    }
    links_.push_back({ends, marker.mark_of(record)});
  }

  const store::Trace& trace_;
  TimeRange view_;
  const MessageRules& rules_;
  const ShownEnds& are_shown_;
  std::vector<LinkRecord> links_;
  uint64_t hidden_ = 0, ends_read_ = 0;
};

}  // namespace

std::vector<LinkItem> bundle(std::span<const LinkRecord> links, const TimeScale& scale,
                             size_t max_items) {
  const int level = scale.level_of(kBundlePx * kMinVisiblePx);
  FlatIndex<LinkBundleKey, LinkBundleHash> numbers;
  std::vector<LinkItem> items;
  for (const LinkRecord& link : links) {
    const LinkBundleKey key{link.source, link.target,
                            link.source.is_none() ? 0 : column_of(link.send, level),
                            link.target.is_none() ? 0 : column_of(link.receive, level), link.mark};
    const size_t number = numbers.insert(key, items.size());
    if (number == items.size()) {
      items.push_back({link, 0, link.mark});
    }
    ++items[number].count;
  }
  if (items.size() > max_items) {
    std::ranges::nth_element(items, items.begin() + static_cast<ptrdiff_t>(max_items),
                             std::greater{}, &LinkItem::count);
    items.resize(max_items);
  }
  std::ranges::sort(items, {}, &LinkItem::send);
  return items;
}

namespace {

// Links that pass over the whole view were sent no longer before it than the longest takes.
void count_passing(const store::Trace& trace, std::span<const aggregate::RowPtr> rows,
                   TimeRange view, uint64_t max_records, const ShownEnds& are_shown,
                   LinkItems& items) {
  uint64_t left = max_records;
  for (const aggregate::RowPtr& row : rows) {
    if (!is_out(*row)) continue;
    const Duration longest{aggregate::summarize(*row, trace.range()).longest};
    if (longest < view.length()) continue;
    trace.for_each(*row, {view.begin - longest, view.begin}, [&](const store::Record& record) {
      if (left == 0) return false;
      --left;
      const bool passes = !record.peer.is_none() && record.end() >= view.end;
      if (passes && (!are_shown || are_shown(row->lane, record.peer))) ++items.passing;
      return true;
    });
    items.is_passing_whole = left > 0;
    if (left == 0) return;
  }
}

}  // namespace

LinkItems links_in(const store::Trace& trace, TimeScale scale, LinkLimits limits,
                   const LinkRows& rows_of, const MessageRules& rules, const ShownEnds& are_shown) {
  LinkReader reader(trace, scale.view(), rules, are_shown);
  std::vector<aggregate::RowPtr> link_rows;
  std::vector<std::pair<aggregate::RowPtr, uint64_t>> rows;
  uint64_t ends = 0;
  for (uint32_t id = 0; id < trace.rows().size(); ++id) {
    const store::Row& stored = trace.row(RowId(id));
    if (!aggregate::is_link(stored.kind)) continue;
    const aggregate::RowPtr row =
        rows_of ? rows_of(RowId(id)) : aggregate::RowPtr(std::shared_ptr<void>(), &stored);
    if (!row) continue;
    link_rows.push_back(row);
    const uint64_t count = reader.ends_in_view(*row, scale.view());
    if (count > 0) rows.emplace_back(row, count);
    ends += count;
  }

  LinkItems result;
  result.view = scale.view();
  const bool is_whole = ends <= limits.max_records;
  const uint64_t samples = std::min(limits.samples, limits.max_records);
  for (const auto& [row, count] : rows) {
    if (is_whole) {
      reader.read_all(*row);
    } else {
      reader.read_share(*row, count, share_of(samples, count, ends));
    }
  }
  count_passing(trace, link_rows, scale.view(), limits.max_records, are_shown, result);
  result.items = bundle(reader.links(), scale, limits.max_items);
  for (const LinkItem& item : result.items) result.read += item.count;
  const auto in_all = [&](uint64_t taken) {
    return is_whole ? taken : about(share_of(taken, ends, reader.ends_read()));
  };
  result.is_counted = is_whole;
  result.in_view = in_all(reader.links().size());
  result.on_hidden_lanes = in_all(reader.hidden());
  return result;
}

void find_ends(const query::Elements& elements, std::span<LinkItem> items,
               const std::stop_token& stop) {
  const auto row_of = [](const std::optional<query::Element>& met) {
    return met ? met->row : RowId::none();
  };
  for (LinkItem& item : items) {
    if (stop.stop_requested()) return;
    item.source_row = row_of(elements.sender_of(item));
    item.target_row = row_of(elements.receiver_of(item));
  }
}

float link_width_px(uint64_t count) {
  if (count <= 1) return 1;
  return std::min(1 + 0.5f * static_cast<float>(std::bit_width(count)), 6.0f);
}

}  // namespace weft::layout
