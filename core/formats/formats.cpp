#include "core/formats/formats.h"

#include <iterator>
#include <utility>

#include "core/formats/built_in.h"

namespace weft::formats {

// If two are equally sure of a file, the first reads it.
std::vector<Format> built_in_formats() {
  std::vector<Format> all;
  for (const auto rows : {general_formats, message_formats, embedded_formats, hpc_formats,
                          kernel_formats, profile_formats}) {
    std::vector<Format> formats = rows();
    std::ranges::move(formats, std::back_inserter(all));
  }
  return all;
}

}  // namespace weft::formats
