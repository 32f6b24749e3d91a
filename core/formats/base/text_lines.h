// What all readers of lines share: overlong lines and truncated input are losses, progress is
// reported, and reading stops when the sink wants no more.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string_view>

#include "core/formats/base/early_end.h"
#include "core/formats/base/text.h"
#include "core/io/line_reader.h"
#include "core/io/source.h"
#include "core/trace/event_sink.h"

namespace weft::formats {

// Calls add(const io::Line&) for each line that is not overlong.
template <class Add>
void for_each_whole_line(io::Source& source, trace::EventSink& sink, const Add& add,
                         size_t max_line_bytes = size_t{1} << 20) {
  constexpr uint32_t kLinesBetweenLooks = 4096;
  io::LineReader lines(source, max_line_bytes);
  for (uint32_t i = 1; const io::Line* line = lines.next(); ++i) {
    if (line->is_cut) {
      sink.loss("line too long", line->offset);
    } else {
      add(*line);
    }
    if (i % kLinesBetweenLooks != 0) continue;
    sink.progress(source.disk_bytes_read(), source.disk_bytes_total());
    if (!sink.keep_going()) return;
  }
  if (lines.error()) report_early_end(sink, *lines.error(), lines.offset());
}

// The same, without blank lines.
template <class Add>
void for_each_line(io::Source& source, trace::EventSink& sink, const Add& add,
                   size_t max_line_bytes = size_t{1} << 20) {
  const auto add_unless_blank = [&](const io::Line& line) {
    if (!std::ranges::all_of(line.text, is_space)) add(line);
  };
  for_each_whole_line(source, sink, add_unless_blank, max_line_bytes);
}

inline constexpr std::string_view kOpenLine = "last line without its end: it may be cut off";

// The same of what only programs write, who end each line: where the last one is not ended, a
// number in it may lack digits.
template <class Add>
void for_each_ended_line(io::Source& source, trace::EventSink& sink, const Add& add) {
  const auto add_and_note = [&](const io::Line& line) {
    add(line);
    if (line.is_open) sink.note(kOpenLine, line.offset);
  };
  for_each_line(source, sink, add_and_note);
}

// Calls add(std::string_view) for the lines of a small file beside a trace that are not overlong;
// none if it cannot be read.
template <class Add>
void for_each_line_of(const std::filesystem::path& path, const Add& add) {
  const auto source = io::Source::open(path);
  if (!source) return;
  io::LineReader lines(**source, size_t{1} << 20);
  while (const io::Line* const line = lines.next()) {
    if (!line->is_cut) add(line->text);
  }
}

}  // namespace weft::formats
