// Messages that are shown as they are: their fields by the names that `message_names.h` knows, else
// by their numbers, as far as the bytes say what they are.
#pragma once

#include <span>
#include <string>

#include "core/formats/base/args_text.h"
#include "core/formats/general/perfetto/fields.h"
#include "core/formats/general/perfetto/message_names.h"

namespace weft::formats::perfetto {

// Adds fields of a message: those without a name as "field 1079". Puts them in order of numbers.
void add_typed_arguments(std::span<Field> fields, const MessageNames& names, ArgsText& args);

// A single value as plain text: a word of its enumeration, a text, a number.
std::string plain_value(const Field& field, const FieldName& name);
// Fields of one number: a single plain value as it is, else as JSON.
std::string value_of_metadata(std::span<Field> fields, const FieldName& name);

}  // namespace weft::formats::perfetto
