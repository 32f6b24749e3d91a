#include "core/formats/jfr/jfr_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/formats/chrome_json/json_text.h"

namespace weft::formats::jfr {

using Kind = Class::Kind;

const Class* Values::class_at(uint64_t id) const {
  const auto it = classes_.find(id);
  return it == classes_.end() ? nullptr : &it->second;
}

Cursor Values::cursor_at(size_t at) const {
  Cursor cursor(chunk_, is_compressed_);
  cursor.move_to(at);
  return cursor;
}

// Each says how far before it the one before is; the first says 0.
bool Values::add_checkpoints(size_t at) {
  for (size_t end = chunk_.size();;) {
    Cursor cursor = cursor_at(at);
    int64_t before = 0;
    if (!add_checkpoint(cursor, end, before)) return false;
    if (before == 0) return true;
    if (before > 0 || at < static_cast<uint64_t>(-before)) return false;
    end = at;
    at -= static_cast<uint64_t>(-before);
  }
}

bool Values::add_checkpoint(Cursor& cursor, size_t end, int64_t& before) {
  const size_t at = cursor.at();
  const auto size = static_cast<uint32_t>(cursor.integer<int32_t>());
  if (at > end || size > end - at) return false;
  const auto type = cursor.integer<int64_t>();
  cursor.integer<int64_t>();  // begin
  cursor.integer<int64_t>();  // duration
  before = cursor.integer<int64_t>();
  cursor.byte();  // what it is for
  if (type != 1) return false;
  for (auto pools = static_cast<uint32_t>(cursor.integer<int32_t>()); pools > 0; --pools) {
    const auto id = cursor.integer<uint64_t>();
    const Class* const of = class_at(id);
    if (of == nullptr || cursor.has_failed()) return false;
    for (auto count = static_cast<uint32_t>(cursor.integer<int32_t>()); count > 0; --count) {
      const auto key = cursor.integer<uint64_t>();
      if (cursor.has_failed()) return false;
      places_.try_emplace({id, key}, cursor.at());
      (void)take(cursor, *of);
    }
  }
  return !cursor.has_failed() && cursor.at() <= at + size;
}

Value Values::take(Cursor& cursor, const Class& of, int depth) const {
  Value value;
  if (depth > kMostDepth) cursor.fail();
  if (cursor.has_failed()) return value;
  value.kind = Value::Kind::kInteger;
  switch (of.kind) {
    case Kind::kBoolean:
      value.kind = Value::Kind::kBoolean;
      value.integer = cursor.byte() != 0 ? 1 : 0;
      return value;
    case Kind::kByte: {
      constexpr int64_t kSign = 0x80;
      value.integer = (int64_t{cursor.byte()} ^ kSign) - kSign;
      return value;
    }
    case Kind::kChar:
      value.integer = cursor.integer<uint16_t>();
      return value;
    case Kind::kShort:
      value.integer = cursor.integer<int16_t>();
      return value;
    case Kind::kInt:
      value.integer = cursor.integer<int32_t>();
      return value;
    case Kind::kLong:
      value.integer = cursor.integer<int64_t>();
      return value;
    case Kind::kFloat:
      value.kind = Value::Kind::kReal;
      value.real = static_cast<double>(cursor.real32());
      return value;
    case Kind::kDouble:
      value.kind = Value::Kind::kReal;
      value.real = cursor.real64();
      return value;
    case Kind::kText: {
      EncodedText taken = take_encoded_text(cursor);
      value.kind = taken.is_constant ? Value::Kind::kConstant
                   : taken.is_null   ? Value::Kind::kNothing
                                     : Value::Kind::kText;
      value.text = std::move(taken.text);
      value.integer = static_cast<int64_t>(taken.key);
      value.of = text_class_;
      return value;
    }
    case Kind::kObject:
      break;
  }
  value.kind = Value::Kind::kObject;
  value.of = of.id;
  for (const Field& field : of.fields) value.parts.push_back(take_field(cursor, field, depth));
  return value;
}

Value Values::take_field(Cursor& cursor, const Field& field, int depth) const {
  const Class* const of = class_at(field.of);
  if (of == nullptr) {
    cursor.fail();
    return {};
  }
  const auto take_one = [&] {
    if (!field.is_constant) return take(cursor, *of, depth + 1);
    Value key;
    key.kind = Value::Kind::kConstant;
    key.of = field.of;
    key.integer = cursor.integer<int64_t>();
    return key;
  };
  if (!field.is_array) {
    Value value = take_one();
    value.is_unsigned = field.is_unsigned;
    return value;
  }
  Value list;
  list.kind = Value::Kind::kArray;
  const auto count = static_cast<uint32_t>(cursor.integer<int32_t>());
  constexpr uint32_t kMostElements = 1 << 16;
  if (count > std::min<size_t>(cursor.left(), kMostElements)) cursor.fail();
  for (uint32_t i = 0; i < count && !cursor.has_failed(); ++i) list.parts.push_back(take_one());
  return list;
}

const Value& Values::resolved(const Value& value) {
  if (value.kind != Value::Kind::kConstant) return value;
  const std::pair key(value.of, static_cast<uint64_t>(value.integer));
  if (const auto known = known_.find(key); known != known_.end()) return known->second;
  const auto place = places_.find(key);
  const Class* const of = class_at(value.of);
  if (place == places_.end() || of == nullptr) return nothing_;
  Cursor cursor = cursor_at(place->second);
  Value taken = take(cursor, *of);
  if (taken.kind == Value::Kind::kConstant) taken = {};  // of a text that is no text
  return known_.emplace(key, std::move(taken)).first->second;
}

const Value& Values::part(const Value& value, std::string_view name) {
  const Value& object = resolved(value);
  const Class* const of = class_at(object.of);
  if (object.kind != Value::Kind::kObject || of == nullptr) return nothing_;
  for (size_t i = 0; i < of->fields.size() && i < object.parts.size(); ++i) {
    if (of->fields[i].name == name) return resolved(object.parts[i]);
  }
  return nothing_;
}

std::string Values::text(const Value& value, int depth) {
  steps_ = depth == 0 ? 0 : steps_ + 1;
  if (depth > kMostDepth || steps_ > kMostSteps) return {};
  const Value& known = resolved(value);
  switch (known.kind) {
    case Value::Kind::kInteger:
      return known.is_unsigned ? std::to_string(static_cast<uint64_t>(known.integer))
                               : std::to_string(known.integer);
    case Value::Kind::kReal:
      return fmt::format("{}", known.real);
    case Value::Kind::kBoolean:
      return known.integer != 0 ? "true" : "false";
    case Value::Kind::kText:
      return known.text;
    case Value::Kind::kArray: {
      std::string all;
      for (const Value& each : known.parts)
        all += (all.empty() ? "" : ", ") + text(each, depth + 1);
      return all;
    }
    case Value::Kind::kObject: {
      const Class* const of = class_at(known.of);
      return of == nullptr ? std::string() : object_text(known, *of, depth);
    }
    default:
      return {};
  }
}

std::string Values::object_text(const Value& value, const Class& of, int depth) {
  const auto part_text = [&](std::string_view name) { return text(part(value, name), depth + 1); };
  const auto class_text = [&](std::string_view name) {
    std::string whole = part_text(name);
    std::ranges::replace(whole, '/', '.');
    return whole;
  };
  if (of.name == "java.lang.Thread") {
    std::string name = part_text("javaName");
    return name.empty() ? part_text("osName") : name;
  }
  if (of.name == "java.lang.Class" || of.name == "jdk.types.Package") return class_text("name");
  if (of.name == "jdk.types.Method") return class_text("type") + '.' + part_text("name");
  if (of.name == "jdk.types.StackFrame") {
    const int64_t line = integer(value, "lineNumber");
    return part_text("method") + (line > 0 ? fmt::format(":{}", line) : std::string());
  }
  if (of.name == "jdk.types.StackTrace") return part_text("frames");
  if (value.parts.size() == 1) return text(value.parts.front(), depth + 1);
  if (const Value& name = part(value, "name"); name.kind != Value::Kind::kNothing)
    return text(name, depth + 1);
  std::string all;
  for (size_t i = 0; i < value.parts.size(); ++i) {
    const std::string one = text(value.parts[i], depth + 1);
    if (!one.empty())
      all += fmt::format("{}{} {}", all.empty() ? "" : ", ", of.fields[i].name, one);
  }
  return all;
}

void Values::append_json(std::string& json, const Value& value) {
  const Value& known = resolved(value);
  const bool is_plain = known.kind == Value::Kind::kInteger ||
                        known.kind == Value::Kind::kBoolean ||
                        (known.kind == Value::Kind::kReal && std::isfinite(known.real));
  if (is_plain) {
    json += text(known);
  } else {
    chrome_json::append_quoted(json, text(known));
  }
}

}  // namespace weft::formats::jfr
