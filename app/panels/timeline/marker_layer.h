// The user's markers over a time axis: lines and tinted ranges with their names, and the cursors A
// and B with the time between them. marker_handles.h sets and drags them.
//
//   ruler  ─┬──────A── 12.5 ms ─┬───B──
//           ▼ start             █ warm-up          flags: a name, a hint for the note
#pragma once

#include <string>
#include <vector>

#include "app/panels/timeline/marker_handles.h"

namespace weft::app {

inline constexpr float kLetterPx = 14;  // size of a cursor's letter with its background

// As it is seen on the ground of the theme.
ImU32 marker_color(const PanelInput& input, size_t index, uint8_t alpha = 255);
ImU32 color_of(const PanelInput& input, const Marker& marker, uint8_t alpha = 255);

// Draws the visible repetitions of a marker or, if they are too dense, a strip in the ruler.
// `period_px`: the distance between repetitions.
void draw_repetitions(const PanelInput& input, const MarkedBand& band, const Marker& marker,
                      TimeRange shown, double period_px);

// "B − A = 12.5 ms"; empty unless both cursors are set, at different times.
std::string difference_text(const PanelInput& input);

// Draws the visible part of the selected range in strips such as the overview.
void draw_selected_range(const PanelInput& input, const TimeAxis& axis, const Area& area);
// Draws markers as lines without names, in such strips.
void draw_marker_ticks(const PanelInput& input, const TimeAxis& axis, const Area& area);

// The areas in which cursors and the time between them cover the labels of the ruler. Needs the
// font that draws them.
std::vector<Area> areas_over_ruler(const PanelInput& input, const TimeAxis& axis,
                                   const Area& ruler);

// The band of the ruler and of the canvas below it.
MarkedBand band_across(const TimeAxis& axis, const Area& ruler, const Area& canvas);
void draw_marker_layer(const PanelInput& input, const MarkedBand& band, const TimeAxis& axis);

}  // namespace weft::app
