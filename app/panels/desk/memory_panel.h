// How much memory the program holds, by kind: in total, mapped traces, tiles, textures. While it is
// shown, it is redrawn once a second; hidden, it costs nothing. (B-20)
#pragma once

#include "app/panels/panels.h"
#include "app/panels/tables/table_view.h"
#include "app/session/memory_watch.h"

namespace weft::app {

class MemoryPanel final : public Panel {
 public:
  explicit MemoryPanel(const PanelServices& services);
  void draw(const PanelInput& input, PanelOutput& output) override;

 private:
  const render::Renderer* renderer_;
  MemoryWatch* memory_;
  TableView view_;
};

}  // namespace weft::app
