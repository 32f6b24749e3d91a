// What a tooltip tells beyond what was drawn: the parameters of an element or a message, an
// aggregate's types. Read by a worker; and the tooltip itself.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "app/panels/timeline/time_axis.h"
#include "core/aggregate/columns.h"
#include "core/layout/hit.h"
#include "core/query/element.h"
#include "core/query/ran_instead.h"
#include "core/store/trace.h"
#include "render/latest.h"

namespace weft::app {

struct DetailsKey {
  std::shared_ptr<const store::Trace> trace;
  RowId row = RowId::none();
  Time begin;
  Duration duration;
  EventTypeId type;
  bool is_aggregate = false;
  std::optional<query::ElementRef> link = {};  // it is this one
  aggregate::FilterPtr filter = {};            // aggregates: of what passes; null: of everything
  std::shared_ptr<aggregate::FilteredRows> rows = {};
  bool operator==(const DetailsKey&) const = default;
};

struct Details {
  // Elements and links: names and values as text, cut where they are long.
  std::vector<std::pair<std::string, std::string>> params;
  size_t params_left_out = 0;
  uint64_t payload_bytes = 0;
  Duration self;             // states: the time in which no state of the next depth runs
  uint64_t without_end = 0;  // states whose end is not in the trace (app/session/losses.h)
  std::optional<query::RanInstead> instead;  // states in which a thread waits for a CPU
  // Aggregates: by busy time, then by count.
  std::vector<aggregate::TypeShare> types;
  size_t types_left_out = 0;
  uint64_t count = 0;  // of all types
  uint64_t of = 0;     // elements there, whether they pass the filter or not
  int64_t busy = 0;
  bool is_complete = true;  // false: only the first kMaxRecords were looked at

  static constexpr uint64_t kMaxRecords = 200'000;
  static constexpr size_t kMaxTypes = 6;
  static constexpr size_t kMaxParams = 12;
  static constexpr size_t kMaxRunners = 3;
};

using LatestDetails = render::Latest<DetailsKey, Details>;

// Work for workers: touches mapped pages.
std::optional<Details> make_details(const DetailsKey& key, const std::stop_token& stop);

// Of an aggregate of `begins` events: types are those of all that lasts there, so of some more
// where states began before it. Empty: of no more, or it is not known.
std::string began_before(const Details& details, uint64_t begins);

// Within the current ImGui window. Asks for the details; until they are there what was drawn is
// told without them, and the output is stale.
void show_tooltip(const PanelInput& input, const TimeAxis& axis, const layout::Hit& hit,
                  LatestDetails& latest, PanelOutput& output);

}  // namespace weft::app
