#include "core/formats/paje/paje_header.h"

#include <algorithm>

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

constexpr bool is_space(char c) { return c == ' ' || c == '\t'; }

size_t count_words(std::string_view line) {
  size_t count = 0;
  for (std::string_view word; take_word(line, word);) ++count;
  return count;
}

bool is_link(EventKind kind) {
  return kind == EventKind::kStartLink || kind == EventKind::kEndLink;
}

}  // namespace

bool take_word(std::string_view& line, std::string_view& word) {
  size_t begin = 0;
  while (begin < line.size() && is_space(line[begin])) ++begin;
  line.remove_prefix(begin);
  if (line.empty()) return false;
  const bool is_quoted = line.front() == '"';
  size_t end = is_quoted ? 1 : 0;
  if (is_quoted) {
    while (end < line.size() && line[end] != '"') end += line[end] == '\\' ? 2 : 1;
    end = std::min(end, line.size());
    word = line.substr(1, end - 1);
    line.remove_prefix(std::min(end + 1, line.size()));
  } else {
    while (end < line.size() && !is_space(line[end])) ++end;
    word = line.substr(0, end);
    line.remove_prefix(end);
  }
  return true;
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
    open_ = &definitions_[third];
    *open_ = {.kind = value_of(kKinds, second, EventKind::kOther), .fields = {}, .repeated = 0};
    return true;
  }
  if (open_ == nullptr) return false;
  FieldDefinition field{.field = value_of(kFields, first, Field::kExtra),
                        .name = std::string(first),
                        .is_number = second == "int" || second == "double",
                        .is_repeated = false};
  // Only links have ends of their own.
  const bool is_end = field.field == Field::kStartContainer || field.field == Field::kEndContainer;
  if (is_end && !is_link(open_->kind)) field.field = Field::kExtra;
  field.is_repeated =
      std::ranges::find(open_->fields, field.name, &FieldDefinition::name) != open_->fields.end();
  open_->repeated += field.is_repeated ? 1 : 0;
  open_->fields.push_back(std::move(field));
  return true;
}

std::string_view Header::parse(std::string_view line, Event& event) {
  std::string_view word;
  if (!take_word(line, word)) return "event without a number";
  const auto* const it = definitions_.find(word);
  if (it == nullptr) return "event that the header does not define";
  const EventDefinition& definition = it->second;
  event.kind = definition.kind;
  event.values = {};
  event.extras.clear();
  // SimGrid's headers say a field twice that its lines have once.
  const size_t fields = definition.fields.size();
  const bool leaves_out_repeated =
      definition.repeated > 0 && count_words(line) + definition.repeated == fields;
  for (const FieldDefinition& field : definition.fields) {
    if (leaves_out_repeated && field.is_repeated) continue;
    if (!take_word(line, word)) return "event with too few fields";
    if (field.field == Field::kExtra) {
      event.extras.emplace_back(&field, word);
    } else {
      event.values[static_cast<size_t>(field.field)] = word;
    }
  }
  return {};
}

}  // namespace weft::formats::paje
