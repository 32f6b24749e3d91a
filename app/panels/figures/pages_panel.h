// Pages of statistics: events by type, in the whole trace and in a range side by side, and the
// pages of the trace's type (statistics_pages.h). (NX-12 to NX-13)
//
//   [Events] [CPU time of tasks] [Waiting for a CPU]   a tab for each page
//   type          | events | %   | in the range | …
#pragma once

#include "app/panels/panels.h"
#include "app/panels/steady_question.h"
#include "app/panels/tables/answer_table.h"
#include "app/session/statistics_pages.h"
#include "core/base/latest.h"

namespace weft::app {

class PagesPanel final : public Panel {
 public:
  explicit PagesPanel(const PanelServices& services);
  void draw(const PanelInput& input, PanelOutput& output) override;

 private:
  Latest<PageKey, PageAnswer> answer_;
  SteadyQuestion<PageKey> question_;
  AnswerTable table_;
};

}  // namespace weft::app
