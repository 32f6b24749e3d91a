#include "app/panels/element/hex_view.h"

#include <fmt/core.h>

namespace weft::app {
namespace {

// The font is proportional: every byte has a cell of its own.
struct Grid {
  float offset_px, hex_px, text_px;  // widths of a cell
  size_t per_row;

  Grid(float scale, float room) {
    const float digit = text_width("0");
    offset_px = 7 * digit + 6 * scale;
    hex_px = 2 * digit + 6 * scale;
    text_px = digit + 1.5F * scale;
    per_row = 4;
    for (const size_t n : {8, 16, 32}) {
      if (offset_px + static_cast<float>(n) * (hex_px + text_px) + 12 * scale <= room) per_row = n;
    }
  }
};

}  // namespace

void draw_hex(const PanelInput& input, std::span<const std::byte> bytes, ByteRange marked) {
  ImGui::PushFont(input.fonts.small);
  const Grid grid(input.scale, ImGui::GetContentRegionAvail().x);
  const float line_px = ImGui::GetFontSize() + 3 * input.scale;
  const auto rows = static_cast<int>((bytes.size() + grid.per_row - 1) / grid.per_row);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  ImGuiListClipper clipper;
  clipper.Begin(rows, line_px);
  while (clipper.Step()) {
    for (int row = clipper.DisplayStart; row < clipper.DisplayEnd; ++row) {
      const ImVec2 at = ImGui::GetCursorScreenPos();
      const size_t first = static_cast<size_t>(row) * grid.per_row;
      draw_text(list, at, input.theme.text_dim, fmt::format("{:06x}", first), grid.offset_px);
      const float text_x =
          at.x + grid.offset_px + static_cast<float>(grid.per_row) * grid.hex_px + 6 * input.scale;
      for (size_t i = 0; i < grid.per_row && first + i < bytes.size(); ++i) {
        const auto byte = static_cast<unsigned>(bytes[first + i]);
        const float x = at.x + grid.offset_px + static_cast<float>(i) * grid.hex_px;
        const float letter_x = text_x + static_cast<float>(i) * grid.text_px;
        if (marked.contains(first + i)) {
          const float bottom = at.y + line_px - input.scale;
          const float gap = 3 * input.scale;
          list.AddRectFilled({x - gap, at.y}, {x + grid.hex_px - gap, bottom},
                             input.theme.selection);
          list.AddRectFilled({letter_x, at.y}, {letter_x + grid.text_px, bottom},
                             input.theme.selection);
        }
        draw_text(list, {x, at.y}, input.theme.text, fmt::format("{:02x}", byte), grid.hex_px);
        const char letter = byte >= 0x20 && byte < 0x7F ? static_cast<char>(byte) : '.';
        draw_text(list, {letter_x, at.y}, letter == '.' ? input.theme.text_dim : input.theme.text,
                  std::string_view(&letter, 1), 2 * grid.text_px);
      }
      ImGui::Dummy({1, line_px - ImGui::GetStyle().ItemSpacing.y});
    }
  }
  clipper.End();
  ImGui::PopFont();
}

}  // namespace weft::app
