#include "core/formats/profiles/xdebug/xdebug_reader.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/formats/base/args_text.h"
#include "core/formats/base/decimal_time.h"
#include "core/formats/base/text.h"
#include "core/formats/base/text_lines.h"

namespace weft::formats {
namespace {

constexpr std::string_view kTraceStart = "TRACE START [";

// The format for computers has tabulators, the first behind the number of the call.
bool is_of_cells(std::string_view line) {
  const size_t first = line.find_first_not_of("0123456789");
  return first != std::string_view::npos && line[first] == '\t' &&
         std::ranges::count(line, '\t') >= 3;
}

// The format for browsers begins with a table of this class.
constexpr std::string_view kTable = "class='xdebug-trace'";

// Converts HTML, as written by Xdebug, to text.
std::string text_of_html(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, char>, 5> kSigns = {
      {{"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&#039;", '\''}, {"&amp;", '&'}}};
  std::string out;
  while (!text.empty()) {
    const auto* const sign = std::ranges::find_if(
        kSigns, [&](const auto& each) { return text.starts_with(each.first); });
    out += sign == kSigns.end() ? text.front() : sign->second;
    text.remove_prefix(sign == kSigns.end() ? 1 : sign->first.size());
  }
  return out;
}

class XdebugReader {
 public:
  explicit XdebugReader(trace::EventSink& sink) : sink_(sink) {}

  void add(const io::Line& line) {
    if (is_note(line.text)) return;
    if (line.text.find(kTable) != std::string_view::npos) is_table_ = true;
    if (is_table_) return add_row(line);
    if (!is_for_people_) is_for_people_ = !is_of_cells(line.text);
    if (*is_for_people_) return add_for_people(line);
    cells_.clear();
    std::string_view rest = line.text;
    while (cells_.size() < kMostCells) {
      const bool is_last = cells_.size() + 1 == kMostCells;
      const size_t tab = is_last ? rest.size() : std::min(rest.find('\t'), rest.size());
      cells_.push_back(rest.substr(0, tab));
      if (tab == rest.size()) break;
      rest.remove_prefix(tab + 1);
    }
    offset_ = line.offset;
    const std::string_view kind = cell(2);
    if (kind == "0") {
      add_entry();
    } else if (kind == "1") {
      add_exit();
    } else if (kind == "R") {
      add_return();
    } else if (kind == "A") {
      add_assignment();
    } else if (cell(0).empty() && !cell(3).empty()) {
      add_last();
    } else {
      sink_.loss("line of no kind", offset_);
    }
  }

  // Ends what is still open at the end of the trace.
  void finish() {
    give_ended();
    while (!open_.empty()) {
      sink_.note("begin without an end", open_.back().offset);
      end_innermost(last_);
      give_ended();
    }
  }

 private:
  static constexpr size_t kMostCells = 64, kMostDepth = 1 << 14;
  static constexpr size_t kMostArgument = 4096;  // of open calls the texts are kept
  static constexpr size_t kFirstArgument = 11;

  struct Call {
    std::string_view number() const { return written; }
    std::string written;  // its number
    size_t column = 0;    // for people: where it stands in its line
    EventTypeId type;
    Time begin, end{};
    uint64_t offset = 0;
    ArgsText params;
  };

  bool is_note(std::string_view text) {
    constexpr std::array<std::string_view, 4> kNotes = {"TRACE START", "TRACE END", "Version",
                                                        "File format"};
    for (const std::string_view note : kNotes) {
      if (!text.starts_with(note)) continue;
      std::string_view value = text.substr(note.size());
      value.remove_prefix(std::min(value.find_first_not_of(" :["), value.size()));
      if (value.ends_with(']')) value.remove_suffix(1);
      sink_.set_metadata(note, valid_utf8(trimmed(value)));
      is_for_people_.reset();
      return true;
    }
    return false;
  }

  std::string_view cell(size_t i) const {
    return i < cells_.size() ? cells_[i] : std::string_view();
  }

  std::optional<Time> time_of() { return time_of(cell(3)); }
  std::optional<Time> time_of(std::string_view text) {
    const auto time = nearest_time(text, DecimalUnit::kSeconds);
    if (time) {
      last_ = std::max(last_, *time);
    } else {
      sink_.loss("line without a time", offset_);
    }
    return time;
  }

  void add_entry() {
    give_ended();
    const auto time = time_of();
    if (!time) return;
    if (open_.size() == kMostDepth) return sink_.loss("calls nested too deep", offset_);
    add_memory(*time, cell(4));
    Call call{.written = std::string(cell(1)),
              .type = sink_.type(trace::Category::kState,
                                 cell(5).empty() ? "(unknown)" : valid_utf8(cell(5)),
                                 cell(6) == "0" ? "PHP" : valid_utf8(cell(8))),
              .begin = *time,
              .offset = offset_,
              .params = {}};
    call.params.add("file", cell(8));
    if (const auto line = parse_number<uint32_t>(cell(9))) call.params.add("line", *line);
    if (!cell(7).empty()) call.params.add("included", cell(7));
    // Version 1 of the format has arguments without their number.
    for (size_t i = kFirstArgument; i < cells_.size(); ++i)
      call.params.add("argument " + std::to_string(i - kFirstArgument + 1),
                      cells_[i].substr(0, kMostArgument));
    open_.push_back(std::move(call));
  }

  // Ends the call of this number, and any callees that did not return.
  void add_exit() {
    give_ended();
    const auto time = time_of();
    if (!time) return;
    add_memory(*time, cell(4));
    const auto it = std::find_if(open_.rbegin(), open_.rend(),
                                 [&](const Call& call) { return call.number() == cell(1); });
    if (it == open_.rend()) return sink_.note("end without a begin", offset_);
    const auto depth = static_cast<size_t>(open_.rend() - it);
    while (open_.size() > depth) {
      sink_.note("begin without an end", open_.back().offset);
      end_innermost(*time);
      give_ended();
    }
    end_innermost(*time);
  }

  // It stands behind the end.
  void add_return() {
    if (ended_ && ended_->number() == cell(1)) {
      ended_->params.add("returned", cell(5));
      return give_ended();
    }
    sink_.note("value of a call that did not return", offset_);
  }

  // It has no time: it was made in the innermost call, between what stands above and below it.
  void add_assignment() {
    ArgsText params;
    params.add("file", cell(5));
    if (const auto line = parse_number<uint32_t>(cell(6))) params.add("line", *line);
    params.add("assignment", cell(7));
    give_assignment(params);
  }
  void give_assignment(ArgsText& params) {
    give_ended();
    sink_.give(trace::PunctualEvent{.time = last_ == Time::min() ? Time{} : last_,
                                    .params = sink_.params(params.take()),
                                    .lane = lane(),
                                    .type = sink_.type(trace::Category::kPunctual, "assignment")});
  }

  void add_last() {
    give_ended();
    if (const auto time = time_of()) add_memory(*time, cell(4));
  }

  // The format for people, which has no numbers of calls:
  //
  //     0.0003     396696     -> A->f($n = 6) /srv/x.php:4
  //     0.0004     397424      >=> 13
  //
  // Calls stand the further right the deeper they are. What they return stands below them where
  // that was wanted, without a time in old versions; otherwise the next line tells that they are
  // over.
  void add_for_people(const io::Line& line) {
    offset_ = line.offset;
    std::string_view rest = line.text;
    const std::string_view numbers =
        trimmed(rest.substr(0, rest.find_first_not_of(" .0123456789")));
    rest.remove_prefix(std::min(rest.find_first_not_of(" .0123456789"), rest.size()));
    const size_t column = line.text.size() - rest.size();
    Time time = std::max(last_, Time{});
    if (!numbers.empty()) {
      const size_t space = std::min(numbers.find(' '), numbers.size());
      const auto said = time_of(numbers.substr(0, space));
      if (!said) return;
      time = *said;
      add_memory(time, trimmed(numbers.substr(space)));
    }
    rest = trimmed(rest);
    if (take_prefix(rest, "-> ")) return add_call(rest, column, time);
    if (take_prefix(rest, ">=> ")) return add_value(rest, column, time);
    if (take_prefix(rest, "=> ")) return add_assignment(rest);
    if (!rest.empty()) return sink_.loss("line of no kind", offset_);
    end_from(0, time);
    give_ended();
  }

  // The format for browsers, a row a line, says of calls what the one for people does, but not what
  // they return, nor when:
  //
  //   <tr><td>2</td><td>0.0004</td><td align='right'>419360</td><td align='left'>&nbsp; &nbsp;-&gt;
  //   </td><td>f()</td><td>/srv/a.php:4</td></tr>
  void add_row(const io::Line& line) {
    constexpr std::string_view kBegin = "<td", kEnd = "</td>", kArrow = "-&gt;", kDeeper = "&nbsp;";
    constexpr size_t kTime = 1, kMemory = 2;
    offset_ = line.offset;
    if (line.text.starts_with("</table>")) {
      end_from(0, std::max(last_, Time{}));
      return give_ended();
    }
    cells_.clear();
    std::string_view rest = line.text;
    for (size_t at; (at = rest.find(kBegin)) != std::string_view::npos;) {
      rest.remove_prefix(at);
      take_to(rest, '>');
      cells_.push_back(rest.substr(0, rest.find(kEnd)));
      rest.remove_prefix(cells_.back().size());
    }
    const auto arrow =
        std::ranges::find_if(cells_, [&](std::string_view each) { return each.ends_with(kArrow); });
    if (cells_.empty()) return;
    if (cells_.end() - arrow < 3) return sink_.loss("line of no kind", offset_);
    size_t column = 0;
    for (std::string_view left = *arrow; take_prefix(left, kDeeper); left = trimmed(left)) ++column;
    const auto time = time_of(cell(kTime));
    if (!time) return;
    add_memory(*time, cell(kMemory));
    add_call(text_of_html(arrow[1]) + ' ' + text_of_html(arrow[2]), column, *time);
  }

  void add_call(std::string_view text, size_t column, Time time) {
    end_from(column, time);
    give_ended();
    if (open_.size() == kMostDepth) return sink_.loss("calls nested too deep", offset_);
    ArgsText params;
    const auto [before, file] = take_place(text, params);
    const size_t bracket = std::min(before.find('('), before.size());
    std::string_view arguments = before.substr(std::min(bracket + 1, before.size()));
    if (arguments.ends_with(')')) arguments.remove_suffix(1);
    if (!arguments.empty()) params.add("arguments", arguments.substr(0, kMostArgument));
    open_.push_back({.written = {},
                     .column = column,
                     .type = sink_.type(trace::Category::kState,
                                        valid_utf8(before.substr(0, bracket)), valid_utf8(file)),
                     .begin = time,
                     .offset = offset_,
                     .params = std::move(params)});
  }

  // Adds a value to the innermost call further left.
  void add_value(std::string_view text, size_t column, Time time) {
    end_from(column, time);
    give_ended();
    if (open_.empty()) return sink_.note("value of a call that did not return", offset_);
    end_innermost(time);
    ended_->params.add("returned", text);
  }

  void add_assignment(std::string_view text) {
    ArgsText params;
    const auto [before, file] = take_place(text, params);
    params.add("assignment", before.substr(0, kMostArgument));
    give_assignment(params);
  }

  // "… /srv/x.php:4"; what stands before it, and the file.
  static std::pair<std::string_view, std::string_view> take_place(std::string_view text,
                                                                  ArgsText& params) {
    const size_t colon = text.rfind(':');
    const size_t bracket = text.rfind(") ", colon);
    const size_t space = bracket == std::string_view::npos ? text.rfind(' ', colon) : bracket + 1;
    const auto line = parse_number<uint32_t>(text.substr(std::min(colon, text.size() - 1) + 1));
    if (colon == std::string_view::npos || space == std::string_view::npos || !line)
      return {text, {}};
    const std::string_view file = text.substr(space + 1, colon - space - 1);
    params.add("file", file);
    params.add("line", *line);
    return {text.substr(0, space), file};
  }

  // Ends calls at this column or further right.
  void end_from(size_t column, Time time) {
    while (!open_.empty() && open_.back().column >= column) {
      give_ended();
      end_innermost(time);
    }
  }

  void end_innermost(Time time) {
    ended_ = std::move(open_.back());
    open_.pop_back();
    ended_->end = time;
  }

  void give_ended() {
    if (!ended_) return;
    Call call = std::move(*std::exchange(ended_, std::nullopt));
    if (call.end < call.begin) return sink_.loss("end before its begin", call.offset);
    sink_.give(trace::StateEvent{.begin = call.begin,
                                 .duration = call.end - call.begin,
                                 .params = sink_.params(call.params.take()),
                                 .lane = lane(),
                                 .type = call.type,
                                 .nesting = static_cast<uint32_t>(open_.size())});
  }

  void add_memory(Time time, std::string_view text) {
    const auto value = parse_number<double>(text);
    if (!value) return;
    if (memory_.is_none())
      memory_ =
          sink_.add_lane({.name = "memory", .parent = lane(), .kind = trace::LaneKind::kCounter});
    sink_.give(trace::VariableSample{
        .time = time,
        .value = *value,
        .lane = memory_,
        .type = sink_.type(trace::Category::kVariable, "memory in use (bytes)")});
  }

  LaneId lane() {
    if (lane_.is_none()) lane_ = sink_.add_lane({.name = "PHP", .kind = trace::LaneKind::kThread});
    return lane_;
  }

  trace::EventSink& sink_;
  std::vector<std::string_view> cells_;
  uint64_t offset_ = 0;                // of the line
  std::optional<bool> is_for_people_;  // as the first line of the trace is
  bool is_table_ = false;              // for browsers
  std::vector<Call> open_;
  std::optional<Call> ended_;  // what it returned may follow
  Time last_ = Time::min();
  LaneId lane_ = LaneId::none(), memory_ = LaneId::none();
};

}  // namespace

int sniff_xdebug(std::span<const std::byte> head) {
  const std::string_view text = as_chars(head);
  if (text.starts_with("<table") && text.substr(0, text.find('>')).contains(kTable)) return 95;
  const size_t start = text.find(kTraceStart);
  constexpr size_t kMostHeader = 512;
  if (start > kMostHeader || (start > 0 && text[start - 1] != '\n')) return 0;
  const size_t line = text.find('\n', start);
  if (line == std::string_view::npos) return 0;
  const std::string_view next = text.substr(line + 1, text.find('\n', line + 1) - line - 1);
  return is_of_cells(next) || next.find(" -> ") != std::string_view::npos ? 95 : 0;
}

Status read_xdebug(io::Source& source, trace::EventSink& sink, const ReadContext&) {
  XdebugReader reader(sink);
  for_each_line(source, sink, [&](const io::Line& line) { reader.add(line); });
  reader.finish();
  return {};
}

}  // namespace weft::formats
