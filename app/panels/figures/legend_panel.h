// The event types, or the lanes, with their colours, how many events they have and how long their
// states take; a colour is changed here, for every trace and every start. (FS-28, FS-33, FS-59,
// B-26)
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/panels/color_pick.h"
#include "app/panels/panels.h"
#include "app/panels/tables/table_view.h"
#include "app/session/scope.h"
#include "core/query/metrics/metrics.h"
#include "render/latest.h"

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
  std::string apart = {};  // behind a type's name, where others have it (trace::distinct_names)
};

// Of all types or lanes that have events in the range.
struct LegendLines {
  LegendKey key;
  std::vector<LegendLine> lines;
};

// What a line says. Cheap to make; what it is made of outlives it.
class LegendTexts {
 public:
  LegendTexts(const LegendKey& key, const LaneColors& lanes)
      : by_(key.by), dictionary_(key.scope.trace->dictionary()), lanes_(lanes) {}

  std::string_view name(const LegendLine& line) const;
  std::string whole_name(const LegendLine& line) const;  // with what tells it apart
  std::string within(const LegendLine& line) const;  // the category of a type, the path of a lane
  bool has_time(const LegendLine& line) const;

 private:
  query::GroupBy by_;
  const trace::Dictionary& dictionary_;
  const LaneColors& lanes_;
};

class LegendPanel final : public Panel {
 public:
  explicit LegendPanel(const PanelServices& services);
  void draw(const PanelInput& input, PanelOutput& output) override;
  void paint() override {}
  void present(int) const override {}

 private:
  struct ShownKey {
    std::shared_ptr<const LegendLines> of;
    std::shared_ptr<const LaneColors> lanes;  // by which names lanes go
    TableOptions options;
    bool operator==(const ShownKey&) const = default;
  };
  // Sorted and filtered.
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
  render::Latest<LegendKey, LegendLines> lines_;
  render::Latest<ShownKey, Shown> shown_;
  ColorPick color_pick_;
};

}  // namespace weft::app
