#include "core/formats/hpc/paje/paje_header.h"

#include <algorithm>
#include <bit>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "core/base/ascii.h"
#include "core/formats/hpc/paje/paje_text.h"

namespace weft::formats::paje {
namespace {

template <class T>
struct Named {
  std::string_view name;
  T value;
};

constexpr Named<EventKind> kKinds[] = {
    {"PajeDefineContainerType", EventKind::kDefineContainerType},
    {"PajeDefineStateType", EventKind::kDefineStateType},
    {"PajeDefineEventType", EventKind::kDefineEventType},
    {"PajeDefineVariableType", EventKind::kDefineVariableType},
    {"PajeDefineLinkType", EventKind::kDefineLinkType},
    {"PajeDefineEntityValue", EventKind::kDefineEntityValue},
    {"PajeCreateContainer", EventKind::kCreateContainer},
    {"PajeDestroyContainer", EventKind::kDestroyContainer},
    {"PajeNewEvent", EventKind::kNewEvent},
    {"PajeSetState", EventKind::kSetState},
    {"PajePushState", EventKind::kPushState},
    {"PajePopState", EventKind::kPopState},
    {"PajeResetState", EventKind::kResetState},
    {"PajeSetVariable", EventKind::kSetVariable},
    {"PajeAddVariable", EventKind::kAddVariable},
    {"PajeSubVariable", EventKind::kSubVariable},
    {"PajeStartLink", EventKind::kStartLink},
    {"PajeEndLink", EventKind::kEndLink},
    {"PajeTraceFile", EventKind::kTraceFile},
};

constexpr Named<Field> kFields[] = {
    {"Time", Field::kTime},
    {"Alias", Field::kAlias},
    {"Type", Field::kType},
    {"Name", Field::kName},
    {"Container", Field::kContainer},
    {"Value", Field::kValue},
    {"Color", Field::kColor},
    {"Key", Field::kKey},
    {"StartContainer", Field::kStartContainer},
    {"EndContainer", Field::kEndContainer},
    // Older headers.
    {"NewType", Field::kAlias},
    {"NewContainer", Field::kAlias},
    {"NewValue", Field::kAlias},
    {"NewName", Field::kName},
    {"ContainerType", Field::kType},
    {"NewContainerType", Field::kType},
    {"EntityType", Field::kType},
    {"ParentContainer", Field::kContainer},
    {"SourceContainer", Field::kStartContainer},
    {"DestContainer", Field::kEndContainer},
};

template <class T, size_t kCount>
T value_of(const Named<T> (&table)[kCount], std::string_view name, T otherwise) {
  const auto* const it = std::ranges::find(table, name, &Named<T>::name);
  return it == std::end(table) ? otherwise : it->value;
}

constexpr bool is_blank(char c) { return c == ' ' || c == '\t'; }

// \" within a name, as some write it. Where another name begins behind it, or no quotation mark
// follows, it ends a name whose last letter is a backslash.
bool has_escape(std::string_view rest) {
  if (!rest.starts_with("\\\"") || !rest.substr(2).contains('"')) return false;
  rest.remove_prefix(2);
  const size_t next = rest.find_first_not_of(" \t");
  return next == 0 || rest[next] != '"';
}

bool is_link(EventKind kind) {
  return kind == EventKind::kStartLink || kind == EventKind::kEndLink;
}

}  // namespace

bool take_word(std::string_view& line, std::string_view& word) {
  size_t begin = 0;
  while (begin < line.size() && is_blank(line[begin])) ++begin;
  line.remove_prefix(begin);
  if (line.empty()) return false;
  const bool is_quoted = line.front() == '"';
  size_t end = is_quoted ? 1 : 0;
  if (is_quoted) {
    while (end < line.size() && line[end] != '"') end += has_escape(line.substr(end)) ? 2 : 1;
    end = std::min(end, line.size());
    word = line.substr(1, end - 1);
    line.remove_prefix(std::min(end + 1, line.size()));
  } else {
    while (end < line.size() && !is_blank(line[end])) ++end;
    word = line.substr(0, end);
    line.remove_prefix(end);
  }
  return true;
}

std::optional<size_t> Header::place_of(std::string_view number) {
  const auto digit = [number](size_t i) { return static_cast<size_t>(number[i] - '0'); };
  if (number.size() == 1 && is_digit(number[0])) return digit(0);
  if (number.size() == 2 && is_digit(number[0]) && is_digit(number[1]))
    return 10 + 10 * digit(0) + digit(1);
  return std::nullopt;
}

const Header::Definition* Header::find(std::string_view number) const {
  if (const auto place = place_of(number)) return by_place_[*place];
  const auto* const it = definitions_.find(number);
  return it == nullptr ? nullptr : &it->second;
}

bool Header::add_line(std::string_view line) {
  line.remove_prefix(1);
  std::string_view first, second, third;
  if (!take_word(line, first)) return true;
  if (first == "EndEventDef") {
    open_ = nullptr;
    return true;
  }
  if (!take_word(line, second)) return false;
  if (first == "EventDef") {
    if (!take_word(line, third)) return false;
    const EventKind kind = value_of(kKinds, second, EventKind::kOther);
    open_ = &definitions_[third];
    if (const auto place = place_of(third)) by_place_[*place] = open_;
    *open_ = {.whole = Shape(kind), .short_one = Shape(kind), .names = {}};
    return true;
  }
  if (open_ == nullptr) return false;
  Field field = value_of(kFields, first, Field::kExtra);
  const bool is_number = second == "int" || second == "double";
  // Only links have ends of their own.
  const bool is_end = field == Field::kStartContainer || field == Field::kEndContainer;
  if (is_end && !is_link(open_->whole.kind)) field = Field::kExtra;
  const bool is_repeated = std::ranges::find(open_->names, first) != open_->names.end();
  open_->names.emplace_back(first);
  open_->whole.add(field, first, is_number);
  if (!is_repeated) open_->short_one.add(field, first, is_number);
  return true;
}

void Shape::add(Field field, std::string_view name, bool is_number) {
  const uint32_t word = size++;
  if (field == Field::kExtra) {
    extras.push_back({std::string(name), is_number, word});
  } else {
    words[static_cast<size_t>(field)] = word;
  }
}

// The words of a line. Of a short one without quotes, as nearly all are, their ends are found all
// at once: words are of all lengths, and the end of each would be guessed wrongly.
class Header::Words {
 public:
  explicit Words(std::string_view line) : rest_(line) {
#ifdef __SSE2__
    constexpr size_t kStep = sizeof(__m128i);
    if (line.size() < kStep || line.size() > kMostBytes) return;
    uint64_t quotes = 0;
    const auto look = [&](size_t i) {
      const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(line.data() + i));
      const auto found = [&](char sign) {
        const int mask = _mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(sign)));
        return uint64_t{static_cast<uint32_t>(mask)} << i;
      };
      quotes |= found('"');
      spaces_ |= found(' ') | found('\t');
    };
    for (size_t i = 0; i + kStep < line.size(); i += kStep) look(i);
    look(line.size() - kStep);  // parts of it for the second time
    if (line.size() < kMostBytes) spaces_ |= ~uint64_t{0} << line.size();
    is_short_ = quotes == 0;
#endif
  }

  bool take(std::string_view& word) {
    if (!is_short_) return take_word(rest_, word);
    const auto begin = static_cast<size_t>(std::countr_one(spaces_));
    if (begin >= rest_.size()) return false;
    spaces_ &= ~uint64_t{0} << begin;
    const auto end = std::min(static_cast<size_t>(std::countr_zero(spaces_)), rest_.size());
    word = rest_.substr(begin, end - begin);
    spaces_ |= end < kMostBytes ? (uint64_t{1} << end) - 1 : ~uint64_t{0};
    return true;
  }

  size_t count() const {
    Words rest = *this;
    size_t count = 0;
    for (std::string_view word; rest.take(word);) ++count;
    return count;
  }

 private:
  static constexpr size_t kMostBytes = 64;
  std::string_view rest_;  // of a short line all of it
  bool is_short_ = false;
  uint64_t spaces_ = 0;  // of a short line: bit i is byte i; those before the next word, too
};

void Header::parse(std::string_view line, uint64_t offset, ParsedLines& lines) const {
  ParsedLines::Entry entry{.line = line, .offset = offset};
  entry.first_word = static_cast<uint32_t>(lines.words.size());
  entry.wrong = take_apart(line, entry, lines.words);
  lines.entries.push_back(entry);
}

const char* Header::take_apart(std::string_view line, ParsedLines::Entry& entry,
                               std::vector<ParsedLines::Word>& out) const {
  std::string_view word;
  Words words(line);
  if (!words.take(word)) return "event without a number";
  const Definition* const found = find(word);
  if (found == nullptr) return "event that the header does not define";
  const Definition& definition = *found;
  const bool may_be_short = definition.short_one.size < definition.whole.size;
  const bool is_short = may_be_short && words.count() == definition.short_one.size;
  const Shape& shape = is_short ? definition.short_one : definition.whole;
  const uint32_t time = shape.words[static_cast<size_t>(Field::kTime)];
  for (uint32_t i = 0; i < shape.size; ++i) {
    if (!words.take(word)) return "event with too few fields";
    out.push_back(
        {static_cast<uint32_t>(word.data() - line.data()), static_cast<uint32_t>(word.size())});
    if (i != time) continue;
    const auto seconds = parse_seconds(word);
    entry.has_time = seconds.has_value();
    if (seconds) entry.time = *seconds;
  }
  entry.shape = &shape;
  entry.has_more = words.take(word) && !word.starts_with('#');  // a comment
  return nullptr;
}

}  // namespace weft::formats::paje
