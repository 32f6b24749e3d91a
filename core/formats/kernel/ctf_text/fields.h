// Fields of events that were printed, as CTF declares and holds them.
#pragma once

#include <bit>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/kernel/ctf_text/event_line.h"

namespace weft::formats::ctf_text {

// The value behind one and all that is within it.
inline size_t next_of(std::span<const Value> values, size_t at) {
  return at + 1 + values[at].within;
}

// Makes the elements of every array within values[at] of one kind, enumerations in them texts; an
// array of which that cannot be becomes the text that it was written as.
void unify(std::span<Value> values, size_t at, bool is_in_array = false);

// Appends what distinguishes fields of one type from others: names, kinds and numbers of elements.
void append_shape(std::span<const Value> values, size_t at, std::string& shape);

// Numbers the enumerations that it meets.
class Declarations {
 public:
  Declarations(std::string& out, size_t enumerations)
      : out_(out), next_enumeration_(enumerations) {}

  // " fields := struct { i64_t _a; string _b; };" of some members; nothing of none.
  void add(std::string_view scope, std::span<const Value> values, std::span<const size_t> members);
  const std::vector<size_t>& enumerations() const { return enumerations_; }

 private:
  void add_structure(std::span<const Value> values, std::span<const size_t> members);
  void add_type(std::span<const Value> values, size_t at);

  std::string& out_;
  size_t next_enumeration_;
  std::vector<size_t> enumerations_;
};

// Names of the types of single values; enumerations by number.
std::string enumeration_type(size_t number);
inline constexpr std::string_view kSimpleTypes =
    "typealias integer { size = 64; align = 8; signed = true; } := i64_t;\n"
    "typealias integer { size = 64; align = 8; signed = false; } := u64_t;\n"
    "typealias integer { size = 32; align = 8; signed = false; } := u32_t;\n"
    "typealias floating_point { exp_dig = 11; mant_dig = 53; align = 8; } := f64_t;\n";

// Little-endian, as metadata says that all is.
template <class Number>
void append_number(Number value, std::string& out) {
  static_assert(std::endian::native == std::endian::little);
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}
// The bytes of a value.
void append_bytes(std::span<const Value> values, size_t at, std::string& out);

// A text between quotes, as metadata has them.
std::string in_quotes(std::string_view text);

}  // namespace weft::formats::ctf_text
