#include "core/formats/profiles/stack_text/report_lines.h"

#include <algorithm>
#include <cstdint>

#include "core/base/text.h"
#include "core/formats/base/text.h"

namespace weft::formats::stack_text {
namespace {

// "67.44%", "12": nothing else.
std::optional<double> number_of(std::string_view cell, bool& is_percentage) {
  cell = trimmed(cell);
  const auto number = take_number<double>(cell);
  is_percentage = take_prefix(cell, "%");
  return cell.empty() ? number : std::nullopt;
}

bool is_dots(std::string_view text) {
  return text.size() > 1 && text.find_first_not_of(". ") == std::string_view::npos &&
         text.starts_with('.');
}

bool is_delta(const ReportColumn& column) { return column.name.starts_with("Delta"); }

// "[k] schedule" → "schedule".
std::string_view without_place(std::string_view symbol) {
  constexpr size_t kMark = 4;
  const bool has_mark = symbol.size() > kMark && symbol[0] == '[' && symbol[2] == ']';
  return has_mark ? trimmed(symbol.substr(kMark)) : symbol;
}

std::string_view cell_of(std::string_view line, const ReportColumn& column, bool is_last) {
  if (column.begin >= line.size()) return {};
  return trimmed(line.substr(column.begin, is_last ? line.size() : column.end - column.begin));
}

}  // namespace

std::vector<ReportColumn> report_columns(std::string_view names, std::string_view dots) {
  constexpr size_t kMark = 2;  // "# "
  if (!dots.starts_with("# ") || !is_dots(trimmed(dots.substr(kMark)))) return {};
  std::vector<ReportColumn> out;
  for (size_t at = dots.find('.'); at < dots.size(); at = dots.find('.', at)) {
    const size_t end = std::min(dots.find(' ', at), dots.size());
    out.push_back({at, end, {}});
    at = end;
  }
  for (ReportColumn& column : out) column.name = cell_of(names, column, &column == &out.back());
  const bool is_known = out.size() > 1 && (out[0].name == "Overhead" || out[0].name == "Children" ||
                                           (out[0].name == "Baseline" && is_delta(out[1])));
  return is_known ? out : std::vector<ReportColumn>();
}

SeparatedColumns separated_columns(std::string_view names) {
  SeparatedColumns out;
  std::string_view rest = names;
  if (!take_prefix(rest, "# ")) return out;
  rest = rest.substr(std::min(rest.find_first_not_of(' '), rest.size()));
  if (!take_prefix(rest, "Overhead") && !take_prefix(rest, "Children")) return out;
  skip_spaces(rest);
  constexpr std::string_view kLetters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.";
  if (rest.empty() || kLetters.contains(rest.front())) return out;
  out.separator = rest.front();
  for (std::string_view left = names.substr(2); !left.empty();)
    out.columns.push_back({0, 0, std::string(trimmed(take_to(left, out.separator)))});
  return out;
}

void ReportLines::add(const io::Line& line) {
  std::string_view text = line.text;
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  if (text.starts_with('#')) return add_comment(text, line);
  if (text.empty() || columns_.empty() || !has_room(line)) return;
  if (!add_row(text) && !add_graph_line(text)) sink_.loss("line that is not a call", line.offset);
}

bool ReportLines::has_room(const io::Line& line) {
  constexpr size_t kMostNodes = size_t{1} << 22;
  const bool has_room = rows_.size() + nodes_.size() + names_.size() < kMostNodes;
  if (!has_room) sink_.loss("more calls than a report is read with", line.offset);
  return has_room;
}

void ReportLines::add_comment(std::string_view text, const io::Line& line) {
  auto columns = report_columns(last_comment_, text);
  last_comment_ = text;
  if (!columns.empty()) return begin_columns(std::move(columns), 0);
  if (auto separated = separated_columns(text); separated.separator != 0)
    return begin_columns(std::move(separated.columns), separated.separator);
  text = trimmed(text.substr(1));
  constexpr std::string_view kSamples = "Samples: ", kOf = " of event", kEvent = "Event '",
                             kCount = "Event count (approx.): ", kLost = "Total Lost Samples: ";
  if (const size_t of = text.find(kOf);
      text.starts_with(kSamples) && of != std::string_view::npos) {
    std::string_view name = text.substr(of + kOf.size());
    name = name.substr(std::min(name.find('\''), name.size()));
    take_prefix(name, "'");
    events_.push_back({.name = valid_utf8(name.substr(0, name.rfind('\'')))});
    columns_.clear();
    levels_.clear();
  } else if (take_prefix(text, kEvent)) {
    compared_ = valid_utf8(text.substr(0, text.rfind('\'')));
    columns_.clear();
  } else if (take_prefix(text, kCount)) {
    const auto count = take_number<double>(text);
    constexpr double kMost = 1e18;
    if (count && *count > 0 && *count < kMost && !events_.empty()) events_.back().count = *count;
  } else if (take_prefix(text, kLost)) {
    const auto lost = take_number<uint64_t>(text);
    if (lost && *lost > 0) sink_.loss("samples lost by perf", line.offset, *lost);
  } else if (const size_t colon = text.find(" : "); colon != std::string_view::npos) {
    sink_.set_metadata(valid_utf8(trimmed(text.substr(0, colon))),
                       valid_utf8(trimmed(text.substr(colon + 3))));
  }
}

void ReportLines::begin_columns(std::vector<ReportColumn> columns, char separator) {
  columns_ = std::move(columns);
  separator_ = separator;
  deltas_ = static_cast<size_t>(std::ranges::count_if(columns_, is_delta));
  if (deltas_ > 0) events_.push_back({.name = compared_ + " before"});
  for (size_t i = 1; i <= deltas_; ++i)
    events_.push_back({.name = deltas_ == 1 ? compared_ : compared_ + '/' + std::to_string(i)});
  if (events_.empty()) events_.push_back({.name = "samples"});
  around_.clear();
}

const std::string_view* ReportLines::kept(std::string_view name) {
  return &names_.try_emplace(name, true).first->first;
}

// A row's first percentage ends where its column does; in a hierarchy it stands before that.
bool ReportLines::begins_row(std::string_view text) const {
  if (separator_ != 0) {
    bool is_percentage = false;
    return number_of(cell(text, 0), is_percentage) && is_percentage && text.contains(separator_);
  }
  const bool is_hierarchy = columns_.back().name.contains(" / ");
  const ReportColumn& first = columns_.front();
  if (deltas_ > 0) {
    return std::ranges::any_of(columns_.begin(), columns_.begin() + 1 + deltas_, [&](auto& each) {
      return text.size() > each.end && text[each.end - 1] == '%';
    });
  }
  if (text.size() <= first.end) return false;
  const bool ends =
      is_hierarchy ? text.substr(0, first.end).contains('%') : text[first.end - 1] == '%';
  return ends && text.find_first_not_of(' ', first.end) != first.end;
}

bool ReportLines::add_row(std::string_view text) {
  if (!begins_row(text)) return false;
  if (deltas_ > 0) return add_comparison(text);
  const bool is_hierarchy = separator_ == 0 && columns_.back().name.contains(" / ");
  ReportRow row;
  row.event = events_.size() - 1;
  row.first = nodes_.size();
  if (!add_cells(text, row)) return false;
  if (is_hierarchy) enclose(row, text.find_first_not_of(' '));
  levels_.clear();
  flat_share_.reset();
  rows_.push_back(std::move(row));
  return true;
}

// A row for what was before, and for each other recording one of what it has: nothing where no
// difference is told.
bool ReportLines::add_comparison(std::string_view text) {
  ReportRow row;
  row.event = events_.size() - 1 - deltas_;
  row.first = nodes_.size();
  add_names(text, 1 + deltas_, row);
  if (row.name == nullptr) return false;
  bool is_percentage = false;
  const double before = number_of(cell(text, 0), is_percentage).value_or(0);
  row.total = before;
  rows_.push_back(row);
  for (size_t i = 1; i <= deltas_; ++i) {
    std::string_view delta = cell(text, i);
    take_prefix(delta, "+");
    const auto number = number_of(delta, is_percentage);
    ++row.event;
    row.total = number ? before + *number : 0;
    rows_.push_back(row);
  }
  return true;
}

// For event groups, the first event's percentage is taken.
bool ReportLines::add_cells(std::string_view text, ReportRow& row) {
  std::string_view total =
      separator_ != 0 ? cell(text, 0) : trimmed(text.substr(0, columns_.front().end));
  const auto percentage = take_number<double>(total);
  if (!percentage || !total.starts_with('%')) return false;
  row.total = *percentage;
  add_names(text, 1, row);
  return row.name != nullptr;
}

void ReportLines::add_names(std::string_view text, size_t first_column, ReportRow& row) {
  for (size_t i = first_column; i < columns_.size(); ++i) {
    const ReportColumn& column = columns_[i];
    const std::string_view cell = this->cell(text, i);
    bool is_percentage = false;
    const auto number = number_of(cell, is_percentage);
    if (column.name == "Self" && number) {
      row.self = *number;
    } else if (column.name == "Shared Object") {
      row.object = kept(cell);
    } else if (column.name == "Symbol") {
      if (row.name != nullptr) row.outer.push_back(row.name);
      row.name = kept(without_place(cell));
    } else if (!number && !cell.empty()) {
      if (row.name != nullptr) row.outer.push_back(row.name);
      row.name = kept(without_place(cell));
    }
  }
  if (row.name == nullptr) row.name = row.object;
}

// The last one is all that is left.
std::string_view ReportLines::cell(std::string_view text, size_t column) const {
  const bool is_last = column + 1 == columns_.size();
  if (separator_ == 0) return cell_of(text, columns_[column], is_last);
  for (size_t i = 0; i < column; ++i) take_to(text, separator_);
  return trimmed(is_last ? text : take_to(text, separator_));
}

// A row that contains others has their sum, and encloses them.
void ReportLines::enclose(ReportRow& row, size_t indent) {
  while (!around_.empty() && around_.back().first >= indent) around_.pop_back();
  if (!around_.empty() && !rows_.empty() && rows_.back().name == around_.back().second)
    rows_.back().total = 0;
  for (const auto& [column, name] : around_) row.outer.push_back(name);
  around_.emplace_back(indent, row.name);
}

bool ReportLines::add_graph_line(std::string_view text) {
  if (rows_.empty()) return false;
  const size_t begin = text.find_first_not_of(" |");
  if (begin == std::string_view::npos) return true;  // bars
  std::string_view rest = text.substr(begin);
  if (take_prefix(rest, "---")) {
    levels_.clear();
    add_node(rest, std::numeric_limits<double>::quiet_NaN(), true, begin + 3);
    return true;
  }
  if (take_prefix(rest, "--")) return begin > 0 && add_share(rest, begin);
  const size_t space = rest.find(' ');
  bool is_percentage = false;
  const auto share = number_of(rest.substr(0, space), is_percentage);
  if (share && is_percentage) {
    levels_.clear();
    flat_share_ = share;
    if (space == std::string_view::npos) return true;
    for (std::string_view names = trimmed(rest.substr(space)); !names.empty();)
      add_node(take_to(names, separator_ != 0 ? separator_ : ';'), *flat_share_, true, 0);
    return true;
  }
  if (begin == 0) return false;
  const bool is_first = levels_.empty();
  add_node(rest, is_first && flat_share_ ? *flat_share_ : std::numeric_limits<double>::quiet_NaN(),
           true, begin);
  return true;
}

// "65.11%--run" behind the sign, which stands behind the column of the one it hangs on.
bool ReportLines::add_share(std::string_view text, size_t column) {
  constexpr size_t kStep = 11;
  const auto share = take_number<double>(text);
  const bool is_percentage = take_prefix(text, "%");
  if (!share || !take_prefix(text, "--")) return false;
  while (!levels_.empty() && levels_.back().column > column - 1) levels_.pop_back();
  add_node(text, *share, is_percentage, column - 1 + kStep);
  return true;
}

// One in the column of the last hangs on it, and takes its place.
void ReportLines::add_node(std::string_view name, double share, bool is_percentage, size_t column) {
  ReportRow& row = rows_.back();
  while (!levels_.empty() && levels_.back().column > column) levels_.pop_back();
  ReportNode node{.name = kept(name), .share = share, .is_percentage = is_percentage};
  if (!levels_.empty()) node.above = levels_.back().node - row.first;
  if (!levels_.empty() && levels_.back().column == column) {
    if (column == 0) node.share = std::numeric_limits<double>::quiet_NaN();
    levels_.pop_back();
  }
  levels_.push_back({column, nodes_.size()});
  nodes_.push_back(node);
  ++row.count;
}

}  // namespace weft::formats::stack_text
