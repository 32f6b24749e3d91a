// Values of variables formatted for people.
#pragma once

#include <cstdint>
#include <string>

namespace weft {

// Formats integers in full and other values to six digits: "3,670,123", "-0.0125". Not-a-number,
// which stands for a variable without a value, gives "none".
std::string format_value(double value);
// Formats a word of bits, such as the value of a bus: "0x1f4", "500", "0b111110100"; preceded by
// "≈" if the word exceeds the 53 bits of a double. Of more than 64 bits, only the leading digits
// are given, "≈0x111122223333…", and in decimal six of them. Other values are formatted as by
// format_value().
enum class Radix : uint8_t { kHexadecimal, kDecimal, kBinary };
std::string format_word(double value, Radix radix);
// Formats a value in three digits, for axis labels: "3.67M", "-12.5k", "0.0125".
std::string format_short_value(double value);

}  // namespace weft
