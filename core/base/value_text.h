// Values of variables as text for people.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace weft {

// "3,670,123", "-0.0125": whole numbers in full, of others six digits. Not-a-number, which a
// variable without a value has: "none".
std::string format_value(double value);
// Of words of bits, as buses have them: "0x1f4", "500", "0b111110100"; after "≈" where the word has
// more than the 53 bits of a double. What is no such word is as format_value has it.
enum class Radix : uint8_t { kHexadecimal, kDecimal, kBinary };
inline constexpr std::array<std::string_view, 3> kRadixNames = {"hexadecimal", "decimal", "binary"};
std::string format_word(double value, Radix radix);
// In the room that an axis has, three digits: "3.67M", "-12.5k", "0.0125".
std::string format_short_value(double value);

}  // namespace weft
