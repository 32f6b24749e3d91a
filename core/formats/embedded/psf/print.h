// What a program printed: a format as of printf and its values, which are words of the target.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace weft::formats::psf {

// Width, padding, precision, signs and the lengths "b" (8 bits), "h" (16) and "l" are known. Texts
// are addresses that `name_of` knows. A value that is missing stays as its format.
std::string printed(std::string_view format, std::span<const uint64_t> values, uint32_t word_bytes,
                    const std::function<std::string(uint64_t)>& name_of);

}  // namespace weft::formats::psf
