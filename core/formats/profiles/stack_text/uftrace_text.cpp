// What uftrace prints of its recordings: `uftrace graph`, a tree of calls with what they took, and
// `uftrace report`, a table of functions.
//
//   # Function Call Graph for 'app' (session: 69ac44dbce26280c)
//   ========== FUNCTION CALL GRAPH ==========
//   # TOTAL TIME   FUNCTION
//     273.518 us : (1) main
//      31.105 us :  +-(100) text
//       5.318 us :  |  +-(100) malloc
//                :  |  |
//       7.280 us :  |  +-(100) memset
//
// The only call of a function stands below it without a sign. Where no times are printed, calls are
// as wide as they were made often.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "core/base/saturating.h"
#include "core/formats/base/head_lines.h"
#include "core/formats/base/text.h"
#include "core/formats/profiles/stack_text/call_tree.h"
#include "core/formats/profiles/stack_text/variants.h"

namespace weft::formats::stack_text {
namespace {

constexpr std::string_view kGraph = "= FUNCTION CALL GRAPH =", kBacktrace = "= BACKTRACE =",
                           kTasks = "= TASK GRAPH =";

// "273.518 us" in nanoseconds, which is taken off.
std::optional<int64_t> take_duration(std::string_view& text) {
  struct Unit {
    std::string_view name;
    double ns;
  };
  constexpr Unit kUnits[] = {{"ns", 1},  {"us", 1e3}, {"ms", 1e6},
                             {"s", 1e9}, {"m", 6e10}, {"h", 3.6e12}};
  std::string_view rest = text;
  const auto number = parse_number<double>(take_word(rest));
  const std::string_view word = take_word(rest);
  const auto* const unit = std::ranges::find(kUnits, word, &Unit::name);
  if (!number || *number < 0 || unit == std::end(kUnits)) return std::nullopt;
  const auto ns = checked_round(*number * unit->ns);
  if (ns) text = rest;
  return ns;
}

// "main [/src/app.c:9]", where sources are printed.
Frame frame_of(std::string_view name) {
  name = trimmed(name);
  const size_t open = name.ends_with(']') ? name.rfind(" [") : std::string_view::npos;
  if (open == std::string_view::npos) return {name};
  const std::string_view where = name.substr(open + 2, name.size() - open - 3);
  return {trimmed(name.substr(0, open)), file_name_of(where.substr(0, where.rfind(':')))};
}

class UftraceGraphParser : public Parser {
 public:
  explicit UftraceGraphParser(StackOutput& output) : output_(output), tree_(output) {
    output_.set_time_base(TimeBase::kNanoseconds);
  }

  void add(const io::Line& line) override {
    std::string_view text = trimmed(line.text);
    constexpr std::string_view kOf = "# Function Call Graph for '";
    if (text.empty() || (is_graph_ && text == ":")) return;
    if (take_prefix(text, kOf)) {
      name_ = text.substr(0, text.rfind('\''));
    } else if (text.contains(kGraph) || text.contains(kBacktrace)) {
      is_graph_ = text.contains(kGraph);
      end_backtrace();
      begin_graph();
    } else if (text.starts_with('#')) {
      total_end_ = end_of(line.text, "TOTAL TIME");
      self_end_ = end_of(line.text, "SELF TIME");
    } else if (!(is_graph_ ? add_call(line.text) : add_to_backtrace(text))) {
      output_.sink().loss("line that is not a call", line.offset);
    }
  }
  void finish(uint64_t) override {
    end_backtrace();
    tree_.begin({});
  }

 private:
  static size_t end_of(std::string_view line, std::string_view column) {
    const size_t at = line.find(column);
    return at == std::string_view::npos ? 0 : at + column.size();
  }

  void begin_graph() {
    tree_.begin(name_.empty() ? std::string_view("calls") : std::string_view(name_));
    columns_.clear();
    total_end_ = self_end_ = 0;
  }

  // What stands in a column of times ends about where its title does.
  std::optional<int64_t> time_in(std::string_view cells, size_t end) const {
    constexpr size_t kWidth = 12, kSlack = 2;
    if (end == 0) return std::nullopt;
    const size_t begin = end > kWidth ? end - kWidth : 0;
    if (begin >= cells.size()) return std::nullopt;
    std::string_view cell = cells.substr(begin, kWidth + kSlack);
    return take_duration(cell);
  }

  bool add_call(std::string_view text) {
    const bool has_columns = total_end_ > 0 || self_end_ > 0;
    const size_t colon = text.find(" : ");
    if (has_columns && colon == std::string_view::npos)
      return trimmed(text).ends_with(':') || trimmed(text).ends_with('|');
    const std::string_view cells = has_columns ? text.substr(0, colon) : std::string_view();
    const std::string_view tree = has_columns ? text.substr(colon + 3) : text;
    const size_t column = tree.find_first_not_of(" |+-");
    if (column == std::string_view::npos) return true;  // bars
    std::string_view call = tree.substr(column);
    if (!take_prefix(call, "(")) return false;
    const auto count = take_number<int64_t>(call);
    if (!count || !take_prefix(call, ") ")) return false;
    constexpr size_t kStep = 3;  // "+-" and a space
    const bool is_branch = column >= kStep && tree.substr(column - 2, 2) == "+-";
    const size_t caller = is_branch ? column - kStep : column;
    while (!columns_.empty() && columns_.back() > caller) columns_.pop_back();
    const auto total = time_in(cells, total_end_);
    auto self = time_in(cells, self_end_);
    // Without a total, what a call has by itself is nothing where it is not printed.
    if (!total && !self) self = has_columns ? 0 : *count;
    if (!tree_.add(columns_.size(), output_.type_of(frame_of(call)), total.value_or(0), self))
      return false;
    columns_.push_back(column);
    return true;
  }

  // "backtrace #0: hit 1, time  61.051 us", and "[0] main (0x561dd3573351)", the outermost first.
  bool add_to_backtrace(std::string_view text) {
    constexpr std::string_view kTime = ", time";
    if (text.starts_with("backtrace #")) {
      end_backtrace();
      const size_t at = text.find(kTime);
      if (at == std::string_view::npos) return false;
      text.remove_prefix(at + kTime.size());
      backtrace_ns_ = take_duration(text).value_or(0);
      return backtrace_ns_ > 0;
    }
    if (!take_prefix(text, "[") || !take_number<uint32_t>(text) || !take_prefix(text, "] "))
      return false;
    const size_t address = text.rfind(" (0x");
    frames_.push_back(output_.type_of({trimmed(text.substr(0, address))}));
    return true;
  }
  void end_backtrace() {
    if (!frames_.empty()) output_.add("who called " + name_, frames_, backtrace_ns_);
    frames_.clear();
    backtrace_ns_ = 0;
  }

  StackOutput& output_;
  CallTree tree_;
  std::string name_;
  bool is_graph_ = false;
  size_t total_end_ = 0, self_end_ = 0;  // of the columns of times; 0: there is none
  std::vector<size_t> columns_;          // of the calls that are open
  std::vector<EventTypeId> frames_;      // of the backtrace
  int64_t backtrace_ns_ = 0;
};

// What `uftrace graph --task` prints: tasks side by side, for they ran side by side.
//
//   # TOTAL TIME   SELF TIME     TID     TASK NAME
//       6.844 ms   83.454 us  [ 19675] : app
//       3.769 ms   27.020 us  [ 19681] :  +-app
class UftraceTasksParser : public Parser {
 public:
  explicit UftraceTasksParser(StackOutput& output) : output_(output) {
    output_.set_time_base(TimeBase::kNanoseconds);
  }

  void add(const io::Line& line) override {
    if (trimmed(line.text).empty() || line.text.starts_with('#') || line.text.contains(kTasks))
      return;
    std::string_view text = line.text;
    if (trimmed(text).starts_with(':')) return;  // bars
    const auto total = take_duration(text);
    const size_t open = text.find('['), close = text.find("] : ");
    const size_t name =
        close == std::string_view::npos ? close : text.find_first_not_of(" |+-", close + 4);
    if (!total || open > close || name == std::string_view::npos)
      return output_.sink().loss("line that is not a task", line.offset);
    const std::string_view id = trimmed(text.substr(open + 1, close - open - 1));
    const std::string task = std::string(trimmed(text.substr(name))) + "-" + std::string(id);
    const EventTypeId frame = output_.type_of({task});
    output_.add("tasks", {&frame, 1}, *total);
  }
  void finish(uint64_t) override {}

 private:
  StackOutput& output_;
};

int sniff_uftrace_tasks(std::string_view head) {
  return head.contains(kTasks) && head.contains("TASK NAME") ? 90 : 0;
}

int sniff_uftrace_graph(std::string_view head) {
  return head.contains(kGraph) && head.contains("# Function Call Graph for '") ? 90 : 0;
}

struct UftraceColumn {
  size_t begin = 0, end = 0;
  std::string name;
};

// The columns by a line of "=" and the names above it.
std::vector<UftraceColumn> uftrace_columns(std::string_view names, std::string_view marks) {
  std::vector<UftraceColumn> out;
  const std::string_view text = trimmed(marks);
  if (text.size() < 2 || text.find_first_not_of("= ") != std::string_view::npos) return {};
  for (size_t at = marks.find('='); at < marks.size(); at = marks.find('=', at)) {
    const size_t end = std::min(marks.find(' ', at), marks.size());
    if (at >= names.size()) return {};
    out.push_back({at, end, std::string(trimmed(names.substr(at, end - at)))});
    at = end;
  }
  if (!out.empty()) out.back().name = trimmed(names.substr(out.back().begin));
  const bool is_known =
      out.size() > 1 && (out.back().name.starts_with("Function") || out.back().name == "Task name");
  return is_known ? out : std::vector<UftraceColumn>();
}

// Each number of a function is a lane, where it is as wide as that.
class UftraceReportParser : public Parser {
 public:
  explicit UftraceReportParser(StackOutput& output) : output_(output) {
    output_.set_time_base(TimeBase::kNanoseconds);
  }

  void add(const io::Line& line) override {
    const std::string_view text = line.text;
    if (columns_.empty()) {
      columns_ = uftrace_columns(last_, text);
      last_ = text;
      return;
    }
    if (trimmed(text).empty() || trimmed(text).starts_with('=')) return;
    const UftraceColumn& last = columns_.back();
    const std::string_view name =
        last.begin < text.size() ? trimmed(text.substr(last.begin)) : std::string_view();
    if (name.empty()) return output_.sink().loss("line that is not a function", line.offset);
    const EventTypeId frame = output_.type_of(frame_of(name));
    size_t begin = 0;
    for (size_t i = 0; i + 1 < columns_.size(); ++i) {
      std::string_view cell = text.substr(begin, columns_[i].end - begin);
      begin = columns_[i].end;
      if (columns_[i].name == "TID") continue;
      auto value = take_duration(cell);
      if (!value) value = parse_number<int64_t>(trimmed(cell));
      if (value) {
        output_.add(columns_[i].name, {&frame, 1}, *value);
      } else if (!trimmed(cell).empty()) {
        output_.sink().loss("cell that is not a number", line.offset);
      }
    }
  }
  void finish(uint64_t) override {}

 private:
  StackOutput& output_;
  std::vector<UftraceColumn> columns_;
  std::string last_;
};

int sniff_uftrace_report(std::string_view head) {
  HeadLines lines(head, 4);
  std::string_view last;
  while (const auto line = lines.next()) {
    if (line->starts_with("# uftrace diff")) return 0;
    if (!uftrace_columns(last, *line).empty()) return 88;
    last = *line;
  }
  return 0;
}

template <class Made>
std::unique_ptr<Parser> make_uftrace(StackOutput& output) {
  return std::make_unique<Made>(output);
}
constexpr Variant kUftrace[] = {
    {"uftrace graph", sniff_uftrace_graph, make_uftrace<UftraceGraphParser>},
    {"uftrace graph --task", sniff_uftrace_tasks, make_uftrace<UftraceTasksParser>},
    {"uftrace report", sniff_uftrace_report, make_uftrace<UftraceReportParser>}};

}  // namespace

std::span<const Variant> uftrace_variants() { return kUftrace; }

}  // namespace weft::formats::stack_text
