// The form in which a definition of a trace type is edited: what its records are, and its rules
// with what each makes of them. It draws into the current ImGui window and changes the definition
// that it is given; the panel says so by a command.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "app/panels/desk/trace_type_preview.h"
#include "app/panels/panels.h"
#include "core/formats/general/custom/definition.h"

namespace weft::app {

// The colour of what a part of a text says; none: a parameter.
ImU32 color_of_role(std::optional<formats::custom::Role> role);

class TraceTypeForm {
 public:
  // True where the definition was changed; `preview`: of a definition that may be an older one, for
  // how many records each rule takes and what is wrong with its pattern. May be null.
  bool draw(const PanelInput& input, formats::custom::Definition& definition,
            const TraceTypePreview* preview);

  // Of the text that is being typed into: one gesture.
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
