// Flame graph: call stacks of the window, the whole trace or the selection: in the order of time
// (flame_chart.h); merged, the widest first; or around one type, with its callers and callees.
// States that do not pass the view's filter are not part of any stack. (B-08, XC-11, XC-12, XC-14)
//
//   │ all                        │    outermost at the top; width is time; a click shows a part
//   │ main            │ worker   │    in full width, a click above goes back
//   │ read │ write │
//
// Stacks belong to one kind of lanes (stack_kinds.h), by default the first that the trace has:
// times of lanes that run simultaneously must not be added up.
//
// A sandwich shows the callers of a type above it, and its callees below. A difference overlays two
// parts of traces (flame_differences.h).
#pragma once

#include <array>
#include <map>

#include "app/panels/figures/flame_chart.h"
#include "app/panels/figures/flame_menu.h"
#include "app/panels/figures/type_list.h"
#include "app/panels/panels.h"
#include "app/panels/steady_question.h"
#include "app/panels/tables/scroll_bar.h"
#include "app/panels/toolbar.h"
#include "core/base/latest.h"
#include "core/query/metrics/flame_difference.h"
#include "core/query/metrics/flame_tree.h"
#include "core/query/metrics/stack_kinds.h"

namespace weft::app {

struct FlameKey : Scope {
  std::string view;  // "graph", "callees", "callers", "sandwich", "difference"
  std::string type;  // the type around which the latter are built
  std::optional<query::StackKind> kind = {};  // nullopt: stacks of all kinds
  aggregate::FormulaPtr marked = {};          // draws what does not pass in grey; null: nothing
  std::optional<Scope> before = {};           // for "difference": A; the scope is B
  bool operator==(const FlameKey&) const = default;
};

using FlameTreePtr = std::shared_ptr<const query::FlameTree>;

struct Flame {
  FlameKey key;
  FlameTreePtr tree;
  std::shared_ptr<const Flame> callers = {};  // for a sandwich; `tree` has the callees
  std::shared_ptr<const query::FlameDifference> difference = {};  // to which `tree` belongs
  std::vector<std::string> types = {};  // to be chosen, the heaviest first; none in a graph
  std::string problem = {};             // why there is none
  // By type: what follows the name of one that shares it with other states, " · net".
  std::map<uint32_t, std::string> apart = {};
  uint64_t size_bytes = 0;  // including what its maker keeps

  const query::FlameNode& operator[](uint32_t node) const { return (*tree)[node]; }
};

// Merges stacks, and rearranges them around types without reading them again. For a single worker.
class FlameMaker {
 public:
  explicit FlameMaker(ThreadPool& pool) : pool_(&pool) {}
  std::optional<Flame> make(const FlameKey& key, const std::stop_token& stop);

 private:
  // Merges stacks for `key` unless `kept` already has them; false if it was stopped.
  bool read(std::optional<Flame>& kept, const FlameKey& key, const std::stop_token& stop) const;
  Flame turned(const FlameKey& key) const;
  Flame around(const FlameKey& key) const;
  std::optional<Flame> compared(const FlameKey& key, const std::stop_token& stop) const;

  ThreadPool* pool_;
  std::optional<Flame> graph_;   // the last one
  std::optional<Flame> before_;  // A of the last difference
};

class FlamePanel final : public Panel {
 public:
  explicit FlamePanel(const PanelServices& services);
  void draw(const PanelInput& input, PanelOutput& output) override;
  void paint() override { chart_.paint(); }
  void present(int framebuffer_height) const override { chart_.present(framebuffer_height); }
  uint64_t table_bytes() const override { return table_bytes_; }

 private:
  struct Box {
    uint32_t node;
    float x0, x1;
    uint32_t rest = 0;  // if not 0, stands for so many callees narrower than a pixel
  };

  void choose_type(Toolbar& bar, FlameKey& key);
  std::optional<query::StackKind> choose_kind(Toolbar& bar, const store::TracePtr& trace);
  void draw_stacks(const PanelInput& input, const Area& area, FlameKey key, PanelOutput& output);
  void draw_difference(const PanelInput& input, const Area& area, const Flame& flame,
                       PanelOutput& output);
  // `is_upwards`: the outermost row is at the bottom.
  void draw_flame(const PanelInput& input, const Area& area, const Flame& flame, bool is_upwards,
                  PanelOutput& output);
  // The scroll offset, if the whole graph is `whole` pixels high.
  float scroll_by(const PanelInput& input, const Area& area, const Area& boxes, float whole,
                  bool is_upwards);
  // The boxes row by row, from the outermost; callers of `shown` are as wide as it is.
  static std::vector<std::vector<Box>> boxes_of(const Flame& flame, uint32_t shown,
                                                const Area& area);
  // `is_above`: the box is a caller of the one shown in full width.
  void draw_box(const PanelInput& input, const Area& area, const Flame& flame, const Box& box,
                bool is_above, PanelOutput& output);
  void draw_rest(const PanelInput& input, const Area& area, const Flame& flame, const Box& box,
                 PanelOutput& output);

  struct Kinds {
    store::TracePtr trace;
    std::vector<query::StackKind> kinds;
  };

  FlameChart chart_;
  TypeList types_;
  store::TracePtr types_of_;
  FlameMenu menu_;
  Kinds kinds_;  // of the trace shown last
  Latest<FlameKey, Flame> flame_;
  SteadyQuestion<FlameKey> question_;
  bool by_share_ = false;                // whether a difference compares shares
  uint64_t table_bytes_ = 0;             // size of the newest trees
  std::array<float, 2> scroll_px_ = {};  // of the part that grows downwards, and upwards
  std::array<ScrollBar, 2> bars_ = {ScrollBar(ScrollBar::Way::kDown),
                                    ScrollBar(ScrollBar::Way::kDown)};
  bool points_at_boxes_ = false;  // whether the pointer is on a box being drawn
};

}  // namespace weft::app
