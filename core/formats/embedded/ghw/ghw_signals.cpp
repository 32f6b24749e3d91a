#include "core/formats/embedded/ghw/ghw_signals.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "core/base/utf8.h"

namespace weft::formats::ghw {
namespace {

using Shape = Type::Shape;
using Meaning = Type::Meaning;

enum class PartKind : uint8_t {
  kEnd = 0,
  kBlock = 3,
  kGenerateIf = 4,
  kGenerateFor = 5,
  kInstance = 6,
  kPackage = 7,
  kProcess = 13,
  kGeneric = 14,
  kEndOfScope = 15,
  kSignal = 16,
  kPortIn = 17,
  kPortOut = 18,
  kPortInOut = 19,
  kPortBuffer = 20,
  kPortLinkage = 21,
};

std::string literal_of(const Type& type, int64_t value) {
  const auto i = static_cast<uint64_t>(value);
  return i < type.literals.size() ? type.literals[i] : std::to_string(value);
}

// Appends a Latin-1 character; texts may be padded with zeros.
void append_character(std::string& text, int64_t value) {
  constexpr uint32_t kSpace = 0x20;
  const uint32_t character = static_cast<uint8_t>(value);
  if (character != 0) append_utf8(text, std::max(character, kSpace));
}

bool is_text(const Type& type) {
  return type.is_text_of(Meaning::kBit) || type.is_text_of(Meaning::kLogic) ||
         type.is_text_of(Meaning::kCharacter);
}

vcd::Signals::Shape shape_of(const Type& type) {
  const bool is_bit = type.shape == Shape::kEnum &&
                      (type.meaning == Meaning::kBit || type.meaning == Meaning::kLogic);
  return is_bit ? vcd::Signals::Shape::kBit : vcd::Signals::Shape::kNumber;
}

// Whether it is the signed type of IEEE's numeric_std, of 1997 or 2008.
bool is_signed(const Type& type) {
  return type.name == "signed" || type.name == "unresolved_signed" || type.name == "u_signed";
}

uint32_t sign_bits_of(const Type& type, uint64_t count) {
  constexpr uint64_t kWordBits = 64;
  return is_signed(type) && count <= kWordBits ? static_cast<uint32_t>(count) : 0;
}

// "[3,red]": where in an array its i-th element is, the last dimension counting fastest.
std::string index_text(const Type& type, uint64_t i) {
  std::string text;
  for (size_t j = type.ranges.size(); j-- > 0;) {
    const uint64_t length = type.ranges[j].length();
    const int64_t at = type.ranges[j].at(i % length);
    const Type& index = *type.indices[j];
    const std::string part =
        index.shape == Shape::kEnum ? literal_of(index, at) : std::to_string(at);
    text.insert(0, text.empty() ? part : part + ',');
    i /= length;
  }
  return '[' + text + ']';
}

}  // namespace

Status Signals::declare_all(Input& input, const Names& names, const std::vector<TypeRef>& types) {
  for (int i = 0; i < 3; ++i) input.fixed<uint32_t>();  // scopes, signals, scalars
  while (true) {
    const auto kind = static_cast<PartKind>(input.byte());
    if (input.has_ended()) return fail("the hierarchy of the signals ends early");
    if (kind == PartKind::kEnd) break;
    if (kind == PartKind::kEndOfScope) {
      shown_.leave_scope();
      continue;
    }
    const uint64_t number = input.varint();
    std::string name = number < names.size() ? names[number] : "";
    switch (kind) {
      case PartKind::kProcess:  // has no signals of its own
        break;
      case PartKind::kGenerateFor: {
        WEFT_TRY_ASSIGN(const TypeRef type, take_type(input, types));
        shown_.enter_scope("generate", fmt::format("{}({})", name, value_text(input, *type)));
        break;
      }
      case PartKind::kBlock:
      case PartKind::kGenerateIf:
      case PartKind::kInstance:
      case PartKind::kPackage:
      case PartKind::kGeneric:
        shown_.enter_scope("scope", name);
        break;
      case PartKind::kSignal:
      case PartKind::kPortIn:
      case PartKind::kPortOut:
      case PartKind::kPortInOut:
      case PartKind::kPortBuffer:
      case PartKind::kPortLinkage: {
        WEFT_TRY_ASSIGN(const TypeRef type, take_type(input, types));
        if (!type->scalars)
          return fail(fmt::format("the signal {} has a type without bounds", name));
        WEFT_TRY(declare(input, std::move(name), type));
        break;
      }
      default:
        return fail(fmt::format("the hierarchy of the signals has a part of kind {} (byte {})",
                                static_cast<int>(kind), input.offset()));
    }
  }
  link();
  return {};
}

Result<TypeRef> Signals::take_type(Input& input, const std::vector<TypeRef>& types) const {
  const uint64_t number = input.varint();
  if (number == 0 || number >= types.size())
    return fail(fmt::format("a signal has a type that is not there (byte {})", input.offset()));
  return types[number];
}

// Declares a signal; for a composite type, its elements.
Status Signals::declare(Input& input, std::string name, const TypeRef& type) {
  if (input.has_ended()) return fail("the hierarchy of the signals ends early");
  if (*type->scalars == 0) return {};  // it has no value
  const bool is_scalar = type->shape != Shape::kArray && type->shape != Shape::kRecord;
  if (is_scalar || is_text(*type)) {
    add_variable(input, std::move(name), type, *type->scalars);
    return {};
  }
  return declare_elements(input, name, *type);
}

Status Signals::declare_elements(Input& input, const std::string& name, const Type& type) {
  shown_.enter_scope("signal", name);
  for (const Field& field : type.fields) WEFT_TRY(declare(input, field.name, field.type));
  if (type.shape == Shape::kArray) {
    const uint64_t count = *type.scalars / *type.element->scalars;
    for (uint64_t i = 0; i < count; ++i)
      WEFT_TRY(declare(input, index_text(type, i), type.element));
  }
  shown_.leave_scope();
  return {};
}

void Signals::add_variable(Input& input, std::string name, const TypeRef& type, uint64_t count) {
  const auto first = static_cast<uint32_t>(parts_.size());
  for (uint64_t i = 0; i < count && !input.has_ended(); ++i)
    parts_.push_back(static_cast<uint32_t>(input.varint()));
  if (input.has_ended()) return;
  kept_types_.push_back(type);
  codes_.push_back(std::to_string(variables_.size()));
  variables_.push_back({type.get(), first, static_cast<uint32_t>(count)});
  if (!type->unit.empty()) name += fmt::format(" ({})", type->unit);
  shown_.declare(codes_.back(), name, shape_of(*type), sign_bits_of(*type, count));
}

// That a scope of a generation goes on with.
std::string Signals::value_text(Input& input, const Type& type) const {
  switch (type.shape) {
    case Shape::kEnum:
      return literal_of(type, input.byte());
    case Shape::kReal:
      return fmt::format("{}", input.real());
    default:
      return std::to_string(input.signed_varint());
  }
}

// Changes refer to scalars by their rank among those that belong to a signal.
void Signals::link() {
  std::vector<uint32_t> numbers = parts_;
  std::ranges::sort(numbers);
  const auto repeated = std::ranges::unique(numbers);
  numbers.erase(repeated.begin(), repeated.end());
  for (uint32_t& part : parts_)
    part = static_cast<uint32_t>(std::ranges::lower_bound(numbers, part) - numbers.begin());
  scalars_.assign(numbers.size(), nullptr);
  values_.assign(numbers.size(), 0);
  users_begin_.assign(numbers.size() + 1, 0);
  for (const Variable& variable : variables_) {
    const Type* const type = is_text(*variable.type) ? variable.type->element.get() : variable.type;
    for (uint32_t i = 0; i < variable.count; ++i) {
      const uint32_t scalar = parts_[variable.first + i];
      if (scalars_[scalar] == nullptr) scalars_[scalar] = type;
      ++users_begin_[scalar + 1];
    }
  }
  for (size_t i = 1; i < users_begin_.size(); ++i) users_begin_[i] += users_begin_[i - 1];
  std::vector<uint32_t> next(users_begin_.begin(), users_begin_.end() - 1);
  users_.resize(parts_.size());
  for (uint32_t i = 0; i < variables_.size(); ++i) {
    for (uint32_t j = 0; j < variables_[i].count; ++j)
      users_[next[parts_[variables_[i].first + j]]++] = i;
  }
}

void Signals::change(size_t i, Input& input) {
  switch (scalars_[i]->shape) {
    case Shape::kEnum:
      values_[i] = input.byte();
      break;
    case Shape::kReal:
      values_[i] = std::bit_cast<int64_t>(input.real());
      break;
    default:
      values_[i] = input.signed_varint();
  }
  for (uint32_t j = users_begin_[i]; j < users_begin_[i + 1]; ++j) {
    Variable& variable = variables_[users_[j]];
    if (!std::exchange(variable.has_changed, true)) changed_.push_back(users_[j]);
  }
}

void Signals::show(Time time, uint64_t offset) {
  for (const uint32_t i : changed_) {
    variables_[i].has_changed = false;
    show(variables_[i], codes_[i], time, offset);
  }
  changed_.clear();
}

void Signals::show(const Variable& variable, const std::string& code, Time time, uint64_t offset) {
  const Type& type = *variable.type;
  const int64_t value = values_[parts_[variable.first]];
  if (type.shape == Shape::kInteger || type.shape == Shape::kReal) {
    const double number =
        type.shape == Shape::kReal ? std::bit_cast<double>(value) : static_cast<double>(value);
    shown_.set_real(code, number, time, offset);
    return;
  }
  const bool is_array = type.shape == Shape::kArray;
  const Type& element = is_array ? *type.element : type;
  if (element.meaning == Meaning::kNames || (element.meaning == Meaning::kCharacter && !is_array)) {
    shown_.set_text(code, literal_of(type, value), time, offset);
    return;
  }
  if (element.meaning == Meaning::kBoolean) {  // as a bit: shown while it is true
    shown_.set_text(code, value != 0 ? literal_of(type, value) : "", time, offset);
    return;
  }
  std::string text;
  for (uint32_t i = 0; i < variable.count; ++i) {
    const int64_t part = values_[parts_[variable.first + i]];
    if (element.meaning == Meaning::kCharacter) {
      append_character(text, part);
    } else {
      text += literal_of(element, part);
    }
  }
  if (element.meaning == Meaning::kCharacter) {
    shown_.set_text(code, text, time, offset);
  } else {
    shown_.set_bits(code, text, time, offset);
  }
}

}  // namespace weft::formats::ghw
