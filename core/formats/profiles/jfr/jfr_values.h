// Values of a chunk of Java's Flight Recorder, by the classes that it describes.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/flat_index.h"
#include "core/formats/base/args_text.h"
#include "core/formats/profiles/jfr/jfr_classes.h"
#include "core/formats/profiles/jfr/jfr_cursor.h"

namespace weft::formats::jfr {

struct Value {
  enum class Kind : uint8_t {
    kNothing,
    kInteger,
    kReal,
    kBoolean,
    kText,
    kArray,
    kObject,
    kConstant
  };
  Kind kind = Kind::kNothing;
  bool is_unsigned = false;
  int64_t integer = 0;  // of a constant its key
  double real = 0;
  std::string text;
  const Class* of = nullptr;  // of an object or a constant
  std::vector<Value> parts;   // of an array; of an object, by its class's fields
};

// One chunk's. References are followed where they are asked for: constants refer to each other.
class Values {
 public:
  Values(std::string_view chunk, bool is_compressed, Classes classes)
      : chunk_(chunk), is_compressed_(is_compressed), classes_(std::move(classes)) {
    for (const auto& [id, of] : classes_) {
      if (of.kind == Class::Kind::kText) text_class_ = &of;
    }
  }

  const Class* class_at(uint64_t id) const;
  Cursor cursor_at(size_t at) const;
  // Notes where the constants of the checkpoint are that the cursor stands at, and of those before
  // it. Returns false if one of them is damaged: what was noted until then stays.
  bool add_checkpoints(size_t at);

  // Notes that the constant is where the cursor stands, and passes over it. The first of a key
  // stays.
  void add_constant(Cursor& cursor, const Class& of, uint64_t key);

  // Takes one; fails the cursor where it cannot be one.
  Value take(Cursor& cursor, const Class& of) const;
  // Resolves a reference; returns other values unchanged. Valid while the values live.
  const Value& resolved(const Value& value);
  const Value& resolved(Value&& value) = delete;
  // Returns an object's member, an empty value if it has none of that name.
  const Value& part(const Value& value, std::string_view name);
  // As part(), without resolving references.
  const Value& reference(const Value& value, std::string_view name);
  int64_t integer(const Value& value, std::string_view name) { return part(value, name).integer; }

  // "java.util.Map.put" of a method, "Young" of what has only a name, numbers as they are; empty
  // where there is nothing. Several as a list.
  std::string text(const Value& value, int depth = 0);
  // Numbers as such, others as their text.
  void add_to(ArgsText& params, const Value& value);

 private:
  static constexpr int kMostDepth = 12;

  static constexpr int kMostSteps = 4096;  // to what a text refers to

  // One that ends before `end`; how far before it the one before is.
  bool add_checkpoint(Cursor& cursor, size_t end, int64_t& before);
  // `into` null: it is passed over.
  void take(Cursor& cursor, const Class& of, Value* into, int depth) const;
  void take_text(Cursor& cursor, Value& into) const;
  void take_field(Cursor& cursor, const Field& field, Value* into, int depth) const;
  std::string text_of_known(const Value& value, int depth);
  std::string object_text(const Value& value, int depth);

  std::string_view chunk_;
  bool is_compressed_;
  Classes classes_;
  const Class* text_class_ = nullptr;
  using Key = std::pair<const Class*, uint64_t>;
  struct KeyHash {
    size_t operator()(const Key& key) const {
      constexpr int kLower = 5;  // addresses are multiples of their alignment
      const auto of = reinterpret_cast<uintptr_t>(key.first) >> kLower;
      return NumberHash()(NumberHash()(key.second) + of);
    }
  };
  struct Constant {
    Value value;
    std::string text;
    bool has_text = false;
  };
  // Returns null if nothing is said of it.
  Constant* constant_of(const Value& value);

  FlatIndex<Key, KeyHash> places_;  // of constants
  FlatIndex<Key, KeyHash> known_;   // in `constants_`
  std::deque<Constant> constants_;  // that were asked for
  size_t text_bytes_ = 0;           // of their texts
  Value nothing_;
  int steps_ = 0;  // of the text that is made
};

}  // namespace weft::formats::jfr
