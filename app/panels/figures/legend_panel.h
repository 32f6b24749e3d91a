// The legend: event types or lanes with their colours, their numbers of events and the time in
// their states. Colours changed here hold for every trace and every start. (FS-28, FS-33, FS-59,
// B-26)
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/panels/color_pick.h"
#include "app/panels/panels.h"
#include "app/panels/steady_question.h"
#include "app/panels/tables/table_view.h"
#include "app/session/scope.h"
#include "core/base/latest.h"
#include "core/query/metrics/metrics.h"

namespace weft::app {

struct LegendKey {
  Scope scope;
  query::GroupBy by = query::GroupBy::kType;  // or kLane
  bool operator==(const LegendKey&) const = default;
};

struct LegendLine {
  uint32_t id = 0;  // of the EventTypeId or LaneId
  uint64_t count = 0;
  int64_t total = 0;       // ticks in its states
  std::string apart = {};  // follows a type's name if others share it (trace::distinct_names)
};

// The lines for all types or lanes that have events in the range.
struct LegendLines {
  LegendKey key;
  std::vector<LegendLine> lines;
  bool are_alike = false;  // types: all of one category
};

// The texts of lines. Cheap to construct; refers to its arguments.
class LegendTexts {
 public:
  LegendTexts(const LegendKey& key, const LaneColors& lanes)
      : by_(key.by), dictionary_(key.scope.trace->dictionary()), lanes_(lanes) {}

  std::string_view name(const LegendLine& line) const;
  std::string whole_name(const LegendLine& line) const;  // with `apart`
  std::string within(const LegendLine& line) const;  // the category of a type, the path of a lane
  bool has_time(const LegendLine& line) const;
  // As shown.
  std::string cell(const LegendLine& line, size_t column, const TimeDisplay& display) const;

 private:
  query::GroupBy by_;
  const trace::Dictionary& dictionary_;
  const LaneColors& lanes_;
};

class LegendPanel final : public Panel {
 public:
  explicit LegendPanel(const PanelServices& services);
  void draw(const PanelInput& input, PanelOutput& output) override;

 private:
  struct ShownKey {
    std::shared_ptr<const LegendLines> of;
    std::shared_ptr<const LaneColors> lanes;  // the names of lanes
    TableOptions options;
    TimeDisplay display;
    bool operator==(const ShownKey&) const = default;
  };
  // The lines, sorted and filtered.
  struct Shown {
    ShownKey key;
    std::vector<LegendLine> lines;
    query::GroupBy by() const { return key.of->key.by; }
    LegendTexts texts() const { return {key.of->key, *key.lanes}; }
  };
  class Rows;

  static Shown arrange(const ShownKey& key);
  void answer(const PanelInput& input, const TableAnswer& answer, const Shown& shown,
              PanelOutput& output);
  void pick(const PanelInput& input, const Shown& shown, const LegendLine& line);

  TableView view_;
  Latest<LegendKey, LegendLines> lines_;
  SteadyQuestion<LegendKey> question_;
  Latest<ShownKey, Shown> shown_;
  ColorPick color_pick_;
};

}  // namespace weft::app
