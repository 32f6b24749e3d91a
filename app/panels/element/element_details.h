// Details that a tooltip shows beyond what is drawn: the parameters of an element or a message, the
// types in an aggregate. Read by a worker. Also draws the tooltip.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "app/panels/timeline/time_axis.h"
#include "core/aggregate/columns.h"
#include "core/base/latest.h"
#include "core/layout/hit.h"
#include "core/query/element.h"
#include "core/query/ran_instead.h"
#include "core/store/trace.h"

namespace weft::app {

struct DetailsKey {
  store::TracePtr trace;
  RowId row = RowId::none();
  Time begin;
  Duration duration;
  EventTypeId type;
  bool is_aggregate = false;
  std::optional<query::ElementRef> link = {};  // set if it is this link
  aggregate::FilterPtr filter = {};            // aggregates: only what passes; null: everything
  std::shared_ptr<aggregate::FilteredRows> rows = {};
  bool operator==(const DetailsKey&) const = default;
};

struct Details {
  // Elements and links: names and values as text, cut if they are long.
  std::vector<std::pair<std::string, std::string>> params;
  size_t params_left_out = 0;
  uint64_t payload_bytes = 0;
  Duration self;             // states: the time in which no state of the next depth runs
  uint64_t without_end = 0;  // states whose end is missing (app/session/losses.h)
  std::optional<query::RanInstead> instead;  // states in which a thread waits for a CPU
  // Aggregates: by busy time, then by count.
  std::vector<aggregate::TypeShare> types;
  size_t types_left_out = 0;
  uint64_t count = 0;  // of all types
  uint64_t of = 0;     // all elements there, whether they pass the filter or not
  int64_t busy = 0;
  bool is_complete = true;  // false: only the first kMaxRecords were read

  static constexpr uint64_t kMaxRecords = 200'000;
  static constexpr size_t kMaxTypes = 6;
  static constexpr size_t kMaxParams = 12;
  static constexpr size_t kMaxRunners = 3;
};

using LatestDetails = Latest<DetailsKey, Details>;

// Of a thread that ran: that of its lane, which may have a number that others of the name have not.
std::string_view name_of(const trace::Dictionary& dictionary,
                         const query::RanInstead::Thread& thread);

// Worker threads only: touches mapped pages.
std::optional<Details> make_details(const DetailsKey& key, const std::stop_token& stop);

// A note for an aggregate in which `begins` events begin: types are counted over all events that
// last there, which are more if states began earlier. Empty if there are no more, or if it is not
// known.
std::string began_before(const Details& details, uint64_t begins);

// Draws a square of the type's colour at the cursor; what comes next is beside it.
void show_swatch(const PanelInput& input, EventTypeId type);

// Call within an ImGui window. Requests the details; until they are there, the tooltip shows only
// what is drawn, and the output is stale.
void show_tooltip(const PanelInput& input, const TimeAxis& axis, const layout::Hit& hit,
                  LatestDetails& latest, PanelOutput& output);

}  // namespace weft::app
