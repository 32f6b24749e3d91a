// The form for editing the definition of a trace type: what its records are, and its rules with
// what each makes of them. It draws into the current ImGui window and changes the definition that
// it is given; the panel turns the change into a command.
#pragma once

#include <cstdint>
#include <string>

#include "app/panels/desk/trace_type_preview.h"
#include "app/panels/panels.h"
#include "core/formats/general/custom/definition.h"

namespace weft::app {

// The colour for the meaning of a part of a text; nullopt: a parameter.
ImU32 color_of_role(std::optional<formats::custom::Role> role);

class TraceTypeForm {
 public:
  // Returns true if the definition was changed. `preview`, possibly of an older definition, tells
  // how many records each rule takes and what is wrong with its pattern; may be null.
  bool draw(const PanelInput& input, formats::custom::Definition& definition,
            const TraceTypePreview* preview);

  // The gesture of the text being typed: one gesture per field.
  uint32_t gesture() const { return gesture_; }

 private:
  bool draw_records(const PanelInput& input, formats::custom::Definition& definition);
  bool draw_rule(const PanelInput& input, formats::custom::Definition& definition, size_t index,
                 const TraceTypePreview* preview);
  bool draw_rule_head(const PanelInput& input, formats::custom::Definition& definition,
                      size_t index, const TraceTypePreview* preview);
  bool draw_pattern(const PanelInput& input, formats::custom::Kind kind,
                    formats::custom::Rule& rule, const PatternProblem* problem);
  bool draw_roles(const PanelInput& input, formats::custom::Rule& rule);
  bool draw_pairs(const PanelInput& input, const char* id, const char* add,
                  formats::custom::NamedTexts& pairs);
  bool edit(const char* id, std::string& text, const char* hint, float width = -1);
  bool edit(const char* id, char& sign, float width);

  uint32_t gesture_ = 0;
};

}  // namespace weft::app
