// A record of a trace.dat: its fields by name, and all of them as JSON. Every access is checked
// against the record's size: libtraceevent takes offsets from the file as they are.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/formats/kernel/trace_dat/libtracecmd.h"
#include "core/formats/kernel/trace_dat/printed_names.h"

namespace weft::formats::trace_dat {

class Record {
 public:
  // `names`: those of the event's numbers; null where these are given as they are.
  Record(tep_handle& tep, tep_event& event, const tep_record& record,
         const PrintedNames* names = nullptr)
      : tep_(tep), event_(event), record_(record), names_(names) {}

  std::string_view name() const { return event_.name; }
  std::string_view system() const { return event_.system; }

  // Returns nullopt if there is no such field, or it does not fit the record.
  std::optional<int64_t> number(const char* field) const;
  // Returns an empty text if there is no such field, or it is not text.
  std::string_view text(const char* field) const;
  // Calls `take` with the name and value of each field that is a number.
  template <class Take>
  void for_each_number(const Take& take) const {
    for (tep_format_field* field = event_.format.fields; field != nullptr; field = field->next) {
      if (const auto value = is_number(*field) ? number(*field) : std::nullopt)
        take(std::string_view(field->name), *value);
    }
  }
  // The name of the function at the address in a field; the address where it has none.
  std::string function(const char* field) const;
  // The text that trace-cmd prints, without the name.
  std::string printed() const;
  // `{"a":1}`; empty where it has no fields. Numbers that are printed by their names are these.
  void append_json(std::string& out) const;

 private:
  static bool is_number(const tep_format_field& field);
  std::optional<int64_t> number(tep_format_field& field) const;
  std::string_view bytes(const tep_format_field& field) const;
  void append_value(std::string& out, tep_format_field& field) const;

  tep_handle& tep_;
  tep_event& event_;
  const tep_record& record_;
  const PrintedNames* names_;
};

}  // namespace weft::formats::trace_dat
