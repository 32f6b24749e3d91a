#include "core/formats/base/whole_input.h"

#include <fmt/core.h>

#include <algorithm>
#include <span>

#include "core/base/text.h"

namespace weft::formats {

Status read_up_to(io::Source& source, uint64_t most, std::string& bytes) {
  constexpr size_t kLeastRead = 64 << 10;
  while (bytes.size() <= most) {
    const size_t have = bytes.size();
    Result<size_t> read = 0;
    bytes.resize_and_overwrite(have + std::max(kLeastRead, have), [&](char* text, size_t size) {
      read = source.read(std::as_writable_bytes(std::span(text + have, size - have)));
      return have + read.value_or(0);
    });
    if (!read) return fail(read.error());
    if (*read == 0) break;
  }
  return {};
}

Result<std::string> read_whole(io::Source& source, trace::EventSink& sink, uint64_t memory_bytes) {
  std::string bytes;
  const Status status = read_up_to(source, memory_bytes, bytes);
  if (!status) sink.loss("input ends early: " + status.error().message, source.offset());
  if (bytes.size() > memory_bytes)
    return fail(fmt::format("is a profile of more than {}: allow more with --memory",
                            format_bytes(memory_bytes)));
  return bytes;
}

}  // namespace weft::formats
