#include "app/panels/letters.h"

#include <imgui_internal.h>

#include <algorithm>
#include <bitset>

namespace weft::app {
namespace {

constexpr std::string_view kBox = "□";

std::vector<ImWchar> wanted;

// Whether the character has four bytes, and so more than 16 bits.
bool is_beyond(char lead) {
  return IM_UNICODE_CODEPOINT_MAX <= 0xFFFF && static_cast<unsigned char>(lead) >= 0xF0;
}

}  // namespace

bool note_letters(std::string_view printable) {
  constexpr unsigned char kFirstLead = 0xC4;  // Latin-1 is in every font
  bool can_draw = true;
  static std::bitset<IM_UNICODE_CODEPOINT_MAX + 1> asked;
  const char* const end = printable.data() + printable.size();
  const auto is_far = [](char c) { return static_cast<unsigned char>(c) >= kFirstLead; };
  for (const char* at = std::find_if(printable.data(), end, is_far); at < end;
       at = std::find_if(at, end, is_far)) {
    can_draw &= !is_beyond(*at);
    unsigned int code = 0;
    at += std::max(1, ImTextCharFromUtf8(&code, at, end));
    if (code > IM_UNICODE_CODEPOINT_MAX || asked[code] || wanted.size() == kMostLetters) continue;
    const auto letter = static_cast<ImWchar>(code);
    if (ImGui::GetFont()->FindGlyphNoFallback(letter)) continue;
    asked[code] = true;
    wanted.push_back(letter);
  }
  return can_draw;
}

std::string with_boxes(std::string_view printable) {
  std::string drawn;
  for (const char* at = printable.data(); at < printable.data() + printable.size();) {
    unsigned int code = 0;
    const int size =
        std::max(1, ImTextCharFromUtf8(&code, at, printable.data() + printable.size()));
    drawn += is_beyond(*at) ? kBox : std::string_view(at, static_cast<size_t>(size));
    at += size;
  }
  note_letters(kBox);
  return drawn;
}

const std::vector<ImWchar>& wanted_letters() { return wanted; }

}  // namespace weft::app
