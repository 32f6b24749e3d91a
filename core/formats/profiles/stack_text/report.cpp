// What `perf report --stdio` prints (report_lines.h): the rows side by side, as wide as they weigh,
// each with the calls that its graph tells.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/formats/base/head_lines.h"
#include "core/formats/base/text.h"
#include "core/formats/profiles/stack_text/report_lines.h"
#include "core/formats/profiles/stack_text/variants.h"

namespace weft::formats::stack_text {
namespace {

constexpr double kRounded = 0.006;  // what percentages are less exact than
constexpr size_t kMostDepth = 4096;

bool is_address(std::string_view name) { return name.starts_with("0x"); }

// Whether a node is the row's function: "malloc", "malloc (inlined)"; addresses have leading zeros.
bool is_same(std::string_view node, std::string_view symbol) {
  if (is_address(node) && is_address(symbol)) {
    const auto left = take_address(node), right = take_address(symbol);
    return left && left == right;
  }
  if (!node.starts_with(symbol)) return false;
  return node.size() == symbol.size() || node[symbol.size()] == ' ' || node[symbol.size()] == '+';
}

class ReportParser : public Parser {
 public:
  explicit ReportParser(StackOutput& output) : output_(output), lines_(output) {}

  void add(const io::Line& line) override { lines_.add(line); }
  void finish(uint64_t) override {
    for (const ReportRow& row : lines_.rows()) look_at(row);
    is_callees_first_ =
        has_self_ ? callees_first_ > 0 && callers_first_ == 0 : callees_first_ >= callers_first_;
    for (const ReportRow& row : lines_.rows()) {
      if (row.total > 0) show(row);
    }
  }

 private:
  // No line tells what the nodes' shares refer to, and where a row's graph begins.
  void look_at(const ReportRow& row) {
    const auto nodes = lines_.nodes_of(row);
    has_self_ |= row.self.has_value();
    if (row.object != nullptr) value_of(objects_, *row.name, row.object);
    bool begins = true, ends = false;
    std::vector<bool> has_below(nodes.size());
    for (const ReportNode& node : nodes) {
      if (node.above != ReportNode::kNone) has_below[node.above] = true;
      const double above = node.above == ReportNode::kNone ? row.total : nodes[node.above].share;
      // One that has no share says nothing of those on it.
      is_fractal_ |= node.is_percentage && node.share > above + 2 * kRounded;
    }
    for (size_t i = 0; i < nodes.size(); ++i) {
      const bool is_row = is_same(*nodes[i].name, *row.name);
      if (nodes[i].above == ReportNode::kNone) begins &= is_row;
      if (!has_below[i]) ends |= is_row;
    }
    // A function that called others has them in its graph, too, whoever comes first.
    const bool has_called = row.self && *row.self < row.total - kRounded;
    if (nodes.size() < 2 || is_address(*row.name) || has_called) return;
    callees_first_ += begins && !ends ? 1 : 0;
    callers_first_ += ends && !begins ? 1 : 0;
  }

  // Percentages of all, by node.
  std::vector<double> weights_of(const ReportRow& row) const {
    const auto nodes = lines_.nodes_of(row);
    double counted = 0;  // where shares are numbers
    for (const ReportNode& node : nodes) {
      if (node.above == ReportNode::kNone && !node.is_percentage) counted += node.share;
    }
    std::vector<double> weights;
    for (const ReportNode& node : nodes) {
      const double above = node.above == ReportNode::kNone ? row.total : weights[node.above];
      if (std::isnan(node.share)) {
        weights.push_back(above);
      } else if (!node.is_percentage) {
        weights.push_back(counted > 0 ? node.share / counted * row.total : 0);
      } else {
        weights.push_back(is_fractal_ ? node.share / 100 * above : node.share);
      }
    }
    return weights;
  }

  void show(const ReportRow& row) {
    const auto nodes = lines_.nodes_of(row);
    const std::vector<double> weights = weights_of(row);
    std::vector<double> left = weights;  // without what those below have
    std::vector<size_t> roots(nodes.size());
    double total = row.total, self = row.self.value_or(0);
    for (size_t i = 0; i < nodes.size(); ++i) {
      const size_t above = nodes[i].above;
      roots[i] = above == ReportNode::kNone ? i : roots[above];
      if (above != ReportNode::kNone) left[above] -= weights[i];
    }
    const bool is_reversed = is_callees_first_;
    for (size_t i = 0; i < nodes.size(); ++i) {
      const bool is_root = roots[i] == i;
      // Beside what a function called there is who called it where it was sampled itself: no more
      // than that.
      const bool is_self = row.self && !is_reversed && *row.self > kRounded &&
                           weights[roots[i]] <= *row.self + 2 * kRounded &&
                           !is_same(*nodes[roots[i]].name, *row.name);
      if (is_root) (is_self ? self : total) -= weights[i];
      if (left[i] <= kRounded) continue;
      const bool is_whole = row.self && !is_self;
      add(row, path_to(row, i, is_self || !row.self), left[i],
          is_whole ? " (children)" : self_lane(row));
    }
    if (row.self && self > kRounded) add(row, {row.name}, self, self_lane(row));
    if (total > kRounded) add(row, {row.name}, total, row.self ? " (children)" : "");
  }
  static std::string_view self_lane(const ReportRow& row) { return row.self ? " (self)" : ""; }

  // From the outermost to the innermost. `ends`: the row's function is the last of them.
  std::vector<const std::string_view*> path_to(const ReportRow& row, size_t node, bool ends) const {
    const auto nodes = lines_.nodes_of(row);
    std::vector<const std::string_view*> path;
    for (size_t i = node; i != ReportNode::kNone && path.size() < kMostDepth; i = nodes[i].above)
      path.push_back(nodes[i].name);
    const bool begins = is_callees_first_ || !ends;
    const std::string_view*& first = path.back();
    const bool is_unknown = is_address(*row.name) && is_address(begins ? *first : *path.front());
    if (begins) {
      if (is_unknown || is_same(*first, *row.name)) first = row.name;
    } else if (is_unknown || is_same(*path.front(), *row.name)) {
      path.front() = row.name;
    } else {
      path.insert(path.begin(), row.name);
    }
    if (!is_callees_first_) std::ranges::reverse(path);
    return path;
  }

  void add(const ReportRow& row, const std::vector<const std::string_view*>& path,
           double percentage, std::string_view lane) {
    frames_.clear();
    for (const std::string_view* name : row.outer) frames_.push_back(output_.type_of({*name}));
    for (const std::string_view* name : path) {
      const auto* const known = objects_.find(*name);
      const std::string_view* object = known == nullptr ? nullptr : known->second;
      if (name == row.name && row.object != nullptr) object = row.object;
      frames_.push_back(
          output_.type_of({*name, object == nullptr ? "" : std::string_view(*object)}));
    }
    const ReportEvent& event = lines_.events()[row.event];
    const auto weight = std::llround(percentage / 100 * event.count);
    output_.add(event.name + std::string(lane), frames_, std::max<int64_t>(1, weight));
  }

  StackOutput& output_;
  ReportLines lines_;
  ByName<const std::string_view*> objects_;    // by function
  int callees_first_ = 0, callers_first_ = 0;  // rows that tell
  bool has_self_ = false, is_fractal_ = false, is_callees_first_ = true;
  std::vector<EventTypeId> frames_;  // kept for its memory
};

int sniff_report(std::string_view head) {
  HeadLines lines(head);
  std::string_view last;
  while (const auto line = lines.next()) {
    const bool has_columns =
        !report_columns(last, *line).empty() || separated_columns(*line).columns.size() > 1;
    if (has_columns) return 92;
    last = *line;
  }
  return 0;
}

constexpr Variant kReports[] = {
    {"perf report", sniff_report, [](StackOutput& output) -> std::unique_ptr<Parser> {
       return std::make_unique<ReportParser>(output);
     }}};

}  // namespace

std::span<const Variant> report_variants() { return kReports; }

}  // namespace weft::formats::stack_text
