#include "core/formats/profiles/stack_text/stack_text_reader.h"

#include <algorithm>
#include <memory>

#include "core/formats/base/text.h"
#include "core/formats/base/text_lines.h"
#include "core/formats/profiles/stack_text/variants.h"

namespace weft::formats {

int sniff_stack_text(std::span<const std::byte> head) {
  return stack_text::surest_variant(as_chars(head)).score;
}

Status read_stack_text(io::Source& source, trace::EventSink& sink, const ReadContext&) {
  WEFT_TRY_ASSIGN(const auto peeked, source.peek(kHeadBytes));
  const auto head = peeked.first(std::min(peeked.size(), kHeadBytes));
  const stack_text::Surest surest = stack_text::surest_variant(as_chars(head));
  sink.set_time_base(TimeBase::kTicks);
  stack_text::StackOutput output(sink);
  std::unique_ptr<stack_text::Parser> parser;
  if (surest.variant == nullptr) {
    sink.loss("text without stacks of a known kind", trace::LossPlace::nowhere());
  } else {
    sink.set_metadata("stacks of", surest.variant->name);
    parser = surest.variant->create(output);
  }
  for_each_whole_line(source, sink, [&](const io::Line& line) {
    if (parser != nullptr) parser->add(line);
  });
  if (parser != nullptr) parser->finish(source.offset());
  output.finish();
  return {};
}

}  // namespace weft::formats
