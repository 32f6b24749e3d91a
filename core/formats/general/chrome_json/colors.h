// The colour names that the format reserves ("cname").
#pragma once

#include <cstdint>
#include <string_view>

namespace weft::formats::chrome_json {

// 0xRRGGBB; trace::EventType::kNoColor for a name that is not reserved.
uint32_t rgb_from_name(std::string_view cname);

}  // namespace weft::formats::chrome_json
