#include "core/formats/profiles/tracy/tracy_reader.h"

#include <string_view>

#include "core/formats/base/text.h"
#include "core/formats/profiles/tracy/tracy_player.h"

namespace weft::formats {

int sniff_tracy(std::span<const std::byte> head) {
  constexpr int kSure = 100, kQuiteSure = 95;
  const std::string_view text = as_chars(head);
  if (text.starts_with(tracy::kManyStreams)) return kSure;
  return text.starts_with(tracy::kOneLz4) || text.starts_with(tracy::kOneZstd) ? kQuiteSure : 0;
}

Status read_tracy(io::Source& source, trace::EventSink& sink, const ReadContext&) {
  return tracy::Player(source, sink).play();
}

}  // namespace weft::formats
