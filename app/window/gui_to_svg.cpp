#include "app/window/gui_to_svg.h"

#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace weft::app {
namespace {

using render::SvgPoint;

// The em of DejaVu Sans as a part of its height, ascent and descent together (2048 of 1901 + 483
// units): ImGui's sizes are heights, those of SVG are ems.
constexpr float kEmOfHeight = 2048.0F / 2384;

// A letter and where it was drawn, as it looks when the page is turned so that its line is level.
struct Letter {
  ImWchar code = 0;
  bool is_bold = false;
  float turn = 0;  // of the line, clockwise, in radians
  float x = 0;     // of its origin
  float baseline = 0;
  float size_px = 0;  // of the em
  float advance = 0;
  ImU32 color = 0;
};

// Which letter a quad of the fonts' texture shows.
class Glyphs {
 public:
  explicit Glyphs(const Fonts& fonts) {
    for (const ImFont* font : {fonts.body, fonts.small, fonts.bold}) {
      if (font == nullptr) continue;
      for (const ImFontGlyph& glyph : font->Glyphs) {
        found_.emplace(key_of(glyph.U0, glyph.V0), Entry{font, &glyph, font == fonts.bold});
      }
    }
  }

  // `quad`: the corners as ImGui writes them, from the top left one clockwise.
  std::optional<Letter> letter(std::span<const ImDrawVert> quad) const {
    const ImVec2 uv = quad[0].uv;
    const auto at = found_.find(key_of(uv.x, uv.y));
    if (at == found_.end()) return std::nullopt;
    const auto& [font, glyph, is_bold] = at->second;
    const float turn = turn_of(quad);
    const ImVec2 a = turned(quad[0].pos, -turn), c = turned(quad[2].pos, -turn);
    const float scale =
        (c.y - a.y) / ((quad[2].uv.y - uv.y) / (glyph->V1 - glyph->V0)) / (glyph->Y1 - glyph->Y0);
    return Letter{static_cast<ImWchar>(glyph->Codepoint),
                  is_bold,
                  turn,
                  a.x - glyph->X0 * scale,
                  a.y + (font->Ascent - glyph->Y0) * scale,
                  font->FontSize * scale * kEmOfHeight,
                  glyph->AdvanceX * scale,
                  quad[0].col};
  }

 private:
  struct Entry {
    const ImFont* font;
    const ImFontGlyph* glyph;
    bool is_bold;
  };
  // The angle of its upper edge; exactly 0 if it is level.
  static float turn_of(std::span<const ImDrawVert> quad) {
    const ImVec2 a = quad[0].pos, b = quad[1].pos;
    return a.y == b.y ? 0 : std::atan2(b.y - a.y, b.x - a.x);
  }
  static ImVec2 turned(ImVec2 p, float by) {
    if (by == 0) return p;
    const float c = std::cos(by), s = std::sin(by);
    return {p.x * c - p.y * s, p.x * s + p.y * c};
  }
  static uint64_t key_of(float u, float v) {
    const auto word = [](float x) { return static_cast<uint64_t>(std::lround(x * 65536)); };
    return word(u) << 32 | word(v);
  }
  std::unordered_map<uint64_t, Entry> found_;
};

void append_utf8(std::string& out, uint32_t code) {
  const auto byte = [&](uint32_t bits) { out += static_cast<char>(bits); };
  if (code < 0x80) {
    byte(code);
  } else if (code < 0x800) {
    byte(0xC0 | code >> 6);
    byte(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    byte(0xE0 | code >> 12);
    byte(0x80 | (code >> 6 & 0x3F));
    byte(0x80 | (code & 0x3F));
  } else {
    byte(0xF0 | code >> 18);
    byte(0x80 | (code >> 12 & 0x3F));
    byte(0x80 | (code >> 6 & 0x3F));
    byte(0x80 | (code & 0x3F));
  }
}

// Letters that follow each other become one text.
class TextWriter {
 public:
  explicit TextWriter(render::SvgPage& page) : page_(page) {}
  ~TextWriter() { flush(); }
  TextWriter(const TextWriter&) = delete;
  TextWriter& operator=(const TextWriter&) = delete;

  void add(const Letter& letter) {
    // Coordinates of rotated text are rounded a little.
    const float off = letter.turn == 0 ? 0 : 0.1F;
    const auto is_near = [&](float a, float b) { return std::fabs(a - b) <= off; };
    const bool goes_on = !xs_.empty() && is_near(letter.baseline, last_.baseline) &&
                         is_near(letter.size_px, last_.size_px) &&
                         is_near(letter.turn, last_.turn) && letter.is_bold == last_.is_bold &&
                         letter.color == last_.color &&
                         std::fabs(letter.x - (last_.x + last_.advance)) < letter.size_px;
    if (!goes_on) flush();
    // Spaces have no letter, but those who copy the text want them.
    const float gap = letter.x - (last_.x + last_.advance);
    if (goes_on && gap > 0.2F * letter.size_px) {
      text_ += ' ';
      xs_.push_back(last_.x + last_.advance);
    }
    append_utf8(text_, letter.code);
    xs_.push_back(letter.x);
    last_ = letter;
  }

  void flush() {
    if (xs_.empty()) return;
    page_.text(text_, xs_, last_.baseline, last_.size_px, last_.is_bold, last_.color, last_.turn);
    text_.clear();
    xs_.clear();
  }

 private:
  render::SvgPage& page_;
  std::string text_;
  std::vector<float> xs_;
  Letter last_;
};

// Polygons that follow each other in one colour and share an edge, as one: the seams between
// them would be seen where edges are smoothed.
class ShapeWriter {
 public:
  explicit ShapeWriter(render::SvgPage& page) : page_(page) {}
  ~ShapeWriter() { flush(); }
  ShapeWriter(const ShapeWriter&) = delete;
  ShapeWriter& operator=(const ShapeWriter&) = delete;

  void add(std::span<const SvgPoint> polygon, ImU32 color) {
    if (polygon.size() < 3 || color >> 24 == 0) return;
    if (color == color_ && join(polygon)) return;
    flush();
    color_ = color;
    outline_.assign(polygon.begin(), polygon.end());
    newest_ = 0;
  }

  void flush() {
    if (!outline_.empty()) page_.polygon(outline_, color_);
    outline_.clear();
  }

 private:
  static bool are_same(SvgPoint a, SvgPoint b) { return a.x == b.x && a.y == b.y; }

  // Whether the polygon has an edge of the one added last, which then goes by its other corners,
  // too. Neighbours turn the same way, so they go along their edge in opposite directions.
  bool join(std::span<const SvgPoint> polygon) {
    const size_t count = polygon.size();
    for (size_t from = newest_; from < outline_.size(); ++from) {
      const SvgPoint a = outline_[from], b = outline_[(from + 1) % outline_.size()];
      for (size_t i = 0; i < count; ++i) {
        if (!are_same(polygon[i], b) || !are_same(polygon[(i + 1) % count], a)) continue;
        std::vector<SvgPoint> others;
        for (size_t k = 2; k < count; ++k) others.push_back(polygon[(i + k) % count]);
        outline_.insert(outline_.begin() + static_cast<ptrdiff_t>(from) + 1, others.begin(),
                        others.end());
        newest_ = from;
        return true;
      }
    }
    return false;
  }

  render::SvgPage& page_;
  std::vector<SvgPoint> outline_;
  size_t newest_ = 0;  // corner of the outline from which on those of the polygon added last are
  ImU32 color_ = 0;
};

// One draw command: triangles, of which those of one fan are one polygon, and quads of letters.
class CommandWriter {
 public:
  CommandWriter(const Glyphs& glyphs, ImVec2 white, render::SvgPage& page)
      : glyphs_(glyphs), white_(white), shape_(page), text_(page) {}

  void write(const ImDrawList& list, const ImDrawCmd& command) {
    const ImDrawIdx* index = list.IdxBuffer.Data + command.IdxOffset;
    const ImDrawVert* vertex = list.VtxBuffer.Data + command.VtxOffset;
    for (unsigned i = 0; i + 3 <= command.ElemCount;) {
      const ImDrawVert& first = vertex[index[i]];
      const bool is_letter = !is_white(first) && i + 6 <= command.ElemCount;
      if (is_letter) {
        flush_fan();
        shape_.flush();
        const ImDrawVert quad[] = {first, vertex[index[i + 1]], vertex[index[i + 2]],
                                   vertex[index[i + 5]]};
        if (const auto letter = glyphs_.letter(quad)) text_.add(*letter);
        i += 6;
        continue;
      }
      text_.flush();
      add_triangle(index + i, vertex);
      i += 3;
    }
    flush_fan();
  }

 private:
  bool is_white(const ImDrawVert& v) const { return v.uv.x == white_.x && v.uv.y == white_.y; }

  void add_triangle(const ImDrawIdx* index, const ImDrawVert* vertex) {
    const bool goes_on =
        !fan_.empty() && index[0] == center_ && index[1] == last_ && vertex[index[0]].col == color_;
    if (!goes_on) {
      flush_fan();
      center_ = index[0];
      color_ = vertex[index[0]].col;
      add_point(vertex[index[0]]);
      add_point(vertex[index[1]]);
    }
    add_point(vertex[index[2]]);
    last_ = index[2];
  }
  void add_point(const ImDrawVert& v) { fan_.push_back({v.pos.x, v.pos.y}); }
  void flush_fan() {
    shape_.add(fan_, color_);
    fan_.clear();
  }

  const Glyphs& glyphs_;
  ImVec2 white_;
  ShapeWriter shape_;
  TextWriter text_;
  std::vector<SvgPoint> fan_;
  unsigned center_ = 0, last_ = 0;
  ImU32 color_ = 0;
};

}  // namespace

void add_gui(const ImDrawData& data, const Fonts& fonts, render::SvgPage& page) {
  const Glyphs glyphs(fonts);
  const ImVec2 white = ImGui::GetIO().Fonts->TexUvWhitePixel;
  for (int i = 0; i < data.CmdListsCount; ++i) {  // an array of ImGui 1.86, a vector since 1.89
    const ImDrawList* const list = data.CmdLists[i];
    for (const ImDrawCmd& command : list->CmdBuffer) {
      if (command.UserCallback != nullptr || command.ElemCount == 0) continue;
      const ImVec4& clip = command.ClipRect;
      if (clip.z <= clip.x || clip.w <= clip.y) continue;
      page.begin_clip(clip.x, clip.y, clip.z, clip.w);
      CommandWriter(glyphs, white, page).write(*list, command);
      page.end_part();
    }
  }
}

GuiWithoutSmoothEdges::GuiWithoutSmoothEdges()
    : had_lines_(ImGui::GetStyle().AntiAliasedLines), had_fill_(ImGui::GetStyle().AntiAliasedFill) {
  ImGui::GetStyle().AntiAliasedLines = false;
  ImGui::GetStyle().AntiAliasedFill = false;
}

GuiWithoutSmoothEdges::~GuiWithoutSmoothEdges() {
  ImGui::GetStyle().AntiAliasedLines = had_lines_;
  ImGui::GetStyle().AntiAliasedFill = had_fill_;
}

}  // namespace weft::app
