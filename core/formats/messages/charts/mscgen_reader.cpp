#include "core/formats/messages/charts/mscgen_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/formats/base/args_text.h"
#include "core/formats/base/text.h"
#include "core/formats/base/whole_input.h"
#include "core/formats/messages/charts/chart.h"
#include "core/formats/messages/charts/colors.h"
#include "core/formats/messages/charts/tokens.h"
#include "core/trace/event_counter.h"

namespace weft::formats {
namespace {

using charts::as_name;
using charts::Chart;
using charts::Range;
using charts::Said;
using charts::Token;
using charts::Tokens;

enum class Heads : uint8_t { kRight, kLeft, kBoth, kNone };
// A sign of at most eight characters as a number.
constexpr uint64_t packed(std::string_view sign) {
  uint64_t number = 0;
  for (const char c : sign) number = number << 8 | static_cast<uint8_t>(c);
  return number;
}

struct Arrow {
  std::string_view sign;
  std::string_view name;
  Heads heads;
  bool is_lost = false;
  uint64_t packed_sign = packed(sign);
};
constexpr Arrow kArrows[] = {
    {"->", "signal", Heads::kRight},         {"<-", "signal", Heads::kLeft},
    {"<->", "signal", Heads::kBoth},         {"--", "line", Heads::kNone},
    {"=>", "method", Heads::kRight},         {"<=", "method", Heads::kLeft},
    {"<=>", "method", Heads::kBoth},         {"==", "double line", Heads::kNone},
    {">>", "return", Heads::kRight},         {"<<", "return", Heads::kLeft},
    {"<<>>", "return", Heads::kBoth},        {"..", "dotted line", Heads::kNone},
    {"=>>", "callback", Heads::kRight},      {"<<=", "callback", Heads::kLeft},
    {"<<=>>", "callback", Heads::kBoth},     {":>", "emphasised", Heads::kRight},
    {"<:", "emphasised", Heads::kLeft},      {"<:>", "emphasised", Heads::kBoth},
    {"::", "emphasised line", Heads::kNone}, {"-x", "lost", Heads::kRight, true},
    {"x-", "lost", Heads::kLeft, true}};
constexpr std::string_view kBoxes[] = {"box", "rbox", "abox", "note"};
constexpr std::string_view kSections[] = {"alt",      "else",   "opt",  "break",    "par",
                                          "seq",      "strict", "neg",  "critical", "ignore",
                                          "consider", "assert", "loop", "ref",      "exc"};

// Options of MsGenny, which may stand before anything else.
constexpr std::string_view kOptions[] = {
    "hscale",           "width",         "arcgradient", "wordwraparcs",
    "wordwrapentities", "wordwrapboxes", "watermark"};

template <size_t kCount>
std::string_view found(const std::string_view (&words)[kCount], std::string_view word) {
  const auto* const it =
      std::ranges::find_if(words, [word](auto each) { return equals_ignoring_case(each, word); });
  return it == std::end(words) ? std::string_view() : *it;
}

struct Attribute {
  std::string_view name;
  std::string_view value;  // as it is meant
};
using Attributes = std::vector<Attribute>;

// "linecolour" is "linecolor".
bool is_attribute(std::string_view name, std::string_view wanted) {
  const size_t u = name.size() > 1 ? name.size() - 2 : 0;
  if (name.size() == wanted.size() + 1 && (name[u] == 'u' || name[u] == 'U'))
    return equals_ignoring_case(name.substr(0, u), wanted.substr(0, u)) &&
           equals_ignoring_case(name.substr(u + 1), wanted.substr(u));
  return equals_ignoring_case(name, wanted);
}

std::string_view value_of(const Attributes& attributes, std::string_view name) {
  for (const Attribute& each : attributes) {
    if (is_attribute(each.name, name)) return each.value;
  }
  return {};
}

bool begins_chart(const Token& word) {
  return word.kind == Token::Kind::kName &&
         (equals_ignoring_case(word.text, "msc") || equals_ignoring_case(word.text, "xu"));
}

enum class Dialect : uint8_t { kMscgen, kMsgenny };

class ChartReader {
 public:
  ChartReader(std::string_view text, trace::EventSink& sink, Dialect dialect)
      : tokens_(text),
        sink_(sink),
        chart_(sink, trace::LaneKind::kProcess),
        is_msgenny_(dialect == Dialect::kMsgenny) {
    sink_.set_time_base(TimeBase::kTicks);
  }

  void read() {
    while (tokens_.peek().kind != Token::Kind::kEnd && sink_.keep_going()) {
      if (is_msgenny_) {
        read_statement_or_end();
      } else if (!read_chart()) {
        break;
      }
    }
    chart_.finish();
    if (tokens_.is_cut()) sink_.loss("text or comment that does not end", tokens_.peek().offset);
  }

 private:
  bool read_chart() {
    const Token word = tokens_.take();
    if (!begins_chart(word) || !tokens_.take('{')) {
      sink_.loss("text beside the chart", word.offset);
      return false;
    }
    while (true) {
      const Token& next = tokens_.peek();
      if (next.kind == Token::Kind::kEnd) {
        sink_.loss("chart ends early", next.offset);
        return false;
      }
      if (!chart_.is_in_section() && tokens_.take('}')) return true;
      read_statement_or_end();
    }
  }

  void read_statement_or_end() {
    const Token& next = tokens_.peek();
    if (!next.is('}')) return read_statement();
    if (chart_.is_in_section()) {
      chart_.end_section();
    } else {
      sink_.loss("statement that cannot be read", next.offset);
    }
    tokens_.take();
    if (!tokens_.take(';')) tokens_.take(',');
  }

  // Options, entities or a row of arcs.
  void read_statement() {
    const size_t offset = tokens_.peek().offset;
    bool is_row = false;
    do {
      if (tokens_.peek().is('}') || tokens_.peek().is(';')) break;
      if (!read_item(is_row)) return skip_statement(offset);
      if (is_section_) {
        is_section_ = false;
        return;
      }
    } while (tokens_.take(','));
    if (!tokens_.take(';') && !tokens_.peek().is('}') && tokens_.peek().kind != Token::Kind::kEnd)
      return skip_statement(offset);
    if (is_row) chart_.next_row();
  }

  bool read_item(bool& is_row) {
    const Token first = tokens_.take();
    if (first.is("---") || first.is("...") || first.is("|||")) {
      is_row = true;
      return read_mark(first);
    }
    if (first.is_word() && tokens_.peek().is('=')) return read_option(first);
    if (!first.is_word() && !first.is('*')) return false;
    const Token& next = tokens_.peek();
    const bool ends = next.is('[') || next.is(',') || next.is(';') || next.is('}') ||
                      (is_msgenny_ && next.is(':')) || next.kind == Token::Kind::kEnd;
    if (first.is_word() && ends) return read_entity(first);
    is_row = true;
    return read_arc(first);
  }

  // Skips an unreadable statement.
  void skip_statement(size_t offset) {
    sink_.loss("statement that cannot be read", offset);
    while (tokens_.peek().kind != Token::Kind::kEnd && !tokens_.peek().is('}')) {
      if (tokens_.take().is(';')) break;
    }
    chart_.next_row();
  }

  bool read_option(const Token& name) {
    if (is_msgenny_ && found(kOptions, name.text).empty()) return false;
    tokens_.take();
    const Token value = tokens_.take_value();
    if (value.kind == Token::Kind::kEnd) return false;
    sink_.set_metadata(valid_utf8(name.text), valid_utf8(charts::meant(value.text)));
    return true;
  }

  // The text as it is meant, until the next attributes are read.
  std::string_view as_meant(std::string_view text) {
    return charts::is_plain(text) ? text : meant_.emplace_back(charts::meant(text));
  }

  bool read_attributes(Attributes& out) {
    out.clear();
    if (!meant_.empty()) meant_.clear();
    if (is_msgenny_) {
      if (tokens_.take(':')) out.push_back({"label", as_meant(tokens_.take_label())});
      return true;
    }
    if (!tokens_.take('[')) return true;
    while (!tokens_.take(']')) {
      if (tokens_.peek().kind != Token::Kind::kName) return false;
      const Token name = tokens_.take();
      if (!tokens_.take('=')) return false;
      const Token value = tokens_.take_value();
      if (value.kind == Token::Kind::kEnd) return false;
      out.push_back({name.text, as_meant(value.text)});
      if (!tokens_.take(',') && !tokens_.peek().is(']')) return false;
    }
    return true;
  }

  bool read_entity(const Token& name) {
    if (!read_attributes(attributes_)) return false;
    const std::string key = charts::meant(name.text);
    const size_t index = chart_.participant(key).first;
    const std::string label = as_name(value_of(attributes_, "label"));
    if (!label.empty()) chart_.describe(index, label);
    chart_.set_color(index, charts::color_of(value_of(attributes_, "arclinecolor")));
    for (const Attribute& each : attributes_) {
      if (!is_attribute(each.name, "label"))
        sink_.set_metadata(fmt::format("{}: {}", as_name(key), valid_utf8(each.name)),
                           valid_utf8(each.value));
    }
    return true;
  }

  // Reads a mark across the whole chart. An empty row without a label is merely a gap.
  bool read_mark(const Token& mark) {
    if (!read_attributes(attributes_)) return false;
    const std::string label = as_name(value_of(attributes_, "label"));
    if (mark.is("|||") && label.empty()) return true;
    const std::string_view kind = mark.is("---")   ? "comment"
                                  : mark.is("...") ? "time passes"
                                                   : "gap";
    chart_.mark({kind, label.empty() ? std::string(mark.text) : label, {}, params(mark.text)});
    return true;
  }

  bool read_arc(const Token& from) {
    const Token kind = tokens_.take();
    const Token to = tokens_.take();
    const bool has_ends = (from.is_word() || from.is('*')) && (to.is_word() || to.is('*'));
    if (!has_ends || !read_attributes(attributes_)) return false;
    if (kind.kind == Token::Kind::kSign) {
      const auto* const arrow = std::ranges::find(kArrows, packed(kind.text), &Arrow::packed_sign);
      if (arrow == std::end(kArrows) || (from.is('*') && to.is('*'))) return false;
      give_arc(*arrow, from, to);
      return true;
    }
    if (!from.is_word() || !to.is_word()) return false;
    const size_t source = index_of(from), target = index_of(to);
    const Range range = Range::of(source, target);
    const std::string_view box = found(kBoxes, kind.text), section = found(kSections, kind.text);
    if (!section.empty() && tokens_.take('{')) {
      is_section_ = true;
      chart_.begin_section({section, label(), {}, params(section)}, range, kind.offset);
      return true;
    }
    if (box.empty()) return false;
    const Said said{box, label(), charts::color_of(value_of(attributes_, "linecolor")),
                    params(box)};
    if (box == "note") {
      chart_.note(said, range, kind.offset);
    } else {
      chart_.box(said, range, kind.offset);
    }
    return true;
  }

  std::string label() const { return as_name(value_of(attributes_, "label")); }

  // One that was not declared is an entity nevertheless.
  size_t index_of(const Token& name) {
    const auto [index, is_new] = chart_.participant(as_meant(name.text));
    if (is_new && !is_msgenny_) sink_.note("entity that was not declared", name.offset);
    return index;
  }

  void give_arc(const Arrow& arrow, const Token& from, const Token& to) {
    const bool is_left = arrow.heads == Heads::kLeft;
    const Token& source = is_left ? to : from;
    const Token& target = is_left ? from : to;
    broadcast_ = source.is('*') ? "from" : target.is('*') ? "to" : "";
    if (broadcast_.empty()) {
      const size_t begin = index_of(source), end = index_of(target);
      give_link(arrow, begin, end);
      if (arrow.heads == Heads::kBoth) give_link(arrow, end, begin);
      return;
    }
    const size_t one = index_of(source.is('*') ? target : source);
    for (size_t i = 0; i < chart_.participants(); ++i) {
      if (i == one) continue;
      if (!chart_.is_affordable(source.offset)) break;
      if (!source.is('*')) give_link(arrow, one, i);
      if (source.is('*') || arrow.heads == Heads::kBoth) give_link(arrow, i, one);
    }
    broadcast_ = {};
  }

  void give_link(const Arrow& arrow, size_t source, size_t target) {
    const Said said{arrow.name, label(), charts::color_of(value_of(attributes_, "linecolor")),
                    params(arrow.sign, arrow.is_lost ? std::optional(target) : std::nullopt)};
    std::string_view text = value_of(attributes_, "arcskip");
    constexpr double kMostRows = 1e6;
    const double skip = take_number<double>(text).value_or(0);
    chart_.message(said, source, arrow.is_lost ? std::nullopt : std::optional(target),
                   skip >= 1 ? static_cast<int64_t>(std::min(skip, kMostRows)) : 0);
  }

  ParamsId params(std::string_view arc, std::optional<size_t> lost_target = {}) {
    args_.clear();
    args_.add("arc", arc);
    if (lost_target && broadcast_ != "to") args_.add("to", chart_.key_of(*lost_target));
    if (!broadcast_.empty()) args_.add(broadcast_, "*");
    for (const Attribute& each : attributes_) args_.add(each.name, each.value);
    return sink_.params(args_.whole());
  }

  Tokens tokens_;
  trace::EventSink& sink_;
  Chart chart_;
  Attributes attributes_;          // of what is being read …
  std::deque<std::string> meant_;  // … and their values that are not plain
  std::string_view broadcast_;     // which end of the arc is all
  ArgsText args_;
  bool is_msgenny_;
  bool is_section_ = false;  // the item opened one
};

}  // namespace

int sniff_mscgen(std::span<const std::byte> head) {
  constexpr int kSure = 92;
  Tokens tokens(as_chars(head));
  const Token word = tokens.take();
  return begins_chart(word) && tokens.take('{') ? kSure : 0;
}

Status read_mscgen(io::Source& source, trace::EventSink& sink, const ReadContext&) {
  WEFT_TRY_ASSIGN(const WholeInput text, WholeInput::read(source, sink));
  ChartReader(text.bytes(), sink, Dialect::kMscgen).read();
  return {};
}

// Nothing says that a text is MsGenny but that all of it can be read.
int sniff_msgenny(std::span<const std::byte> head) {
  struct Trial : trace::EventCounter {
    bool keep_going() const override { return damaged == 0; }
  };
  constexpr int kSure = 62;
  std::string_view text = as_chars(head);
  if (!text.contains(';')) return 0;
  if (text.size() >= kHeadBytes) text = text.substr(0, text.rfind(';') + 1);
  Trial sink;
  ChartReader(text, sink, Dialect::kMsgenny).read();
  return sink.damaged == 0 && sink.events > 0 ? kSure : 0;
}

Status read_msgenny(io::Source& source, trace::EventSink& sink, const ReadContext&) {
  WEFT_TRY_ASSIGN(const WholeInput text, WholeInput::read(source, sink));
  ChartReader(text.bytes(), sink, Dialect::kMsgenny).read();
  return {};
}

}  // namespace weft::formats
