#include "core/formats/messages/charts/line_chart_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/ascii.h"
#include "core/formats/base/args_text.h"
#include "core/formats/base/head_lines.h"
#include "core/formats/base/text.h"
#include "core/formats/base/whole_input.h"
#include "core/formats/messages/charts/chart.h"
#include "core/formats/messages/charts/chart_lines.h"
#include "core/formats/messages/charts/notation.h"

namespace weft::formats {
namespace {

using charts::ArrowHead;
using charts::as_name;
using charts::Chart;
using charts::ChartLines;
using charts::ChartText;
using charts::CompiledNotation;
using charts::kMermaid;
using charts::kPlantUml;
using charts::LineRule;
using charts::Makes;
using charts::Notation;
using charts::Range;
using charts::Said;
using charts::Statement;

// "#9829;" and "#lt;" in a text of Mermaid: the character that is meant. Empty: it is none.
std::string meant_character(std::string_view word) {
  constexpr std::pair<std::string_view, std::string_view> kNamed[] = {
      {"lt", "<"}, {"gt", ">"}, {"amp", "&"}, {"quot", "\""}, {"colon", ":"}, {"semi", ";"}};
  for (const auto& [name, character] : kNamed) {
    if (word == name) return std::string(character);
  }
  const auto code = take_number<uint32_t>(word);
  constexpr uint32_t kFirst = 0x20, kLast = 0x7E;
  return code && word.empty() && *code >= kFirst && *code <= kLast
             ? std::string(1, static_cast<char>(*code))
             : std::string();
}

// The text as it is meant: "<br/>" and "\n" as breaks of lines, "#35;" as a character.
std::string meant(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = text.substr(i);
    if (rest.starts_with("\\n")) {
      out += '\n';
      ++i;
    } else if (rest.starts_with("<br")) {
      const size_t end = rest.find('>');
      if (end == std::string_view::npos) return out.append(rest);
      out += '\n';
      i += end;
    } else if (rest.starts_with('#') && rest.contains(';')) {
      const std::string_view word = rest.substr(1, rest.find(';') - 1);
      const std::string character = meant_character(word);
      out += character.empty() ? "#" : character;
      if (!character.empty()) i += word.size() + 1;
    } else {
      out += text[i];
    }
  }
  return out;
}

// A place beyond the chart, which messages come from or go to.
bool is_border(std::string_view name) {
  return name.empty() || name == "[" || name == "]" || name == "?";
}

class LineChartReader {
 public:
  LineChartReader(const CompiledNotation& notation, std::string_view text, trace::EventSink& sink)
      : compiled_(notation),
        notation_(notation.notation),
        lines_(text, notation),
        sink_(sink),
        // Activations need not nest with sections.
        chart_(sink, trace::LaneKind::kAsync) {
    sink_.set_time_base(TimeBase::kTicks);
  }

  Status read() {
    ChartText chart;
    std::vector<std::string_view> before;
    bool is_any = false, is_other = false;
    while (lines_.next(chart, before) && sink_.keep_going()) {
      if (!is_sequence(chart)) {
        if (is_any) sink_.note("diagram of another kind", chart.offset);
        is_other = true;
        continue;
      }
      is_any = true;
      read_head(before);
      read_chart(chart);
    }
    if (!is_any) return no_chart(is_other);
    chart_.finish();
    return {};
  }

 private:
  Status no_chart(bool is_other) const {
    if (is_other)
      return fail(
          fmt::format("this {} file holds no sequence diagram with messages; diagrams of other "
                      "kinds cannot be opened",
                      notation_.name));
    return fail(fmt::format("no line with which a chart of {} begins", notation_.name));
  }

  // Sets rule_ to the first that takes the statement; returns false if none does.
  bool find_rule(const Statement& statement) {
    for (size_t i = 0; i < compiled_.rules.size(); ++i) {
      if (!compiled_.rules[i].find(statement.text, captured_)) continue;
      rule_ = i;
      return true;
    }
    return false;
  }
  const LineRule& rule() const { return notation_.rules[rule_]; }
  std::string_view group(std::string_view name) const {
    return compiled_.rules[rule_].group(name, captured_);
  }

  bool is_sequence(const ChartText& chart) {
    bool has_message = notation_.says_kind;
    for (const Statement& each : chart.statements) {
      if (!find_rule(each)) continue;
      if (rule().makes == Makes::kOtherKind) return false;
      has_message = has_message || (rule().makes == Makes::kMessage && has_ends());
    }
    return has_message;
  }

  // Of what stands before a chart only its title is of interest.
  void read_head(const std::vector<std::string_view>& before) {
    for (std::string_view line : before) {
      if (take_prefix(line, "title:")) set_metadata("title", without_quotes(trimmed(line)));
    }
  }

  void set_metadata(std::string_view name, std::string_view text) {
    sink_.set_metadata(name, as_name(meant(text)));
  }

  void read_chart(const ChartText& chart) {
    for (const Statement& each : chart.statements) {
      if (!sink_.keep_going()) return;
      if (!find_rule(each) || !read_statement(each))
        sink_.loss("statement that cannot be read", each.offset);
    }
    if (!chart.is_whole) sink_.loss("chart ends early", lines_.offset());
    chart_.end_chart();
    last_ = {};
  }

  bool read_statement(const Statement& statement) {
    offset_ = statement.offset;
    text_ = meant(statement.block.empty() ? group("text") : statement.block);
    switch (rule().makes) {
      case Makes::kNothing:
        return true;
      case Makes::kUnread:
        sink_.note("line of the preprocessor, which is passed over", offset_);
        return true;
      case Makes::kParticipant:
        return read_participant();
      case Makes::kCreated:
        return note_life("created", participant(group("id")));
      case Makes::kDestroyed:
        return destroy(participant(group("id")));
      case Makes::kActive:
        return activate(participant(group("id")));
      case Makes::kInactive:
        return deactivate(participant(group("id")));
      case Makes::kReturn:
        return read_return();
      case Makes::kAutoActivate:
        is_auto_ = equals_ignoring_case(group("text"), "on");
        return true;
      case Makes::kMessage:
        return read_message();
      case Makes::kNote:
      case Makes::kReference:
        return read_note();
      case Makes::kNoteBeside:
        return read_note_beside();
      default:
        return read_frame();
    }
  }

  // What stands around messages, or across the chart.
  bool read_frame() {
    switch (rule().makes) {
      case Makes::kSection:
        chart_.begin_section(said(kind_of_section(), "text"), std::nullopt, offset_);
        return true;
      case Makes::kBranch:
        if (!chart_.is_in_section()) return false;
        chart_.end_section();
        chart_.begin_section(said(kind_of_section(), "text"), std::nullopt, offset_);
        return true;
      case Makes::kEnd:
        if (chart_.is_in_section()) {
          chart_.end_section();
          return true;
        }
        [[fallthrough]];
      case Makes::kEndGroup:
        if (!chart_.is_in_group()) return false;
        chart_.end_group();
        return true;
      case Makes::kGroup: {
        const std::string name = as_name(meant(group("as").empty() ? group("text") : group("as")));
        chart_.begin_group(name.empty() ? "box" : name);
        return true;
      }
      case Makes::kMark:
        chart_.mark(said(rule().kind, "text"));
        chart_.next_row();
        return true;
      case Makes::kGap:
        chart_.next_row();
        return true;
      case Makes::kTitle:
        set_metadata(group("kind"), text_);
        return true;
      default:
        return false;
    }
  }

  // The word in the spelling of all.
  std::string_view kind_of_section() const {
    constexpr std::string_view kKinds[] = {"alt",   "opt",       "loop",   "par",  "par2",
                                           "break", "critical",  "group",  "rect", "par_over",
                                           "else",  "partition", "option", "also", "and"};
    const auto* const it = std::ranges::find_if(
        kKinds, [this](auto each) { return equals_ignoring_case(each, group("kind")); });
    return it == std::end(kKinds) ? "section" : *it;
  }

  // With the text as label.
  Said said(std::string_view kind, std::string_view arc_name, std::string_view arc = {}) {
    if (!arc.empty()) args_.add(arc_name, arc);
    if (!text_.empty()) args_.add("label", text_);
    return {kind, as_name(text_), {}, sink_.params(args_.take())};
  }

  size_t participant(std::string_view name) {
    return chart_.participant(without_quotes(trimmed(name))).first;
  }

  bool read_participant() {
    std::string_view id = group("id"), name = group("as");
    // Of two the one in quotes is the name that is shown.
    if (!name.empty() && !notation_.name_comes_second && !name.starts_with('"'))
      std::swap(id, name);
    const size_t index = participant(id);
    std::string_view order = group("order");
    const auto place = take_number<int32_t>(order);
    if (!name.empty() || place || without_quotes(id).contains('\\'))
      chart_.describe(index, as_name(meant(without_quotes(name.empty() ? id : name))),
                      place.value_or(0));
    return group("kind").empty() || note_life("created", index);
  }

  bool note_life(std::string_view what, size_t one) {
    chart_.note({what}, {one, one}, offset_);
    return true;
  }

  bool destroy(size_t one) {
    while (chart_.deactivate(one)) continue;
    if (notation_.destroys_next) return note_life("destroyed", one);
    chart_.repeat_row();
    note_life("destroyed", one);
    chart_.next_row();
    return true;
  }

  bool activate(size_t one) {
    const bool is_called = last_.target == one && last_.source;
    chart_.activate(one, is_called ? last_.source : std::nullopt, offset_);
    return true;
  }

  bool deactivate(size_t one) {
    if (!chart_.deactivate(one)) sink_.note("end without a begin", offset_);
    return true;
  }

  bool read_note() {
    const size_t first = participant(group("first"));
    const size_t last = group("last").empty() ? first : participant(group("last"));
    const Range range = Range::of(first, last);
    if (rule().makes == Makes::kNote) {
      chart_.note(said(rule().kind, "arc", "note"), range, offset_);
    } else {
      chart_.box(said(rule().kind, "arc", "ref"), range, offset_);
    }
    chart_.next_row();
    return true;
  }

  bool read_note_beside() {
    if (!last_.source && !last_.target) return false;
    const size_t target = last_.target ? *last_.target : *last_.source;
    const Range ends = Range::of(last_.source.value_or(target), target);
    const size_t one = equals_ignoring_case(group("kind"), "left") ? ends.first : ends.last;
    chart_.repeat_row();
    chart_.note(said(rule().kind, "arc", "note"), {one, one}, offset_);
    chart_.next_row();
    return true;
  }

  bool has_ends() const {
    const bool has_head = !group("left").empty() || !group("right").empty();
    return has_head && !(is_border(group("from")) && is_border(group("to")));
  }

  // Returns the head that says which kind of arrow it is; null: a sign of no meaning.
  const ArrowHead* head_of(std::string_view sign) const {
    const ArrowHead* found = nullptr;
    for (const ArrowHead& each : notation_.heads) {
      if (each.is_lost && sign.contains(each.sign)) return &each;
      if (found == nullptr && sign.contains(each.sign)) found = &each;
    }
    return found;
  }

  bool read_message() {
    if (!has_ends()) return false;
    const std::string_view left = group("left"), right = group("right"), body = group("body");
    const bool is_left = right.empty();
    const ArrowHead* const head = head_of(is_left ? left : right);
    const bool is_dotted = body.starts_with("--") || (body.size() > 1 && body.ends_with('-'));
    const std::string_view kind = head == nullptr ? "message"
                                  : is_dotted     ? head->dotted
                                                  : head->solid;
    const auto from = end_of_message(group("from"), {}),
               to = end_of_message(group("to"), group("as"));
    Message message{is_left ? to : from, is_left ? from : to};
    if (group("kind").starts_with('&')) chart_.repeat_row();
    const bool is_lost = head != nullptr && head->is_lost && message.target && message.source;
    if (is_lost) args_.add("to", chart_.key_of(*message.target));
    const Said what = said(kind, "arc", fmt::format("{}{}{}", left, body, right));
    chart_.message(what, message.source, is_lost ? std::nullopt : message.target);
    if (!left.empty() && !right.empty() && message.source && message.target)
      chart_.message(what, message.target, message.source);
    chart_.next_row();
    last_ = message;
    activate_by(group("active"), is_dotted);
    return true;
  }

  std::optional<size_t> end_of_message(std::string_view name, std::string_view as) {
    if (is_border(name)) return std::nullopt;
    if (as.empty()) return participant(name);
    const bool is_named = as.starts_with('"');
    const size_t index = participant(is_named ? name : as);
    chart_.describe(index, as_name(meant(without_quotes(is_named ? as : name))));
    return index;
  }

  // "+" and "++" activate the receiver, "-" and "--" end the sender.
  void activate_by(std::string_view signs, bool is_dotted) {
    if (signs.contains('+') && last_.target) activate(*last_.target);
    if (signs.contains('-') && last_.source) deactivate(*last_.source);
    if (signs.contains("**") && last_.target) note_life("created", *last_.target);
    if (signs.contains("!!") && last_.target) destroy(*last_.target);
    if (!is_auto_ || !signs.empty()) return;
    if (!is_dotted && last_.target) activate(*last_.target);
    if (is_dotted && last_.source) chart_.deactivate(*last_.source);
  }

  bool read_return() {
    const auto active = chart_.last_active();
    if (!active || !active->second) return false;
    chart_.message(said("reply", "arc", "return"), active->first, active->second);
    chart_.next_row();
    chart_.deactivate(active->first);
    last_ = {active->first, active->second};
    return true;
  }

  struct Message {
    std::optional<size_t> source;
    std::optional<size_t> target;
  };

  const CompiledNotation& compiled_;
  const Notation& notation_;
  ChartLines lines_;
  trace::EventSink& sink_;
  Chart chart_;
  ArgsText args_;
  Message last_;
  bool is_auto_ = false;  // messages activate and end by themselves

  // Of the statement that is being read.
  size_t rule_ = 0;
  std::vector<std::string_view> captured_;
  std::string text_;
  size_t offset_ = 0;
};

const CompiledNotation& compiled(const Notation& notation) {
  static const CompiledNotation mermaid(kMermaid), plant_uml(kPlantUml);
  return &notation == &kMermaid ? mermaid : plant_uml;
}

Status read_lines(const Notation& notation, io::Source& source, trace::EventSink& sink) {
  WEFT_TRY_ASSIGN(const WholeInput text, WholeInput::read(source, sink));
  return LineChartReader(compiled(notation), text.bytes(), sink).read();
}

constexpr int kSure = 92;

// Comments, fences of Markdown, and what stands between lines of "---" may come before a chart.
int sniff_lines(std::span<const std::byte> head, std::string_view begin, std::string_view comment) {
  bool is_front_matter = false, is_directive = false;
  HeadLines lines(as_chars(head));
  while (const auto line = lines.next()) {
    const std::string_view text = trimmed(*line);
    is_directive = (is_directive || text.starts_with("%%{")) && !text.ends_with("}%%");
    if (text == "---") {
      is_front_matter = !is_front_matter;
    } else if (text.starts_with(begin)) {
      return kSure;
    } else if (!is_front_matter && !is_directive && !text.ends_with("}%%") && !text.empty() &&
               !text.starts_with(comment) && !text.starts_with("```")) {
      return 0;
    }
  }
  return 0;
}

}  // namespace

int sniff_mermaid(std::span<const std::byte> head) {
  return sniff_lines(head, "sequenceDiagram", "%%");
}

Status read_mermaid(io::Source& source, trace::EventSink& sink, const ReadContext&) {
  return read_lines(kMermaid, source, sink);
}

int sniff_plantuml(std::span<const std::byte> head) { return sniff_lines(head, "@start", "'"); }

Status read_plantuml(io::Source& source, trace::EventSink& sink, const ReadContext&) {
  return read_lines(kPlantUml, source, sink);
}

}  // namespace weft::formats
