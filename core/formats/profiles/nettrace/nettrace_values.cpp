#include "core/formats/profiles/nettrace/nettrace_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "core/base/text.h"

namespace weft::formats::nettrace {
namespace {

constexpr uint32_t kMostValues = 1 << 14;  // of an event
constexpr int kMostDepth = 16;

// Tenths of microseconds since 1601.
std::string date_text(uint64_t ticks) {
  constexpr int64_t kPerSecond = 10'000'000, kSecondsTo1970 = 11'644'473'600;
  constexpr uint64_t kMost = 2'650'467'743'999'999'999;  // the year 9999
  if (ticks > kMost) return fmt::format("{}", ticks);
  const auto signed_ticks = static_cast<int64_t>(ticks);
  const std::chrono::sys_seconds time(
      std::chrono::seconds(signed_ticks / kPerSecond - kSecondsTo1970));
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:07}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count(),
                     signed_ticks % kPerSecond);
}

// 96 bits, a scale of tens, and a sign; shown by its first 64 bits where more are 0.
double decimal(std::string_view bytes) {
  Cursor cursor(bytes);
  const auto flags = cursor.little<uint32_t>();
  const auto high = cursor.little<uint32_t>();
  const auto low = cursor.little<uint64_t>();
  constexpr double kTwoTo64 = 18446744073709551616.0;
  constexpr uint32_t kScaleShift = 16, kScaleMask = 0xFF, kMostScale = 28, kSign = 0x80000000;
  double value = static_cast<double>(high) * kTwoTo64 + static_cast<double>(low);
  for (uint32_t i = std::min((flags >> kScaleShift) & kScaleMask, kMostScale); i > 0; --i)
    value /= 10;
  return (flags & kSign) != 0 ? -value : value;
}

Value integer_value(Value::Form form, uint64_t value) {
  Value made;
  made.form = form;
  made.integer = value;
  return made;
}
Value signed_value(int64_t value) {
  return integer_value(Value::Form::kSigned, static_cast<uint64_t>(value));
}
Value unsigned_value(uint64_t value) { return integer_value(Value::Form::kUnsigned, value); }
Value flag_value(bool value) { return integer_value(Value::Form::kFlag, value ? 1U : 0U); }
Value real_value(double value) {
  Value made;
  made.form = Value::Form::kReal;
  made.real = value;
  return made;
}
Value text_value(std::string text) {
  Value made;
  made.form = Value::Form::kText;
  made.text = std::move(text);
  return made;
}

}  // namespace

std::optional<double> Value::number() const {
  switch (form) {
    case Form::kSigned:
      return static_cast<double>(static_cast<int64_t>(integer));
    case Form::kUnsigned:
    case Form::kPointer:
    case Form::kFlag:
      return static_cast<double>(integer);
    case Form::kReal:
      return real;
    default:
      return std::nullopt;
  }
}

Values::Values(const std::vector<Field>& fields, std::string_view payload, uint32_t pointer_bytes)
    : payload_(payload), pointer_bytes_(pointer_bytes), left_(kMostValues) {
  Cursor cursor(payload);
  for (const Field& field : fields) {
    if (cursor.is_at_end() && field.type.code != Code::kObject) break;
    rest_ = cursor.rest();
    Value value = take(cursor, field.type, 0);
    if (cursor.has_failed() || left_ == 0) return;
    value.name = field.name;
    values_.push_back(std::move(value));
  }
  // Fields may give positions of data after the fields.
  const bool has_places = std::ranges::any_of(fields, [](const Field& field) {
    return field.type.code == Code::kPlace || field.type.code == Code::kRelativePlace;
  });
  rest_ = has_places ? std::string_view() : cursor.rest();
}

const Value* Values::find_in(const std::vector<Value>& values, std::string_view name) {
  const auto it = std::ranges::find(values, name, &Value::name);
  return it == values.end() ? nullptr : &*it;
}

uint64_t Values::integer(std::string_view name) const {
  const Value* value = find(name);
  return value != nullptr ? value->integer : 0;
}

std::string_view Values::text_in(const std::vector<Value>& values, std::string_view name) {
  const Value* value = find_in(values, name);
  return value != nullptr ? std::string_view(value->text) : std::string_view();
}

// Its size and where it lies, 16 bits each.
std::string_view Values::place_of(Cursor& cursor, bool is_relative) const {
  constexpr uint32_t kHalf = 16, kMask = 0xFFFF;
  const auto both = cursor.little<uint32_t>();
  const size_t base = is_relative ? payload_.size() - cursor.rest().size() : 0;
  const size_t at = base + (both & kMask), size = both >> kHalf;
  return at > payload_.size() ? std::string_view() : payload_.substr(at, size);
}

Value Values::take(Cursor& cursor, const FieldType& type, int depth) {
  if (left_ > 0) --left_;
  if (depth > kMostDepth || left_ == 0) return {};
  Value value;
  switch (type.code) {
    case Code::kObject:
      value.form = Value::Form::kObject;
      for (const Field& field : type.fields) {
        if (cursor.has_failed() || left_ == 0) break;
        value.parts.push_back(take(cursor, field.type, depth + 1));
        value.parts.back().name = field.name;
      }
      return value;
    case Code::kArray:
      take_list(cursor, type.element.front(), cursor.little<uint16_t>(), depth, value);
      return value;
    case Code::kFixedArray:
      take_list(cursor, type.element.front(), type.count, depth, value);
      return value;
    case Code::kRelativePlace:
    case Code::kPlace: {
      Cursor part(place_of(cursor, type.code == Code::kRelativePlace));
      take_list(part, type.element.front(), UINT64_MAX, depth, value);
      return value;
    }
    default:
      return take_single(cursor, type.code);
  }
}

Value Values::take_single(Cursor& cursor, Code code) const {
  constexpr size_t kDecimalBytes = 16, kWide = 8;
  switch (code) {
    case Code::kBoolean32:
      return flag_value(cursor.little<uint32_t>() != 0);
    case Code::kBoolean8:
      return flag_value(cursor.little<uint8_t>() != 0);
    case Code::kUtf16Unit:
      return text_value(utf16_text(cursor.bytes(sizeof(uint16_t))));
    case Code::kUtf8Unit:
      return text_value(valid_utf8(cursor.bytes(1)));
    case Code::kInt8:
      return signed_value(cursor.little<int8_t>());
    case Code::kUint8:
      return unsigned_value(cursor.little<uint8_t>());
    case Code::kInt16:
      return signed_value(cursor.little<int16_t>());
    case Code::kUint16:
      return unsigned_value(cursor.little<uint16_t>());
    case Code::kInt32:
      return signed_value(cursor.little<int32_t>());
    case Code::kUint32:
      return unsigned_value(cursor.little<uint32_t>());
    case Code::kInt64:
      return signed_value(cursor.little<int64_t>());
    case Code::kUint64:
      return unsigned_value(cursor.little<uint64_t>());
    case Code::kSingle:
      return real_value(cursor.little<float>());
    case Code::kDouble:
      return real_value(cursor.little<double>());
    case Code::kDecimal:
      return real_value(decimal(cursor.bytes(kDecimalBytes)));
    case Code::kDateTime:
      return text_value(date_text(cursor.little<uint64_t>()));
    case Code::kGuid: {
      const std::string_view bytes = cursor.bytes(kGuidBytes);
      return text_value(guid_text(bytes));
    }
    case Code::kUtf16Text:
      return text_value(cursor.utf16());
    case Code::kBytesText: {
      const std::string_view text = until_zero(cursor.rest());
      cursor.bytes(std::min(text.size() + 1, cursor.rest().size()));
      return text_value(valid_utf8(text));
    }
    case Code::kVarInt:
      return signed_value(cursor.zigzag());
    case Code::kVarUint:
      return unsigned_value(cursor.varint());
    case Code::kPointer:
      return integer_value(Value::Form::kPointer, pointer_bytes_ == kWide
                                                      ? cursor.little<uint64_t>()
                                                      : cursor.little<uint32_t>());
    case Code::kAddress:
      return integer_value(Value::Form::kPointer, cursor.little<uint64_t>());
    default:
      return {};
  }
}

// Units of letters are a text. Where the count is not said the list ends with its bytes.
void Values::take_list(Cursor& cursor, const FieldType& element, uint64_t count, int depth,
                       Value& value) {
  const bool is_open = count == UINT64_MAX;
  if (element.code == Code::kUtf8Unit || element.code == Code::kUtf16Unit) {
    const bool is_wide = element.code == Code::kUtf16Unit;
    const uint64_t bytes = is_open ? cursor.rest().size() : count * (is_wide ? 2 : 1);
    const std::string_view text = cursor.bytes(bytes);
    std::string letters = is_wide ? utf16_text(text) : valid_utf8(text);
    while (!letters.empty() && letters.back() == '\0') letters.pop_back();
    value = text_value(std::move(letters));
    return;
  }
  value.form = Value::Form::kList;
  for (uint64_t i = 0; i < count && left_ > 0 && !cursor.has_failed(); ++i) {
    if (is_open && cursor.is_at_end()) return;
    value.parts.push_back(take(cursor, element, depth + 1));
  }
}

void add_value(ArgsText& json, const Value& value, bool has_name) {
  if (has_name) json.name(value.name);
  switch (value.form) {
    case Value::Form::kNothing:
      return json.nothing();
    case Value::Form::kSigned:
      return json.number(static_cast<int64_t>(value.integer));
    case Value::Form::kUnsigned:
      return json.number(value.integer);
    case Value::Form::kPointer:
      return json.pointer(value.integer);
    case Value::Form::kReal:
      return json.number(value.real);
    case Value::Form::kFlag:
      return json.flag(value.integer != 0);
    case Value::Form::kText:
      return json.text(value.text);
    case Value::Form::kList:
    case Value::Form::kObject: {
      const bool is_object = value.form == Value::Form::kObject;
      json.begin(is_object ? '{' : '[');
      for (const Value& part : value.parts) add_value(json, part, is_object);
      return json.end(is_object ? '}' : ']');
    }
  }
}

}  // namespace weft::formats::nettrace
