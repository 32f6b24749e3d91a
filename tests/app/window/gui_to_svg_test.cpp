// Conversion of what ImGui drew to SVG.
#include "app/window/gui_to_svg.h"

#include <gtest/gtest.h>

#include <cmath>
#include <iterator>
#include <regex>
#include <string>

namespace weft::app {
namespace {

class GuiToSvg : public ::testing::Test {
 protected:
  GuiToSvg() {
    ImGui::CreateContext(set_.atlas.get());
    ImGui::GetIO().IniFilename = nullptr;
    ImGui::GetIO().DisplaySize = ImVec2(200, 200);
  }
  ~GuiToSvg() override { ImGui::DestroyContext(); }

  template <typename Draw>
  std::string svg_of(const Draw& draw) {
    const GuiWithoutSmoothEdges hard;
    ImGui::NewFrame();
    draw(*ImGui::GetForegroundDrawList());
    ImGui::Render();
    render::SvgPage page(200, 200);
    add_gui(*ImGui::GetDrawData(), set_.fonts, page);
    return page.document();
  }

  static ptrdiff_t count_of(const std::string& text, const char* pattern) {
    const std::regex wanted(pattern);
    return std::distance(std::sregex_iterator(text.begin(), text.end(), wanted), {});
  }

  FontSet set_ = make_fonts(1, {});
};

// The sectors of a ring, each made of many quads, have no seams within them.
TEST_F(GuiToSvg, NeighboursOfOneColorAreOneShape) {
  const auto sector = [](ImDrawList& list, float from, float to, ImU32 color) {
    constexpr int kSteps = 20;
    const auto at = [&](int i, float radius) {
      const float angle = from + (to - from) * static_cast<float>(i) / kSteps;
      return ImVec2(100 + radius * std::cos(angle), 100 + radius * std::sin(angle));
    };
    for (int i = 0; i < kSteps; ++i) {
      list.AddQuadFilled(at(i, 50), at(i, 80), at(i + 1, 80), at(i + 1, 50), color);
    }
  };
  const std::string svg = svg_of([&](ImDrawList& list) {
    sector(list, 0, 2, IM_COL32(200, 0, 0, 255));
    sector(list, 2, 5, IM_COL32(0, 200, 0, 255));
  });
  EXPECT_EQ(count_of(svg, "<(polygon|path) "), 2) << svg;
}

TEST_F(GuiToSvg, ShapesThatOnlyHaveTheColorInCommonAreTheirOwn) {
  const std::string svg = svg_of([](ImDrawList& list) {
    for (const float x : {10.0F, 50.0F, 90.0F}) {
      list.AddTriangleFilled({x, 10}, {x + 20, 10}, {x, 30}, IM_COL32(0, 0, 200, 255));
    }
  });
  EXPECT_EQ(count_of(svg, "<(polygon|path) "), 3) << svg;
}

// The size of a font is its em in SVG, its height in ImGui; each letter stays where it was drawn.
TEST_F(GuiToSvg, TextIsAsLargeAsItWasDrawn) {
  const std::string svg = svg_of(
      [](ImDrawList& list) { list.AddText({20, 20}, IM_COL32(255, 255, 255, 255), "wefts cope"); });
  EXPECT_NE(svg.find(">wefts cope<"), std::string::npos) << svg;
  std::smatch size;
  ASSERT_TRUE(std::regex_search(svg, size, std::regex("font-size=\"([0-9.]+)"))) << svg;
  EXPECT_NEAR(std::stof(size[1]), set_.fonts.body->FontSize * 0.859F, 0.1F);
}

// A text that was turned is one text still, turned back.
TEST_F(GuiToSvg, ASlantedTextIsOneText) {
  const std::string svg = svg_of([](ImDrawList& list) {
    list.AddText({50, 50}, IM_COL32(255, 255, 255, 255), "slanted");
    constexpr float kSlope = 0.70710678F;
    for (ImDrawVert& vertex : list.VtxBuffer) {
      const ImVec2 at = vertex.pos;
      vertex.pos = {(at.x + at.y) * kSlope, (at.y - at.x) * kSlope + 100};
    }
  });
  EXPECT_NE(svg.find(" transform=\"rotate(-45)\""), std::string::npos) << svg;
  EXPECT_NE(svg.find(">slanted<"), std::string::npos) << svg;
  std::smatch size;
  ASSERT_TRUE(std::regex_search(svg, size, std::regex("font-size=\"([0-9.]+)"))) << svg;
  EXPECT_NEAR(std::stof(size[1]), set_.fonts.body->FontSize * 0.859F, 0.1F);
}

}  // namespace
}  // namespace weft::app
