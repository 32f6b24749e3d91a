// A text with placeholders for a record's fields: "{host}/{thread}". "{{" and "}}" are literal
// braces; a field that a record lacks is empty, or replaced by an alternative: "{thread|process}".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/formats/general/custom/record.h"

namespace weft::formats::custom {

class Template {
 public:
  Template() = default;
  // The error gives the position.
  static Result<Template> compile(std::string_view text);
  // A template of a single field.
  static Template of_field(std::string_view name);

  bool is_empty() const { return pieces_.empty(); }
  // Returns a view into the record if the template is a single field, otherwise into `made`.
  std::string_view expand(const Record& record, std::string& made) const {
    if (place_) return record.fields[*place_].value;
    return pieces_.empty() ? std::string_view() : joined(record, made);
  }
  // The fields that it names, with their alternatives.
  std::vector<std::string> fields() const;
  // Declares that all records will have fields of these names in this order, so that they need not
  // be searched.
  void resolve(const std::vector<std::string>& names);

 private:
  struct Piece {
    std::string text;  // literal text, or the field's name
    bool is_field = false;
    std::optional<size_t> place{};  // index of the field
  };
  std::string_view joined(const Record& record, std::string& made) const;
  std::vector<Piece> pieces_;
  std::optional<size_t> place_;  // of the field that is all, where it need not be searched
};

}  // namespace weft::formats::custom
