#include "core/formats/messages/charts/chart_lines.h"

#include <algorithm>

#include "core/base/ascii.h"
#include "core/formats/base/text.h"
#include "core/formats/general/custom/built_in_rules.h"

namespace weft::formats::charts {
namespace {

const custom::PatternParts& parts() {
  static const custom::PatternParts kParts = {{"NAME", R"("[^"]*"|[\p{L}\p{N}_.@]+)"},
                                              {"COLOUR", R"((?:\s*#\S+)?)"},
                                              {"SAID", R"(\s*(?::\s*(?<text>.*))?$)"}};
  return kParts;
}

// Where a statement ends that others may follow; the character of "#9829;" is none.
size_t end_of_statement(std::string_view line) {
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] != ';') continue;
    size_t word = i;
    while (word > 0 && is_word_char(line[word - 1])) --word;
    if (word == 0 || word == i || line[word - 1] != '#') return i;
  }
  return line.size();
}

}  // namespace

Pattern::Pattern(std::string_view pattern)
    : regex_(*Regex::compile("(?i)" + custom::with_parts(std::string(pattern), parts()))) {}

std::string_view Pattern::group(std::string_view name,
                                std::span<const std::string_view> captured) const {
  const std::vector<std::string>& names = regex_.groups();
  for (size_t i = 0; i < std::min(names.size(), captured.size()); ++i) {
    if (names[i] == name && captured[i].data() != nullptr) return captured[i];
  }
  return {};
}

CompiledNotation::CompiledNotation(const Notation& of)
    : notation(of), begin(of.begin), end(of.end) {
  for (const Block& block : of.blocks)
    blocks.emplace_back(Pattern(block.begin), Pattern(block.end));
  for (const LineRule& rule : of.rules) rules.emplace_back(rule.pattern);
}

std::string_view ChartLines::take_line() {
  const std::string_view rest = text_.substr(at_);
  const std::string_view line = rest.substr(0, find_any<'\n', '\r'>(rest));
  at_ = std::min(text_.size(), at_ + line.size() + 1);
  return trimmed(line);
}

bool ChartLines::next(ChartText& chart, std::vector<std::string_view>& before) {
  chart = {};
  before.clear();
  while (true) {
    if (at_ >= text_.size()) return false;
    const std::string_view line = take_line();
    chart.offset = offset_of(line);
    if (notation_.begin.matches(line)) break;
    before.push_back(line);
  }
  while (at_ < text_.size()) {
    const std::string_view line = take_line();
    if (notation_.end.matches(line)) {
      chart.is_whole = true;
      return true;
    }
    if (!line.empty()) add(chart, line);
  }
  chart.is_whole = !notation_.notation.has_end;
  return true;
}

void ChartLines::add(ChartText& chart, std::string_view line) {
  for (const auto& [begin, end] : notation_.blocks) {
    if (!begin.matches(line)) continue;
    Statement statement{line, {}, offset_of(line)};
    if (!end.matches(line)) statement.block = take_block(end);
    chart.statements.push_back(std::move(statement));
    return;
  }
  if (line.starts_with(notation_.notation.comment)) return;
  while (!line.empty()) {
    const std::string_view whole =
        notation_.notation.has_semicolons ? line.substr(0, end_of_statement(line)) : line;
    const std::string_view statement = trimmed(whole);
    if (notation_.notation.has_semicolons && statement.starts_with('#')) return;  // a comment
    if (!statement.empty()) chart.statements.push_back({statement, {}, offset_of(statement)});
    line.remove_prefix(std::min(line.size(), whole.size() + 1));
  }
}

// A block that does not end, ends with its chart.
std::string ChartLines::take_block(const Pattern& end) {
  std::string block;
  while (at_ < text_.size()) {
    const size_t before = at_;
    const std::string_view line = take_line();
    if (end.matches(line)) break;
    if (notation_.end.matches(line)) {
      at_ = before;
      break;
    }
    if (!block.empty()) block += '\n';
    block += line;
  }
  return block;
}

}  // namespace weft::formats::charts
