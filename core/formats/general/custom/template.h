// A text with fields of a record in it: "{host}/{thread}". "{{" and "}}" are braces; a field that a
// record lacks is empty, or another: "{thread|process}".
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
  // The error says where.
  static Result<Template> compile(std::string_view text);
  // Of one field.
  static Template of_field(std::string_view name);

  bool is_empty() const { return pieces_.empty(); }
  // A view into the record where the template is one field alone, else into `scratch`.
  std::string_view expand(const Record& record, std::string& scratch) const;
  // Each field that it names, with those that stand in for it.
  std::vector<std::string> fields() const;
  // Where all records that it will see have fields of these names: so it need not look for them.
  void resolve(const std::vector<std::string>& names);

 private:
  struct Piece {
    std::string text;  // or the field's name
    bool is_field = false;
    std::optional<size_t> place{};  // among the fields
  };
  std::vector<Piece> pieces_;
};

}  // namespace weft::formats::custom
