#include "core/formats/general/chrome_json/colors.h"

#include <algorithm>
#include <array>

namespace weft::formats::chrome_json {
namespace {

struct NamedColor {
  std::string_view name;
  uint32_t rgb;
};

// The reserved names of the Trace Event Format and their colours in its reference viewer.
constexpr std::array kColors = {
    NamedColor{"background_memory_dump", 0x00B4B4},
    NamedColor{"bad", 0xB47D00},
    NamedColor{"black", 0x000000},
    NamedColor{"cq_build_abandoned", 0xBBBBBB},
    NamedColor{"cq_build_attempt_failed", 0xC55151},
    NamedColor{"cq_build_attempt_passed", 0x67DA23},
    NamedColor{"cq_build_attempt_runnig", 0xDEDE4B},
    NamedColor{"cq_build_failed", 0xEE8888},
    NamedColor{"cq_build_passed", 0x99EE66},
    NamedColor{"cq_build_running", 0xFFFF77},
    NamedColor{"detailed_memory_dump", 0xB400B4},
    NamedColor{"generic_work", 0x7D7D7D},
    NamedColor{"good", 0x007D00},
    NamedColor{"grey", 0xDDDDDD},
    NamedColor{"heap_dump_child_node_arrow", 0xCC6600},
    NamedColor{"heap_dump_object_type", 0x0000FF},
    NamedColor{"heap_dump_stack_frame", 0x808080},
    NamedColor{"light_memory_dump", 0x0000B4},
    NamedColor{"olive", 0x646400},
    NamedColor{"rail_animation", 0xF44A3F},
    NamedColor{"rail_idle", 0xEE8E00},
    NamedColor{"rail_load", 0x0DA861},
    NamedColor{"rail_response", 0x4387FD},
    NamedColor{"startup", 0xE6E600},
    NamedColor{"terrible", 0xB40000},
    NamedColor{"thread_state_iowait", 0xFF8C00},
    NamedColor{"thread_state_runnable", 0x85A0D2},
    NamedColor{"thread_state_running", 0x7EC894},
    NamedColor{"thread_state_sleeping", 0xF0F0F0},
    NamedColor{"thread_state_uninterruptible", 0xB67D8F},
    NamedColor{"thread_state_unknown", 0xC79B7D},
    NamedColor{"vsync_highlight_color", 0x0000FF},
    NamedColor{"white", 0xFFFFFF},
    NamedColor{"yellow", 0xFFFF00},
};
static_assert(std::ranges::is_sorted(kColors, {}, &NamedColor::name));

}  // namespace

uint32_t rgb_from_name(std::string_view cname) {
  const auto it = std::ranges::lower_bound(kColors, cname, {}, &NamedColor::name);
  return it != kColors.end() && it->name == cname ? it->rgb : trace::EventType::kNoColor;
}

}  // namespace weft::formats::chrome_json
