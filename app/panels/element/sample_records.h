// Shows the records of a sample, one per line: each part in the colour of its meaning, and the
// number of the rule that took it. Click a part, or drag over it, to say what it means.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "app/panels/desk/trace_type_preview.h"
#include "app/panels/panels.h"
#include "core/formats/general/custom/by_example.h"

namespace weft::app {

class SampleRecords {
 public:
  // What the user said about a part of a record, in the frame in which it was chosen.
  struct Told {
    size_t record = 0;  // index in the preview
    formats::custom::PointedPart part;
  };
  std::optional<Told> draw(const PanelInput& input, const Area& area, const TraceTypePreview& made);

 private:
  struct Picked {
    size_t record = 0;
    float from_x = 0;           // where the button went down, from the left of the text
    size_t begin = 0, end = 0;  // bytes
    bool is_dragged = true;     // the button is down
  };
  void pick(const PanelInput& input, const Area& line, size_t record,
            const formats::custom::PreviewRecord& of);
  std::optional<Told> draw_menu(const PanelInput& input, const TraceTypePreview& made);

  std::optional<Picked> picked_;
  std::string name_;  // name of a parameter, as typed
};

}  // namespace weft::app
