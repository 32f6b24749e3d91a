#include "core/formats/general/custom/custom_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/formats/base/text.h"
#include "core/formats/base/text_lines.h"
#include "core/formats/base/time_form.h"
#include "core/formats/general/csv/csv_cells.h"
#include "core/formats/general/csv/csv_columns.h"
#include "core/formats/general/csv/csv_row_joiner.h"
#include "core/formats/general/custom/json_records.h"
#include "core/formats/general/custom/log_year.h"
#include "core/formats/general/custom/record_taker.h"
#include "core/formats/general/custom/xml_records.h"
#include "core/io/memory_source.h"
#include "core/trace/event_counter.h"

namespace weft::formats::custom {
namespace {

constexpr int kHalfSure = 40, kSure = 90;  // of what begins so, by rules
constexpr size_t kMostLineBytes = size_t{256} << 10;

std::string_view record_name(Kind kind) {
  constexpr std::string_view kNames[] = {"line", "row", "element", "object"};
  return kNames[static_cast<size_t>(kind)];
}

// Rows of a table as records.
class CsvRecords {
 public:
  CsvRecords(const Rules& rules, trace::EventSink& sink, RecordTaker& taker)
      : rules_(rules), sink_(sink), taker_(taker) {
    if (!rules.definition.has_header) columns_ = rules.definition.columns;
    is_begun_ = !rules.definition.has_header;
  }

  void add(const io::Line& line) {
    const Definition& definition = rules_.definition;
    rows_.add(line, definition.separator, definition.quote, *this);
  }

  void finish() { rows_.finish(*this); }

  // Called by the joiner.
  void take_row(const csv::Row& row) {
    record_.text = row.text;
    record_.offset = row.offset;
    is_begun_ ? take_cells() : take_header();
  }
  void lose_row(uint64_t offset) { sink_.loss("row whose quotes stay open", offset); }

 private:
  void take_header() {
    is_begun_ = true;
    for (size_t i = 0; i < cells_.size(); ++i) columns_.push_back(valid_utf8(trimmed(cells_[i])));
  }

  void take_cells() {
    record_.fields.clear();
    for (size_t i = 0; i < cells_.size(); ++i)
      record_.fields.push_back(
          {i < columns_.size() ? std::string_view(columns_[i]) : "", trimmed(cells_[i])});
    taker_.take(record_);
  }

  const Rules& rules_;
  trace::EventSink& sink_;
  RecordTaker& taker_;
  std::vector<std::string> columns_;
  bool is_begun_ = false;  // behind the header
  csv::Cells cells_;
  csv::RowJoiner rows_{cells_, kMostLineBytes};
  Record record_;
};

// Lines as records. One may go on in the next, behind a line feed.
class LineRecords {
 public:
  LineRecords(const Rules& rules, RecordTaker& taker) : rules_(rules), taker_(taker) {}

  void add(const io::Line& line) {
    const bool goes_on = !open_.empty();
    if (!goes_on) record_.offset = line.offset;
    if (goes_on) (open_ += '\n') += line.text;
    record_.text = goes_on ? std::string_view(open_) : line.text;
    record_.size_bytes = line.offset + line.text.size() - record_.offset;
    const bool is_open = rules_.continued && record_.text.size() < kMostLineBytes &&
                         rules_.continued->matches(line.text);
    if (!is_open) return take();
    if (!goes_on) open_ = line.text;
  }

  void finish() {
    record_.text = open_;
    if (!open_.empty()) take();
  }

 private:
  void take() {
    std::string recoded;
    if (!is_valid_utf8(record_.text)) record_.text = recoded = valid_utf8(record_.text);
    record_.fields.clear();
    taker_.take(record_);
    open_.clear();
  }

  const Rules& rules_;
  RecordTaker& taker_;
  std::string open_;  // lines of a record that goes on
  Record record_;
};

// The header of a table must have what the rules name.
Status check_header(const Rules& rules, std::span<const std::byte> head) {
  const Definition& definition = rules.definition;
  if (definition.kind != Kind::kCsv || !definition.has_header) return {};
  std::string_view line = as_chars(head);
  line = line.substr(0, line.find('\n'));
  std::vector<std::string> columns;
  csv::split(line, definition.separator, columns, definition.quote);
  for (const CompiledRule& rule : rules.rules) {
    for (const std::string& field : rule.needed_fields()) {
      const auto is_there = [&](std::string_view name) {
        const auto is_it = [&](const std::string& column) { return trimmed(column) == name; };
        const auto number = parse_number<size_t>(name);
        const bool is_number = number && *number >= 1 && *number <= columns.size();
        return is_number || std::ranges::any_of(columns, is_it);
      };
      if (any_name_of(field, is_there)) continue;
      return fail(fmt::format("has no column '{}' in its header", printable(field)));
    }
  }
  return {};
}

void read_lines(const Rules& rules, io::Source& source, trace::EventSink& sink,
                RecordTaker& taker) {
  const auto read = [&](auto records) {
    const auto add = [&](const io::Line& line) { records.add(line); };
    for_each_line(source, sink, add, kMostLineBytes);
    records.finish();
  };
  if (rules.definition.kind == Kind::kCsv) {
    read(CsvRecords(rules, sink, taker));
  } else if (rules.definition.kind == Kind::kJson) {
    read(JsonRecords(sink, taker));
  } else {
    read(LineRecords(rules, taker));
  }
}

Status read_records(const Rules& rules, io::Source& source, trace::EventSink& sink,
                    RecordTaker& taker) {
  sink.set_time_base(rules.time.time_base());
  if (rules.definition.kind == Kind::kXml) {
    WEFT_TRY(XmlRecords(rules, sink, taker).read(source));
  } else {
    read_lines(rules, source, sink, taker);
  }
  taker.finish();
  // A text, also of JSON, has lines; a table may have a header alone, a document elements that are
  // passed over.
  const Kind kind = rules.definition.kind;
  const bool is_text = kind == Kind::kText || kind == Kind::kJson;
  if (is_text ? taker.knows_any() : !taker.knows_none()) return {};
  return fail(fmt::format("has no {} that a rule takes", record_name(rules.definition.kind)));
}

std::string unknown_loss(Kind kind) {
  return fmt::format("{} that no rule takes", record_name(kind));
}

// The first lines, whole ones where the head is cut; of XML all there is.
std::span<const std::byte> first_records(Kind kind, std::span<const std::byte> head) {
  if (kind == Kind::kXml) return head;
  constexpr size_t kLines = 100;
  const std::string_view text = as_chars(head);
  size_t end = 0;
  for (size_t i = 0; i < kLines; ++i) {
    const size_t feed = text.find('\n', end);
    if (feed == std::string_view::npos) return end == 0 ? head : head.first(end);
    end = feed + 1;
  }
  return head.first(end);
}

// Says in what year a log begins whose times have none.
std::optional<Time> begin_of_log_in(io::Source& source, std::optional<Time> changed,
                                    trace::EventSink& sink) {
  if (!changed) {
    sink.set_metadata("year", "1970, for lines say none");
    return std::nullopt;
  }
  const Time begin = begin_of_log(source, *changed);
  sink.set_metadata("year",
                    fmt::format("{} at the begin, by {}, for lines say none", year_of(begin),
                                io::last_change(source.path()) ? "the last change of the file"
                                                               : "when it was read"));
  return begin;
}

}  // namespace

int sniff_custom(const Rules& rules, std::span<const std::byte> head) {
  if (!check_header(rules, head)) return 0;
  constexpr uint64_t kMemoryBytes = 8 << 20;
  trace::EventCounter sink;
  const Kind kind = rules.definition.kind;
  RecordTaker taker(rules, sink, kMemoryBytes, unknown_loss(kind), nullptr);
  io::MemorySource source(first_records(kind, head));
  if (!read_records(rules, source, sink, taker) || sink.events == 0) return 0;
  // A cut document is damage, too.
  const uint64_t damaged = sink.damaged - taker.told_losses();
  const uint64_t bad = damaged - (kind == Kind::kXml && damaged > 0 ? 1 : 0);
  const uint64_t all = taker.taken() + bad;
  if (2 * bad > all) return 0;
  return kHalfSure + static_cast<int>((kSure - kHalfSure) * (all - bad) / all);
}

Status read_custom(const Rules& rules, io::Source& source, trace::EventSink& sink,
                   uint64_t max_bytes, std::optional<Time> changed, Observer* observer) {
  constexpr size_t kHeadBytes = 64 << 10;
  WEFT_TRY_ASSIGN(const auto head, source.peek(kHeadBytes));
  WEFT_TRY(check_header(rules, head));
  RecordTaker taker(rules, sink, max_bytes, unknown_loss(rules.definition.kind), observer);
  if (rules.time.lacks_year()) taker.begin_behind(begin_of_log_in(source, changed, sink));
  return read_records(rules, source, sink, taker);
}

std::pair<RulesPtr, int> surest_of(std::span<const RulesPtr> variants,
                                   std::span<const std::byte> head) {
  std::pair<RulesPtr, int> best{variants.front(), 0};
  for (const RulesPtr& rules : variants) {
    if (best.second == kSure) break;  // none is surer
    const int score = sniff_custom(*rules, head);
    if (score > best.second) best = {rules, score};
  }
  return best;
}

Status read_surest(std::span<const RulesPtr> variants, io::Source& source, trace::EventSink& sink,
                   uint64_t max_bytes, std::optional<Time> changed) {
  constexpr size_t kHeadBytes = 64 << 10;
  WEFT_TRY_ASSIGN(const auto head, source.peek(kHeadBytes));
  return read_custom(*surest_of(variants, head).first, source, sink, max_bytes, changed);
}

}  // namespace weft::formats::custom
