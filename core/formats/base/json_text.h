// Conversion of text from and to JSON: escapes, UTF-8, composing objects.
#pragma once

#include <string>
#include <string_view>

#include "core/formats/base/json_cursor.h"

namespace weft::formats::json {

struct DecodedText {
  std::string text;          // valid UTF-8
  bool is_repaired = false;  // something had to be replaced by U+FFFD
};
// The characters that the text between two quotes stands for.
DecodedText decode_string(std::string_view raw);

// Appends the value without white space between tokens, in valid UTF-8 and without lone surrogates;
// numbers that no double holds as strings. Returns true if something had to be replaced.
bool append_compact(std::string& out, const RawValue& value);

// Appends `text` as a JSON string. `text` is valid UTF-8.
void append_quoted(std::string& out, std::string_view text);
// The same for any bytes; see valid_utf8().
void append_quoted_bytes(std::string& out, std::string_view bytes);
// The same as the name of a member, with its colon.
void append_quoted_name(std::string& out, std::string_view bytes);

// Calls `member(name, value)` for each member of an object's text, in order; views into `object`,
// names as written. The text must have been scanned before, and kTextPadding bytes behind it must
// be readable, whatever they are.
template <class Member>
void for_each_member(std::string_view object, const Member& member);

// Merges two objects; members of `second` win. Accepts any text, padded or not.
std::string merge_objects(std::string_view first, std::string_view second);

// ---- inline

template <class Member>
void for_each_member(std::string_view object, const Member& member) {
  if (object.empty()) return;
  Cursor cursor(&object.front());
  if (!cursor.take('{')) return;
  RawString name;
  RawValue value;
  do {
    cursor.skip_space();
    if (!cursor.string(name) || !cursor.take(':')) return;
    cursor.skip_space();
    if (!cursor.value(value)) return;
    member(name, value);
  } while (cursor.take(','));
}

}  // namespace weft::formats::json
