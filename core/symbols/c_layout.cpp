#include "core/symbols/c_layout.h"

#include <algorithm>
#include <bit>
#include <unordered_map>

#include "core/symbols/c_expression.h"

namespace weft::symbols {
namespace {

using Kind = DataType::Kind;

constexpr int kMostIndirections = 200;  // of names that stand for names, of types within types

uint64_t rounded_up(uint64_t value, uint64_t unit) { return (value + unit - 1) / unit * unit; }

// The values of macros and enumerators, each found when it is first asked for.
class Constants {
 public:
  Constants(const CTree& tree, std::function<std::optional<int64_t>(std::span<const Token>)> size)
      : tree_(tree),
        names_{[this](std::string_view name) { return value_of(name); }, std::move(size)} {
    for (uint32_t i = 0; i < tree.constants.size(); ++i)
      by_name_.try_emplace(tree.constants[i].name, i);
    values_.resize(tree.constants.size());
  }

  const ExpressionNames& names() const { return names_; }

  std::optional<int64_t> value(uint32_t index) {
    if (values_[index].is_done || depth_ >= kMostIndirections) return values_[index].value;
    values_[index].is_done = true;  // who asks on the way stands for itself: none
    // Back along enumerators that are one more than the one before.
    uint32_t first = index;
    uint64_t steps = 0;
    while (tree_.constants[first].before && (first == index || !values_[first].is_done)) {
      first = *tree_.constants[first].before;
      ++steps;
    }
    const CConstant& constant = tree_.constants[first];
    std::optional<int64_t> value = 0;
    ++depth_;
    if (first != index) {
      value = this->value(first);
    } else if (!constant.expression.empty()) {
      value = evaluate(constant.expression, names_);
    }
    --depth_;
    if (value) value = static_cast<int64_t>(static_cast<uint64_t>(*value) + steps);
    return values_[index].value = value;
  }

 private:
  struct Entry {
    std::optional<int64_t> value;
    bool is_done = false;
  };

  std::optional<int64_t> value_of(std::string_view name) {
    const auto at = by_name_.find(name);
    return at == by_name_.end() ? std::nullopt : value(at->second);
  }

  const CTree& tree_;
  ExpressionNames names_;
  std::unordered_map<std::string_view, uint32_t> by_name_;
  std::vector<Entry> values_;
  int depth_ = 0;
};

class Layout {
 public:
  explicit Layout(CTree& tree)
      : tree_(tree),
        constants_(tree, [this](std::span<const Token> type) { return size_of(type); }),
        made_(tree.nodes.size()) {
    symbols_.target = tree.target;
  }

  Symbols run() {
    for (uint32_t i = 0; i < tree_.constants.size(); ++i) {
      const auto value = constants_.value(i);
      const CConstant& constant = tree_.constants[i];
      if (value)
        symbols_.constants.push_back({std::string(constant.name), constant.family, *value});
    }
    for (const auto& [name, node] : tree_.named) {
      const auto type = make(node);
      if (type && is_struct(*type)) symbols_.structs.emplace(name, *type);
    }
    symbols_.report = std::move(tree_.report);
    for (const uint32_t line : unknown_)
      symbols_.report.add("struct whose layout is not known", {line, trace::PlaceUnit::kLine}, 1,
                          false);
    return std::move(symbols_);
  }

 private:
  struct Made {
    std::optional<DataTypeId> type;
    bool is_done = false;
  };

  bool is_struct(DataTypeId id) const {
    const Kind kind = symbols_.type(id).kind;
    return kind == Kind::kStruct || kind == Kind::kUnion;
  }

  // Returns nullopt if the type is not known in full, or holds itself.
  std::optional<DataTypeId> make(CNodeId id) {
    Made& made = made_[id.value()];
    if (made.is_done || depth_ >= kMostIndirections) return made.type;
    made.is_done = true;
    ++depth_;
    const auto type = make_new(tree_.nodes[id.value()]);
    --depth_;
    return made_[id.value()].type = type;
  }

  std::optional<DataTypeId> make_new(const CNode& node) {
    switch (node.kind) {
      case CNode::Kind::kBase:
        return add(node.base);
      case CNode::Kind::kNamed:
        return find(node.name);
      case CNode::Kind::kPointer:
        return add({.kind = Kind::kPointer,
                    .name = "pointer",
                    .size_bytes = tree_.target.pointer_bytes,
                    .align_bytes = tree_.target.pointer_bytes});
      case CNode::Kind::kArray:
        return make_array(node);
      case CNode::Kind::kEnum:
        return make_enum(node);
      case CNode::Kind::kStruct:
      case CNode::Kind::kUnion:
        return make_struct(node);
    }
    return std::nullopt;
  }

  DataTypeId add(DataType type) {
    symbols_.types.push_back(std::move(type));
    return DataTypeId(static_cast<uint32_t>(symbols_.types.size() - 1));
  }

  std::optional<DataTypeId> find(const std::string& name) {
    const auto at = tree_.named.find(name);
    if (at != tree_.named.end()) return make(at->second);
    const auto base = base_type({name}, tree_.target);
    return base ? std::optional(add(*base)) : std::nullopt;
  }

  std::optional<int64_t> size_of(std::span<const Token> type) {
    std::string name;
    for (const Token& token : type) name.append(name.empty() ? "" : " ").append(token.text);
    if (name.ends_with('*')) return tree_.target.pointer_bytes;
    std::vector<std::string_view> words;
    for (const Token& token : type) words.push_back(token.text);
    std::optional<DataTypeId> id = tree_.named.contains(name) ? find(name) : std::nullopt;
    if (!id) {
      const auto base = base_type(words, tree_.target);
      return base ? std::optional(static_cast<int64_t>(base->size_bytes)) : std::nullopt;
    }
    return static_cast<int64_t>(symbols_.type(*id).size_bytes);
  }

  std::optional<DataTypeId> make_array(const CNode& node) {
    const auto element = make(node.element);
    const auto count =
        node.count.empty() ? std::optional<int64_t>(0) : evaluate(node.count, constants_.names());
    if (!element || !count || *count < 0) return std::nullopt;
    const DataType& of = symbols_.type(*element);
    uint64_t size_bytes = 0;
    if (__builtin_mul_overflow(of.size_bytes, static_cast<uint64_t>(*count), &size_bytes) ||
        size_bytes > Symbols::kMostTypeBytes)
      return std::nullopt;
    return add({.kind = Kind::kArray,
                .name = of.name,
                .size_bytes = size_bytes,
                .align_bytes = of.align_bytes,
                .element = *element,
                .count = static_cast<uint64_t>(*count)});
  }

  std::optional<DataTypeId> make_enum(const CNode& node) {
    DataType type{.kind = Kind::kEnum, .name = node.name, .size_bytes = 4, .align_bytes = 4};
    int64_t least = 0, most = 0;
    for (const uint32_t index : node.enumerators) {
      const auto value = constants_.value(index);
      if (!value) continue;
      type.enumerators.push_back({std::string(tree_.constants[index].name), *value});
      least = std::min(least, *value);
      most = std::max(most, *value);
    }
    type.is_signed = least < 0;
    const auto fits = [&](int bits) {
      const int64_t limit = int64_t{1} << (bits - 1);
      return type.is_signed ? least >= -limit && most < limit : most >> 1 < limit;
    };
    if (!fits(32)) type.size_bytes = 8;
    if (node.is_packed) type.size_bytes = fits(8) ? 1 : fits(16) ? 2 : type.size_bytes;
    if (!node.element.is_none()) {
      const auto kept_in = make(node.element);
      if (!kept_in) return std::nullopt;
      type.size_bytes = symbols_.type(*kept_in).size_bytes;
      type.is_signed = symbols_.type(*kept_in).is_signed;
    }
    type.align_bytes = static_cast<uint32_t>(std::max<uint64_t>(1, type.size_bytes));
    return add(std::move(type));
  }

  std::optional<DataTypeId> make_struct(const CNode& node) {
    DataType type{.kind = node.kind == CNode::Kind::kUnion ? Kind::kUnion : Kind::kStruct,
                  .name = node.name};
    uint64_t end = 0;  // in bits
    bool is_known = node.is_understood;
    for (const CField& field : node.fields) {
      uint64_t at = type.kind == Kind::kUnion ? 0 : end;
      is_known = is_known && place(node, field, type, at) && at <= 8 * Symbols::kMostTypeBytes;
      if (!is_known) break;
      end = std::max(end, at);
    }
    if (!is_known) {
      unknown_.push_back(node.line);
      return std::nullopt;
    }
    type.align_bytes = std::max(type.align_bytes, node.align);
    type.size_bytes = rounded_up((end + 7) / 8, type.align_bytes);
    return add(std::move(type));
  }

  // Puts the field at the first place from bit `at` on; `at` is then behind it.
  bool place(const CNode& node, const CField& field, DataType& type, uint64_t& at) {
    const auto id = make(field.type);
    if (!id) return false;
    const int64_t width =
        field.is_bit_field ? evaluate(field.width, constants_.names()).value_or(-1) : 0;
    const DataType& of = symbols_.type(*id);
    const bool is_packed = node.is_packed || field.is_packed;
    uint32_t align = is_packed ? 1 : of.align_bytes;
    if (node.pack > 0) align = std::min(align, node.pack);
    align = std::max(align, field.align);
    Member member{.name = field.name, .type = *id};
    if (!field.is_bit_field) {
      at = rounded_up(at, 8 * uint64_t{align});
      member.bit_offset = at;
      at += 8 * of.size_bytes;
    } else {
      const uint64_t unit = 8 * of.size_bytes;
      const bool is_number = of.kind == Kind::kInteger || of.kind == Kind::kBoolean ||
                             of.kind == Kind::kEnum || of.kind == Kind::kCharacter;
      if (!is_number || width < 0 || static_cast<uint64_t>(width) > unit) return false;
      const bool crosses = at % unit + static_cast<uint64_t>(width) > unit;
      const bool is_tight = is_packed || (node.pack > 0 && node.pack < of.size_bytes);
      if (width == 0 || (crosses && !is_tight))
        at = rounded_up(at, width == 0 ? unit : 8 * uint64_t{align});
      member.bit_offset = at;
      member.bit_width = static_cast<uint32_t>(width);
      at += static_cast<uint64_t>(width);
      if (field.name.empty()) return true;  // padding
    }
    type.align_bytes = std::max(type.align_bytes, align);
    type.members.push_back(std::move(member));
    return true;
  }

  CTree& tree_;
  Symbols symbols_;
  Constants constants_;
  std::vector<Made> made_;
  std::vector<uint32_t> unknown_;  // lines of structs that were left out
  int depth_ = 0;
};

}  // namespace

Symbols lay_out(CTree& tree) { return Layout(tree).run(); }

}  // namespace weft::symbols
