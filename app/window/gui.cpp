#include "app/window/gui.h"

#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include "app/panels/letters.h"

namespace weft::app {

Gui::Gui(float scale) : scale_(scale) {
  IMGUI_CHECKVERSION();
  ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;  // otherwise imgui.ini in the current folder is read and written
  io.LogFilename = nullptr;
  io.ConfigWindowsMoveFromTitleBarOnly = true;
  io.MouseDoubleClickMaxDist = 6 * scale;
#if IMGUI_VERSION_NUM < 18700
  // Menus that are gone through by keys insist on one for Space, also where there is no keyboard.
  io.KeyMap[ImGuiKey_Space] = 0;
#endif
  fonts_ = load_fonts(scale);
  letters_ = wanted_letters().size();
  ImGui_ImplOpenGL3_Init("#version 410 core");
}

Gui::~Gui() {
  ImGui_ImplOpenGL3_Shutdown();
  ImGui::DestroyContext();
}

void Gui::update_fonts(float scale) {
  if (scale == scale_ && letters_ == wanted_letters().size()) return;
  scale_ = scale;
  letters_ = wanted_letters().size();
  ImGui::GetIO().Fonts->Clear();
  fonts_ = load_fonts(scale);
  ImGui_ImplOpenGL3_DestroyFontsTexture();
  ImGui_ImplOpenGL3_CreateFontsTexture();
}

void Gui::begin_frame() { ImGui_ImplOpenGL3_NewFrame(); }

void Gui::draw() { ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData()); }

}  // namespace weft::app
