// The lines of a chart, one statement each: without comments, with what stands in a block (a note
// over several lines) as one.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/regex.h"
#include "core/formats/messages/charts/notation.h"

namespace weft::formats::charts {

// A pattern, and its groups by name.
class Pattern {
 public:
  explicit Pattern(std::string_view pattern);

  bool matches(std::string_view text) const { return regex_.matches(text); }
  // Keeps what the groups captured, until the next call.
  bool find(std::string_view text, std::vector<std::string_view>& captured) const {
    return regex_.find(text, captured) == Regex::Found::kYes;
  }
  // Returns what a group captured; empty if there is no such group.
  std::string_view group(std::string_view name, std::span<const std::string_view> captured) const;

 private:
  Regex regex_;
};

// A notation that is ready to read. Made once.
struct CompiledNotation {
  explicit CompiledNotation(const Notation& of);

  const Notation& notation;
  Pattern begin;
  Pattern end;
  std::vector<std::pair<Pattern, Pattern>> blocks;
  std::vector<Pattern> rules;  // in the notation's order
};

struct Statement {
  std::string_view text;   // trimmed
  std::string block = {};  // the lines of a block, without the first and the last
  size_t offset = 0;
};

struct ChartText {
  size_t offset = 0;  // of its first line
  std::vector<Statement> statements;
  bool is_whole = false;  // its last line was there
};

class ChartLines {
 public:
  ChartLines(std::string_view text, const CompiledNotation& notation)
      : text_(text), notation_(notation) {}

  // Reads the next chart; returns false at the end. What stands before it is in `before`.
  bool next(ChartText& chart, std::vector<std::string_view>& before);
  size_t offset() const { return at_; }

 private:
  // Removes and returns the next line, trimmed.
  std::string_view take_line();
  size_t offset_of(std::string_view part) const {
    return static_cast<size_t>(part.data() - text_.data());
  }
  void add(ChartText& chart, std::string_view line);
  std::string take_block(const Pattern& end);

  std::string_view text_;
  const CompiledNotation& notation_;
  size_t at_ = 0;
};

}  // namespace weft::formats::charts
