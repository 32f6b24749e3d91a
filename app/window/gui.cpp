#include "app/window/gui.h"

#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include "app/panels/letters.h"

namespace weft::app {

Gui::Gui(float scale, std::function<void()> wake)
    : wanted_{scale, wanted_letters()},
      key_(wanted_),
      set_(std::make_shared<const FontSet>(make_fonts(scale, wanted_.letters))),
      maker_([](const FontKey& key) { return make_fonts(key.scale, key.letters); },
             std::move(wake)) {
  IMGUI_CHECKVERSION();
  ImGui::CreateContext(set_->atlas.get());
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;  // otherwise imgui.ini in the current folder is read and written
  io.LogFilename = nullptr;
  io.ConfigWindowsMoveFromTitleBarOnly = true;
  io.MouseDoubleClickMaxDist = 6 * scale;
#if IMGUI_VERSION_NUM < 18700
  // Menus that are gone through by keys insist on one for Space, also where there is no keyboard.
  io.KeyMap[ImGuiKey_Space] = 0;
#endif
  ImGui_ImplOpenGL3_Init("#version 410 core");
}

Gui::~Gui() {
  ImGui_ImplOpenGL3_Shutdown();
  ImGui::DestroyContext();
}

bool Gui::update_fonts(float scale) {
  wanted_.scale = scale;
  if (wanted_.letters.size() != wanted_letters().size()) wanted_.letters = wanted_letters();
  if (wanted_ == key_) return true;
  const auto found = maker_.find(wanted_);
  if (found.is_stale) return false;
  ImGui_ImplOpenGL3_DestroyFontsTexture();  // of the old ones
  key_ = wanted_;
  set_ = found.value;
  ImGui::GetIO().Fonts = set_->atlas.get();
  ImGui_ImplOpenGL3_CreateFontsTexture();
  return true;
}

void Gui::begin_frame() { ImGui_ImplOpenGL3_NewFrame(); }

void Gui::draw() { ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData()); }

}  // namespace weft::app
