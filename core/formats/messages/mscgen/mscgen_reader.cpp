#include "core/formats/messages/mscgen/mscgen_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/formats/base/args_text.h"
#include "core/formats/base/by_name.h"
#include "core/formats/base/text.h"
#include "core/formats/base/whole_input.h"
#include "core/formats/messages/mscgen/colors.h"
#include "core/formats/messages/mscgen/tokens.h"

namespace weft::formats {
namespace {

using mscgen::Token;
using mscgen::Tokens;
using trace::Category;

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

// One line, for names.
std::string as_name(std::string_view text) {
  std::string out = valid_utf8(trimmed(text));
  std::ranges::replace(out, '\n', ' ');
  return out;
}

bool begins_chart(const Token& word) {
  return word.kind == Token::Kind::kName &&
         (equals_ignoring_case(word.text, "msc") || equals_ignoring_case(word.text, "xu"));
}

class ChartReader {
 public:
  ChartReader(std::string_view text, trace::EventSink& sink) : tokens_(text), sink_(sink) {
    sink_.set_time_base(TimeBase::kTicks);
  }

  void read() {
    while (tokens_.peek().kind != Token::Kind::kEnd && sink_.keep_going()) {
      if (!read_chart()) break;
    }
    finish();
  }

 private:
  struct Entity {
    LaneId lane;
    std::optional<uint32_t> color;  // of what leaves it
  };
  struct Section {
    std::string_view kind;
    std::string name;
    size_t first, last;  // entities
    ParamsId params;
    int64_t row;
    size_t offset;
  };
  struct Skipped {
    trace::LinkEvent link;
    int64_t rows;
  };

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
      if (!next.is('}')) {
        read_statement();
        continue;
      }
      tokens_.take();
      if (sections_.empty()) return true;
      end_section();
      tokens_.take(';');
    }
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
    if (is_row) ++row_;
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
                      next.kind == Token::Kind::kEnd;
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
    ++row_;
  }

  bool read_option(const Token& name) {
    tokens_.take();
    const Token value = tokens_.take_value();
    if (value.kind == Token::Kind::kEnd) return false;
    sink_.set_metadata(valid_utf8(name.text), valid_utf8(mscgen::meant(value.text)));
    return true;
  }

  bool read_attributes(Attributes& out) {
    out.clear();
    if (!meant_.empty()) meant_.clear();
    if (!tokens_.take('[')) return true;
    while (!tokens_.take(']')) {
      if (tokens_.peek().kind != Token::Kind::kName) return false;
      const Token name = tokens_.take();
      if (!tokens_.take('=')) return false;
      const Token value = tokens_.take_value();
      if (value.kind == Token::Kind::kEnd) return false;
      const bool is_plain = mscgen::is_plain(value.text);
      out.push_back(
          {name.text, is_plain ? value.text : meant_.emplace_back(mscgen::meant(value.text))});
      if (!tokens_.take(',') && !tokens_.peek().is(']')) return false;
    }
    return true;
  }

  bool read_entity(const Token& name) {
    if (!read_attributes(attributes_)) return false;
    const std::string key = mscgen::meant(name.text);
    const size_t index = entity(key, name.offset, true);
    const std::string label = as_name(value_of(attributes_, "label"));
    if (!label.empty()) {
      sink_.update_lane(entities_[index].lane, {.name = label, .kind = trace::LaneKind::kProcess});
    }
    entities_[index].color = mscgen::color_of(value_of(attributes_, "arclinecolor"));
    for (const Attribute& each : attributes_) {
      if (!is_attribute(each.name, "label"))
        sink_.set_metadata(fmt::format("{}: {}", as_name(key), valid_utf8(each.name)),
                           valid_utf8(each.value));
    }
    return true;
  }

  // One that was not declared is an entity nevertheless.
  size_t entity(const std::string& key, size_t offset, bool is_declared) {
    const auto [entry, is_new] = indices_.try_emplace(key, entities_.size());
    if (!is_new) return entry->second;
    if (!is_declared) sink_.loss("entity that was not declared", offset, 1, false);
    entities_.push_back(
        {.lane = sink_.add_lane({.name = as_name(key), .kind = trace::LaneKind::kProcess}),
         .color = std::nullopt});
    return entities_.size() - 1;
  }

  // Reads a mark across the whole chart. An empty row without a label is merely a gap.
  bool read_mark(const Token& mark) {
    if (!read_attributes(attributes_)) return false;
    const std::string label = as_name(value_of(attributes_, "label"));
    if (mark.is("|||") && label.empty()) return true;
    if (chart_.is_none()) {
      chart_ = sink_.add_lane({.name = "Chart", .kind = trace::LaneKind::kGroup, .sort_index = -1});
    }
    const std::string_view group = mark.is("---")   ? "comment"
                                   : mark.is("...") ? "time passes"
                                                    : "gap";
    const trace::PunctualEvent event{
        .time = {row_},
        .params = params(mark.text),
        .lane = chart_,
        .type = sink_.type(Category::kPunctual, label.empty() ? mark.text : label, group)};
    sink_.punctuals({&event, 1});
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
    size_t first = index_of(from), last = index_of(to);
    if (first > last) std::swap(first, last);
    const std::string_view box = found(kBoxes, kind.text), section = found(kSections, kind.text);
    if (!section.empty() && tokens_.take('{')) {
      begin_section(section, first, last, kind.offset);
      return true;
    }
    if (box.empty()) return false;
    give_box(box, first, last, kind.offset);
    return true;
  }

  size_t index_of(const Token& name) {
    const auto* const known = mscgen::is_plain(name.text) ? indices_.find(name.text) : nullptr;
    return known != nullptr ? known->second : entity(mscgen::meant(name.text), name.offset, false);
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
    for (size_t i = 0; i < entities_.size(); ++i) {
      if (i == one) continue;
      if (!is_affordable(source.offset)) break;
      if (!source.is('*')) give_link(arrow, one, i);
      if (source.is('*') || arrow.heads == Heads::kBoth) give_link(arrow, i, one);
    }
    broadcast_ = {};
  }

  void give_link(const Arrow& arrow, size_t source, size_t target) {
    const std::string label = as_name(value_of(attributes_, "label"));
    const EventTypeId type =
        sink_.type(Category::kLink, label.empty() ? arrow.name : label, arrow.name);
    auto color = mscgen::color_of(value_of(attributes_, "linecolor"));
    if (!color && !label.empty()) color = entities_[source].color;
    if (color) sink_.set_type_color(type, *color);
    const trace::LinkEvent link{.send = {row_},
                                .receive = {row_},
                                .params = params(arrow.sign, arrow.is_lost ? target : kNoEntity),
                                .source = entities_[source].lane,
                                .target = arrow.is_lost ? LaneId::none() : entities_[target].lane,
                                .type = type};
    std::string_view text = value_of(attributes_, "arcskip");
    const auto skip = take_number<double>(text);
    constexpr double kMostRows = 1e6;
    if (!skip || *skip < 1 || arrow.is_lost) return sink_.links({&link, 1});
    skipped_.push_back({link, static_cast<int64_t>(std::min(*skip, kMostRows))});
  }

  void give_box(std::string_view box, size_t first, size_t last, size_t offset) {
    const bool is_note = box == "note";
    const std::string label = as_name(value_of(attributes_, "label"));
    const EventTypeId type = sink_.type(is_note ? Category::kPunctual : Category::kState,
                                        label.empty() ? box : label, box);
    if (const auto color = mscgen::color_of(value_of(attributes_, "linecolor")))
      sink_.set_type_color(type, *color);
    const ParamsId said = params(box);
    for (size_t i = first; i <= last; ++i) {
      if (!is_affordable(offset)) return;
      if (is_note) {
        const trace::PunctualEvent event{
            .time = {row_}, .params = said, .lane = entities_[i].lane, .type = type};
        sink_.punctuals({&event, 1});
      } else {
        give_state(i, type, said, row_, row_ + 1);
      }
    }
  }

  void give_state(size_t entity, EventTypeId type, ParamsId said, int64_t begin, int64_t end) {
    const trace::StateEvent state{.begin = {begin},
                                  .duration = {end - begin},
                                  .params = said,
                                  .lane = entities_[entity].lane,
                                  .type = type,
                                  .nesting = static_cast<uint32_t>(sections_.size())};
    sink_.states({&state, 1});
  }

  // Its head is a row, too.
  void begin_section(std::string_view kind, size_t first, size_t last, size_t offset) {
    const std::string label = as_name(value_of(attributes_, "label"));
    sections_.push_back(
        {kind, label.empty() ? std::string(kind) : label, first, last, params(kind), row_, offset});
    is_section_ = true;
    ++row_;
  }

  void end_section() {
    const Section section = std::move(sections_.back());
    sections_.pop_back();
    const EventTypeId type = sink_.type(Category::kState, section.name, section.kind);
    for (size_t i = section.first; i <= section.last; ++i) {
      if (!is_affordable(section.offset)) return;
      give_state(i, type, section.params, section.row, row_);
    }
  }

  // Bounds items on many lanes at once: an arc of a few characters may involve thousands.
  bool is_affordable(size_t offset) {
    if (shares_left_ == 0) {
      sink_.loss("box or message of too many entities", offset);
      return false;
    }
    --shares_left_;
    return true;
  }

  static constexpr size_t kNoEntity = static_cast<size_t>(-1);
  ParamsId params(std::string_view arc, size_t lost_target = kNoEntity) {
    args_.clear();
    args_.add("arc", arc);
    if (lost_target != kNoEntity && broadcast_ != "to")
      args_.add("to", indices_.entries()[lost_target]->first);
    if (!broadcast_.empty()) args_.add(broadcast_, "*");
    for (const Attribute& each : attributes_) args_.add(each.name, each.value);
    return sink_.params(args_.whole());
  }

  // Messages that go on beyond the chart end with its last row.
  void finish() {
    while (!sections_.empty()) {
      sink_.loss("begin without an end", sections_.back().offset, 1, false);
      end_section();
    }
    if (tokens_.is_cut()) sink_.loss("text or comment that does not end", tokens_.peek().offset);
    for (Skipped& each : skipped_) {
      const int64_t last = std::max(row_ - 1, each.link.send.ticks);
      each.link.receive = {std::min(each.link.send.ticks + each.rows, last)};
      sink_.links({&each.link, 1});
    }
  }

  Tokens tokens_;
  trace::EventSink& sink_;
  std::vector<Entity> entities_;
  ByName<size_t> indices_;         // of entities, in the same order
  Attributes attributes_;          // of what is being read …
  std::deque<std::string> meant_;  // … and their values that are not plain
  std::string_view broadcast_;     // which end of the arc is all
  ArgsText args_;
  LaneId chart_ = LaneId::none();
  std::vector<Section> sections_;  // that are open
  bool is_section_ = false;        // the item opened one
  std::vector<Skipped> skipped_;
  int64_t row_ = 0;
  uint64_t shares_left_ = uint64_t{1} << 22;
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
  ChartReader(text.bytes(), sink).read();
  return {};
}

}  // namespace weft::formats
