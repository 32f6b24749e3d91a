// How messages are drawn beyond a plain arrow: the signs and lines of the user's classes, and the
// cross of dropped messages. Shapes for a batch, in pixels of its picture.
#pragma once

#include "app/panels/panels.h"
#include "app/session/message_classes.h"
#include "render/batch.h"

namespace weft::app {

// The class of a message; null: none, or one that the model no longer has.
const MessageClass* class_of(const TraceModel& model, const layout::MessageMark& mark);

// `half`: half of its width and height.
void add_sign(MessageSign sign, float x, float y, float half, render::Color color,
              render::DrawBatch& batch);
// Adds a line; a dashed or dotted one consists of several, of which the last has the head.
void add_line(const render::LineShape& line, MessageLine style, float scale,
              render::DrawBatch& batch);
// For legends: draws a line of 36 px with its sign, from `at` to the right.
void draw_class_sample(ImDrawList& list, const MessageClass& of, ImVec2 at, float scale,
                       ImU32 color);
// Draws the legend of all classes at the lower left of a canvas, if there is room. `bottom` is
// where it ends; afterwards, where the next one may end.
void draw_class_legend(const PanelInput& input, const Area& canvas, float& bottom);
void add_dropped_sign(const PanelInput& input, float x, float y, float half,
                      render::DrawBatch& batch);

}  // namespace weft::app
