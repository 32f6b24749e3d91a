// Call stacks of the window, the whole trace or what is selected: in the order of time
// (flame_chart.h); added up, the widest first; and, turned around one type, who calls it and what
// it calls. What the view's filter leaves out is no part of a stack. (B-08, XC-11, XC-12, XC-14)
//
//   │ all                        │    outermost at the top; width is time; a click shows a part
//   │ main            │ worker   │    in full width, a click above goes back
//   │ read │ write │
//
// Stacks are of one kind of lanes (stack_kinds.h), by default the first that the trace has: what
// runs at the same time adds up to nothing.
//
// A sandwich has those who call a type above, and what it calls below. A difference lays two parts
// of traces upon each other (flame_differences.h).
#pragma once

#include <array>

#include "app/panels/figures/flame_chart.h"
#include "app/panels/figures/flame_menu.h"
#include "app/panels/panels.h"
#include "app/panels/tables/scroll_bar.h"
#include "app/panels/toolbar.h"
#include "core/query/metrics/flame_difference.h"
#include "core/query/metrics/flame_tree.h"
#include "core/query/metrics/stack_kinds.h"
#include "render/latest.h"

namespace weft::app {

struct FlameKey : Scope {
  std::string view;  // "graph", "callees", "callers", "sandwich", "difference"
  std::string type;  // the name that the latter are of
  std::optional<query::StackKind> kind = {};  // none: stacks of all kinds
  aggregate::FormulaPtr marked = {};  // what does not pass it is drawn in grey; null: nothing is
  std::optional<Scope> before = {};   // of a "difference": A, where the scope is B
  bool operator==(const FlameKey&) const = default;
};

using FlameTreePtr = std::shared_ptr<const query::FlameTree>;

struct Flame {
  FlameKey key;
  FlameTreePtr tree;
  std::shared_ptr<const Flame> callers = {};  // of a sandwich, whose tree is that of the callees
  std::shared_ptr<const query::FlameDifference> difference = {};  // whose tree it is
  std::string problem = {};                                       // why there is none
  uint64_t size_bytes = 0;                                        // with what its maker keeps

  const query::FlameNode& operator[](uint32_t node) const { return (*tree)[node]; }
};

// Adds stacks up, and turns them around types without reading them again. For one worker.
class FlameMaker {
 public:
  explicit FlameMaker(ThreadPool& pool) : pool_(&pool) {}
  std::optional<Flame> make(const FlameKey& key, const std::stop_token& stop);

 private:
  // Adds up what `kept` is not of already; false where it was stopped.
  bool read(std::optional<Flame>& kept, const FlameKey& key, const std::stop_token& stop) const;
  Flame turned(const FlameKey& key) const;
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
    uint32_t rest = 0;  // not 0: so many stacks that the node calls, each narrower than a pixel
  };

  std::optional<query::StackKind> choose_kind(Toolbar& bar,
                                              const std::shared_ptr<const store::Trace>& trace);
  void draw_stacks(const PanelInput& input, const Area& area, FlameKey key, PanelOutput& output);
  void draw_difference(const PanelInput& input, const Area& area, const Flame& flame,
                       PanelOutput& output);
  // `is_upwards`: the outermost row at the bottom.
  void draw_flame(const PanelInput& input, const Area& area, const Flame& flame, bool is_upwards,
                  PanelOutput& output);
  // How far it is scrolled, where all is so high.
  float scroll_by(const PanelInput& input, const Area& area, const Area& boxes, float whole,
                  bool is_upwards);
  // Row by row from the outermost one; those that `shown` is called by are as wide as it is.
  static std::vector<std::vector<Box>> boxes_of(const Flame& flame, uint32_t shown,
                                                const Area& area);
  // `is_above`: it calls what is shown in full width.
  void draw_box(const PanelInput& input, const Area& area, const Flame& flame, const Box& box,
                bool is_above, PanelOutput& output);
  void draw_rest(const PanelInput& input, const Area& area, const Flame& flame, const Box& box,
                 PanelOutput& output);

  struct Kinds {
    std::shared_ptr<const store::Trace> trace;
    std::vector<query::StackKind> kinds;
  };

  FlameChart chart_;
  FlameMenu menu_;
  Kinds kinds_;  // of the trace that was shown last
  render::Latest<FlameKey, Flame> flame_;
  bool by_share_ = false;                // what the colours of a difference are of
  uint64_t table_bytes_ = 0;             // of the newest trees
  std::array<float, 2> scroll_px_ = {};  // of what grows downwards, and upwards
  std::array<ScrollBar, 2> bars_ = {ScrollBar(ScrollBar::Way::kDown),
                                    ScrollBar(ScrollBar::Way::kDown)};
  bool points_at_boxes_ = false;  // the pointer, of those that are being drawn
};

}  // namespace weft::app
