// Any bytes as the definition of a trace type and, behind a zero byte, as a trace of it; without
// one, the definition is its own trace.
#include <cstdint>
#include <span>
#include <string_view>

#include "core/formats/general/custom/custom_reader.h"
#include "core/io/memory_source.h"
#include "tests/core/formats/counting_sink.h"
#include "tests/fuzz/fuzz.h"

namespace weft::fuzz {

void custom_format(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const size_t zero = text.find('\0');
  auto definition = formats::custom::definition_from_text(text.substr(0, zero));
  if (!definition) return;
  const auto rules = formats::custom::Rules::compile(*std::move(definition));
  if (!rules) return;
  const auto trace = std::as_bytes(std::span(text.substr(zero + 1)));  // npos + 1 is 0
  formats::custom::sniff_custom(**rules, trace);
  io::MemorySource source(trace);
  test::CountingSink sink;
  (void)formats::custom::read_custom(**rules, source, sink, 1 << 20);
}

}  // namespace weft::fuzz
