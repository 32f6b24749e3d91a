// Values as Ruby's Marshal.dump writes them, as far as JSON has them: nil, true, false, numbers,
// texts, symbols, arrays and hashes (whose keys become texts), and references to texts and numbers;
// those to arrays and hashes become null.
//
// Source: marshal.c of Ruby 3.3, format 4.8.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace weft::formats::ruby {

bool is_marshal(std::string_view bytes);

// The value as the text of a JSON, of no more than so many bytes. A dump that is cut or damaged, or
// has a value that JSON cannot have, is an error that says where.
Result<std::string> json_of_marshal(std::string_view bytes, uint64_t most_bytes);

}  // namespace weft::formats::ruby
