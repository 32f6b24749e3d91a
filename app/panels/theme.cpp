#include "app/panels/theme.h"

#include <imgui_freetype.h>
#include <imgui_internal.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/panels/letters.h"
#include "app/panels/reading_order.h"
#include "core/base/text.h"
#include "core/base/utf8.h"
#include "core/io/mapped_file.h"

namespace weft::app {
namespace {

constexpr ImU32 rgb(uint32_t hex, uint32_t alpha = 255) {
  return IM_COL32(hex >> 16 & 0xFF, hex >> 8 & 0xFF, hex & 0xFF, alpha);
}

constexpr Theme kDark = {
    .background = rgb(0x15171C),
    .gutter = rgb(0x1B1F26),
    .header = rgb(0x20252D),
    .border = rgb(0x2C323C),
    .grid = rgb(0x252A33),
    .stripe = rgb(0xFFFFFF, 6),
    .text = rgb(0xDDE1E7),
    .text_dim = rgb(0x8D96A5),
    .accent = rgb(0x5BA3F5),
    .selection = rgb(0x5BA3F5, 46),
    .shade = rgb(0x0B0D10, 150),
    .bars = rgb(0x4C7FB8),
    .bars_hovered = rgb(0x8CC2FF),
    .hit = rgb(0xF2B33D),
    .crosshair = rgb(0xDDE1E7, 90),
    .warning = rgb(0xE5B454),
    .error = rgb(0xF0716B),
    .popup = rgb(0x262C35),
    .field = rgb(0x111318),
};

constexpr Theme kLight = {
    .background = rgb(0xFBFBFC),
    .gutter = rgb(0xF5F6F8),
    .header = rgb(0xECEEF2),
    .border = rgb(0xD5D9E0),
    .grid = rgb(0xE8EBF0),
    .stripe = rgb(0x000000, 6),
    .text = rgb(0x1D232E),
    .text_dim = rgb(0x606A79),
    .accent = rgb(0x1F66C7),
    .selection = rgb(0x1F66C7, 38),
    .shade = rgb(0x59626F, 56),
    .bars = rgb(0x6C9BD2),
    .bars_hovered = rgb(0x1F66C7),
    .hit = rgb(0xC26A00),
    .crosshair = rgb(0x1D232E, 90),
    .warning = rgb(0x8A5C00),
    .error = rgb(0xC2362B),
    .popup = rgb(0xF3F4F7),
    .field = rgb(0xFFFFFF),
};

ImVec4 vec(ImU32 color) { return ImGui::ColorConvertU32ToFloat4(color); }

// Folders where distributions keep DejaVu; tried in order.
constexpr const char* kFontFolders[] = {
    "/usr/share/fonts/truetype/dejavu/", "/usr/share/fonts/dejavu/", "/usr/share/fonts/TTF/",
    "/usr/share/fonts/dejavu-sans-fonts/", "/usr/local/share/fonts/"};

std::string find_font(const char* file) {
  std::error_code error;
  for (const char* folder : kFontFolders) {
    std::string path = std::string(folder) + file;
    if (std::filesystem::is_regular_file(path, error)) return path;
  }
  return {};
}

// Latin, punctuation, arrows, shapes: what the program itself says, and no more, since every glyph
// is drawn at start and with each change of size. Other letters are drawn when a text has them.
constexpr ImWchar kBodyGlyphs[] = {0x20,   0x17F,  0x2010, 0x2027, 0x2030, 0x203A, 0x2190,
                                   0x2199, 0x2211, 0x2212, 0x2248, 0x2265, 0x25A0, 0x25CF,
                                   0x2713, 0x2717, 0x2026, 0x2026, 0xFFFD, 0xFFFD, 0};
constexpr ImWchar kLatinGlyphs[] = {0x20, 0x17F, 0x2010, 0x2027, 0xFFFD, 0xFFFD, 0};

// Files where distributions keep a font for Chinese, Japanese and Korean; tried in order. Droid's
// has no Korean.
constexpr const char* kWideFonts[] = {
    "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc",
    "/usr/share/fonts/noto-cjk/NotoSansCJK-Regular.ttc",
    "/usr/share/fonts/truetype/wqy/wqy-microhei.ttc",
    "/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf",
    "/usr/share/fonts/google-droid-sans-fonts/DroidSansFallbackFull.ttf",
    "/usr/share/fonts/droid/DroidSansFallbackFull.ttf"};

// Megabytes, so it is mapped, once, and only where a letter asks for it.
std::span<const std::byte> wide_font() {
  static const std::optional<io::MappedFile> file = []() -> std::optional<io::MappedFile> {
    for (const char* path : kWideFonts) {
      if (auto opened = io::MappedFile::open(path)) return std::move(*opened);
    }
    return std::nullopt;
  }();
  return file ? file->bytes() : std::span<const std::byte>();
}

// Ranges of letters as ImGui takes them: those of the font, and the wanted ones.
std::vector<ImWchar> with_wanted(std::span<const ImWchar> glyphs,
                                 std::span<const ImWchar> letters) {
  std::vector<ImWchar> ranges(glyphs.begin(), glyphs.end() - 1);
  for (const ImWchar letter : letters) ranges.insert(ranges.end(), {letter, letter});
  ranges.push_back(0);
  return ranges;
}

ImFont* add_font(ImFontAtlas& atlas, const char* file, float size_px, const ImWchar* glyphs,
                 bool is_wide) {
  const std::string path = find_font(file);
  ImFontConfig config;
  config.OversampleH = config.OversampleV = 1;
  config.PixelSnapH = true;
  config.SizePixels = size_px;
  ImFont* font = path.empty() ? atlas.AddFontDefault(&config)
                              : atlas.AddFontFromFileTTF(path.c_str(), size_px, &config, glyphs);
  if (!is_wide || wide_font().empty()) return font;
  config.MergeMode = true;  // what DejaVu has, it keeps
  config.FontDataOwnedByAtlas = false;
  // ImGui does not write to it.
  auto* bytes = const_cast<std::byte*>(wide_font().data());
  atlas.AddFontFromMemoryTTF(bytes, static_cast<int>(wide_font().size()), size_px, &config, glyphs);
  return font;
}

}  // namespace

const Theme& theme_of(layout::Theme name) { return name == layout::Theme::kDark ? kDark : kLight; }

ImU32 blended(ImU32 color, ImU32 over, float share) {
  const ImVec4 a = ImGui::ColorConvertU32ToFloat4(color), b = ImGui::ColorConvertU32ToFloat4(over);
  const auto mix = [&](float x, float y) { return y + (x - y) * share; };
  return ImGui::ColorConvertFloat4ToU32({mix(a.x, b.x), mix(a.y, b.y), mix(a.z, b.z), 1});
}

ImU32 faded(ImU32 color, float alpha) {
  const auto old = static_cast<float>(color >> IM_COL32_A_SHIFT & 0xFF);
  const auto scaled = static_cast<ImU32>(old * alpha + 0.5F);
  return (color & ~IM_COL32_A_MASK) | scaled << IM_COL32_A_SHIFT;
}

void apply_style(layout::Theme name, float scale) {
  const Theme& theme = theme_of(name);
  ImGuiStyle style;
  name == layout::Theme::kDark ? ImGui::StyleColorsDark(&style) : ImGui::StyleColorsLight(&style);
  style.WindowPadding = {10, 8};
  style.FramePadding = {8, 4};
  style.ItemSpacing = {8, 5};
  style.WindowRounding = style.PopupRounding = 6;
  style.FrameRounding = style.GrabRounding = 4;
  style.WindowBorderSize = style.PopupBorderSize = 1;
  style.FrameBorderSize = name == layout::Theme::kLight ? 1 : 0;  // white fields on a light ground
  style.ScrollbarSize = 12;
  style.AntiAliasedLinesUseTex = false;
  style.ScaleAllSizes(scale);
  ImVec4* colors = style.Colors;
  colors[ImGuiCol_Text] = vec(theme.text);
  colors[ImGuiCol_TextDisabled] = vec(theme.text_dim);
  colors[ImGuiCol_WindowBg] = colors[ImGuiCol_PopupBg] = vec(theme.popup);
  colors[ImGuiCol_MenuBarBg] = vec(theme.header);
  colors[ImGuiCol_Border] = vec(theme.border);
  colors[ImGuiCol_FrameBg] = vec(theme.field);
  colors[ImGuiCol_Separator] = vec(theme.border);
  colors[ImGuiCol_Button] = vec(faded(theme.accent, 0.22F));
  colors[ImGuiCol_ButtonHovered] = vec(faded(theme.accent, 0.40F));
  colors[ImGuiCol_ButtonActive] = vec(faded(theme.accent, 0.60F));
  colors[ImGuiCol_Header] = vec(faded(theme.accent, 0.25F));
  colors[ImGuiCol_HeaderHovered] = vec(faded(theme.accent, 0.30F));
  colors[ImGuiCol_HeaderActive] = vec(faded(theme.accent, 0.45F));
  colors[ImGuiCol_CheckMark] = vec(theme.accent);
  colors[ImGuiCol_TitleBg] = colors[ImGuiCol_TitleBgActive] = vec(theme.header);
  colors[ImGuiCol_TextSelectedBg] = vec(theme.selection);
  colors[ImGuiCol_ModalWindowDimBg] = vec(theme.shade);
  ImGui::GetStyle() = style;
}

FontSet make_fonts(float scale, std::span<const ImWchar> letters) {
  FontSet set;
  set.atlas = std::make_unique<ImFontAtlas>();
  set.atlas->FontBuilderIO = ImGuiFreeType::GetBuilderForFreeType();
  set.atlas->FontBuilderFlags = ImGuiFreeTypeBuilderFlags_LightHinting;
  const auto body = with_wanted(kBodyGlyphs, letters), bold = with_wanted(kLatinGlyphs, letters);
  const auto add = [&](const char* file, float size_px, std::span<const ImWchar> glyphs) {
    return add_font(*set.atlas, file, std::round(size_px * scale), glyphs.data(), !letters.empty());
  };
  set.fonts.body = add("DejaVuSans.ttf", 13, body);
  set.fonts.small = add("DejaVuSans.ttf", 11, body);
  set.fonts.bold = add("DejaVuSans-Bold.ttf", 13, bold);
  unsigned char* pixels = nullptr;
  int width = 0, height = 0;
  set.atlas->GetTexDataAsRGBA32(&pixels, &width, &height);  // draws them
  set.atlas->ClearInputData();                              // names the ranges
  return set;
}

float small_button_air() { return std::round(ImGui::GetFontSize() * 0.2F); }

bool small_button(const char* title) {
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding,
                      {ImGui::GetStyle().FramePadding.x, small_button_air()});
  const bool is_clicked = ImGui::Button(title);
  ImGui::PopStyleVar();
  return is_clicked;
}

void show_text(std::string_view text) {
  std::string safe = printable(text);
  if (!note_letters(safe)) safe = with_boxes(safe);
  // Text broken into lines is not reordered: line breaks are found only while it is drawn.
  const float wrap = ImGui::GetCurrentWindow()->DC.TextWrapPos;
  const auto is_one_line = [&] {
    return wrap < 0 ||
           text_width(safe) <= ImGui::CalcWrapWidthForPos(ImGui::GetCursorScreenPos(), wrap);
  };
  if (may_be_turned(safe) && is_one_line()) {
    safe = in_drawn_order(safe);
    note_letters(safe);
  }
  ImGui::TextUnformatted(safe.data(), safe.data() + safe.size());
}

void show_text(std::string_view text, ImU32 color) {
  ImGui::PushStyleColor(ImGuiCol_Text, color);
  show_text(text);
  ImGui::PopStyleColor();
}

void show_wrapped(std::string_view text, ImU32 color) {
  ImGui::PushTextWrapPos(0);
  show_text(text, color);
  ImGui::PopTextWrapPos();
}

std::string short_name(std::string_view text, size_t most) {
  const size_t enough = 4 * (most + 1);  // bytes: a letter has four at most
  std::string safe = printable(text.substr(0, enough), 0);
  size_t letters = 0, cut = 0;
  for (; cut < safe.size(); ++cut) {
    if (begins_letter(safe[cut]) && letters++ == most) break;
  }
  if (cut == safe.size() && text.size() <= enough) return safe;
  safe.resize(cut);
  return safe + "…";
}

// A tooltip of more breaks into lines.
constexpr float kHelpLetters = 32;  // as wide as these are high

void begin_help() {
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  const ImVec2 end = ImGui::GetIO().DisplaySize;
  const float font_px = ImGui::GetFontSize();
  if (high.y + 2 * font_px > end.y) {
    const bool is_right = low.x + high.x > end.x;
    ImGui::SetNextWindowPos({is_right ? high.x : low.x, low.y - font_px / 4}, 0,
                            {is_right ? 1.0F : 0.0F, 1});
  }
  ImGui::BeginTooltip();
}

void begin_tooltip_within(const Area& area) {
  // Dear ImGui hides a tooltip in its first frame, before its size is known.
  const ImGuiWindow* last = ImGui::FindWindowByName("##Tooltip_00");
  const ImVec2 size = last && last->WasActive ? last->Size : ImVec2();
  const ImVec2 pointer = ImGui::GetIO().MousePos;
  const float gap = 1.5F * ImGui::GetFontSize();
  float x = pointer.x + gap;
  if (x + size.x > area.x1) x = pointer.x - gap - size.x;
  const float y = std::min(pointer.y, area.y1 - size.y);
  if (x >= area.x0 && y >= area.y0) ImGui::SetNextWindowPos({x, y});
  ImGui::BeginTooltip();
}

void show_help(const char* help) {
  if (!help || !ImGui::IsItemHovered()) return;
  begin_help();
  ImGui::PushTextWrapPos(kHelpLetters * ImGui::GetFontSize());
  show_text(help);
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

void show_help_at(const char* help, ImVec2 at) {
  if (!help || !ImGui::IsItemHovered()) return;
  const float wide = std::min(text_width(help), kHelpLetters * ImGui::GetFontSize()) +
                     2 * ImGui::GetStyle().WindowPadding.x;
  at.x = std::max(0.0F, std::min(at.x, ImGui::GetIO().DisplaySize.x - wide));
  ImGui::SetNextWindowPos(at);
  show_help(help);
}

namespace {

// What is drawn of a line: letters may be joined, and stand in another order. A view of `text`, or
// of `turned`.
std::string_view in_shapes(std::string_view text, std::string& turned) {
  if (!may_be_turned(text)) return text;
  turned = in_drawn_order(text);
  note_letters(turned);
  return turned;
}

float drawn_width(std::string_view drawn) {
  return ImGui::CalcTextSize(drawn.data(), drawn.data() + drawn.size()).x;
}

// The beginning of a line of which no more is drawn within `room` px.
std::string_view prefix_within(std::string_view text, float room) {
  if (!may_be_turned(text)) {
    const char* cut = nullptr;
    ImGui::GetFont()->CalcTextSizeA(ImGui::GetFontSize(), room, 0, text.data(),
                                    text.data() + text.size(), &cut);
    return {text.data(), cut};
  }
  std::vector<size_t> ends;  // of letters
  for (size_t i = 1; i <= text.size(); ++i) {
    if (i == text.size() || (static_cast<uint8_t>(text[i]) & 0xC0) != 0x80) ends.push_back(i);
  }
  const auto behind = std::ranges::partition_point(
      ends, [&](size_t end) { return text_width(text.substr(0, end)) <= room; });
  return text.substr(0, behind == ends.begin() ? 0 : behind[-1]);
}

}  // namespace

float text_width(std::string_view text) {
  std::string turned;
  return drawn_width(in_shapes(text, turned));
}

void draw_text(ImDrawList& list, ImVec2 at, ImU32 color, std::string_view text, float max_width) {
  const std::string safe = printable(text);
  const float width = text_width(safe);
  draw_printable(list, at, color, safe, width, max_width);
}

namespace {

void add_text(ImDrawList& list, ImVec2 at, ImU32 color, std::string_view text) {
  list.AddText(at, color, text.data(), text.data() + text.size());
}

}  // namespace

void draw_printable(ImDrawList& list, ImVec2 at, ImU32 color, std::string_view text, float width,
                    float max_width) {
  if (!note_letters(text))
    return draw_printable(list, at, color, with_boxes(text), width, max_width);
  // Whole pixels: the glyphs were drawn for them.
  at = {std::floor(at.x), std::floor(at.y)};
  std::string turned;
  if (width <= max_width) return add_text(list, at, color, in_shapes(text, turned));
  constexpr std::string_view kEllipsis = "…";
  const float room = max_width - text_width(kEllipsis);
  if (room <= 0) return;
  const std::string_view prefix = prefix_within(text, room);
  if (prefix.empty()) return;
  const std::string_view shown = in_shapes(prefix, turned);
  add_text(list, at, color, shown);
  add_text(list, {at.x + drawn_width(shown), at.y}, color, kEllipsis);
}

namespace {

constexpr float kPlatePadX = 5, kPlatePadY = 2;

}  // namespace

ImVec2 plate_size(std::string_view text, float scale) {
  const std::string safe = printable(text);
  return {text_width(safe) + 2 * kPlatePadX * scale, ImGui::GetFontSize() + 2 * kPlatePadY * scale};
}

void draw_on_plate(ImDrawList& list, const Theme& theme, ImVec2 at, ImVec2 size, ImU32 color,
                   std::string_view text, float scale) {
  list.AddRectFilled(at, {at.x + size.x, at.y + size.y}, theme.popup, 3 * scale);
  // One more: a width that was rounded off must not cut the text.
  draw_text(list, {at.x + kPlatePadX * scale, at.y + kPlatePadY * scale}, color, text,
            size.x - 2 * kPlatePadX * scale + 1);
}

}  // namespace weft::app
