// Parses lines of text ahead on pool workers, and plays them in order on the thread that feeds the
// sink. For formats whose lines are self-contained, and for which parsing costs about as much as
// the rest.
//
// Memory: a few blocks of text and their parsed lines.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/thread_pool.h"
#include "core/formats/base/ahead.h"
#include "core/formats/base/early_end.h"
#include "core/formats/base/text_lines.h"
#include "core/io/line_reader.h"
#include "core/trace/event_sink.h"

namespace weft::formats {

// Language has a type Parsed, the result of parsing lines, which can be cleared for reuse, and two
// functions that may be called from several threads at once:
//   parse(const io::Line&, Parsed&) const adds the content of a line;
//   changes(std::string_view lines) const tells whether playing some of these lines changes how
//   parse() reads later ones; they are then parsed one by one, after all earlier ones were played.
template <class Language>
class LinesAhead {
 public:
  LinesAhead(io::Source& source, trace::EventSink& sink, ThreadPool& pool, const Language& language)
      : source_(source),
        sink_(sink),
        language_(language),
        ahead_(pool, kMostBlocks, [this](Block& block) { parse(block); }) {}

  // Calls play(const Parsed&) for all lines, in batches, until the sink wants no more. Lines that
  // are too long, and truncated input, are losses; a last line without its end is noted.
  template <class Play>
  void play(const Play& play) {
    std::optional<uint64_t> open;
    for (fill(); !ahead_.is_empty(); fill()) {
      Block& block = ahead_.front();
      open = open_line(block.lines);
      if (block.changes) {
        play_one_by_one(block, play);
      } else {
        for (const uint64_t offset : block.cut) sink_.loss(kTooLong, offset);
        play(block.parsed);
      }
      ahead_.pop();
      sink_.progress(source_.disk_bytes_read(), source_.disk_bytes_total());
      if (!sink_.keep_going()) return;
    }
    if (open) sink_.note(kOpenLine, *open);
    if (blocks_.error()) report_early_end(sink_, *blocks_.error(), blocks_.offset());
  }

 private:
  struct Block {
    io::LineBlock lines;
    bool changes = false;
    typename Language::Parsed parsed;
    std::vector<uint64_t> cut;  // offsets of overlong lines
  };

  // Does not read beyond lines that change what follows, nor wait while there is something to play.
  void fill() {
    while (ahead_.is_empty() ||
           (!ahead_.is_full() && !ahead_.back().changes && source_.is_ready())) {
      Block& block = ahead_.idle();
      if (!blocks_.next(block.lines)) return;
      block.changes = language_.changes(block.lines.text);
      if (block.changes) {
        ahead_.push_done();
      } else {
        ahead_.push();
      }
    }
  }

  // Where the last line begins, if no line feed ends it and it is not blank.
  static std::optional<uint64_t> open_line(const io::LineBlock& block) {
    const size_t begin = block.text.rfind('\n') + 1;  // 0: there is none
    const bool is_blank = trimmed(std::string_view(block.text).substr(begin)).empty();
    return is_blank ? std::nullopt : std::optional(block.offset + begin);
  }

  template <class Cut, class Take>
  static void for_each_line(const io::LineBlock& block, const Cut& cut, const Take& take) {
    io::Lines lines(block, kMostLineBytes);
    while (const io::Line* const line = lines.next()) {
      if (line->is_cut) {
        cut(line->offset);
      } else if (!line->text.empty()) {
        take(*line);
      }
    }
  }

  void parse(Block& block) const {
    block.parsed.clear();
    block.cut.clear();
    for_each_line(
        block.lines, [&](uint64_t offset) { block.cut.push_back(offset); },
        [&](const io::Line& line) { language_.parse(line, block.parsed); });
  }

  template <class Play>
  void play_one_by_one(Block& block, const Play& play) {
    for_each_line(
        block.lines, [&](uint64_t offset) { sink_.loss(kTooLong, offset); },
        [&](const io::Line& line) {
          block.parsed.clear();
          language_.parse(line, block.parsed);
          play(block.parsed);
        });
  }

  static constexpr size_t kMostLineBytes = size_t{1} << 20;
  static constexpr size_t kBlockBytes = size_t{64} << 10;  // text and result fit a core's cache
  static constexpr size_t kMostBlocks = 4;                 // two workers keep up with playing
  static constexpr const char* kTooLong = "line too long";

  io::Source& source_;
  trace::EventSink& sink_;
  const Language& language_;
  io::LineBlocks blocks_{source_, kMostLineBytes, kBlockBytes};
  Ahead<Block> ahead_;  // last member: workers may use its blocks until it is destroyed
};

}  // namespace weft::formats
