#include "core/formats/general/custom/template.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>

#include "core/formats/base/text.h"

namespace weft::formats::custom {
namespace {

constexpr size_t kMostTemplateBytes = 4096;
constexpr size_t kMostFields = 8;

// Finds a field by name, or by number from 1.
template <class Fields, class NameOf>
std::optional<size_t> place_of(std::string_view name, const Fields& fields, const NameOf& name_of) {
  const auto it = std::ranges::find(fields, name, name_of);
  if (it != fields.end() && !name.empty()) return static_cast<size_t>(it - fields.begin());
  const auto number = parse_number<size_t>(name);
  if (!number || *number == 0 || *number > fields.size()) return std::nullopt;
  return *number - 1;
}

}  // namespace

const Field* find_field(const Record& record, std::string_view names) {
  const Field* first = nullptr;
  const Field* filled = nullptr;
  any_name_of(names, [&](std::string_view name) {
    const auto place = place_of(name, record.fields, &Field::name);
    const Field* const field = place ? &record.fields[*place] : nullptr;
    if (first == nullptr) first = field;
    if (field != nullptr && !field->value.empty()) filled = field;
    return filled != nullptr;
  });
  return filled != nullptr ? filled : first;
}

Result<Template> Template::compile(std::string_view text) {
  if (text.size() > kMostTemplateBytes)
    return fail(fmt::format("is longer than {}", kMostTemplateBytes));
  Template out;
  std::string literal;
  const auto end_literal = [&] {
    if (!literal.empty()) out.pieces_.push_back({.text = std::move(literal)});
    literal.clear();
  };
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool is_double = i + 1 < text.size() && text[i + 1] == c;
    if ((c != '{' && c != '}') || is_double) {
      literal += c;
      i += is_double && (c == '{' || c == '}') ? 1 : 0;
      continue;
    }
    const size_t close = text.find('}', i);
    if (c == '}' || close == std::string_view::npos || close == i + 1)
      return fail(fmt::format("a brace that names no field at offset {}", i));
    end_literal();
    out.pieces_.push_back(
        {.text = std::string(text.substr(i + 1, close - i - 1)), .is_field = true});
    i = close;
  }
  end_literal();
  if (out.fields().size() > kMostFields)
    return fail(fmt::format("names more than {} fields", kMostFields));
  return out;
}

Template Template::of_field(std::string_view name) {
  Template out;
  out.pieces_.push_back({.text = std::string(name), .is_field = true});
  return out;
}

std::string_view Template::joined(const Record& record, std::string& made) const {
  const auto text_of = [&](const Piece& piece) {
    if (!piece.is_field) return std::string_view(piece.text);
    if (piece.place) return record.fields[*piece.place].value;
    const Field* const field = find_field(record, piece.text);
    return field == nullptr ? std::string_view() : field->value;
  };
  if (pieces_.size() == 1) return text_of(pieces_.front());
  made.clear();
  for (const Piece& piece : pieces_) made += text_of(piece);
  return made;
}

void Template::resolve(const std::vector<std::string>& names) {
  for (Piece& piece : pieces_) {
    if (piece.is_field) piece.place = place_of(piece.text, names, std::identity());
  }
  if (pieces_.size() == 1) place_ = pieces_.front().place;
}

std::vector<std::string> Template::fields() const {
  std::vector<std::string> names;
  for (const Piece& piece : pieces_) {
    if (piece.is_field) names.push_back(piece.text);
  }
  return names;
}

}  // namespace weft::formats::custom
