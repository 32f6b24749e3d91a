#include "core/formats/embedded/ghw/ghw_types.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/base/text.h"

namespace weft::formats::ghw {
namespace {

enum class TypeKind : uint8_t {  // of GHDL's run time information
  kBit = 22,
  kEnum = 23,
  kInt32 = 25,
  kInt64 = 26,
  kReal = 27,
  kPhysical32 = 28,
  kPhysical64 = 29,
  kArray = 31,
  kRecord = 32,
  kSubtypeScalar = 34,
  kSubtypeArray = 35,
  kSubtypeUnboundedArray = 37,
  kSubtypeRecord = 38,
  kSubtypeUnboundedRecord = 39,
};

constexpr uint64_t kMostScalars = uint64_t{1} << 32;

// Returns the number of scalars, at most kMostScalars; nullopt if the type is unbounded.
std::optional<uint64_t> scalars_of(const Type& type) {
  uint64_t all = 0;
  if (type.shape == Type::Shape::kRecord) {
    for (const Field& field : type.fields) {
      if (!field.type->scalars) return std::nullopt;
      all = std::min(kMostScalars, all + *field.type->scalars);
    }
    return all;
  }
  if (type.shape != Type::Shape::kArray) return 1;
  if (type.ranges.empty() || !type.element->scalars) return std::nullopt;
  all = *type.element->scalars;
  for (const Range& range : type.ranges) {
    const unsigned __int128 product = static_cast<unsigned __int128>(all) * range.length();
    all = product < kMostScalars ? static_cast<uint64_t>(product) : kMostScalars;
  }
  return all;
}

Type::Meaning meaning_of(const Type& type) {
  constexpr std::string_view kNine = "UX01ZWLH-";
  std::string joined;
  for (const std::string& literal : type.literals) joined += literal;
  const size_t count = type.literals.size();
  if (count == 2 && joined == "01") return Type::Meaning::kBit;
  if (count == kNine.size() && joined == kNine) return Type::Meaning::kLogic;
  if (type.name == "boolean" && count == 2) return Type::Meaning::kBoolean;
  return type.name == "character" ? Type::Meaning::kCharacter : Type::Meaning::kNames;
}

class TypeReader {
 public:
  TypeReader(Input& input, const Names& names, uint8_t version)
      : input_(input), names_(names), version_(version) {}

  Result<std::vector<TypeRef>> read() {
    const auto count = input_.fixed<uint32_t>();
    types_.emplace_back();
    for (uint32_t i = 0; i < count; ++i) {
      WEFT_TRY_ASSIGN(TypeRef type, read_type());
      if (input_.has_ended()) return damaged("end early");
      types_.push_back(std::move(type));
    }
    if (input_.byte() != 0) return damaged("do not end where they should");
    return std::move(types_);
  }

 private:
  std::unexpected<Error> damaged(std::string_view what) const {
    return fail(fmt::format("the types of the signals {} (byte {})", what, input_.offset()));
  }

  std::string name() {
    const uint64_t i = input_.varint();
    return i < names_.size() ? names_[i] : "";
  }
  // One of those before: a type holds no type that holds it.
  Result<TypeRef> known_type() {
    const uint64_t i = input_.varint();
    if (i == 0 || i >= types_.size()) return damaged("name one that is not there");
    return types_[i];
  }

  Result<TypeRef> read_type() {
    const auto kind = static_cast<TypeKind>(input_.byte());
    Type type;
    type.name = name();
    switch (kind) {
      case TypeKind::kBit:
      case TypeKind::kEnum:
        return finished(with_literals(std::move(type)));
      case TypeKind::kInt32:
      case TypeKind::kInt64:
        type.shape = Type::Shape::kInteger;
        return finished(std::move(type));
      case TypeKind::kReal:
        type.shape = Type::Shape::kReal;
        return finished(std::move(type));
      case TypeKind::kPhysical32:
      case TypeKind::kPhysical64:
        return finished(with_units(std::move(type)));
      case TypeKind::kSubtypeScalar: {
        WEFT_TRY_ASSIGN(TypeRef base, known_type());
        WEFT_TRY_ASSIGN([[maybe_unused]] const Range range, read_range());
        return base;
      }
      case TypeKind::kArray:
        return read_array(std::move(type));
      case TypeKind::kRecord:
        return read_record(std::move(type));
      case TypeKind::kSubtypeArray:
      case TypeKind::kSubtypeRecord: {
        WEFT_TRY_ASSIGN(const TypeRef base, known_type());
        return bounded(*base, type.name);
      }
      case TypeKind::kSubtypeUnboundedArray:
      case TypeKind::kSubtypeUnboundedRecord:
        return known_type();
    }
    return damaged(fmt::format("are of a kind that is not known, {}", static_cast<int>(kind)));
  }

  Type with_literals(Type type) {
    for (uint64_t i = input_.varint(); i > 0 && !input_.has_ended(); --i) {
      const std::string literal = name();
      const bool is_quoted = literal.size() == 3 && literal.front() == '\'';
      type.literals.push_back(is_quoted ? literal.substr(1, 1) : literal);
    }
    type.meaning = meaning_of(type);
    return type;
  }

  // Values count the first unit.
  Type with_units(Type type) {
    type.shape = Type::Shape::kInteger;
    if (version_ == 0) return type;
    for (uint64_t i = input_.varint(); i > 0 && !input_.has_ended(); --i) {
      std::string unit = name();
      if (type.unit.empty()) type.unit = std::move(unit);
      input_.signed_varint();
    }
    return type;
  }

  Result<TypeRef> read_array(Type type) {
    type.shape = Type::Shape::kArray;
    WEFT_TRY_ASSIGN(type.element, known_type());
    for (uint64_t i = input_.varint(); i > 0 && !input_.has_ended(); --i) {
      WEFT_TRY_ASSIGN(TypeRef index, known_type());
      type.indices.push_back(std::move(index));
    }
    if (type.indices.empty()) return damaged("have an array without dimensions");
    return finished(std::move(type));
  }

  Result<TypeRef> read_record(Type type) {
    type.shape = Type::Shape::kRecord;
    for (uint64_t i = input_.varint(); i > 0 && !input_.has_ended(); --i) {
      std::string field = name();
      WEFT_TRY_ASSIGN(TypeRef of, known_type());
      if (of->scalars != 0) type.fields.push_back({std::move(field), std::move(of)});
    }
    return finished(std::move(type));
  }

  // The bounds that a type lacks, in the order in which a value holds what they bound.
  Result<TypeRef> bounded(const Type& base, std::string name) {
    if (parts_ += 1 + base.fields.size(); parts_ > kMostParts) return damaged("are too many");
    Type type = base;
    if (!name.empty()) type.name = std::move(name);
    if (base.shape == Type::Shape::kRecord) {
      for (Field& field : type.fields) {
        if (!field.type->scalars) {
          WEFT_TRY_ASSIGN(field.type, bounded(*field.type, ""));
        }
      }
      std::erase_if(type.fields, [](const Field& field) { return field.type->scalars == 0; });
      return finished(std::move(type));
    }
    if (base.shape != Type::Shape::kArray) return damaged("bound that is not an array");
    type.ranges.clear();
    for (size_t i = 0; i < base.indices.size(); ++i) {
      WEFT_TRY_ASSIGN(const Range range, read_range());
      type.ranges.push_back(range);
    }
    if (!base.element->scalars) {
      WEFT_TRY_ASSIGN(type.element, bounded(*base.element, ""));
    }
    return finished(std::move(type));
  }

  Result<Range> read_range() {
    constexpr uint8_t kDown = 0x80;
    const uint8_t kind = input_.byte();
    Range range;
    range.is_down = (kind & kDown) != 0;
    switch (static_cast<TypeKind>(kind & ~kDown)) {
      case TypeKind::kBit:
      case TypeKind::kEnum:
        range.left = input_.byte();
        range.right = input_.byte();
        return range;
      case TypeKind::kInt32:
      case TypeKind::kInt64:
      case TypeKind::kPhysical32:
      case TypeKind::kPhysical64:
        range.left = input_.signed_varint();
        range.right = input_.signed_varint();
        return range;
      case TypeKind::kReal:  // of a scalar; it bounds nothing that is shown
        input_.real();
        input_.real();
        return range;
      default:
        return damaged("have a range of a kind that is not known");
    }
  }

  Result<TypeRef> finished(Type type) {
    constexpr uint32_t kMostDepth = 64;
    uint32_t inner = type.element ? type.element->depth : 0;
    for (const Field& field : type.fields) inner = std::max(inner, field.type->depth);
    type.depth = inner + 1;
    if (type.depth > kMostDepth) return damaged("lie in each other too deep");
    type.scalars = scalars_of(type);
    return std::make_shared<const Type>(std::move(type));
  }

  static constexpr uint64_t kMostParts = 1 << 20;

  Input& input_;
  const Names& names_;
  uint8_t version_;
  std::vector<TypeRef> types_;
  uint64_t parts_ = 0;  // of types that were copied to get bounds
};

}  // namespace

uint64_t Range::length() const {
  const int64_t low = is_down ? right : left, high = is_down ? left : right;
  if (low > high) return 0;
  const uint64_t steps = static_cast<uint64_t>(high) - static_cast<uint64_t>(low);
  return std::max(steps, steps + 1);
}

int64_t Range::at(uint64_t i) const {
  const auto from = static_cast<uint64_t>(left);
  return static_cast<int64_t>(is_down ? from - i : from + i);
}

bool Type::is_text_of(Meaning what) const {
  return shape == Shape::kArray && ranges.size() == 1 && element->shape == Shape::kEnum &&
         element->meaning == what;
}

// A name is what it shares with the one before, and its own characters up to a control one, in
// which the length that the next one shares begins: five bits, more while the highest bit is set.
Result<Names> read_names(Input& input, uint64_t most_bytes) {
  constexpr uint8_t kMore = 0x80, kControl = 0x60, kPart = 0x1F;
  constexpr uint32_t kPartBits = 5, kWordBits = 64;
  const auto count = input.fixed<uint32_t>();
  input.fixed<uint32_t>();  // the bytes of all
  Names names(1);
  std::string name;
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < count && !input.has_ended(); ++i) {
    uint8_t byte = input.byte();
    for (; (byte & kControl) != 0 && !input.has_ended(); byte = input.byte())
      name += static_cast<char>(byte);
    if (bytes += sizeof(std::string) + name.size(); bytes > most_bytes)
      return fail("the names of the signals take more than the memory");
    names.push_back(valid_utf8(name));
    uint64_t shared = byte & kPart;
    for (uint32_t shift = kPartBits; (byte & kMore) != 0 && shift < kWordBits; shift += kPartBits) {
      byte = input.byte();
      shared |= static_cast<uint64_t>(byte & kPart) << shift;
    }
    name.resize(std::min<uint64_t>(name.size(), shared));
  }
  const bool ends_well = input.mark() == mark_of("EOS");
  if (input.has_ended()) return fail("the names of the signals end early");
  if (!ends_well) return fail("the names of the signals are damaged");
  return names;
}

Result<std::vector<TypeRef>> read_types(Input& input, const Names& names, uint8_t version) {
  return TypeReader(input, names, version).read();
}

}  // namespace weft::formats::ghw
