#include "core/formats/general/field_log/field_log_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/formats/base/head_lines.h"
#include "core/formats/base/text.h"
#include "core/formats/base/text_lines.h"
#include "core/formats/general/custom/built_in_rules.h"
#include "core/formats/general/custom/custom_reader.h"
#include "core/formats/general/custom/record_taker.h"

namespace weft::formats {
namespace {

using custom::built_in_rules;
using custom::PatternParts;
using custom::with_parts;

// Logs of Zeek about connections name their ends; what a log is about is its path.
constexpr std::string_view kZeek = R"json({
  "kind": "KIND",
  "time": "FORM",
  "duration_unit": "s",
  "rules": [
    {"where": {"ENDS", "duration": "^[\d.]+$", "conn_state": "\S"}, "makes": "state", "goes_on": true,
     "time": "{ts}", "lane": "{id.orig_h}/{id.resp_h}:{id.resp_p}", "type": "{service|proto}"},
    {"where": {"ENDS", "conn_state": "\S"}, BETWEEN "{service|proto}"},
    {"where": {"ENDS", "qtype_name": "\S"}, BETWEEN "DNS {qtype_name}"},
    {"where": {"ENDS", "method": "\S"}, BETWEEN "HTTP {method} {status_code}"},
    {"where": {"ENDS"}, BETWEEN "{_path|name|proto|service}"},
    {"where": {"ts": "\d"}, "time": "{ts}", "lane": "{_path|peer}", "type": "{name|event|source|level|_path}"}
  ]
})json";
const PatternParts kZeekParts = {
    {"ENDS", R"(id.orig_h": "\S", "id.resp_h": "\S)"},
    {"BETWEEN",
     R"("makes": "link", "time": "{ts}", "from": "{id.orig_h}", "to": "{id.resp_h}", "type":)"},
};

// What this reader adds: "moment" is date and time, "took" a duration in milliseconds.
constexpr std::string_view kW3c = R"json({
  "kind": "csv",
  "time": "%Y-%m-%d %H:%M:%S.%f",
  "duration_unit": "ms",
  "rules": [
    {"where": {"took": "\d", "cs-method": "\S"}, "makes": "state", "end": "{moment}", "duration": "{took}",
     "lane": "LANE", "type": "{cs-method} {sc-status}"},
    {"where": {"cs-method": "\S"}, "time": "{moment}", "lane": "LANE", "type": "{cs-method} {sc-status}"},
    {"where": {"src-ip": "\S", "dst-ip": "\S"}, "makes": "link", "time": "{moment}",
     "from": "{src-ip}", "to": "{dst-ip}", "type": "{action} {protocol}"},
    {"where": {"took": "\d"}, "makes": "state", "end": "{moment}", "duration": "{took}",
     "lane": "LANE", "type": "{event-id|event|s-operation|action|x-event|s-port}"},
    {"where": {"moment": "\d"}, "time": "{moment}", "lane": "LANE",
     "type": "{event-id|event|action|x-event|s-event|source}"}
  ]
})json";
constexpr std::string_view kW3cLanes =
    "{s-sitename|x-edge-location|s-computername|cs-host|s-ip|connector-id|server-hostname|source}";

custom::RulesPtr zeek_rules(std::string_view kind, std::string_view form) {
  return built_in_rules(
      with_parts(with_parts(std::string(kZeek), kZeekParts), {{"KIND", kind}, {"FORM", form}}));
}

const std::vector<custom::RulesPtr>& zeek_json() {
  static const std::vector<custom::RulesPtr> all = {zeek_rules("json", "s"),
                                                    zeek_rules("json", "%Y-%m-%dT%H:%M:%S.%f%z")};
  return all;
}

const custom::Rules& zeek_table() {
  static const custom::RulesPtr rules = zeek_rules("csv", "s");
  return *rules;
}

const custom::Rules& w3c_table() {
  static const custom::RulesPtr rules =
      built_in_rules(with_parts(std::string(kW3c), {{"LANE", kW3cLanes}}));
  return *rules;
}

// "\x09" is a tabulator.
char sign_of(std::string_view text) {
  if (text.size() == 1) return text.front();
  const auto code = take_prefix(text, "\\x") ? take_hexadecimal(text) : std::nullopt;
  constexpr uint64_t kLast = 0x7F;
  return code && *code > 0 && *code <= kLast ? static_cast<char>(*code) : '\t';
}

enum class Flavor : uint8_t { kNone, kZeek, kW3c, kZeekJson };

// What the first lines say the log is.
Flavor flavor_of(std::string_view head) {
  HeadLines lines(head);
  while (const auto line = lines.next()) {
    const std::string_view text = trimmed(*line);
    if (text.empty()) continue;
    if (text.starts_with('{')) {
      const bool is_zeek = text.contains(R"("ts":)") && text.contains(R"("id.orig_h":)") &&
                           text.contains(R"("id.resp_h":)");
      return is_zeek ? Flavor::kZeekJson : Flavor::kNone;
    }
    if (!text.starts_with('#')) return Flavor::kNone;
    if (text.starts_with("#separator ") || text.starts_with("#fields\t")) return Flavor::kZeek;
    if (text.starts_with("#Fields:")) return Flavor::kW3c;
  }
  return Flavor::kNone;
}

class FieldLog {
 public:
  FieldLog(Flavor flavor, trace::EventSink& sink, uint64_t max_bytes)
      : is_zeek_(flavor == Flavor::kZeek),
        sink_(sink),
        taker_(is_zeek_ ? zeek_table() : w3c_table(), sink, max_bytes, "line that no rule takes",
               nullptr) {
    sink.set_time_base((is_zeek_ ? zeek_table() : w3c_table()).time.time_base());
  }

  void read(io::Source& source) {
    for_each_line(source, sink_, [this](const io::Line& line) {
      if (line.text.starts_with('#')) {
        is_zeek_ ? read_zeek_header(line.text) : read_w3c_header(line.text);
      } else {
        add(line);
      }
    });
    taker_.finish();
  }

 private:
  void read_zeek_header(std::string_view line) {
    if (take_prefix(line, "#separator ")) {
      separator_ = sign_of(trimmed(line));
      return;
    }
    const std::string_view name = take_to(line, separator_);
    if (name == "#fields") columns_ = split(line);
    if (name == "#path") path_ = valid_utf8(trimmed(line));
    if (name == "#unset_field") unset_ = std::string(line);
    if (name == "#empty_field") empty_ = std::string(line);
  }

  void read_w3c_header(std::string_view line) {
    if (take_prefix(line, "#Fields:")) {
      line = trimmed(line);
      columns_.clear();
      for (std::string_view word = take_word(line); !word.empty(); word = take_word(line))
        columns_.push_back(valid_utf8(word));
    } else if (take_prefix(line, "#Date:")) {
      line = trimmed(line);
      date_ = std::string(take_word(line));
    }
  }

  std::vector<std::string> split(std::string_view line) const {
    std::vector<std::string> out;
    while (!line.empty()) out.push_back(valid_utf8(take_to(line, separator_)));
    return out;
  }

  void add(const io::Line& line) {
    if (columns_.empty()) return sink_.loss("line without a header", line.offset);
    record_.offset = line.offset;
    record_.text = line.text;
    record_.size_bytes = line.text.size();
    record_.fields.clear();
    // Servers differ in what stands between fields of W3C's format.
    const size_t gap = line.text.find_first_of(" \t");
    if (!is_zeek_ && gap != std::string_view::npos) separator_ = line.text[gap];
    std::string_view rest = line.text;
    for (const std::string& column : columns_) {
      if (rest.empty()) break;
      add_field(column, take_value(rest));
    }
    if (!rest.empty()) return sink_.loss("line of more fields than the header", line.offset);
    is_zeek_ ? add_field("_path", path_) : add_moment();
    taker_.take(record_);
  }

  // Values of W3C's format may stand in quotes.
  std::string_view take_value(std::string_view& rest) const {
    if (is_zeek_ || !rest.starts_with('"')) return take_to(rest, separator_);
    rest.remove_prefix(1);
    const std::string_view value = take_to(rest, '"');
    if (!rest.empty()) rest.remove_prefix(1);
    return value;
  }

  void add_field(std::string_view name, std::string_view value) {
    if (value == unset_ || value == empty_ || value.empty()) return;
    record_.fields.push_back({name, value});
  }

  std::string_view field(std::string_view name) const {
    const custom::Field* const found = custom::find_field(record_, name);
    return found == nullptr ? std::string_view() : found->value;
  }

  // Times may lack the date, which a header gave, or be one field; fractions may lack.
  void add_moment() {
    std::string_view date = field("date"), time = field("time");
    std::string_view both = field("date-time|datetime|timestamp");
    if (!both.empty()) {
      if (both.ends_with('Z')) both.remove_suffix(1);
      date = both.substr(0, both.find_first_of("T "));
      time = both.substr(std::min(both.size(), date.size() + 1));
    } else if (date.empty()) {
      date = date_;
    }
    moment_ = fmt::format("{} {}{}", date, time, time.contains('.') ? "" : ".0");
    if (!time.empty()) record_.fields.push_back({"moment", moment_});
    std::erase_if(record_.fields, [](const custom::Field& each) {
      return each.name == "date" || each.name == "time" || each.name == "date-time";
    });
    add_duration(field("time-taken|x-duration|duration"));
  }

  // IIS counts milliseconds, CloudFront seconds with a fraction.
  void add_duration(std::string_view text) {
    const auto number = parse_number<double>(text);
    if (!number || *number < 0) return;
    constexpr double kMsInSecond = 1000;
    took_ = text.contains('.') ? fmt::format("{:.3f}", *number * kMsInSecond) : std::string(text);
    record_.fields.push_back({"took", took_});
  }

  bool is_zeek_;
  trace::EventSink& sink_;
  custom::RecordTaker taker_;
  std::vector<std::string> columns_;
  char separator_ = '\t';
  std::string path_, date_, unset_ = "-", empty_ = "(empty)";
  custom::Record record_;
  std::string moment_, took_;  // of the record
};

}  // namespace

int sniff_field_log(std::span<const std::byte> head) {
  constexpr int kHeader = 92, kJson = 80;
  const Flavor flavor = flavor_of(as_chars(head));
  if (flavor == Flavor::kZeekJson) return kJson;
  return flavor == Flavor::kNone ? 0 : kHeader;
}

Status read_field_log(io::Source& source, trace::EventSink& sink, const ReadContext& context) {
  WEFT_TRY_ASSIGN(const auto head, source.peek(kHeadBytes));
  const Flavor flavor = flavor_of(as_chars(head));
  if (flavor == Flavor::kNone) return fail("no header that names the fields of the lines");
  if (flavor == Flavor::kZeekJson)
    return custom::read_surest(zeek_json(), source, sink, context.memory_bytes, context.changed);
  FieldLog(flavor, sink, context.memory_bytes).read(source);
  return {};
}

}  // namespace weft::formats
