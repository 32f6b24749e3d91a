#include "core/formats/paje_reader.h"

#include <string_view>

#include "core/formats/paje/paje_header.h"
#include "core/formats/paje/paje_player.h"
#include "core/formats/text_lines.h"

namespace weft::formats {

int sniff_paje(std::span<const std::byte> head) {
  std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
  while (!text.empty()) {
    const size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty() || line.front() == '#') continue;
    if (line.front() != '%') return 0;
    line.remove_prefix(1);
    std::string_view first, second;
    const bool is_definition = paje::take_word(line, first) && first == "EventDef" &&
                               paje::take_word(line, second) && second.starts_with("Paje");
    return is_definition ? 95 : 0;
  }
  return 0;
}

Status read_paje(io::Source& source, trace::EventSink& sink, const ReadContext& context) {
  paje::Header header;
  paje::Player player(sink, context.memory_bytes);
  paje::Event event;
  const auto add = [&](const io::Line& line) {
    if (line.text.find_first_not_of(" \t") == std::string_view::npos) return;
    if (line.text.front() == '#') return;
    if (line.text.front() == '%') {
      if (!header.add_line(line.text)) sink.loss("line of the header without meaning", line.offset);
      return;
    }
    event.offset = line.offset;
    const std::string_view wrong = header.parse(line.text, event);
    if (!wrong.empty()) return sink.loss(wrong, line.offset);
    player.add(event);
  };
  for_each_line(source, sink, add);
  player.finish();
  return {};
}

}  // namespace weft::formats
