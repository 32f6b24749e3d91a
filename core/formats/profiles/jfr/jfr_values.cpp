#include "core/formats/profiles/jfr/jfr_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

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
      add_constant(cursor, *of, key);
    }
  }
  return !cursor.has_failed() && cursor.at() <= at + size;
}

void Values::add_constant(Cursor& cursor, const Class& of, uint64_t key) {
  places_.insert({&of, key}, cursor.at());
  take(cursor, of, nullptr, 0);
}

Value Values::take(Cursor& cursor, const Class& of) const {
  Value value;
  take(cursor, of, &value, 0);
  return value;
}

void Values::take(Cursor& cursor, const Class& of, Value* into, int depth) const {
  if (depth > kMostDepth) cursor.fail();
  if (cursor.has_failed()) return;
  Value unused;
  Value& value = into != nullptr ? *into : unused;
  value.kind = Value::Kind::kInteger;
  switch (of.kind) {
    case Kind::kBoolean:
      value.kind = Value::Kind::kBoolean;
      value.integer = cursor.byte() != 0 ? 1 : 0;
      return;
    case Kind::kByte: {
      constexpr int64_t kSign = 0x80;
      value.integer = (int64_t{cursor.byte()} ^ kSign) - kSign;
      return;
    }
    case Kind::kChar:
      value.integer = cursor.integer<uint16_t>();
      return;
    case Kind::kShort:
      value.integer = cursor.integer<int16_t>();
      return;
    case Kind::kInt:
      value.integer = cursor.integer<int32_t>();
      return;
    case Kind::kLong:
      value.integer = cursor.integer<int64_t>();
      return;
    case Kind::kFloat:
      value.kind = Value::Kind::kReal;
      value.real = static_cast<double>(cursor.real32());
      return;
    case Kind::kDouble:
      value.kind = Value::Kind::kReal;
      value.real = cursor.real64();
      return;
    case Kind::kText:
      return take_text(cursor, value);
    case Kind::kUnsignedByte:
      value.integer = cursor.byte();
      return;
    case Kind::kUnsignedInt:
      value.integer = cursor.fixed<uint32_t>();
      return;
    case Kind::kShortUtf8:
    case Kind::kCharacters:
      value.kind = Value::Kind::kText;
      value.text = take_old_text(cursor, of.kind);
      return;
    case Kind::kKey:
      return;
    case Kind::kObject:
      break;
  }
  value.kind = Value::Kind::kObject;
  value.of = &of;
  const size_t begin = cursor.at();
  if (into != nullptr) into->parts.resize(of.fields.size());
  for (size_t i = 0; i < of.fields.size(); ++i)
    take_field(cursor, of.fields[i], into != nullptr ? &into->parts[i] : nullptr, depth + 1);
  if (cursor.at() == begin) cursor.count_empty();
}

void Values::take_text(Cursor& cursor, Value& into) const {
  EncodedText taken = take_encoded_text(cursor);
  into.kind = taken.is_constant ? Value::Kind::kConstant
              : taken.is_null   ? Value::Kind::kNothing
                                : Value::Kind::kText;
  into.text = std::move(taken.text);
  into.integer = static_cast<int64_t>(taken.key);
  into.of = text_class_;
}

void Values::take_field(Cursor& cursor, const Field& field, Value* into, int depth) const {
  if (field.of == nullptr) return cursor.fail();
  const auto take_one = [&](Value* one) {
    if (!field.is_constant) return take(cursor, *field.of, one, depth);
    Value key;
    if (field.key != nullptr) {
      take(cursor, *field.key, &key, depth);
    } else {
      key.integer = cursor.integer<int64_t>();
    }
    if (one == nullptr) return;
    one->kind = Value::Kind::kConstant;
    one->of = field.of;
    one->integer = key.integer;
  };
  if (!field.is_array) {
    take_one(into);
    if (into != nullptr) into->is_unsigned = field.is_unsigned;
    return;
  }
  constexpr uint32_t kMostElements = 1 << 16;
  const auto count = static_cast<uint32_t>(cursor.integer<int32_t>());
  if (count > std::min<size_t>(cursor.left(), kMostElements)) cursor.fail();
  if (into != nullptr) into->kind = Value::Kind::kArray;
  for (uint32_t i = 0; i < count && !cursor.has_failed(); ++i)
    take_one(into != nullptr ? &into->parts.emplace_back() : nullptr);
}

const Value& Values::resolved(const Value& value) {
  if (value.kind != Value::Kind::kConstant) return value;
  const Constant* const constant = constant_of(value);
  return constant == nullptr ? nothing_ : constant->value;
}

Values::Constant* Values::constant_of(const Value& value) {
  const Key key(value.of, static_cast<uint64_t>(value.integer));
  if (const size_t* const known = known_.find(key)) return &constants_[*known];
  const size_t* const place = places_.find(key);
  if (place == nullptr) return nullptr;
  Cursor cursor = cursor_at(*place);
  Value taken = take(cursor, *value.of);
  if (taken.kind == Value::Kind::kConstant) taken = {};  // of a text that is not text
  for (size_t i = 0; i < taken.parts.size() && taken.kind == Value::Kind::kObject; ++i) {
    if (taken.of->fields[i].of->kind == Kind::kKey) taken.parts[i].integer = value.integer;
  }
  known_.insert(key, constants_.size());
  Constant& constant = constants_.emplace_back();
  constant.value = std::move(taken);
  return &constant;
}

const Value& Values::part(const Value& value, std::string_view name) {
  return resolved(reference(value, name));
}

const Value& Values::reference(const Value& value, std::string_view name) {
  const Value& object = resolved(value);
  if (object.kind != Value::Kind::kObject) return nothing_;
  for (size_t i = 0; i < object.parts.size(); ++i) {
    if (object.of->fields[i].name == name) return object.parts[i];
  }
  return nothing_;
}

// Texts of constants are cached: stacks consist of few methods.
std::string Values::text(const Value& value, int depth) {
  steps_ = depth == 0 ? 0 : steps_ + 1;
  if (depth > kMostDepth || steps_ > kMostSteps) return {};
  if (value.kind != Value::Kind::kConstant) return text_of_known(value, depth);
  Constant* const constant = constant_of(value);
  if (constant == nullptr) return {};
  if (constant->has_text) return constant->text;
  std::string made = text_of_known(constant->value, depth);
  constexpr size_t kMostBytes = size_t{32} << 20;
  if (steps_ > kMostSteps || text_bytes_ > kMostBytes) return made;
  text_bytes_ += made.size();
  constant->has_text = true;
  constant->text = made;
  return made;
}

std::string Values::text_of_known(const Value& value, int depth) {
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
    case Value::Kind::kObject:
      return object_text(known, depth);
    default:
      return {};
  }
}

std::string Values::object_text(const Value& value, int depth) {
  const Class& of = *value.of;
  const auto part_text = [&](std::string_view name) {
    return text(reference(value, name), depth + 1);
  };
  const auto class_text = [&](std::string_view name) {
    std::string whole = part_text(name);
    std::ranges::replace(whole, '/', '.');
    return whole;
  };
  if (of.name == "java.lang.Thread") {
    std::string name = part_text("javaName");
    return name.empty() ? part_text("osName") : name;
  }
  if (of.name == "JavaThread" || of.name == "VMThread") return part_text("thread");
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

void Values::add_to(ArgsText& params, const Value& value) {
  const Value& known = resolved(value);
  switch (known.kind) {
    case Value::Kind::kInteger:
      return known.is_unsigned ? params.number(static_cast<uint64_t>(known.integer))
                               : params.number(known.integer);
    case Value::Kind::kBoolean:
      return params.flag(known.integer != 0);
    case Value::Kind::kReal:
      return params.number(known.real);
    default:
      return params.text(text(value));
  }
}

}  // namespace weft::formats::jfr
