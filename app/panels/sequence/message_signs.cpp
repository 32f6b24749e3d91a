#include "app/panels/sequence/message_signs.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace weft::app {
namespace {

struct Dash {
  float on_px, off_px;
};
constexpr Dash kDashed = {7, 5};
constexpr Dash kDotted = {2, 4};
constexpr float kMostPieces = 400;  // of a line; longer ones have longer pieces

}  // namespace

const MessageClass* class_of(const TraceModel& model, const layout::MessageMark& mark) {
  const bool is_known = mark.class_index < model.message_classes->size();
  return is_known ? &(*model.message_classes)[mark.class_index] : nullptr;
}

void add_sign(MessageSign sign, float x, float y, float half, render::Color color,
              render::DrawBatch& batch) {
  switch (sign) {
    case MessageSign::kSquare:
      batch.lines.push_back({x - half, y, x + half, y, 2 * half, 0, color});
      break;
    case MessageSign::kDiamond:
      batch.markers.push_back({x, y, 1.25F * half, color});
      break;
    case MessageSign::kTriangle:  // the head of an arrow that has no shaft to be seen
      batch.lines.push_back({x, y - 1.2F * half, x, y + 1.2F * half, 0.5F, 2.4F * half, color});
      break;
    case MessageSign::kBar:
      batch.lines.push_back({x - half / 2, y, x + half / 2, y, 3.2F * half, 0, color});
      break;
  }
}

void add_line(const render::LineShape& line, MessageLine style, float scale,
              render::DrawBatch& batch) {
  const float length = std::hypot(line.x1 - line.x0, line.y1 - line.y0);
  const Dash dash = style == MessageLine::kDashed ? kDashed : kDotted;
  const float step = std::max((dash.on_px + dash.off_px) * scale, length / kMostPieces);
  const float on = step * dash.on_px / (dash.on_px + dash.off_px);
  const float shaft = length - line.head_px - line.width;
  if (style == MessageLine::kSolid || shaft <= step) {
    batch.lines.push_back(line);
    return;
  }
  const auto at = [&](float part) {
    return ImVec2(std::lerp(line.x0, line.x1, part / length),
                  std::lerp(line.y0, line.y1, part / length));
  };
  for (float from = 0; from < shaft; from += step) {
    const ImVec2 a = at(from), b = at(std::min(from + on, shaft));
    batch.lines.push_back({a.x, a.y, b.x, b.y, line.width, 0, line.color});
  }
  const ImVec2 neck = at(shaft);
  batch.lines.push_back({neck.x, neck.y, line.x1, line.y1, line.width, line.head_px, line.color});
}

void draw_class_sample(ImDrawList& list, const MessageClass& of, ImVec2 at, float scale,
                       ImU32 color) {
  render::DrawBatch batch;
  add_line({at.x, at.y, at.x + 36 * scale, at.y, 1.4F * scale, 0, color}, of.line, scale, batch);
  for (const render::LineShape& line : batch.lines)
    list.AddLine({line.x0, line.y0}, {line.x1, line.y1}, color, line.width);
  const float half = 4 * scale;
  switch (of.sign) {
    case MessageSign::kSquare:
      list.AddRectFilled({at.x - half, at.y - half}, {at.x + half, at.y + half}, color);
      break;
    case MessageSign::kDiamond:
      list.AddNgonFilled(at, 1.25F * half, color, 4);
      break;
    case MessageSign::kTriangle:
      list.AddTriangleFilled({at.x - half, at.y - half}, {at.x + half, at.y - half},
                             {at.x, at.y + 1.2F * half}, color);
      break;
    case MessageSign::kBar:
      list.AddRectFilled({at.x - half / 2, at.y - 1.6F * half},
                         {at.x + half / 2, at.y + 1.6F * half}, color);
      break;
  }
}

void add_dropped_sign(const PanelInput& input, float x, float y, float half,
                      render::DrawBatch& batch) {
  const float width = 1.8F * input.scale;
  const ImU32 color = input.theme.error;
  batch.lines.push_back({x - half, y - half, x + half, y + half, width, 0, color});
  batch.lines.push_back({x - half, y + half, x + half, y - half, width, 0, color});
}

void draw_class_legend(const PanelInput& input, const Area& canvas, float& bottom) {
  constexpr float kLeastPx = 296;  // of the canvas
  const MessageClasses& classes = *input.model->message_classes;
  if (classes.empty() || canvas.width() < kLeastPx * input.scale) return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  ImGui::PushFont(input.fonts.small);
  const float step = ImGui::GetFontSize() + 4 * input.scale;
  const float left = canvas.x0 + 10 * input.scale;
  const float room = canvas.height() / 2;
  const auto shown = std::min(classes.size(), static_cast<size_t>(room / step));
  float most = 0;
  for (const MessageClass& each : std::span(classes).first(shown))
    most = std::max(most, text_width(short_name(each.name, 60)));
  most = std::min(std::ceil(most), 160 * input.scale);
  float y = bottom - step * static_cast<float>(shown);
  list.AddRectFilled({left - 4 * input.scale, y - 4 * input.scale},
                     {left + 52 * input.scale + most, bottom + 4 * input.scale}, input.theme.popup,
                     4 * input.scale);
  bottom = y - 12 * input.scale;
  for (const MessageClass& each : std::span(classes).first(shown)) {
    const ImU32 color =
        each.color ? render::color_from_rgb(*each.color) : ImU32{input.theme.text_dim};
    draw_class_sample(list, each, {left, std::floor(y + step / 2) + 0.5F}, input.scale, color);
    draw_text(list, {left + 44 * input.scale, y}, input.theme.text, short_name(each.name, 60),
              most + 1);
    y += step;
  }
  ImGui::PopFont();
}

}  // namespace weft::app
