// Trees as comma-separated values, a call a row: what VTune reports top-down (indented names), and
// what Visual Studio exports (a column of levels).
#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "core/formats/base/head_lines.h"
#include "core/formats/base/text.h"
#include "core/formats/general/csv/csv_cells.h"
#include "core/formats/general/csv/csv_columns.h"
#include "core/formats/profiles/stack_text/call_tree.h"
#include "core/formats/profiles/stack_text/variants.h"

namespace weft::formats::stack_text {
namespace {

constexpr char kComma = ',';

struct TreeColumns {
  size_t name = 0;
  std::optional<size_t> level, self, object;
  bool is_time = false;  // what `self` says
  double scale = 1;      // from its unit to what a stack weighs
};

// What a call weighs without those that it made. Of several columns the first of these counts.
struct SelfColumn {
  std::string_view begin, end;
  bool is_time;
  double scale;
};
constexpr SelfColumn kSelfColumns[] = {
    {"Elapsed Exclusive Time", "Time", true, 1e3},  // in ms, to µs
    {"Application Exclusive Time", "Time", true, 1e3},
    {"Exclusive Samples", "Samples", false, 1},
    {"Exclusive Allocations", "Allocations", false, 1},
    {"Exclusive Bytes", "Bytes", false, 1},
    // In hundredths of a percent, which are all that a run says that was measured call by call.
    {"Elapsed Exclusive Time %", "%", false, 100},
    {"Application Exclusive Time %", "%", false, 100},
    {"Exclusive Samples %", "%", false, 100},
};
constexpr size_t kNoSelf = std::size(kSelfColumns);

size_t rank_of(std::string_view cell) {
  const auto* const it = std::ranges::find_if(kSelfColumns, [&](const SelfColumn& each) {
    return cell.starts_with(each.begin) && cell.ends_with(each.end);
  });
  return static_cast<size_t>(it - std::begin(kSelfColumns));
}

// "Function Stack,CPU Time:Self,Module"; "Level,Function Name,…,Exclusive Samples,…,Module Name,";
// "Level,Function Name,Number of Calls,…,Elapsed Exclusive Time %,…,Module Name,".
std::optional<TreeColumns> tree_columns(std::string_view header) {
  std::vector<std::string> cells;
  if (!csv::split(header, kComma, cells)) return std::nullopt;
  TreeColumns out;
  bool has_name = false;
  size_t rank = kNoSelf;
  for (size_t i = 0; i < cells.size(); ++i) {
    const std::string_view cell = trimmed(cells[i]);
    if (cell == "Function Stack" || cell == "Function Name") {
      out.name = i;
      has_name = true;
    } else if (cell == "Level") {
      out.level = i;
    } else if (cell == "Module" || cell == "Module Name") {
      out.object = i;
    } else if (!out.self && cell.find(":Self") != std::string_view::npos && !cell.ends_with('%')) {
      out.self = i;
      out.is_time = cell.find("Time") != std::string_view::npos;
      out.scale = out.is_time ? 1e6 : 1;  // of seconds
    } else if (const size_t its = rank_of(cell); its < rank) {
      rank = its;
      out.self = i;
      out.is_time = kSelfColumns[its].is_time;
      out.scale = kSelfColumns[its].scale;
    }
  }
  const bool is_tree = has_name && out.self && (out.level || out.name == 0);
  return is_tree ? std::optional(out) : std::nullopt;
}

class TableParser : public Parser {
 public:
  explicit TableParser(StackOutput& output) : output_(output), tree_(output) {}

  void add(const io::Line& line) override {
    if (trimmed(line.text).empty()) return;
    if (!columns_) {
      columns_ = tree_columns(line.text);
      if (columns_ && columns_->is_time) output_.set_time_base(TimeBase::kMicroseconds);
      return;
    }
    const size_t last = std::max({columns_->name, *columns_->self, columns_->level.value_or(0)});
    // Quotes may stand behind the spaces that say how deep it is.
    const size_t indent = std::min(line.text.find_first_not_of(' '), line.text.size());
    if (!cells_.split(line.text.substr(indent), kComma) || cells_.size() <= last)
      return output_.sink().loss("line that is not a call", line.offset);
    const auto self = weight_from(std::string(cells_[*columns_->self]));
    const auto depth = depth_of(indent);
    if (!self || !depth) return output_.sink().loss("line that is not a call", line.offset);
    Frame frame{trimmed(cells_[columns_->name])};
    if (columns_->object && *columns_->object < cells_.size())
      frame.object = trimmed(cells_[*columns_->object]);
    if (!tree_.add(*depth, output_.type_of(frame), 0, self))
      output_.sink().loss("call too deep for the line before", line.offset);
  }
  void finish(uint64_t) override { tree_.begin({}); }

 private:
  // Levels are counted from the first one's: 0 is the program, where it has a row. Spaces stand
  // before the name, within its quotes or before them.
  std::optional<size_t> depth_of(size_t indent) {
    if (columns_->level) {
      const auto level = parse_number<uint32_t>(trimmed(cells_[*columns_->level]));
      constexpr uint32_t kMostFirst = 1;
      if (!first_level_ && level && *level <= kMostFirst) first_level_ = *level;
      if (!first_level_ || !level || *level < *first_level_) return std::nullopt;
      return size_t{*level - *first_level_};
    }
    const size_t inner = cells_[0].find_first_not_of(' ');
    if (inner == std::string::npos) return std::nullopt;
    return std::max(indent, inner);
  }

  // "8,735" has commas between thousands; "0.010s" a unit.
  std::optional<int64_t> weight_from(std::string text) const {
    std::erase(text, kComma);
    std::string_view rest = trimmed(text);
    const auto number = take_number<double>(rest);
    constexpr double kMost = 1e12;
    if (!number || *number < 0 || *number > kMost) return std::nullopt;
    return std::llround(*number * columns_->scale);
  }

  StackOutput& output_;
  CallTree tree_;
  std::optional<TreeColumns> columns_;
  std::optional<uint32_t> first_level_;
  csv::Cells cells_;
};

int sniff_table(std::string_view head) {
  HeadLines lines(head, 3);  // a warning may stand above
  while (const auto line = lines.next()) {
    if (tree_columns(*line)) return 88;
  }
  return 0;
}

constexpr Variant kTables[] = {
    {"VTune or Visual Studio", sniff_table, [](StackOutput& output) -> std::unique_ptr<Parser> {
       return std::make_unique<TableParser>(output);
     }}};

}  // namespace

std::span<const Variant> table_variants() { return kTables; }

}  // namespace weft::formats::stack_text
