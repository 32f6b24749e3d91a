// Formats a program's print: a printf format and its values, which are words of the target.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace weft::formats::psf {

// Supports width, padding, precision, signs and the lengths "b" (8 bits), "h" (16) and "l". Texts
// are addresses resolved by `name_of`. A conversion without a value is left as it is.
std::string printed(std::string_view format, std::span<const uint64_t> values, uint32_t word_bytes,
                    const std::function<std::string(uint64_t)>& name_of);

}  // namespace weft::formats::psf
