// SQL queries to the trace (docs/sql.md): an editor above, the answer below. (B-30)
//
//   ┌ SELECT … ─────────────────────┐   Ctrl+Enter asks; a worker answers
//   ├ rows ─────────────────────────┤   a click on a row shows the element that it names
//   └───────────────────────────────┘
#pragma once

#include <array>
#include <string>

#include "app/panels/panels.h"
#include "app/panels/tables/answer_table.h"
#include "app/panels/text_field.h"
#include "core/base/latest.h"

namespace weft::app {

class SqlPanel final : public Panel {
 public:
  explicit SqlPanel(const PanelServices& services);
  void draw(const PanelInput& input, PanelOutput& output) override;
  uint64_t table_bytes() const override { return table_bytes_; }

 private:
  void draw_bar(const PanelInput& input, bool is_asking, PanelOutput& output);
  Area draw_editor(const PanelInput& input, const Area& area, PanelOutput& output);
  void run(const PanelInput& input, PanelOutput& output) const;
  void draw_answer(const PanelInput& input, const Area& area, const SqlKey& key,
                   const std::shared_ptr<const SqlAnswer>& answer, bool is_asking,
                   PanelOutput& output);
  void use(std::string_view text);

  Latest<SqlKey, SqlAnswer> answer_;
  std::shared_ptr<const SqlAnswer> measured_;
  uint64_t table_bytes_ = 0;  // size of measured_
  AnswerTable table_;
  FieldFocus focus_;
  std::array<char, 16 << 10> typed_{};
  std::string shown_query_;  // the option's query last put into the editor
  int generation_ = 0;       // of the editor: ImGui keeps the text of an active field
  bool is_sample_ = false;   // what is in the editor was neither typed nor chosen
  bool takes_focus_ = false;
};

}  // namespace weft::app
