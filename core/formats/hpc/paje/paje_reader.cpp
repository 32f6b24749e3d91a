#include "core/formats/hpc/paje/paje_reader.h"

#include <string_view>

#include "core/formats/base/lines_ahead.h"
#include "core/formats/base/text.h"
#include "core/formats/hpc/paje/paje_header.h"
#include "core/formats/hpc/paje/paje_parts.h"
#include "core/formats/hpc/paje/paje_player.h"

namespace weft::formats {

int sniff_paje(std::span<const std::byte> head) {
  std::string_view text = as_chars(head);
  while (!text.empty()) {
    std::string_view line = trimmed(take_to(text, '\n'));
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

namespace {

struct Language {
  using Parsed = paje::ParsedLines;
  paje::Header header;

  void parse(const io::Line& line, Parsed& parsed) const {
    const size_t first = line.text.find_first_not_of(" \t");
    if (first == std::string_view::npos || line.text[first] == '#') return;
    if (line.text[first] == '%') {
      parsed.entries.push_back({.line = line.text.substr(first), .offset = line.offset});
    } else {
      header.parse(line.text, line.offset, parsed);
    }
  }

  // Lines of the header.
  bool changes(std::string_view text) const {
    for (size_t at = text.find('%'); at != std::string_view::npos; at = text.find('%', at + 1)) {
      const size_t before = text.substr(0, at).find_last_not_of(" \t");
      if (before == std::string_view::npos || text[before] == '\n') return true;
    }
    return false;
  }
};

}  // namespace

Status read_paje(io::Source& source, trace::EventSink& sink, const ReadContext& context) {
  Language language;
  paje::Parts parts(source.path(), language.header, sink);
  paje::Player player(sink, context.memory_bytes,
                      [&](std::string_view name, uint64_t offset) { parts.open(name, offset); });
  const auto play = [&](const paje::ParsedLines& lines) {
    for (const auto& entry : lines.entries) {
      const bool is_of_header = entry.shape == nullptr && entry.wrong == nullptr;
      if (is_of_header) {
        if (!language.header.add_line(entry.line))
          sink.loss("line of the header without meaning", entry.offset);
        parts.follow_header();
      } else {
        if (entry.shape != nullptr) parts.play_before(paje::Event(lines, entry), player);
        paje::play(lines, entry, player, sink);
      }
    }
  };
  LinesAhead(source, sink, context.pool, language).play(play);
  if (language.header.is_open())
    sink.loss("definition of events that the end of the input cuts off", source.offset());
  parts.play_all(player);
  player.finish();
  return {};
}

}  // namespace weft::formats
