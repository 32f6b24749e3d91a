// The fields of an event of Trace Compass's XML, as values of a CTF event, so that those who know
// what LTTng's events mean read both.
//
//   <field name="prev_tid" type="long" value="11" />
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/kernel/ctf/fields.h"

namespace weft::formats::trace_compass {

class EventFields {
 public:
  void clear() { size_ = 0; }
  // Returns false if there are too many. What is not of its type is a text.
  bool add(std::string_view name, std::string_view type, std::string_view value);
  // Makes the structure of all fields, which lives until the next clear().
  const ctf::Field& structure();

  // Of the structure: as JSON, without some of its members; empty where nothing is left.
  std::string json_without(std::initializer_list<std::string_view> names) const;

 private:
  struct Text {
    std::string name, type, value;
    std::vector<ctf::Field> elements;  // of an array
  };
  static ctf::FieldClass class_of(Text& text, ctf::Field& field);

  std::vector<Text> texts_;  // kept for their memory
  size_t size_ = 0;          // of those that there are
  ctf::FieldClass class_;    // of the structure
  std::vector<ctf::Field> values_;
  ctf::Field structure_;
};

}  // namespace weft::formats::trace_compass
