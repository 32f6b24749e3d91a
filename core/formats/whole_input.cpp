#include "core/formats/whole_input.h"

#include <fmt/core.h>

#include <span>

#include "core/base/text.h"

namespace weft::formats {

Result<std::string> read_whole(io::Source& source, trace::EventSink& sink, uint64_t memory_bytes) {
  constexpr size_t kBlockBytes = size_t{1} << 20;
  std::string bytes;
  for (size_t n = 1; n > 0;) {
    const size_t have = bytes.size();
    bytes.resize(have + kBlockBytes);
    auto read = source.read(std::as_writable_bytes(std::span(bytes).subspan(have)));
    if (!read) sink.loss("input ends early: " + read.error().message, source.offset());
    n = read.value_or(0);
    bytes.resize(have + n);
    if (bytes.size() > memory_bytes)
      return fail(fmt::format("is a profile of more than {}: allow more with --memory",
                              format_bytes(memory_bytes)));
  }
  return bytes;
}

}  // namespace weft::formats
