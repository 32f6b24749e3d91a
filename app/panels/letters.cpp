#include "app/panels/letters.h"

#include <imgui_internal.h>

#include <algorithm>
#include <bitset>

namespace weft::app {
namespace {

std::vector<ImWchar> wanted;

}  // namespace

void note_letters(std::string_view printable) {
  constexpr unsigned char kFirstLead = 0xC4;  // Latin-1 is in every font
  static std::bitset<IM_UNICODE_CODEPOINT_MAX + 1> asked;
  const char* const end = printable.data() + printable.size();
  const auto is_far = [](char c) { return static_cast<unsigned char>(c) >= kFirstLead; };
  for (const char* at = std::find_if(printable.data(), end, is_far); at < end;
       at = std::find_if(at, end, is_far)) {
    unsigned int code = 0;
    at += std::max(1, ImTextCharFromUtf8(&code, at, end));
    if (code > IM_UNICODE_CODEPOINT_MAX || asked[code] || wanted.size() == kMostLetters) continue;
    const auto letter = static_cast<ImWchar>(code);
    if (ImGui::GetFont()->FindGlyphNoFallback(letter)) continue;
    asked[code] = true;
    wanted.push_back(letter);
  }
}

const std::vector<ImWchar>& wanted_letters() { return wanted; }

}  // namespace weft::app
