#include "app/panels/tables/event_order.h"

#include <algorithm>
#include <bit>
#include <compare>
#include <functional>
#include <string>

#include "core/aggregate/filtered_scan.h"
#include "core/base/numbers.h"
#include "core/query/reduce.h"
#include "core/query/windows.h"

namespace weft::app {
namespace {

using query::Event;

constexpr uint64_t kSignBit = uint64_t{1} << 63;

// Numbers whose order is that of what they are made of.
uint64_t ordered(int64_t value) { return static_cast<uint64_t>(value) ^ kSignBit; }
uint64_t ordered(double value) {
  const auto bits = std::bit_cast<uint64_t>(value);
  return (bits & kSignBit) != 0 ? ~bits : bits | kSignBit;
}
constexpr uint64_t kBehindNumbers = ~uint64_t{0};

struct OrderKey {
  uint64_t number = 0;
  std::string text;
  // Equal values are in order of time, then in the order of rows.
  Time begin;
  uint32_t row = 0;
  uint64_t index = 0;  // in the row
  auto operator<=>(const OrderKey&) const = default;
};

// The places of texts in their order; equal ones share one.
std::vector<uint64_t> places_of(const std::vector<std::string>& texts) {
  std::vector<uint32_t> ids(texts.size());
  for (uint32_t i = 0; i < ids.size(); ++i) ids[i] = i;
  std::ranges::sort(ids, {}, [&](uint32_t id) -> const std::string& { return texts[id]; });
  std::vector<uint64_t> places(texts.size());
  for (size_t i = 1; i < ids.size(); ++i) {
    places[ids[i]] = places[ids[i - 1]] + (texts[ids[i]] != texts[ids[i - 1]] ? 1 : 0);
  }
  return places;
}

// Makes comparable keys of an event's value in a column.
class KeyMaker {
 public:
  KeyMaker(size_t column, const store::Trace& trace, const EventText& text)
      : column_(column), trace_(&trace), text_(text) {
    const trace::Dictionary& dictionary = trace.dictionary();
    std::vector<std::string> texts;
    if (column == kEventLane) {
      for (uint32_t i = 0; i < dictionary.lanes.size(); ++i)
        texts.push_back(dictionary.path_text(LaneId(i)));
    } else if (column == kEventType) {
      for (const auto& type : dictionary.types) texts.emplace_back(type.name);
    } else if (column == kEventCategory) {
      for (uint32_t i = 0; i < trace::kCategoryCount; ++i)
        texts.emplace_back(name_of(static_cast<trace::Category>(i)));
    }
    places_ = places_of(texts);
  }

  void make(const Event& event, OrderKey& key) const {
    const store::Record& record = *event.record;
    key.number = 0;
    key.text.clear();
    switch (column_) {
      case kEventTime:
        break;
      case kEventLane:
        key.number = places_[event.row->lane.value()];
        break;
      case kEventType:
        if (record.type.value() < places_.size()) key.number = places_[record.type.value()];
        break;
      case kEventCategory:
        key.number = places_[static_cast<size_t>(query::category_of(event.row->kind))];
        break;
      case kEventDuration: {
        const auto length = length_of(*trace_, event);
        key.number = ordered(length ? length->ticks : int64_t{-1});
        break;
      }
      default:
        key.text = text_.cell(event, column_);
        if (column_ != kEventParams) key.number = number_of(key.text);
        break;
    }
  }

 private:
  // The key of a parameter: numbers come first, by value.
  static uint64_t number_of(const std::string& cell) {
    const auto number = parse_number<double>(cell);
    return number ? ordered(*number) : kBehindNumbers;
  }

  size_t column_;
  const store::Trace* trace_;
  EventText text_;
  std::vector<uint64_t> places_;  // by id, where the column says one of few
};

// The best that were seen.
class Best {
 public:
  Best(size_t most, bool is_descending) : most_(most), is_descending_(is_descending) {}

  void add(const OrderKey& key, const Event& event) {
    if (bound_ && !is_before(key, *bound_)) return;
    add({key, {event.row, *event.record}});
  }
  void merge(const Best& other) {
    for (const Entry& entry : other.entries_) {
      if (!bound_ || is_before(entry.key, *bound_)) add(entry);
    }
  }
  bool is_full() const { return entries_.size() >= kMostOfThread; }
  // Goes on with what is still among the best.
  void restart(const Best& whole) {
    entries_.clear();
    bound_ = whole.bound_;
  }
  // The events in order.
  LargeVector<EventTable::Event> events() {
    if (entries_.size() > most_) cut();
    std::ranges::sort(entries_, before());
    LargeVector<EventTable::Event> events;
    events.reserve(entries_.size());
    for (const Entry& entry : entries_) events.push_back(entry.event);
    return events;
  }

 private:
  struct Entry {
    OrderKey key;
    EventTable::Event event;
  };

  static constexpr size_t kMostOfThread = 8192;

  // Entries have more than 100 bytes: there are a quarter more than are kept, and no room that is
  // left over from growing.
  void add(Entry entry) {
    const size_t room = most_ + std::max<size_t>(most_ / 4, 1);
    if (entries_.size() == entries_.capacity())
      entries_.reserve(std::min(room, std::max<size_t>(2 * entries_.size(), 1024)));
    entries_.push_back(std::move(entry));
    if (entries_.size() >= room) cut();
  }
  bool is_before(const OrderKey& a, const OrderKey& b) const {
    return is_descending_ ? b < a : a < b;
  }
  std::function<bool(const Entry&, const Entry&)> before() const {
    return [this](const Entry& a, const Entry& b) { return is_before(a.key, b.key); };
  }
  void cut() {
    const auto last = entries_.begin() + static_cast<ptrdiff_t>(most_) - 1;
    std::ranges::nth_element(entries_, last, before());
    bound_ = last->key;
    entries_.erase(last + 1, entries_.end());
  }

  size_t most_;
  bool is_descending_;
  LargeVector<Entry> entries_;
  std::optional<OrderKey> bound_;  // the worst of so many as are kept
};

}  // namespace

std::optional<LargeVector<EventTable::Event>> first_events_by(size_t column, bool is_descending,
                                                              const query::EventIndex& index,
                                                              const EventText& text, size_t most,
                                                              const query::Work& work) {
  const store::Trace& trace = *index.trace();
  const query::Selection& selection = index.selection();
  const KeyMaker keys(column, trace, text);
  std::vector<query::Window> windows;
  for (const store::Row& row : trace.rows()) {
    if (!selection.of(trace, row).takes_nothing())
      query::append_windows(trace, {&row, 1}, selection.range, windows);
  }
  const auto take = [&](Best& best, size_t i) {
    const query::Window& window = windows[i];
    const store::Row& row = window.rows.front();
    const query::RowSelection events = selection.of(trace, row);
    OrderKey key;
    key.row = static_cast<uint32_t>(&row - trace.rows().data());
    const auto add = [&](const aggregate::PassingRecords& passing) {
      for (size_t k = 0; k < passing.records.size(); ++k) {
        const store::Record& record = passing.records[k];
        if (!window.owns(record) || !query::lies_in(row, record, selection.range)) continue;
        const Event event{&row, &record};
        if (!events.takes(record) || !index.takes(event)) continue;
        key.begin = record.begin;
        key.index = uint64_t{passing.part} << 48 | passing.indices[k];
        keys.make(event, key);
        best.add(key, event);
      }
      return true;
    };
    for_each_passing(row, events.filter(), window.range, aggregate::ScanOrder::kForwards, add,
                     work.stop);
  };
  Best best = query::reduce(work, windows.size(), Best(most, is_descending), take);
  if (work.stop.stop_requested()) return std::nullopt;
  return best.events();
}

}  // namespace weft::app
