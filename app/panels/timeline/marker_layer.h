// The user's markers over a time axis: lines and tinted ranges with their names, the cursors A and
// B with the time between them. How they are set and dragged: marker_handles.h.
//
//   ruler  ─┬──────A── 12.5 ms ─┬───B──
//           ▼ start             █ warm-up          flags: a name, a hint for the note
#pragma once

#include <string>
#include <vector>

#include "app/panels/timeline/marker_handles.h"

namespace weft::app {

inline constexpr float kLetterPx = 14;  // of a cursor, and its ground

ImU32 color_of(const Marker& marker, uint8_t alpha = 255);

// Where the marker stands again in what is shown; where that is too dense to be seen, a strip of
// the ruler says so. `period_px`: how far it is from one to the next.
void draw_repetitions(const PanelInput& input, const MarkedBand& band, const Marker& marker,
                      TimeRange shown, double period_px);

// "B − A = 12.5 ms"; empty where there are not both, or at the same time.
std::string difference_text(const PanelInput& input);

// The selected range in strips such as the overview, where it is seen.
void draw_selected_range(const PanelInput& input, const TimeAxis& axis, const Area& area);
// Lines without names, for the same.
void draw_marker_ticks(const PanelInput& input, const TimeAxis& axis, const Area& area);

// Where the cursors and the time between them, and a panel's handle, lie over the labels of the
// ruler. Needs the font that draws them.
std::vector<Area> areas_over_ruler(const PanelInput& input, const TimeAxis& axis,
                                   const Area& ruler);

// Over the ruler and the canvas below it.
MarkedBand band_across(const TimeAxis& axis, const Area& ruler, const Area& canvas);
void draw_marker_layer(const PanelInput& input, const MarkedBand& band, const TimeAxis& axis);

}  // namespace weft::app
