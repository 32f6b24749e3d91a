#include "core/formats/profiles/go/go_decoder.h"

#include <algorithm>

#include "core/formats/base/binary.h"
#include "core/formats/base/text.h"

namespace weft::formats::go {

int version_of(std::string_view header) {
  constexpr std::string_view kBegin = "go 1.", kEnd = " trace";
  if (!take_prefix(header, kBegin)) return 0;
  const int version = take_number<int>(header).value_or(0);
  return header.starts_with(kEnd) ? version : 0;
}

// Its number, how many frames, and for each where, its function, its file and its line.
void Decoder::add_stack(std::string_view bytes, uint32_t generation) {
  if (give_) return;
  constexpr uint64_t kMostFrames = 256;
  const auto id = take_varint(bytes), count = take_varint(bytes);
  std::vector<Frame> frames;
  while (frames.size() < std::min(count.value_or(0), kMostFrames)) {
    const auto at = take_varint(bytes), function = take_varint(bytes), file = take_varint(bytes),
               line = take_varint(bytes);
    if (!at || !function || !file || !line) break;
    frames.push_back({.function = *function, .file = *file, .line = *line});
  }
  if (id && !frames.empty()) knowledge_.tables.add_stack(generation, *id, frames);
}

void Decoder::add_text(uint32_t generation, uint64_t id, std::string_view text) {
  if (!give_) knowledge_.tables.add_text(generation, id, text);
}

// One that lies in its event: it gets a number that no other has, in the second run.
uint64_t Decoder::inline_text(uint32_t generation, std::string_view text) {
  constexpr uint64_t kInline = uint64_t{1} << 62;
  if (text.empty()) return 0;
  const uint64_t id = kInline + ++inline_texts_;
  knowledge_.tables.add_text(generation, id, text);
  return id;
}

bool Decoder::damaged(std::string_view what) {
  if (give_) sink_.loss(what, window_.offset());
  window_.skip(UINT64_MAX);
  return false;
}

}  // namespace weft::formats::go
